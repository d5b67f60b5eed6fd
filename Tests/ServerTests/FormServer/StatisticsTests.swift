internal import Configuration
import JSON
import Server
import Sessions
import Testing

/// The statistics for operators.
struct StatisticsTests {
  @Test
  func `clients are listed on request, those first that have used most time`() {
    let daemon = TestDaemon()
    let (first, second) = (daemon.connect(), daemon.connect())
    second.open("login")
    daemon.timePerLook = .milliseconds(1)
    second.request("field/change", ["field": "email", "value": "kim"])
    daemon.timePerLook = .zero
    #expect(first.result("server/stats")["topClients"] == nil)
    daemon.advance(milliseconds: 100)
    let clients = first.result("server/stats", ["top": 5])["topClients"]?.arrayValue ?? []
    #expect(clients.map { $0["connection"] } == [2, 1])
    #expect(clients.first?["sessions"] == 1)
    #expect(clients.first?["turns"] == 2)
    #expect((clients.first?["microseconds"]?.integerValue ?? 0) >= 1_000)
    #expect((clients.first?["bytes"]?.integerValue ?? 0) > 0)
    #expect((clients.first?["ageMs"]?.integerValue ?? 0) >= 100)
    #expect(first.result("server/stats", ["top": 1])["topClients"]?.arrayValue?.count == 1)
    #expect(first.error("server/stats", ["top": 10_001])["code"] == -32602)
  }

  @Test
  func `memory, queues and times of work are told`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login", "await": true])
    let statistics = client.result("server/stats")
    #expect(statistics.at("queues", "effects") == 1)
    #expect(statistics.at("queues", "requests") == 1)
    #expect((statistics.at("memory", "sessions")?.integerValue ?? 0) > 0)
    // The three calls before are counted. The current call is not over yet.
    #expect(statistics.at("turnTime", "count") == 3)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    _ = client.messages()
    let after = client.result("server/stats")
    #expect(after.at("queues", "effects") == 0)
    #expect(after.at("turnTime", "count") == 5)
    client.result("session/close")
    #expect(client.result("server/stats").at("memory", "sessions") == 0)
  }

  @Test
  func `effects that take too long are counted, and nothing is under way any more`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    daemon.advance(milliseconds: 60_000)
    let statistics = client.result("server/stats")
    #expect(statistics["effectsFailed"] == 1)
    #expect(statistics.at("queues", "effects") == 0)
  }

  @Test
  func `counts have names on request: targets, error codes, forms`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    #expect(client.result("server/stats")["forms"] == nil)
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    daemon.advance(milliseconds: 60_000)
    _ = client.error("field/change", ["field": "nobody", "value": 1])
    let statistics = client.result("server/stats", ["named": true])
    let target = statistics["targets"]?.arrayValue?.first
    #expect(target?["part"] == "service")
    #expect(target?.at("answerTime", "count") == 1)
    #expect((target?.at("answerTime", "totalMicroseconds")?.integerValue ?? 0) >= 1_000_000)
    #expect(target?["failures"] == [["kind": "timeout", "count": 1]])
    #expect(statistics["errorCodes"] == [["code": 1004, "count": 1]])
    let forms = statistics["forms"]?.arrayValue
    #expect(forms?.map { $0["form"] } == ["login"])
    // The opening, a change, a tap, and the time that passed.
    #expect(forms?.first?["turns"] == 4)
  }

  @Test
  func `forms that clients bring along are counted together, without their names`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    for name in ["one", "two"] {
      client.request(
        "session/open",
        ["definition": ["form": .string(name), "schema": ["type": "object", "properties": ["a": ["type": "string"]]]]]
      )
      daemon.advance(milliseconds: 1_000)
    }
    client.request("field/change", ["session": 1, "field": "a", "value": "x"])
    client.request("field/change", ["session": 2, "field": "a", "value": "x"])
    let forms = client.result("server/stats", ["named": true])["forms"]?.arrayValue
    #expect(forms?.map { $0["form"] } == [""])
    #expect(forms?.first?["turns"] == 4)
  }

  @Test
  func `calls that take long are counted, each in the bucket of its time`() {
    let daemon = TestDaemon { $0.slowTurn = .milliseconds(10) }
    let client = daemon.connect()
    client.open("login")
    daemon.timePerLook = .milliseconds(20)
    client.request("field/change", ["field": "email", "value": "kim"])
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 1_000)
    let statistics = client.result("server/stats")
    #expect(statistics["slowTurns"] == 1)
    let slow = statistics.at("turnTime", "buckets")?.arrayValue?.map { bucket in
      (statistics.at("turnTime", "count")?.integerValue ?? 0) - (bucket["count"]?.integerValue ?? 0)
    }
    // One call took more than 10 ms, and none took more than 25 ms.
    #expect(slow == [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
  }

  @Test
  func `a client can be disconnected, with all that it has`() {
    let daemon = TestDaemon()
    let (operating, other) = (daemon.connect(), daemon.connect())
    other.open("login")
    let row = operating.result("server/stats", ["top": 2])["topClients"]?.arrayValue?.first { $0["sessions"] == 1 }
    #expect(
      operating.request("server/disconnect", ["connection": row?["connection"] ?? .null]).last?["result"] == .null
    )
    #expect(other.messages().last?.at("error", "code") == 1013)
    #expect(other.isAborted)
    #expect(operating.result("server/stats")["sessions"] == 0)
    #expect(operating.result("server/stats")["connections"] == 1)
    let error = operating.error("server/disconnect", ["connection": 99])
    #expect(error["code"] == 1002)
    #expect(error["data"] == ["connection": 99])
  }
}
