package import JSON
internal import JSONRPC

/// Params of `field/change`.
package struct FieldChangeParams {
  /// Who changed the value.
  package enum Origin: String, CaseIterable, Sendable {
    case user, autofill, restore, program
  }

  /// What is changed.
  package enum Target {
    /// One field, by its name, or a place inside one, by JSON Pointer.
    case field(UnsafeBufferPointer<UInt8>, JSONNode)
    /// Several fields, in one turn: an object of values by name or JSON Pointer.
    case values(JSONNode)
  }

  /// nil: the connection's only session.
  package var session: Int64?
  package var target: Target
  package var origin: Origin
  /// Whether an input method is still composing: the value counts, new messages wait.
  package var isComposing: Bool
  /// Whether the change also ends the editing.
  package var commit: Bool

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    var field: UnsafeBufferPointer<UInt8>?
    var value: JSONNode?
    var values: JSONNode?
    var hasField = false
    var hasValues = false
    var origin = Origin.user
    var isComposing = false
    var commit = false
    reader.forEachMember(of: params, names: "session, field, value, values, origin, composing, commit") {
      name,
      node,
      reader in
      switch name.count {
      case 5 where name.equals("field"):
        hasField = true
        field = reader.utf8(node, "field")
      case 5 where name.equals("value"):
        value = node
      case 7 where name.equals("session"):
        session = reader.integer(node, "session")
      case 6 where name.equals("values"):
        hasValues = true
        values = reader.object(node, "values")
      case 6 where name.equals("commit"):
        commit = reader.bool(node, "commit")
      case 6 where name.equals("origin"):
        if let text = reader.string(node, "origin") {
          if let known = Origin(rawValue: text) {
            origin = known
          } else {
            reader.note("/origin", .value, "one of: " + Origin.allCases.map(\.rawValue).joined(separator: ", "))
          }
        }
      case 9 where name.equals("composing"):
        isComposing = reader.bool(node, "composing")
      default:
        return false
      }
      return true
    }
    self.session = session
    self.origin = origin
    self.isComposing = isComposing
    self.commit = commit
    if let field, let value, !hasValues {
      target = .field(field, value)
      try reader.check()
      return
    }
    if let values, !hasField, value == nil {
      target = .values(values)
      try reader.check()
      return
    }
    if hasValues && (hasField || value != nil) {
      reader.note("/values", .value, "field and value, or values, not both")
    } else if !hasValues {
      if !hasField { reader.note("/field", .required, "field and value, or values") }
      if value == nil { reader.note("/value", .required, "any JSON value") }
    }
    throw InvalidParams(reader.faults)
  }

  static let method = MethodDescription(
    name: "field/change",
    summary: "The user changed a field",
    description:
      "One field by `field` and `value`, or several in one turn by `values`. `field` is a name, or a JSON Pointer into a field's value (`/items/0/qty`). May be a notification.",
    params: [
      .optional("session", Shape.session),
      .optional("field", Shape.string("A field's name, or a JSON Pointer into its value.")),
      .optional("value", Shape.anything("The value; `null` takes it away.")),
      .optional("values", Shape.map("Values by field, in place of `field` and `value`.")),
      .optional(
        "origin",
        Shape.choice(Origin.allCases.map(\.rawValue), "Who changed it; only `user`, the default, edits.")
      ),
      .optional("composing", Shape.boolean("An input method is composing: the value counts, new messages wait.")),
      .optional("commit", Shape.boolean("The change also ends the editing, as a blur does.")),
    ],
    result: Shape.revisionResult,
    failures: [.unknownSession, .unknownField, .draining, .quotaExceeded],
    example: .init(params: ["session": 1, "field": "email", "value": "kim"], result: ["revision": 1])
  )
}
