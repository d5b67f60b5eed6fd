internal import JSON

/// The scenarios about a kept session whose connection was lost.
extension Scenario {
  static let returns = [
    Scenario(
      "reconnect",
      daemon: "ends the connection, and answers session/attach with a document that has fewer members",
      client: "connects again, attaches with the key, and replaces its document",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      try play.exchange("kim", ["isDirty": true, "messages": ["email": "No"], "outputs": ["size": 7]])
      play.drop()
      play.changeUnheard(["messages": ["email": .null, "note": .null], "outputs": ["size": .null, "color": "red"]])
      play.tellSet("lee")
      try play.attach()
      try play.exchangeRest("lee", ["isValid": true])
    },

    Scenario(
      "number",
      daemon: "gives the session another number at session/attach",
      client: "uses that number from then on, for its requests and for updates",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.drop()
      play.renumber()
      play.tellSet("kim")
      try play.attach()
      try play.exchangeRest("kim", ["isDirty": true])
      try play.exchange("lee", ["isValid": true])
    },

    Scenario(
      "missed",
      daemon: "ends the connection, and has events that the client has missed",
      client: "attaches with the seq of the last event that it has received, and reports the missed events in order",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      try play.exchange("kim", ["isDirty": true], event: Play.event(1))
      try play.exchange("lee", ["isValid": true], event: Play.event(2, kind: "failed"))
      play.drop()
      play.tellSet("ann")
      let attach = try play.attachRequest()
      guard attach.params["seq"] == 2 else {
        let seq = attach.params["seq"]?.description ?? "no seq"
        throw KitFailure("the client must attach with the seq 2 of the last event; it sent \(seq)")
      }
      play.answerAttach(attach, events: [Play.event(3), Play.event(4, kind: "failed")])
      try play.exchangeRest("ann", ["isDirty": false], event: Play.event(5))
    },

    Scenario(
      "twice",
      daemon: "answers session/attach with an event that the client has reported already",
      client: "reports each event once, by its seq",
      page: "sessions.md#events"
    ) { play throws(KitFailure) in
      try play.open()
      try play.exchange("kim", ["isDirty": true], event: Play.event(1))
      play.drop()
      play.tellSet("lee")
      try play.attach(events: [Play.event(1), Play.event(2)])
      try play.exchangeRest("lee", ["isValid": true])
    },

    Scenario(
      "repeat",
      daemon: "ends the connection before it has answered field/change",
      client: "sends the change again behind session/attach, or reports the error unknown",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      _ = try play.change(to: "kim")
      play.drop()
      try play.attach()
      let (again, report) = try play.requestOrReport(["field/change"])
      if let report {
        try play.check(report, error: ["unknown"])
      } else if let again {
        try play.checkChange(again, to: "kim")
        play.send(play.update(["isDirty": true]), play.result(again, ["revision": .integer(play.revision)]))
        try play.succeeds()
      }
      try play.exchange("lee", ["isValid": true])
    },

    Scenario(
      "tap",
      daemon: "ends the connection before it has answered action/tap",
      client: "does not send the tap again, and reports the error unknown",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellTap()
      _ = try play.request("action/tap")
      play.drop()
      try play.attach()
      try play.fails(with: ["unknown"])
      try play.exchange("kim", ["isDirty": true])
      play.tellTap()
      let request = try play.request("action/tap")
      let update = play.update(["actions": ["send": ["attempts": 1]]], cause: "action/tap", event: Play.event(1))
      var answer: JSONObject = ["revision": .integer(play.revision), "outcome": "started", "run": 1]
      if request.params["await"] == true { answer = ["revision": .integer(play.revision), "event": Play.event(1)] }
      play.send(update, play.result(request, .object(answer)))
      try play.succeeds()
    },

    Scenario(
      "full",
      daemon: "refuses session/attach with 1011 and retryAfterMs, and accepts it later",
      client: "attaches again after that time, and not earlier",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.drop()
      play.tellSet("kim")
      let end = play.refuseForAWhile(try play.attachRequest())
      let again = try play.attachRequest()
      try play.checkHasWaited(until: end, "session/attach")
      play.answerAttach(again)
      try play.exchangeRest("kim", ["isDirty": true])
    },

    Scenario(
      "restart",
      daemon: "is killed; its socket is gone for a while, and then another daemon (another instanceId) has the session",
      client: "tries until a daemon listens, and attaches",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      try play.exchange("kim", ["isDirty": true])
      play.kill()
      play.tellSet("lee")
      try play.stayAway(for: .milliseconds(300))
      play.changeUnheard(["messages": ["email": "The daemon was started again."]])
      try play.restart()
      try play.attach(eventsLost: 1)
      try play.exchangeRest("lee", ["isValid": true])
    },

    Scenario(
      "unanswered",
      daemon: "ends the connection, and then five connections that have not got an answer to session/attach",
      client: "connects again each time, after growing pauses",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.drop()
      play.tellSet("kim")
      try play.checkPauses { () throws(KitFailure) in
        try play.attachRequest()
        play.drop()
      }
      try play.attach()
      try play.exchangeRest("kim", ["isDirty": true])
    },

    Scenario(
      "room",
      daemon: "ends the connection, and has no room for the next one: it writes 1011 with the id null and retryAfterMs",
      client: "connects and attaches after that time, and not earlier",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.drop()
      play.tellSet("kim")
      let end = try play.refuseConnection()
      let attach = try play.attachRequest()
      try play.checkHasWaited(until: end, "session/attach")
      play.answerAttach(attach)
      try play.exchangeRest("kim", ["isDirty": true])
    },

    lostToTheStore("store", "could not store the last turn"),
    lostToTheStore("lost", "was cut off from its store"),

    Scenario(
      "again",
      daemon: "closes the session with the reason store, five times one after the other",
      client: "attaches again each time, after growing pauses",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      var request = try play.change(to: "kim")
      try play.checkPauses { () throws(KitFailure) in
        play.answerAttach(try play.closeAndReturn("store", request))
        request = try play.changeAgain(to: "kim")
      }
      play.send(play.update(["isDirty": true]), play.result(request, ["revision": .integer(play.revision)]))
      try play.succeeds()
    },
  ]

  /// The daemon closes a session that the client can attach again.
  private static func lostToTheStore(_ reason: String, _ story: String) -> Scenario {
    Scenario(
      reason,
      daemon: "closes the session with the reason \(reason), because it \(story)",
      client: "attaches again",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      play.changeUnheard(["messages": ["email": "This is the state that was stored."]])
      play.answerAttach(try play.closeAndReturn(reason, request))
      let again = try play.changeAgain(to: "kim")
      play.send(play.update(["isDirty": true]), play.result(again, ["revision": .integer(play.revision)]))
      try play.succeeds()
      try play.exchange("lee", ["isValid": true])
    }
  }
}
