package import JSON
internal import JSONRPC

/// Params of `session/reset`.
package struct SessionResetParams {
  /// nil: the connection's only session.
  package var session: Int64?
  /// Whether the current values become the initial ones.
  package var keepValues: Bool

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    var keepValues = false
    reader.forEachMember(of: params, names: "session, keepValues") { name, node, reader in
      if name.equals("session") {
        session = reader.integer(node, "session")
      } else if name.equals("keepValues") {
        keepValues = reader.bool(node, "keepValues")
      } else {
        return false
      }
      return true
    }
    try reader.check()
    self.session = session
    self.keepValues = keepValues
  }

  static let method = MethodDescription(
    name: "session/reset",
    summary: "Back to the initial values",
    description:
      "Cancels effects; clears results, errors, attempts, edited and touched. The revision goes on. With `keepValues` the current values become the initial ones.",
    params: [
      .optional("session", Shape.session),
      .optional("keepValues", Shape.boolean("Keeps the values; they become the initial ones.")),
    ],
    result: Shape.revisionResult,
    failures: [.unknownSession, .draining],
    example: .init(params: ["session": 1], result: ["revision": 8])
  )
}
