internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing
internal import Times

struct SlowReaderTests {
  /// A client whose login is under way, over its soft limit.
  private func blocked(_ daemon: TestDaemon, taps: Int = 1) -> TestClient {
    let client = daemon.connect()
    client.open("ask")
    for _ in 0..<taps { client.request("action/tap", ["action": "ask"]) }
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    #expect(!client.isReading)
    return client
  }

  @Test
  func `nothing more is read or handled while the client does not read`() {
    let daemon = TestDaemon()
    let client = blocked(daemon)
    client.send(#"{"jsonrpc":"2.0","id":101,"method":"field/change","params":{"field":"text","value":"x"}}"#)
    #expect(client.messages().isEmpty)
    client.drain()
    #expect(client.isReading)
    let messages = client.messages()
    #expect(messages.compactMap { $0["id"] }.suffix(2) == [100, 101])
  }

  @Test
  func `updates are held back and come as one difference before the next answer`() {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    var document = client.result("session/open", ["form": "ask"])["document"] ?? .null
    var revision: JSON = 0
    func follow(_ messages: [JSON]) -> [JSON] {
      let updates = messages.filter { $0["method"] == "session/update" }
      for update in updates {
        #expect(update.at("params", "from") == revision)
        revision = update.at("params", "revision") ?? .null
        document.merge(update.at("params", "patch") ?? .null)
      }
      return updates
    }
    for _ in 0..<3 { _ = follow(client.request("action/tap", ["action": "ask"])) }
    let calls = provider.messages().compactMap { $0["id"] }
    #expect(calls.count == 3)
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    client.send(#"{"jsonrpc":"2.0","id":101,"method":"server/ping"}"#)
    for (index, id) in calls.enumerated() {
      provider.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"answer":\#(index)}}"#)
    }
    client.drain()
    let messages = client.messages()
    #expect(messages.map { $0["id"] ?? $0["method"] } == [100, "session/update", 101])
    let update = follow(messages).first
    #expect(update?.at("params", "events")?.arrayValue?.compactMap { $0["seq"] } == [1, 2, 3])
    #expect(client.result("session/get")["document"] == document)
    #expect(client.result("session/get")["revision"] == revision)
  }

  @Test
  func `the answer to a batch that fills the output stands behind the updates of its members`() {
    let form = TestForms.form(
      #"{"form":"echo","schema":{"properties":{"text":{"type":"string"}}},"outputs":{"echo":"values.text"}}"#
    )
    let daemon = TestDaemon(catalog: FormCatalog([form]))
    let client = daemon.connect()
    client.open("echo")
    let long = String(repeating: "x", count: 5_000)
    let members = (1...50).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"field/change","params":{"field":"text","value":"\#(long)\#($0)"}}"#
    }
    client.roomBytes = 1_000
    client.send("[" + members.joined(separator: ",") + "]")
    // The output is full long before the last member.
    #expect(!client.isReading)
    #expect(client.unsent.count < 100_000)
    var messages: [JSON] = []
    for _ in 0..<10 {
      client.drain()
      client.roomBytes = 1_000
      messages += client.messages()
    }
    var told: Int64 = 0
    for message in messages {
      if let revision = message.at("params", "revision")?.integerValue { told = revision }
      for answer in message.arrayValue ?? [] {
        #expect((answer.at("result", "revision")?.integerValue ?? .max) <= told)
      }
    }
    #expect(messages.last?.arrayValue?.count == 50)
    #expect(told == 50)
  }

  @Test
  func `too many events make a desync, and the document can be asked for`() {
    let daemon = TestDaemon { $0.limits[.eventsKeptMax] = 2 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = blocked(daemon, taps: 3)
    for id in provider.messages().compactMap({ $0["id"] }) {
      provider.send(#"{"jsonrpc":"2.0","id":\#(id),"result":1}"#)
    }
    client.drain()
    let desync = client.messages().last
    #expect(desync?["method"] == "session/desync")
    #expect(desync?.at("params", "eventsLost") == 3)
    let fresh = client.result("session/get")
    #expect(fresh["revision"] == desync?.at("params", "revision"))
    let update = client.request("field/change", ["field": "text", "value": "x"]).first
    #expect(update?.at("params", "from") == fresh["revision"])
  }

  @Test
  func `large events beyond the hard limit make a desync too`() {
    let daemon = TestDaemon { $0.limits[.outputHardBytes] = 5000 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = blocked(daemon, taps: 2)
    let long = String(repeating: "x", count: 3000)
    for id in provider.messages().compactMap({ $0["id"] }) {
      provider.send(#"{"jsonrpc":"2.0","id":\#(id),"result":"\#(long)"}"#)
    }
    client.drain()
    #expect(client.messages().last?["method"] == "session/desync")
  }

  @Test
  func `an awaited answer comes behind the difference even while the client reads slowly`() {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.send(#"{"jsonrpc":"2.0","id":50,"method":"action/tap","params":{"action":"ask","await":true}}"#)
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    for id in provider.messages().compactMap({ $0["id"] }) {
      provider.send(#"{"jsonrpc":"2.0","id":\#(id),"result":1}"#)
    }
    client.drain()
    let messages = client.messages().suffix(2)
    #expect(messages.first?["method"] == "session/update")
    #expect(messages.last?["id"] == 50)
  }

  @Test
  func `a client that drains nothing for ten seconds is disconnected, one that drains a little is not`() {
    let daemon = TestDaemon()
    let dead = blocked(daemon)
    let slow = blocked(daemon)
    let other = daemon.connect()
    daemon.advance(milliseconds: 9_999)
    #expect(!dead.isAborted)
    slow.drainSome(1)
    daemon.advance(milliseconds: 1)
    #expect(dead.isAborted)
    #expect(!slow.isAborted)
    #expect(other.result("server/stats")["connectionsStalled"] == 1)
    #expect(other.result("server/stats")["sessions"] == 1)
    daemon.advance(milliseconds: 10_000)
    #expect(slow.isAborted)
  }

  @Test
  func `one slow client does not delay another`() {
    let daemon = TestDaemon()
    _ = blocked(daemon)
    let other = daemon.connect()
    #expect(other.open("login") == 2)
  }

  @Test
  func `a client that reads slowly is not one that reads nothing`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.bytesHeldBySystem = 200_000
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    #expect(!client.isReading)
    // The daemon's own queue does not move, because the system takes no more until the client has read much.
    for _ in 0..<4 {
      client.bytesHeldBySystem -= 40_000
      daemon.advance(milliseconds: 10_000)
      #expect(!client.isAborted)
    }
    daemon.advance(milliseconds: 10_000)
    #expect(client.isAborted)
  }

  @Test
  func `a client has its time to read from the end of long work on`() {
    let daemon = TestDaemon { $0.limits[.stallMs] = 1_000_000 }
    let client = daemon.connect()
    client.roomBytes = 0
    // The message takes 800 s from its beginning until its answer is written.
    daemon.timePerLook = .seconds(400)
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    daemon.timePerLook = .zero
    #expect(!client.isReading)
    #expect(daemon.time >= .milliseconds(1_600_000))
    daemon.server.timersDue()
    #expect(!client.isAborted)
    daemon.advance(milliseconds: 1_000_000)
    #expect(client.isAborted)
  }
}
