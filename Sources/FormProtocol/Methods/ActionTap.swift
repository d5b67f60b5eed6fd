package import JSON
internal import JSONRPC

/// Params of `action/tap`.
package struct ActionTapParams {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The action's name.
  package var action: UnsafeBufferPointer<UInt8>
  /// Whether the answer waits for the outcome.
  package var awaits: Bool

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    var action: UnsafeBufferPointer<UInt8>?
    var hasAction = false
    var awaits = false
    reader.forEachMember(of: params, names: "session, action, await") { name, node, reader in
      if name.equals("session") {
        session = reader.integer(node, "session")
      } else if name.equals("action") {
        hasAction = true
        action = reader.utf8(node, "action")
      } else if name.equals("await") {
        awaits = reader.bool(node, "await")
      } else {
        return false
      }
      return true
    }
    if !hasAction { reader.note("/action", .required, "an action's name") }
    try reader.check()
    guard let action else { throw InvalidParams(reader.faults) }
    self.session = session
    self.action = action
    self.awaits = awaits
  }

  static let method = MethodDescription(
    name: "action/tap",
    summary: "The user asked for an action",
    description:
      "Answers at acceptance with `outcome` (`started`, `held`, `rejected`, `dropped`), with `await` at the outcome with the tap's `event`. That a form says no is never an error. May be a notification.",
    params: [
      .optional("session", Shape.session), .required("action", Shape.string("The action's name.")),
      .optional("await", Shape.boolean("Answer when the tap has come to its end.")),
    ],
    result: Shape.object(
      [
        ("revision", Shape.revision),
        (
          "outcome",
          Shape.choice(["started", "held", "rejected", "dropped"], "What became of the tap; not with `await`.")
        ),
        ("run", Shape.integer("The run that was started.")),
        ("blockers", Shape.array(of: Shape.blocker, "Why it was rejected.")),
        ("event", Shape.event),
      ],
      optional: ["outcome", "run", "blockers", "event"]
    ),
    failures: [.unknownSession, .unknownAction, .draining, .quotaExceeded],
    example: .init(
      params: ["session": 1, "action": "login"],
      result: ["revision": 4, "outcome": "started", "run": 1]
    )
  )
}
