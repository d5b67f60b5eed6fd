package import JSON
internal import JSONRPC

/// Params of `session/get`.
package struct SessionGetParams {
  /// nil: the connection's only session.
  package var session: Int64?
  /// Whether the answer also says why things are as they are.
  package var explain: Bool

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    var explain = false
    reader.forEachMember(of: params, names: "session, explain") { name, node, reader in
      if name.equals("session") {
        session = reader.integer(node, "session")
      } else if name.equals("explain") {
        explain = reader.bool(node, "explain")
      } else {
        return false
      }
      return true
    }
    try reader.check()
    self.session = session
    self.explain = explain
  }

  static let method = MethodDescription(
    name: "session/get",
    summary: "The whole document of a session",
    description: "What held-back input would change is not in it. After `session/desync` this is how a client goes on.",
    params: [
      .optional("session", Shape.session),
      .optional("explain", Shape.boolean("Adds `explanation`: why each action is enabled or not.")),
    ],
    result: Shape.object(
      [
        ("session", Shape.integer("The session.")), ("form", Shape.string("The form's name.")),
        ("revision", Shape.integer("The session's revision.")), ("document", Shape.document),
        ("values", Shape.values), ("explanation", Shape.map("Why things are as they are.")),
      ],
      optional: ["explanation"]
    ),
    failures: [.unknownSession],
    example: .init(
      params: ["session": 1],
      result: [
        "session": 1, "form": "login", "revision": 3,
        "document": [
          "isValid": true, "isPending": false, "isDirty": true, "errors": [], "messages": [:], "fields": [:],
          "actions": ["login": ["isEnabled": true, "isLoading": false, "attempts": 0]],
          "outputs": ["buttonColor": "systemPink"],
        ],
        "values": ["email": "kim@example.com"],
      ]
    )
  )
}
