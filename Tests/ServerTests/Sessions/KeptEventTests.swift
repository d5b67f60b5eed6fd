internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// The events of kept sessions, for clients that return.
struct KeptEventTests {
  @Test(arguments: [Int64.min, -1, 0, 1 << 40, .max - 1, .max])
  func `whatever number a client says it has heard of, it is answered`(_ sequence: Int64) throws {
    let client = TestDaemon().connect()
    let (key, _) = try client.openKept()
    let attached = client.result("session/attach", ["key": key, "seq": .integer(sequence)])
    #expect(attached["events"] == [] && attached["eventsLost"] == 0)
  }

  /// A session with this many events.
  private func withEvents(_ daemon: TestDaemon, _ count: Int) throws -> (client: TestClient, key: JSON) {
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "timed", "keep": "10m"])
    for _ in 0..<count { client.request("action/tap", ["action": "go"]) }
    return (client, key)
  }

  @Test(arguments: [0, 1, 2, 3, 7])
  func `events behind the last that a client knows come again`(_ sequence: Int64) throws {
    let daemon = TestDaemon()
    let (client, key) = try withEvents(daemon, 3)
    client.connection.closed()
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": .integer(sequence)])
    let numbers = attached["events"]?.arrayValue?.compactMap { $0["seq"]?.integerValue }
    #expect(numbers == (1...3).filter { $0 > sequence })
    #expect(attached["eventsLost"] == 0)
  }

  @Test
  func `what happens while nobody is there is kept`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    client.connection.closed()
    #expect(daemon.effects.count == 1)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached.at("document", "actions", "login", "result") == ["name": "Kim"])
    #expect(attached["events"]?.arrayValue?.first?["result"] == ["name": "Kim"])
  }

  @Test
  func `the oldest events are given up, and counted`() throws {
    let daemon = TestDaemon { $0.limits[.eventsKeptMax] = 4 }
    let (client, key) = try withEvents(daemon, 10)
    client.result("session/detach")
    let all = client.result("session/attach", ["key": key, "seq": 0])
    #expect(all["events"]?.arrayValue?.compactMap { $0["seq"] } == [7, 8, 9, 10])
    #expect(all["eventsLost"] == 6)
    client.result("session/detach")
    let some = client.result("session/attach", ["key": key, "seq": 4])
    #expect(some["events"]?.arrayValue?.count == 4)
    #expect(some["eventsLost"] == 2)
    #expect(client.result("session/attach", ["key": key, "seq": 8])["eventsLost"] == 0)
    #expect(daemon.server.memory.values > 0)
    client.result("session/close")
    #expect(daemon.server.memory.values == 0)
  }

  @Test
  func `so many bytes of events are kept at most`() throws {
    let daemon = TestDaemon { $0.limits[.outputHardBytes] = 4_096 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "ask", "keep": "10m"])
    for _ in 0..<3 { client.request("action/tap", ["action": "ask"]) }
    for id in provider.messages().compactMap({ $0["id"] }) {
      provider.send(#"{"jsonrpc":"2.0","id":\#(id),"result":"\#(String(repeating: "x", count: 3_000))"}"#)
    }
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.compactMap { $0["seq"] } == [3])
    #expect(attached["eventsLost"] == 2)
  }

  @Test
  func `who attaches where it is attached is told no event again`() throws {
    let daemon = TestDaemon()
    let (client, key) = try withEvents(daemon, 2)
    let again = client.result("session/attach", ["key": key, "seq": 0])
    #expect(again["events"] == [])
    #expect(again["eventsLost"] == 0)
    // An event that an earlier answer or a later update contained is not sent again either.
    let second = daemon.connect()
    #expect(second.result("session/attach", ["key": key, "seq": 1])["events"]?.arrayValue?.count == 1)
    #expect(second.result("session/attach", ["key": key, "seq": 1])["events"] == [])
    #expect(client.request("action/tap", ["action": "go"]).first?.at("params", "events")?.arrayValue?.count == 1)
    #expect(second.messages().last?.at("params", "events")?.arrayValue?.count == 1)
    #expect(second.result("session/attach", ["key": key, "seq": 2])["events"] == [])
    // The first event was never sent to this client.
    let first = second.result("session/attach", ["key": key, "seq": 0])
    #expect(first["events"]?.arrayValue?.compactMap { $0["seq"] } == [1])
    #expect(second.result("session/attach", ["key": key, "seq": 0])["events"] == [])
  }
}
