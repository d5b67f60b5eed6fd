package import JSON

/// Describes a message's members in the OpenRPC document.
package struct MessageSchema: MessageVisitor {
  /// One member.
  package struct Member: Sendable {
    /// The member's name on the wire.
    package let name: String
    /// Whether the member is always there.
    package let isRequired: Bool
    /// The kind of the member's values.
    package let type: any DescribedValue.Type
    /// The description of the member; empty if the name is clear enough.
    package let summary: String
    /// The value of a member that is left out; nil if it has none.
    package let standard: JSON?

    /// The member's values, with the description of the member.
    package var schema: JSON {
      var schema = type.schemaReference
      if !summary.isEmpty { schema["description"] = .string(summary) }
      if let standard { schema["default"] = standard }
      return .object(schema)
    }
  }

  private var members: [Member] = []

  /// The members of a message, in the order in which it lists them.
  package static func members<Content: Message>(of type: Content.Type) -> [Member] {
    var schema = MessageSchema()
    var message = Content()
    message.list(&schema)
    return schema.members
  }

  private mutating func add(
    _ name: StaticString,
    _ type: any DescribedValue.Type,
    _ summary: StaticString,
    isRequired: Bool,
    standard: JSON? = nil
  ) {
    members.append(
      Member(
        name: name.description,
        isRequired: isRequired,
        type: type,
        summary: summary.description,
        standard: standard
      )
    )
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
    add(name, Value.self, summary, isRequired: false, standard: `default`.json)
  }

  package mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {
    add(name, [Element].self, summary, isRequired: false)
  }

  package mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    add(name, content, summary, isRequired: true)
  }
}

extension Message {
  package static var schemaParts: [any DescribedValue.Type] { MessageSchema.members(of: Self.self).map(\.type) }

  package static var schema: JSONObject {
    let members = MessageSchema.members(of: Self.self)
    var schema: JSONObject = ["type": "object"]
    if summary.utf8CodeUnitCount > 0 { schema["description"] = .string(summary.description) }
    schema["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema) }))
    schema["required"] = .array(members.filter(\.isRequired).map { .string($0.name) })
    return schema
  }
}
