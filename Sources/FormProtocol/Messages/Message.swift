package import JSON

/// One JSON object of the protocol: a method's params or its result, a push's params, or an object inside one of these.
///
/// A message lists its members once, in ``list(_:)``. All uses of a message follow from that list: a ``MessageReader``
/// reads each member and notes every problem, a ``MessageWriter`` writes each into bytes, a ``MessageSchema`` describes
/// each for the OpenRPC document. The compiler specializes the list for each use, so none costs more than code written
/// by hand.
package protocol Message: MemberValue {
  /// A message without content, ready for a reader to fill.
  init()

  /// Gives the visitor each member: its name, its storage, and its description.
  mutating func list(_ members: inout some MessageVisitor)

  /// Notes problems in the combination of members, after all members are read.
  func check(_ reader: inout MessageReader)

  /// The description of such a message as a part of another one; empty if the name is clear enough.
  static var summary: StaticString { get }
}

extension Message {
  package func check(_ reader: inout MessageReader) {}

  package static var summary: StaticString { "" }
}

/// An operation on the members of a message.
package protocol MessageVisitor {
  /// A required member.
  ///
  /// - Parameter missing: the text for people who left it out; the kind of value when it is empty.
  mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  )

  /// A member that may be left out; it is nil then.
  mutating func optional<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ summary: StaticString)

  /// A member that may be left out, and then has its default value. It is not written if it has that value.
  mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  )

  /// A list that is left out when it is empty.
  mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  )

  /// A required object that the daemon writes directly from its cells, without making a value of it; see
  /// ``Message/writeHead(into:)``. At most one in a message.
  ///
  /// - Parameter content: what describes the object.
  mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  )
}

extension MessageVisitor {
  @inline(__always)
  package mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString
  ) {
    required(name, &value, summary, missing: "")
  }

  /// A required member that `content` describes.
  mutating func required<Value: MemberValue, Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout Value,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    var described = Described<Value, Content>(value: value)
    required(name, &described, summary)
    value = described.value
  }

  /// A member that may be left out, and that `content` describes.
  mutating func optional<Value: MemberValue, Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout Value?,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    var described = value.map { Described<Value, Content>(value: $0) }
    optional(name, &described, summary)
    value = described?.value
  }

  /// A flag that is false if it is left out.
  @inline(__always)
  package mutating func flag(_ name: StaticString, _ value: inout Bool, _ summary: StaticString) {
    optional(name, &value, default: false, summary)
  }

  /// The session that params are about.
  @inline(__always)
  package mutating func session(_ value: inout Int64?) {
    optional("session", &value, "The session; may be left out if the connection has exactly one.")
  }
}
