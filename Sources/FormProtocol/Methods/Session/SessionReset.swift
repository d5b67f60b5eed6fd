package struct SessionResetParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The address of the only field to reset; nil: the whole session.
  package var field: String?
  /// Whether the current values become the initial ones.
  package var keepValues = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.optional(
      "field",
      &field,
      "The address of a field: only this field, with all fields inside it, goes back to its beginning. Without it, the whole session does."
    )
    members.flag(
      "keepValues",
      &keepValues,
      "Keeps the values; they become the initial ones. Only for the whole session, without `field`."
    )
  }

  package func check(_ reader: inout MessageReader) {
    if keepValues, reader.has("field") { reader.note(.value, "field or keepValues, not both", atMember: "keepValues") }
  }

  package static let method = Method.sessionReset
  package static let name: StaticString = "session/reset"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let isIdempotent = true
  package static let title = "Restores the initial values"
  package static let details =
    "Cancels effects; clears results, errors, attempts, edited and touched. The revision continues. With `keepValues` the current values become the initial ones. With `field` one field gets its initial, suggested or default value; it is neither touched nor edited, shows no message, and has no error of a server."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    return (params, InputAnswer(revision: 8))
  }
}
