package import JSON

/// A kind of JSON values that the OpenRPC document describes.
package protocol DescribedValue: SendableMetatype {
  /// Such values as JSON Schema. Parts with a ``schemaName`` are references.
  static var schema: JSONObject { get }

  /// The schema's name under `components.schemas` of the OpenRPC document. Without a name, the schema is written out
  /// where such a value is used.
  static var schemaName: StaticString? { get }

  /// The kinds of values that the schema describes as parts of such a value.
  static var schemaParts: [any DescribedValue.Type] { get }
}

extension DescribedValue {
  package static var schemaName: StaticString? { nil }

  package static var schemaParts: [any DescribedValue.Type] { [] }

  /// The schema as a part of another schema: a reference if it has a name.
  package static var schemaReference: JSONObject {
    guard let schemaName else { return schema }
    return ["$ref": .string("#/components/schemas/\(schemaName)")]
  }
}

/// A type of values that members of messages have.
package protocol MemberValue: DescribedValue {
  /// A description of such values for a sender of a wrong value: `string`, `one of: user, autofill`.
  static var expectation: String { get }

  /// Reads a value.
  ///
  /// - Returns: nil when the node does not have such a value; the problem is then noted with the reader, at locations
  ///   relative to the value.
  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self?

  /// Reads a value from the bytes of a text.
  ///
  /// - Returns: nil when the text does not have a plain value of this type.
  static func read(_ reader: inout PlainReader) -> Self?

  /// Writes the value as JSON.
  func write(into buffer: OutputBuffer)
}

extension MemberValue {
  package static func read(_ reader: inout PlainReader) -> Self? { nil }
}

extension Bool: MemberValue {
  package static var schema: JSONObject { ["type": "boolean"] }
  package static var expectation: String { "boolean" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Bool? {
    reader.expect(node.bool, Self.self)
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}

extension Int64: MemberValue {
  package static var schema: JSONObject { ["type": "integer"] }
  package static var expectation: String { "integer" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Int64? {
    reader.expect(node.integer, Self.self)
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}

extension Int: MemberValue {
  package static var schema: JSONObject { Int64.schema }
  package static var expectation: String { Int64.expectation }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Int? {
    Int64.read(node, &reader).map(Int.init)
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}

extension String: MemberValue {
  package static var schema: JSONObject { ["type": "string"] }
  package static var expectation: String { "string" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> String? {
    reader.expect(node.string, Self.self)
  }

  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}

/// Any JSON value, including null: a member that is present is never nil.
extension JSON: MemberValue {
  package static var schema: JSONObject { [:] }
  package static var expectation: String { "any JSON value" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> JSON? {
    node.value()
  }

  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}

/// An object whose members another part defines: values by field, arguments, a document.
extension JSONObject: MemberValue {
  package static var schema: JSONObject { ["type": "object"] }
  package static var expectation: String { "object" }

  package static func read(
    _ node: JSONNode,
    _ reader: inout MessageReader
  ) -> JSONObject? {
    reader.expect(node.isObject ? node.value().objectValue : nil, Self.self)
  }

  package func write(into buffer: OutputBuffer) { buffer.write(JSON.object(self)) }
}

/// A JSON Pointer into a document, as text.
extension JSONPointer: CheckedValue {
  package static var schema: JSONObject { ["type": "string", "description": "A JSON Pointer."] }
  package static var expectation: String { "a JSON Pointer" }
  package var written: String { description }
}

extension Array: MemberValue, DescribedValue where Element: MemberValue {
  package static var schema: JSONObject { ["type": "array", "items": .object(Element.schemaReference)] }
  package static var schemaParts: [any DescribedValue.Type] { [Element.self] }
  package static var expectation: String { "array (each element: \(Element.expectation))" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> [Element]? {
    guard node.kind == .array else { return reader.expect(nil, Self.self) }
    var elements: [Element] = []
    elements.reserveCapacity(node.count)
    for index in 0..<node.count {
      let element = reader.inside("/\(index)") { reader in Element.read(node.element(index), &reader) }
      if let element { elements.append(element) }
    }
    return elements
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "["))
    var isFirst = true
    for element in self {
      if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      element.write(into: buffer)
    }
    buffer.append(byte: UInt8(ascii: "]"))
  }
}

/// A value that another list describes: `Content` says more about it than its own type.
struct Described<Value: MemberValue, Content: DescribedValue>: MemberValue {
  var value: Value

  static var schema: JSONObject { Content.schema }
  static var schemaName: StaticString? { Content.schemaName }
  static var schemaParts: [any DescribedValue.Type] { Content.schemaParts }
  static var expectation: String { Value.expectation }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    Value.read(node, &reader).map(Self.init)
  }

  func write(into buffer: OutputBuffer) { value.write(into: buffer) }
}

/// No answer at all (a notification), or the answer `null`.
package struct Nothing: MemberValue, Sendable {
  package static var schema: JSONObject { ["type": "null"] }
  package static var expectation: String { "null" }

  /// Nothing.
  package init() {}

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Nothing? {
    reader.expect(node.isNull ? Nothing() : nil, Self.self)
  }

  package func write(into buffer: OutputBuffer) { buffer.append("null") }
}
