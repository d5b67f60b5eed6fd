package import JSON

package struct FieldChangeParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The address of a field, or of a value inside its value.
  package var field: SentAddress?
  /// The value of that field; null removes it. Given exactly when `field` is.
  package var value: JSON?
  /// Values by address, in place of `field` and `value`.
  package var values: JSONObject?
  /// The origin of the change.
  package var origin = Origin.user
  /// Whether an input method is still composing: the value counts, new messages wait.
  package var isComposing = false
  /// Whether the change also ends the editing.
  package var commit = false

  package init() {}

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.optional("field", &field, "An address: a field's name, or a JSON Pointer.")
    members.optional(
      "value",
      &value,
      "The value; `null` removes it. A row that is set to `null` is emptied and stays in the list."
    )
    members.optional("values", &values, "Values by address, in place of `field` and `value`.")
    members.optional(
      "origin",
      &origin,
      default: .user,
      "The origin of the change. Only `user`, the default, sets `isEdited`; changes of `user` and `autofill` can be undone."
    )
    members.flag(
      "composing",
      &isComposing,
      "Whether an input method is composing: the value counts, and new messages wait."
    )
    members.flag("commit", &commit, "Whether the change also ends the editing, as a blur does.")
  }

  package func check(_ reader: inout MessageReader) {
    if reader.has("values") {
      if reader.has("field") || reader.has("value") {
        reader.note(.value, "field and value, or values, not both", atMember: "values")
      }
      return
    }
    if !reader.has("field") { reader.note(.required, "field and value, or values", atMember: "field") }
    if !reader.has("value") { reader.note(.required, "any JSON value", atMember: "value") }
  }

  package static let method = Method.fieldChange
  package static let name: StaticString = "field/change"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user changed a field"
  package static let details =
    "Changes one field with `field` and `value`, or several fields in one turn with `values`. `field` is a field's name or a JSON Pointer. The pointer leads to a field in an object (`/address/city`), to a field in a row (`/items/#7/quantity`, `/items/0/quantity`), or to a place in a field's value (`/settings/x-color`). `/items/-` adds a row. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = .text("email")
    params.value = "kim"
    return (params, InputAnswer(revision: 1))
  }
}

/// The origin of a change.
public enum Origin: WireName, Sendable {
  /// The user, by typing or choosing. Only this sets `isEdited`.
  case user
  /// A browser or a password manager. The change can be undone, like a change of the user.
  case autofill
  /// The program, which restores the user's earlier input.
  case restore
  /// The program, for reasons of its own.
  case program

  package var wireName: StaticString {
    switch self {
    case .user: "user"
    case .autofill: "autofill"
    case .restore: "restore"
    case .program: "program"
    }
  }
}
