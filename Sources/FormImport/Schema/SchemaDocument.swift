internal import JSON
internal import SourceTexts

/// The input of an import of schemas: a JSON Schema, or a document of OpenAPI with schemas in it.
struct SchemaDocument {
  /// How the keywords of the document are meant.
  enum Dialect {
    /// JSON Schema 2019-09 or 2020-12, also in OpenAPI 3.1.
    case modern
    /// JSON Schema 4 to 7: members beside `$ref` are ignored.
    case early
    /// OpenAPI 3.0: early, with `nullable`.
    case openAPI30
    /// react-jsonschema-form: early, but members beside `$ref` count.
    case rjsf
  }

  /// The whole input.
  private(set) var root: JSON
  /// The location of the schema that is imported.
  let top: JSONPointer
  /// How its keywords are meant.
  let dialect: Dialect
  /// Schemas by `$id` and by anchor.
  private let names: [String: JSONPointer]

  init(root: JSON, top: JSONPointer, dialect: Dialect) {
    self.root = root
    self.top = top
    self.dialect = dialect
    var names: [String: JSONPointer] = [:]
    Self.collectNames(root, at: .root, into: &names)
    self.names = names
    self.root = tagged(root)
  }

  /// A schema in which each alternative of a `discriminator` has its constant.
  ///
  /// In OpenAPI, the constants can be in `mapping` or be the names of the schemas, and the member is any text. An
  /// alternative whose member has constants of its own stays as it is.
  private func tagged(_ value: JSON) -> JSON {
    switch value {
    case .array(let elements): return .array(elements.map { tagged($0) })
    case .object(var members):
      for member in members { members[member.name] = tagged(member.value) }
      guard let tag = members["discriminator"]?["propertyName"]?.stringValue else { return .object(members) }
      for keyword in ["oneOf", "anyOf"] {
        guard let alternatives = members[keyword]?.arrayValue else { continue }
        members[keyword] = .array(
          alternatives.map { alternative in
            guard alternative.objectValue?.names == ["$ref"], let reference = alternative["$ref"]?.stringValue,
              let target = target(of: reference), let name = target.pointer.tokens.last,
              TaggedUnion.tags(tag, of: target.schema, at: target.pointer, in: self, depth: 0).isEmpty
            else { return alternative }
            var constants: [JSON] = []
            for entry in members["discriminator"]?["mapping"]?.objectValue ?? [:] {
              guard let text = entry.value.stringValue else { continue }
              if text == name || self.target(of: text)?.pointer == target.pointer {
                constants.append(.string(entry.name))
              }
            }
            if constants.isEmpty { constants = [.string(name)] }
            let constant: JSON = constants.count == 1 ? ["const": constants[0]] : ["enum": .array(constants)]
            return ["allOf": [alternative], "properties": [tag: constant], "required": [.string(tag)]]
          }
        )
      }
      return .object(members)
    default: return value
    }
  }

  /// The schema that is imported.
  var schema: JSON { root.value(at: top) ?? true }

  /// Whether members beside `$ref` restrict the values.
  var hasSiblingsOfReferences: Bool { dialect == .modern || dialect == .rjsf }

  /// The schema that a reference names, and its location; nil if it is not in the document.
  func target(of reference: String) -> (pointer: JSONPointer, schema: JSON)? {
    let pointer: JSONPointer?
    if reference == "#" {
      pointer = .root
    } else if reference.hasPrefix("#/") {
      pointer = JSONPointer(Self.percentDecoded(reference.dropFirst()))
    } else if let named = names[reference] {
      pointer = named
    } else if let hash = reference.firstIndex(of: "#"), let base = names[String(reference[..<hash])] {
      let fragment = Self.percentDecoded(reference[reference.index(after: hash)...])
      pointer = fragment.isEmpty ? base : JSONPointer(fragment).map { JSONPointer(tokens: base.tokens + $0.tokens) }
    } else {
      pointer = nil
    }
    guard let pointer, let schema = root.value(at: pointer) else { return nil }
    return (pointer, schema)
  }

  /// The schema behind references, and its location. Members beside a reference are not in it.
  func resolved(_ schema: JSON, at pointer: JSONPointer) -> (pointer: JSONPointer, schema: JSON) {
    var current = (pointer: pointer, schema: schema)
    for _ in 0..<32 {
      guard let reference = current.schema["$ref"]?.stringValue, let next = target(of: reference) else { break }
      current = next
    }
    return current
  }

  /// Whether null may be valid by a schema.
  func admitsNull(_ schema: JSON, depth: Int = 0) -> Bool {
    guard depth < 16, case .object(let members) = resolved(schema, at: .root).schema else { return schema != false }
    func admits(_ schema: JSON) -> Bool { admitsNull(schema, depth: depth + 1) }
    if dialect == .openAPI30 || dialect == .rjsf, members["nullable"] == true || members["x-nullable"] == true {
      return true
    }
    if let type = members["type"], type != "null", type.arrayValue?.contains("null") != true { return false }
    if let values = members["const"].map({ [$0] }) ?? members["enum"]?.arrayValue, !values.contains(.null) {
      return false
    }
    if members["allOf"]?.arrayValue?.allSatisfy(admits) == false { return false }
    return ["anyOf", "oneOf"].allSatisfy { members[$0]?.arrayValue?.contains(where: admits) != false }
  }

  private static func collectNames(_ value: JSON, at pointer: JSONPointer, into names: inout [String: JSONPointer]) {
    switch value {
    case .object(let members):
      if let id = members["$id"]?.stringValue { names[id] = pointer }
      for key in ["$anchor", "$dynamicAnchor"] {
        if let anchor = members[key]?.stringValue { names["#" + anchor] = pointer }
      }
      for member in members { collectNames(member.value, at: pointer.appending(member.name), into: &names) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        collectNames(element, at: pointer.appending(index), into: &names)
      }
    default: break
    }
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: Finding the schema

extension SchemaDocument {
  /// The schema in an input that the options name.
  ///
  /// - Throws: ``UnreadableInput`` if it has none, or several and the options name none.
  init(_ root: JSON, of input: ImportInput, _ options: ImportOptions) throws(UnreadableInput) {
    guard case .object(let members) = root else {
      if case .bool = root {
        self.init(root: root, top: .root, dialect: .modern)
        return
      }
      throw UnreadableInput(
        input,
        "this is \(root.typeName == "array" || root.typeName == "integer" ? "an" : "a") \(root.typeName), not a schema",
        remedy: "import an object: a JSON Schema or a document of OpenAPI"
      )
    }
    if let version = (members["openapi"] ?? members["swagger"])?.stringValue {
      let top = try OpenAPIRequests.schema(of: root, input, options.component)
      self.init(
        root: root,
        top: top,
        dialect: version.hasPrefix("3.0") || version.hasPrefix("2.") ? .openAPI30 : .modern
      )
      return
    }
    let name = members["$schema"]?.stringValue ?? ""
    let isEarly = ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].contains { name.contains($0) }
    let dialect: Dialect = isEarly ? .early : .modern
    let block = JSONPointer(tokens: [members["$defs"] == nil ? "definitions" : "$defs"])
    let schemas = root.value(at: block)?.objectValue ?? JSONObject()
    let list = "its schemas are: \(schemas.names.prefix(20).joined(separator: ", "))"
    if let name = options.component {
      guard schemas[name] != nil else {
        throw UnreadableInput(
          input,
          "there is no schema \(name) in \(block)",
          remedy: schemas.isEmpty ? "leave out --component, to import the whole schema" : list
        )
      }
      self.init(root: root, top: block.appending(name), dialect: dialect)
    } else if !schemas.isEmpty, !members.contains(where: { SchemaRewriter.describesValues($0.name) }) {
      guard schemas.count == 1 else {
        throw UnreadableInput(
          input,
          "this document has \(schemas.count) schemas in \(block), and a form is made of one",
          remedy: "write --component NAME; \(list)"
        )
      }
      self.init(root: root, top: block.appending(schemas.names[0]), dialect: dialect)
    } else {
      try Self.expectKeywords(in: members, of: input)
      self.init(root: root, top: .root, dialect: dialect)
    }
  }

  /// - Throws: ``UnreadableInput`` if no member of an object is a keyword of JSON Schema.
  static func expectKeywords(in members: JSONObject, of input: ImportInput) throws(UnreadableInput) {
    guard
      members.contains(where: { SchemaRewriter.describesValues($0.name) })
        || members.allSatisfy({ SchemaRewriter.knownKeys.contains($0.name) })
    else {
      throw UnreadableInput(
        input,
        "this is no JSON Schema: no member of the object is a keyword of it",
        remedy: "import the schema of the values, and not the values"
      )
    }
  }
}
