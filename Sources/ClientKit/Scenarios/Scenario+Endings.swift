internal import JSON

/// The scenarios in which the client loses its session for good.
extension Scenario {
  static let endings = [
    ended("moved", "a client has taken it at another daemon"),
    ended("closed", "another client has closed it"),
    refusedAttach("gone", 1001, "the session has expired", "reports that the session is closed"),
    refusedAttach(
      "elsewhere",
      1014,
      "clients have the session at another daemon",
      "reports that the session is closed, and does not take it"
    ),

    Scenario(
      "unkept",
      daemon: "ends the connection of a session that was opened without keep",
      client: "reports that the session is closed, and does not open another session by itself",
      page: "wire.md#the-end-of-a-connection"
    ) { play throws(KitFailure) in
      try play.open(keeping: false)
      play.drop()
      play.tellSet("kim")
      try play.fails(with: ["closed"])
    },
  ]

  /// The daemon closes a session that the client may not attach again.
  private static func ended(_ reason: String, _ story: String) -> Scenario {
    Scenario(
      reason,
      daemon: "closes the session with the reason \(reason), because \(story)",
      client: "reports that the session is closed, and does not attach again",
      page: reason == "moved" ? "kept-sessions.md#coming-back" : "kept-sessions.md#sessionclose"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      play.send(play.refusal(request, -32800, ["reason": "sessionClosed"]), play.closed(reason))
      try play.fails(with: ["closed", -32800])
      play.tellSet("lee")
      // A client that reads only while it waits for an answer has not read the reason yet.
      let (late, report) = try play.requestOrReport(["field/change"])
      if let late { play.send(play.refusal(late, 1001)) }
      let ending = if let report { report } else { try play.report() }
      try play.check(ending, error: ["closed", 1001])
    }
  }

  /// The daemon refuses to attach a session after the connection was lost.
  private static func refusedAttach(_ name: String, _ code: Int64, _ story: String, _ must: String) -> Scenario {
    Scenario(
      name,
      daemon: "ends the connection, and refuses session/attach with \(code), because \(story)",
      client: must,
      page: code == 1001 ? "kept-sessions.md#sessionattach" : "kept-sessions.md#several-daemons"
    ) { play throws(KitFailure) in
      try play.open()
      play.drop()
      play.tellSet("kim")
      let attach = try play.attachRequest()
      let data: JSON? = code == 1001 ? nil : ["instance": "9d3e4a175f0c2f6b"]
      play.send(play.refusal(attach, code, data), over: attach.connection)
      try play.fails(with: ["closed", .integer(code)])
      play.tellSet("lee")
      try play.fails(with: ["closed"])
    }
  }
}
