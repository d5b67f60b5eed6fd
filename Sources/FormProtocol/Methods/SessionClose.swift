internal import JSON

/// `session/close`; its params are ``SessionParams``.
enum SessionClose {
  static let method = MethodDescription(
    name: "session/close",
    summary: "Closes a session",
    description: "Cancels all it has in flight. A session is closed with its connection too.",
    params: [.optional("session", Shape.session)],
    result: Shape.object([("session", Shape.integer("The session that was closed."))]),
    failures: [.unknownSession],
    example: .init(params: ["session": 1], result: ["session": 1])
  )
}
