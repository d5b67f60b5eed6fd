internal import JSON

/// `session/list`; it has no params.
enum SessionList {
  static let method = MethodDescription(
    name: "session/list",
    summary: "The connection's sessions",
    description: "In the order in which they were opened. Other connections' sessions are not in it.",
    result: Shape.object([
      (
        "sessions",
        Shape.array(
          of: Shape.object([
            ("session", Shape.integer("The session.")), ("form", Shape.string("Its form.")),
            ("revision", Shape.integer("Its revision.")),
          ]),
          "The sessions."
        )
      )
    ]),
    example: .init(params: [:], result: ["sessions": [["session": 1, "form": "login", "revision": 3]]])
  )
}
