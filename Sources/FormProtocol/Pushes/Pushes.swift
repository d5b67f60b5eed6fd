internal import JSON

/// What the daemon sends on its own: notifications, and one request.
package enum Pushes {
  private static let session = MethodDescription.Param.required("session", Shape.integer("The session."))

  static let update = PushDescription(
    name: "session/update",
    summary: "What one turn changed",
    params: [
      session,
      .required("revision", Shape.integer("The session's revision now.")),
      .required("from", Shape.integer("The revision last delivered on this connection.")),
      .required("cause", Shape.string("The input's method, `timer` or `effect`.")),
      .required("patch", Shape.map("A JSON Merge Patch (RFC 7396) against the document.")),
      .optional("events", Shape.array(of: Shape.event, "What actions came to.")),
    ],
    example: [
      "session": 1, "revision": 3, "from": 2, "cause": "field/change",
      "patch": ["isValid": true, "messages": ["email": .null]],
    ]
  )

  static let closed = PushDescription(
    name: "session/closed",
    summary: "A session was closed, and not by its client",
    params: [session, .required("reason", Shape.choice(["shutdown"], "Why."))],
    example: ["session": 1, "reason": "shutdown"]
  )

  static let desync = PushDescription(
    name: "session/desync",
    summary: "This client read too slowly: its document is out of date",
    params: [
      session, .required("revision", Shape.integer("The session's revision now.")),
      .required("eventsLost", Shape.integer("Events that were not delivered and never will be.")),
    ],
    example: ["session": 1, "revision": 900, "eventsLost": 12]
  )

  static let draining = PushDescription(
    name: "server/draining",
    summary: "The daemon is ending",
    params: [.required("withinMs", Shape.integer("Accepted requests are answered within so many milliseconds."))],
    example: ["withinMs": 5000]
  )

  static let rejected = PushDescription(
    name: "server/rejected",
    summary: "A notification was refused",
    params: [
      .required("method", Shape.string("The notification's method.")),
      .required("error", Shape.map("The error that a request would have been answered with.")),
    ],
    example: ["method": "field/change", "error": ["code": 1001, "message": "Unknown session"]]
  )

  static let evaluate = PushDescription(
    name: "provider/evaluate",
    summary: "Asks the client that registered the provider",
    params: [
      .required("name", Shape.string("The provider's name.")),
      .required("arguments", Shape.map("What it is told.")),
    ],
    result: Shape.anything("What the form sees as `response.body`."),
    example: ["name": "grammar", "arguments": ["text": "hello"]]
  )

  /// All of them.
  package static let all = [update, closed, desync, draining, rejected, evaluate]
}
