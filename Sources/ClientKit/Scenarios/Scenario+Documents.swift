internal import JSON

/// The scenarios about the messages of one connection.
extension Scenario {
  static let documents = [
    Scenario(
      "merge",
      daemon: "sends updates whose patches add, replace and remove members, and replace arrays and whole objects",
      client: "keeps the document by merging each patch, and has it current when an input is answered",
      page: "sessions.md#updates"
    ) { play throws(KitFailure) in
      try play.open()
      try play.exchange(
        "kim",
        [
          "isDirty": true, "messages": ["email": "아니요", "note": .null],
          "fields": ["email": ["isEmpty": false, "errors": [["code": "shape", "level": 1], ["code": "long"]]]],
        ]
      )
      try play.exchange(
        "kim@example.com",
        [
          "isValid": true, "messages": ["email": .null], "fields": ["email": ["errors": [["code": "short"]]]],
          "actions": ["send": ["result": ["a": ["b": 1, "c": [1, .null, ["d": .null]]]]]], "outputs": ["color": "pink"],
        ]
      )
      try play.exchange("kim", ["actions": ["send": ["result": ["a": ["b": .null]]]], "outputs": ["color": ["r": 1]]])
      try play.exchange("lee", ["actions": ["send": ["result": ["a": [2]]]], "outputs": ["color": ["r": .null]]])
      try play.exchange("ann", ["actions": ["send": ["result": .null]], "outputs": [:]])
    },

    Scenario(
      "later",
      daemon: "sends a push, members, a cause and a kind of event that the pages do not name",
      client: "ignores what it does not know, and merges the update as usual",
      page: "wire.md#later-versions"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      play.send(
        play.push("session/weather", ["session": 1, "sky": ["blue", .null]]),
        play.push("weather/changed", []),
        play.update(
          ["isDirty": true, "weather": ["sky": "blue"], "fields": ["email": ["mood": 7]]],
          cause: "weather",
          event: ["seq": 1, "action": "send", "kind": "postponed", "until": "tomorrow"],
          extras: ["weather": true]
        ),
        play.result(request, ["revision": .integer(play.revision), "weather": "fine"])
      )
      try play.succeeds()
    },

    Scenario(
      "split",
      daemon: "sends messages so that each read of the client gets one byte, also inside of a character",
      client: "puts the bytes of a message together before it reads the message",
      page: "wire.md#framing"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      let update = play.update(["messages": ["email": "이메일 형식이 아닙니다. 🙂"]])
      try play.sendBytewise(update, play.result(request, ["revision": .integer(play.revision)]))
      try play.succeeds()
    },

    Scenario(
      "joined",
      daemon: "sends several messages in one piece: the answer to session/open, and two updates behind it",
      client: "handles each of them, in order",
      page: "wire.md#framing"
    ) { play throws(KitFailure) in
      play.tellOpen()
      let request = try play.openRequest()
      let opened = play.result(request, play.opened())
      let first = play.update(["isDirty": true, "outputs": ["color": "red"]], cause: "timer")
      play.send(opened, first, play.update(["outputs": ["color": "blue"]], cause: "timer"))
      // The updates may arrive after the report.
      try play.checkSuccess(try play.report())
      try play.exchange("kim", ["isValid": true])
    },

    Scenario(
      "large",
      daemon: "sends more than a megabyte in one update",
      client: "reads a message of any length",
      page: "wire.md#framing"
    ) { play throws(KitFailure) in
      try play.open()
      let line: JSON = .string(String(repeating: "a long text with \"quotes\"; ", count: 40))
      let lines = JSONObject((0..<1000).map { ("line\($0)", line) })
      try play.exchange("kim", ["outputs": .object(lines)])
      try play.exchange("lee", ["outputs": ["line7": "short"]])
    },

    Scenario(
      "refused",
      daemon: "refuses an input with an error that has a code",
      client: "reports the code, and goes on with the session",
      page: "wire.md#error-codes"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      play.send(play.refusal(request, 1004, ["field": "email", "closest": "note"]))
      try play.fails(with: [1004])
      try play.exchange("lee", ["isDirty": true])
    },

    Scenario(
      "busy",
      daemon: "refuses an input with 1011 and retryAfterMs",
      client: "reports 1011, or sends the input again after that time, and not earlier",
      page: "kept-sessions.md#coming-back"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      let end = play.refuseForAWhile(request)
      let (again, report) = try play.requestOrReport(["field/change"])
      if let report {
        try play.check(report, error: [1011])
      } else if let again {
        try play.checkHasWaited(until: end, "field/change")
        play.send(play.update(["isDirty": true]), play.result(again, ["revision": .integer(play.revision)]))
        try play.succeeds()
      }
      try play.exchange("lee", ["isValid": true])
    },

    Scenario(
      "desync",
      daemon: "sends session/desync in the place of an update, because the client read too slowly",
      client: "asks for the whole document, by session/get or by attaching again, and goes on from it",
      page: "sessions.md#slow-readers"
    ) { play throws(KitFailure) in
      try play.open()
      play.tellSet("kim")
      let request = try play.change(to: "kim")
      play.changeUnheard(["isDirty": true, "outputs": ["color": "red"]])
      play.send(
        play.push("session/desync", ["session": 1, "revision": .integer(play.revision), "eventsLost": 1]),
        play.result(request, ["revision": .integer(play.revision)])
      )
      // The client may report before it has the document.
      try play.checkSuccess(try play.reportOrAttach())
      play.tellSet("lee")
      var next = try play.changeOrAttach(to: "lee")
      if play.readCount == 0 {
        // The client has not asked yet: its question is on its way, and comes before the answer to its input.
        try play.waitUntilRead()
        if !next.connection.isOpen { next = try play.change(to: "lee") }
      }
      play.send(play.update(["isValid": true]), play.result(next, ["revision": .integer(play.revision)]))
      try play.succeeds()
    },
  ]
}
