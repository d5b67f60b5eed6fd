/// Params of `session/reset`.
package struct SessionResetParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// Whether the current values become the initial ones.
  package var keepValues = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.flag("keepValues", &keepValues, "Keeps the values; they become the initial ones.")
  }

  package static let method = Method.sessionReset
  package static let title = "Restores the initial values"
  package static let details =
    "Cancels effects; clears results, errors, attempts, edited and touched. The revision continues. With `keepValues` the current values become the initial ones."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    return (params, InputAnswer(revision: 8))
  }
}
