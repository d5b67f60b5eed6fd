internal import FormProtocol
internal import JSON
internal import Synchronization
internal import Testing

@testable internal import Client

#if canImport(Glibc)
  internal import Glibc
#endif

/// How a client reconnects after it has lost the connection.
struct ReturnTests {
  /// The requests over all connections, as `method params`.
  private final class Heard: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    func script(_ script: @escaping FakeDaemon.Script) -> FakeDaemon.Script {
      { method, id, params in
        self.note("\(method) \(params)")
        return script(method, id, params)
      }
    }
  }

  /// Opens kept sessions number 3, 4 and so on with the keys K3, K4, ..., and hangs up at any other message.
  private static func losing(_ others: @escaping FakeDaemon.Script = { _, _, _ in [FakeDaemon.hangUp] })
    -> FakeDaemon.Script
  {
    let number = Atomic<Int64>(3)
    let script: FakeDaemon.Script = { method, id, params in
      guard method == "session/open" else { return others(method, id, params) }
      let number = number.wrappingAdd(1, ordering: .relaxed).oldValue
      var answer: JSONObject = [
        "session": .integer(number), "revision": 0, "document": ["isValid": false], "values": [:],
      ]
      if params["keep"] != nil { answer["key"] = .string("K\(number)") }
      return [FakeDaemon.result(id, .object(answer))]
    }
    return script
  }

  private static func attached(_ id: JSON?, _ session: Int64 = 7, events: JSON = [], lost: Int64 = 0) -> JSON {
    FakeDaemon.result(
      id,
      [
        "session": .integer(session), "form": "login", "revision": 9, "document": ["isValid": true],
        "values": ["a": 2], "events": events, "eventsLost": .integer(lost),
      ]
    )
  }

  /// An answer to an input, to `server/ping` and to `session/close`.
  private static func done(_ id: JSON?) -> JSON {
    FakeDaemon.result(id, ["revision": 10, "session": 7, "instanceId": "i", "uptimeMs": 1])
  }

  private static let kept = SessionOptions(kept: .seconds(600))

  @Test func `what may be done twice is sent again, to the session's new number`() async throws {
    let heard = Heard()
    let second = heard.script { method, id, _ in
      if method != "session/attach" { return [Self.done(id)] }
      let event: JSON = ["seq": 3, "action": "login", "kind": "succeeded"]
      return [Self.attached(id, events: [event], lost: 2)]
    }
    try await FakeDaemon.run(scripts: [Self.losing(), second]) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login", Self.kept)
      let plain = try connection.open("login")
      var told: [String] = []
      connection.onNotice = { if case .reconnected = $0 { told.append("reconnected") } }
      session.onChange = { change in
        switch change {
        case .replaced(let eventsLost): told.append("replaced \(eventsLost) \(session.document.isValid)")
        case .updated(let patch, let events, nil): told.append("\(patch) \(events.map(\.sequence))")
        default: Issue.record("\(change)")
        }
      }
      plain.onChange = { if case .lost(let error) = $0 { told.append(error.description) } }
      try session.change("a", to: 1)
      #expect(session.number == 7 && session.revision == 9 && session.values == ["a": 2] && session.lastEvent == 3)
      #expect(told.count == 4 && told[0].hasSuffix("; it was not kept"))
      #expect(told.dropFirst() == ["replaced 2 true", "{} [3]", "reconnected"])
      #expect(plain.isClosed && !session.isClosed)
      let error = #expect(throws: ClientError.self) { try plain.change("a", to: 1) }
      #expect(error?.description.hasSuffix("it was not kept") == true)
      try session.close()
    }
    #expect(
      heard.all == [
        #"session/attach {"key":"K3","seq":0}"#, #"field/change {"session":7,"field":"a","value":1}"#,
        #"session/close {"session":7}"#,
      ]
    )
  }

  @Test func `a session goes on at the next socket when its daemon is gone`() async throws {
    let heard = Heard()
    let second = heard.script { method, id, _ in
      [method == "session/attach" ? Self.attached(id) : Self.done(id)]
    }
    let next = try await FakeDaemon(scripts: [second])
    let nextPath = next.socketPath
    try await FakeDaemon.run(script: Self.losing { _, _, _ in [FakeDaemon.hangUp] }) { path in
      let gone = path + ".gone"
      let connection = try FormConnection(socketPaths: [gone, path, nextPath])
      let session = try connection.open("login", Self.kept)
      try #require(unlink(path) == 0)
      try session.change("a", to: 1)
      #expect(session.number == 7 && session.values == ["a": 2] && !session.isClosed)
      #expect(try FormConnection(socketPaths: [gone, path, nextPath]).ping().isEmpty)
      // The last socket's problem is told when no daemon listens.
      let error = #expect(throws: ClientError.self) { try FormConnection(socketPaths: [path, gone]) }
      #expect(error?.description.contains(gone) == true)
    }
    try await next.stop()
    #expect(
      heard.all.prefix(2) == [
        #"session/attach {"key":"K3","seq":0}"#, #"field/change {"session":7,"field":"a","value":1}"#,
      ]
    )
  }

  @Test(arguments: ["tap", "insert", "remove", "move", "a position", "a tap that waits"])
  func `what must not be done twice is not sent again, and reported when the session is current`(input: String)
    async throws
  {
    let heard = Heard()
    let second = heard.script { method, id, _ in
      [method == "session/attach" ? Self.attached(id) : Self.done(id)]
    }
    try await FakeDaemon.run(scripts: [Self.losing(), second]) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login", Self.kept)
      var failure: ClientError?
      do throws(ClientError) {
        switch input {
        case "tap": _ = try session.tapAndWait("login")
        case "insert": try session.insert(into: "items")
        case "remove": try session.remove("/items/#7")
        case "move": try session.move("/items/#7", to: .position(0))
        case "a position": try session.change("/items/0/a", to: 1)
        default:
          try session.tap("login") { if case .failure(let error) = $0 { failure = error } }
          try connection.ping()
        }
      } catch {
        failure = error
      }
      guard case .outcomeUnknown(let method, _) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(method.hasPrefix("field/") || method == "action/tap")
      #expect(session.number == 7 && session.document.isValid && connection.isConnected)
      try connection.ping()
    }
    #expect(heard.all.allSatisfy { $0.hasPrefix("session/attach") || $0.hasPrefix("server/ping") })
  }

  @Test func `a tap after a loss that nothing was on its way in is made`() async throws {
    let first = Self.losing { _, id, _ in [FakeDaemon.result(id, ["revision": 1]), FakeDaemon.hangUp] }
    let second: FakeDaemon.Script = { method, id, _ in
      [method == "session/attach" ? Self.attached(id) : FakeDaemon.result(id, ["revision": 9, "outcome": "started"])]
    }
    try await FakeDaemon.run(scripts: [first, second]) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login", Self.kept)
      try session.change("a", to: 1)
      // The end of the connection can be read.
      _ = Poll.wait(for: [connection.descriptor], timeout: nil)
      #expect(try session.tap("login").outcome == .started)
    }
  }

  @Test func `sessions get each other's numbers, and updates go where they belong`() async throws {
    let second: FakeDaemon.Script = { method, id, params in
      guard method == "session/attach" else { return [Self.done(id)] }
      if params["key"] == "K3" { return [Self.attached(id, 4)] }
      let update = FakeDaemon.update([
        "session": 3, "revision": 10, "from": 9, "cause": "effect", "patch": ["isValid": "K4's"],
      ])
      return [Self.attached(id, 3), update]
    }
    try await FakeDaemon.run(scripts: [Self.losing(), second]) { path in
      let connection = try FormConnection(socketPath: path)
      let sessions = [try connection.open("login", Self.kept), try connection.open("login", Self.kept)]
      try connection.ping()
      try connection.ping()
      let byKey = Dictionary(uniqueKeysWithValues: sessions.map { ($0.key, $0) })
      #expect(byKey["K3"]?.number == 4 && byKey["K3"]?.document.json == ["isValid": true])
      #expect(byKey["K4"]?.number == 3 && byKey["K4"]?.document.json == ["isValid": "K4's"])
    }
  }

  @Test(arguments: [
    (1001, "no longer has it"), (1012, "could not be attached again"), (1014, "could not be attached again"),
  ])
  func `a session that cannot be attached is lost, and the connection goes on`(code: Int, words: String) async throws {
    let second: FakeDaemon.Script = { method, id, _ in
      [method == "session/attach" ? FakeDaemon.refusal(id, code) : Self.done(id)]
    }
    try await FakeDaemon.run(scripts: [Self.losing(), second]) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login", Self.kept)
      var reasons: [String] = []
      session.onChange = { if case .lost(let error) = $0 { reasons.append(error.description) } }
      let error = #expect(throws: ClientError.self) { try session.change("a", to: 1) }
      #expect(error?.description.contains(words) == true && reasons == [error?.description])
      #expect(session.isClosed)
      try connection.ping()
    }
  }

  @Test func `closing a session that turns out to be gone is closing it`() async throws {
    let second: FakeDaemon.Script = { _, id, _ in [FakeDaemon.refusal(id, 1001)] }
    try await FakeDaemon.run(scripts: [Self.losing(), second]) { path in
      let session = try FormConnection(socketPath: path).open("login", Self.kept)
      try session.close()
      #expect(session.isClosed)
      #expect(throws: ClientError.self) { try session.close() }
    }
  }

  @Test(arguments: ["store", "lost"])
  func `a session that could not be stored, or was lost, is attached again over the same connection`(reason: String)
    async throws
  {
    let heard = Heard()
    let tries = Atomic<Int>(0)
    let first = heard.script(
      Self.losing { method, id, params in
        switch method {
        case "field/change" where params["session"] == 3, "action/tap":
          return [
            FakeDaemon.refusal(id, -32800, ["reason": "sessionClosed"]),
            FakeDaemon.notification(
              "session/closed",
              ["session": params["session"] ?? .null, "reason": .string(reason)]
            ),
          ]
        case "session/attach":
          // The store is away for a moment.
          let isFirst = tries.wrappingAdd(1, ordering: .relaxed).oldValue == 0
          return [isFirst ? FakeDaemon.refusal(id, 1011, ["retryAfterMs": 1]) : Self.attached(id)]
        default: return [FakeDaemon.result(id, ["revision": 10])]
        }
      }
    )
    try await FakeDaemon.run(script: first) { path in
      let connection = try FormConnection(socketPath: path)
      connection.onNotice = { Issue.record("\($0)") }
      let session = try connection.open("login", Self.kept)
      try session.change("a", to: 1)
      #expect(session.number == 7 && !session.isClosed)
      let error = #expect(throws: ClientError.self) { try session.tap("login") }
      guard case .outcomeUnknown? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try session.change("a", to: 2)
    }
    let methods = heard.all.map { $0.prefix { $0 != " " } }
    #expect(
      methods == [
        "session/open", "field/change", "session/attach", "session/attach", "field/change", "action/tap",
        "session/attach", "field/change",
      ]
    )
  }

  @Test func `a session that was taken at another daemon is lost, and is not taken back`() async throws {
    let heard = Heard()
    let first = heard.script(
      Self.losing { method, id, params in
        guard method == "field/change" || method == "action/tap" else { return [Self.done(id)] }
        return [
          FakeDaemon.refusal(id, -32800, ["reason": "sessionClosed"]),
          FakeDaemon.notification("session/closed", ["session": params["session"] ?? .null, "reason": "moved"]),
        ]
      }
    )
    try await FakeDaemon.run(script: first) { path in
      let connection = try FormConnection(socketPath: path)
      let changed = try connection.open("login", Self.kept)
      let tapped = try connection.open("login", Self.kept)
      var told: [SessionClosed.Reason?] = []
      changed.onChange = { if case .closed(let reason) = $0 { told.append(reason) } }
      for _ in 0..<2 {
        let error = #expect(throws: ClientError.self) { try changed.change("a", to: 1) }
        #expect(error?.description == "the session is lost: another daemon took it over")
      }
      let error = #expect(throws: ClientError.self) { try tapped.tap("login") }
      guard case .outcomeUnknown("action/tap", let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason == "the session is lost: another daemon took it over")
      #expect(told == [.moved] && changed.isClosed && tapped.isClosed)
      try connection.ping()
    }
    let methods = heard.all.map { $0.prefix { $0 != " " } }
    #expect(methods == ["session/open", "session/open", "field/change", "action/tap", "server/ping"])
  }

  @Test func `a session is taken from another daemon when the program says so, and not by itself`() async throws {
    let heard = Heard()
    let script = heard.script { method, id, params in
      guard method == "session/attach" else { return [Self.done(id)] }
      guard params["take"] == true else { return [FakeDaemon.refusal(id, 1014, ["instance": "5f0c"])] }
      return [Self.attached(id)]
    }
    try await FakeDaemon.run(script: script) { path in
      let connection = try FormConnection(socketPath: path)
      let error = #expect(throws: ClientError.self) { try connection.attach("K3") }
      guard case .refused("session/attach", let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.kind == .attachedElsewhere && refusal.data.instance == "5f0c")
      let session = try connection.attach("K3", takes: true)
      #expect(session.number == 7 && !session.isClosed)
    }
    #expect(
      heard.all == [
        #"session/attach {"key":"K3","seq":0}"#, #"session/attach {"key":"K3","seq":0,"take":true}"#,
      ]
    )
  }

  @Test func `an input that ends every connection is sent three times`() async throws {
    let heard = Heard()
    let others = heard.script { method, id, _ in
      method == "session/attach" ? [Self.attached(id)] : [FakeDaemon.hangUp]
    }
    try await FakeDaemon.run(scripts: [Self.losing(), others]) { path in
      let session = try FormConnection(socketPath: path).open("login", Self.kept)
      let error = #expect(throws: ClientError.self) { try session.change("a", to: 1) }
      guard case .outcomeUnknown? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!session.isClosed)
    }
    #expect(heard.all.count { $0.hasPrefix("field/change") } == 2)
  }

  @Test func `the forms are watched again, and told`() async throws {
    let second: FakeDaemon.Script = { method, id, _ in
      [method == "forms/watch" ? FakeDaemon.result(id, ["forms": ["b"], "problems": []]) : Self.done(id)]
    }
    let first: FakeDaemon.Script = { method, id, _ in
      method == "forms/watch" ? [FakeDaemon.result(id, ["forms": ["a"], "problems": []])] : [FakeDaemon.hangUp]
    }
    try await FakeDaemon.run(scripts: [first, second]) { path in
      let connection = try FormConnection(socketPath: path)
      var notices: [String] = []
      connection.onNotice = { notice in
        switch notice {
        case .formsChanged(let forms): notices += forms.forms
        case .reconnected: notices.append("reconnected")
        case .draining, .other: Issue.record("\(notice)")
        }
      }
      _ = try connection.watchForms()
      try connection.ping()
      #expect(notices == ["b", "reconnected"])
    }
  }

  @Test func `a refusal is read although the client writes after the connection has ended`() async throws {
    let second: FakeDaemon.Script = { method, id, _ in
      [method == "session/attach" ? Self.attached(id) : FakeDaemon.result(id, ["revision": 10])]
    }
    let refusal = FakeDaemon.refusal(nil, 1011, ["limit": "connectionsMax", "value": 1, "retryAfterMs": 300])
    try await FakeDaemon.run(refusals: [1: refusal], scripts: [Self.losing(), second]) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login", Self.kept)
      var attachedAt: [ContinuousClock.Instant] = []
      connection.onText = { kind, text in
        guard kind == .sent, text.contains("session/attach") else { return }
        attachedAt.append(.now)
        guard attachedAt.count == 1 else { return }
        // Without events, poll waits until the daemon has closed the connection.
        var entry = pollfd(fd: connection.descriptor, events: 0, revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
      }
      try session.change("a", to: 1)
      #expect(attachedAt.count == 2)
      if let first = attachedAt.first, let last = attachedAt.last { #expect(last - first >= .milliseconds(300)) }
    }
  }

  @Test(arguments: ["impatient", "ended by somebody", "nothing to come back to"])
  func `it does not come back where it should not`(why: String) async throws {
    let first = Self.losing { _, _, _ in
      let ended: JSON = ["jsonrpc": "2.0", "id": .null, "error": ["code": 1013, "message": "Somebody has ended this"]]
      return why == "ended by somebody" ? [ended, FakeDaemon.hangUp] : [FakeDaemon.hangUp]
    }
    let second: FakeDaemon.Script = { method, _, _ in
      Issue.record("it came back for \(method)")
      return [FakeDaemon.hangUp]
    }
    try await FakeDaemon.run(scripts: [first, second]) { path in
      let connection = try FormConnection(socketPath: path)
      if why == "impatient" { connection.patience = .zero }
      let options = why == "nothing to come back to" ? SessionOptions() : Self.kept
      let session = try connection.open("login", options)
      // If the connection was ended with 1013, the first call reports that.
      #expect(throws: ClientError.self) { try session.change("a", to: 1) }
      let error = #expect(throws: ClientError.self) { try session.change("a", to: 1) }
      guard case .disconnected? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `its patience ends with an error that says what was tried`() async throws {
    try await FakeDaemon.run(script: Self.losing()) { path in
      let connection = try FormConnection(socketPath: path)
      connection.patience = .milliseconds(150)
      let session = try connection.open("login", Self.kept)
      // No client can connect any more.
      #expect(unlink(path) == 0)
      let error = #expect(throws: ClientError.self) { try session.change("a", to: 1) }
      guard case .disconnected(_, let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(
        reason.contains(
          "it could not be restored; the client tried for 0.15 seconds; the last error: no daemon answers at"
        )
      )
      #expect(session.isClosed && session.loss != nil)
      #expect(throws: ClientError.self) { try connection.ping() }
    }
  }
}

struct RetryScheduleTests {
  private let start = ContinuousClock.now

  @Test func `the first try is made at once, and pauses grow up to a bound until the patience is used up`() {
    var schedule = RetrySchedule()
    schedule.began(at: start, patience: .seconds(30))
    let pauses = (0..<9).map { _ in schedule.pause(at: start, variation: 1) }
    #expect(pauses == [0, 50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
    #expect(schedule.pause(at: start, variation: 0.5) == .seconds(1))
    #expect(schedule.pause(at: start, atLeast: .seconds(5), variation: 0.5) == .seconds(5))
    #expect(
      schedule.pause(at: start + .seconds(29), variation: 1.5) == .seconds(1),
      "not for longer than there is patience"
    )
    #expect(schedule.pause(at: start + .seconds(30)) == nil)
  }

  @Test func `a connection that did not last goes on with the pauses, one that did begins anew`() {
    var schedule = RetrySchedule()
    schedule.began(at: start, patience: .seconds(10))
    _ = schedule.pause(at: start)
    _ = schedule.pause(at: start)
    schedule.succeeded(at: start + .seconds(1))
    schedule.began(at: start + .seconds(2), patience: .seconds(10))
    #expect(schedule.pause(at: start + .seconds(2), variation: 1) == .milliseconds(100))
    #expect(schedule.timeLeft(at: start + .seconds(2)) == .seconds(8))
    schedule.succeeded(at: start + .seconds(2))
    schedule.began(at: start + .seconds(5), patience: .seconds(10))
    #expect(schedule.pause(at: start + .seconds(5), variation: 1) == .zero)
    #expect(schedule.timeLeft(at: start + .seconds(5)) == .seconds(10))
  }
}
