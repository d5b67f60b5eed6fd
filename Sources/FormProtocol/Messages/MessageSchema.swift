package import JSON

/// Describes a message's members in the OpenRPC document.
package struct MessageSchema: MessageVisitor {
  /// One member.
  package struct Member: Sendable {
    /// The member's name on the wire.
    package let name: String
    /// Whether the member is always there.
    package let isRequired: Bool
    /// The member's values, with the description of the member.
    package let schema: JSON
  }

  private var members: [Member] = []

  /// The members of a message, in the order in which it lists them.
  package static func members<Content: Message>(of type: Content.Type) -> [Member] {
    var schema = MessageSchema()
    var message = Content()
    message.list(&schema)
    return schema.members
  }

  private mutating func add<Value: MemberValue>(
    _ name: StaticString,
    _ type: Value.Type,
    _ summary: StaticString,
    isRequired: Bool
  ) {
    var schema = Value.schema
    if summary.utf8CodeUnitCount > 0 { schema["description"] = .string(summary.description) }
    members.append(Member(name: name.description, isRequired: isRequired, schema: .object(schema)))
  }

  package mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  ) {
    add(name, Value.self, summary, isRequired: true)
  }

  package mutating func optional<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value?,
    _ summary: StaticString
  ) {
    add(name, Value.self, summary, isRequired: false)
  }

  package mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) {
    add(name, Value.self, summary, isRequired: false)
  }

  package mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {
    add(name, [Element].self, summary, isRequired: false)
  }

  package mutating func prepared(_ name: StaticString, _ value: inout JSON, _ summary: StaticString) {
    add(name, JSONObject.self, summary, isRequired: true)
  }
}

extension Message {
  package static var schema: JSONObject {
    let members = MessageSchema.members(of: Self.self)
    var schema: JSONObject = ["type": "object"]
    if summary.utf8CodeUnitCount > 0 { schema["description"] = .string(summary.description) }
    schema["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema) }))
    schema["required"] = .array(members.filter(\.isRequired).map { .string($0.name) })
    return schema
  }
}
