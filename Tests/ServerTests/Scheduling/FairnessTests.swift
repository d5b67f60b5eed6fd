import JSON
import Server
import Sessions
import Testing
internal import Times

/// A client that sends much at once does not keep other clients waiting.
struct FairnessTests {
  private func pings(_ ids: ClosedRange<Int>) -> [UInt8] {
    Array(ids.map { #"{"jsonrpc":"2.0","id":\#($0),"method":"server/ping"}"# + "\n" }.joined().utf8)
  }
  private func ids(_ messages: [JSON]) -> [Int64] { messages.compactMap { $0["id"]?.integerValue } }

  @Test
  func `others go first when a client has used its time, and nothing is lost or out of order`() {
    let daemon = TestDaemon()
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    daemon.timePerLook = .milliseconds(1)
    greedy.send(pings(1...200))
    let answered = ids(greedy.messages())
    #expect(answered.count < 100)
    #expect(!greedy.isReading)
    // A client that has used no time goes next.
    modest.send(pings(1...1))
    daemon.wake()
    #expect(ids(modest.messages()) == [1])
    let more = ids(greedy.messages())
    #expect(more.count < 100)
    // Bytes that were under way when reading ended are kept.
    greedy.send(pings(201...210))
    daemon.advance(milliseconds: 10_000)
    #expect(answered + more + ids(greedy.messages()) == Array(1...210))
    #expect(greedy.isReading)
  }

  @Test
  func `clients that send much take slices one after the other`() {
    let daemon = TestDaemon()
    let clients = (0..<3).map { _ in daemon.connect() }
    daemon.timePerLook = .milliseconds(1)
    for client in clients { client.send(pings(1...100)) }
    var counts = clients.map { ids($0.messages()).count }
    for _ in 0..<1_000 {
      daemon.advance(milliseconds: 5)
      for (index, client) in clients.enumerated() { counts[index] += ids(client.messages()).count }
      #expect(counts.max()! - counts.min()! <= 64, "\(counts)")
    }
    #expect(counts == [100, 100, 100])
  }

  @Test
  func `a batch goes on where it was left, and its answer is whole`() {
    let daemon = TestDaemon()
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    daemon.timePerLook = .milliseconds(1)
    let members = (1...50).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"server/ping"}"# }
    greedy.send("[" + members.joined(separator: ",") + "]")
    #expect(greedy.messages().isEmpty)
    modest.send(pings(1...1))
    daemon.wake()
    #expect(ids(modest.messages()) == [1])
    daemon.advance(milliseconds: 10_000)
    #expect(greedy.messages().first?.arrayValue.map(ids) == Array(1...50))
  }

  @Test
  func `nobody goes on after long work before the event loop has looked for input`() {
    let daemon = TestDaemon()
    let (first, second, third) = (daemon.connect(), daemon.connect(), daemon.connect())
    daemon.timePerLook = .milliseconds(3)
    // The only message takes long, and no input is left after it.
    first.send(pings(1...1))
    second.send(pings(1...1))
    third.connection.inputEnded()
    #expect(ids(first.messages()) == [1])
    #expect(second.messages().isEmpty)
    #expect(!third.isClosing)
    daemon.advance(milliseconds: 1_000)
    #expect(ids(second.messages()) == [1])
    #expect(third.isClosing)
  }

  @Test
  func `the next slice comes after the event loop has looked for input, even if its time has come before`() {
    let daemon = TestDaemon()
    let clients = (0..<2).map { _ in daemon.connect() }
    daemon.timePerLook = .milliseconds(3)
    for client in clients {
      pings(1...1).withUnsafeBufferPointer { client.connection.received($0) }
      client.connection.receivedAll()
    }
    #expect(ids(clients[0].messages()) == [1])
    // To write the output took long.
    daemon.sleep(milliseconds: 10)
    daemon.server.timersDue()
    #expect(clients[1].messages().isEmpty)
    daemon.advance(milliseconds: 1_000)
    #expect(ids(clients[1].messages()) == [1])
  }

  @Test
  func `fresh clients with long turns do not go before a client with short turns`() {
    let daemon = TestDaemon()
    let modest = daemon.connect()
    daemon.timePerLook = .microseconds(10)
    modest.send(pings(1...10))
    #expect(ids(modest.messages()) == Array(1...10))
    let clients = (0..<5).map { _ in daemon.connect() }
    daemon.timePerLook = .milliseconds(3)
    for client in clients { client.send(pings(1...1)) }
    modest.send(pings(11...11))
    daemon.wake()
    #expect(ids(modest.messages()) == [11])
    daemon.advance(milliseconds: 1_000)
    #expect(clients.allSatisfy { ids($0.messages()) == [1] })
  }

  @Test
  func `long texts that were parsed at the same time are handled one by one`() {
    let daemon = TestDaemon()
    daemon.holdsOffloadedWork = true
    let clients = (0..<5).map { _ in daemon.connect() }
    let blanks = String(repeating: " ", count: 200_000)
    for client in clients { client.send(#"{"jsonrpc":"2.0","id":1,\#(blanks)"method":"server/ping"}"#) }
    daemon.timePerLook = .milliseconds(3)
    daemon.doOffloadedWork()
    #expect(clients.filter(\.hasOutput).count == 1)
    let modest = daemon.connect()
    modest.send(pings(1...1))
    daemon.advance(milliseconds: 1_000)
    #expect(([modest] + clients).allSatisfy { ids($0.messages()) == [1] })
  }

  @Test
  func `a client that hung up still gets its answers in its slice`() {
    let daemon = TestDaemon()
    let greedy = daemon.connect()
    daemon.timePerLook = .milliseconds(1)
    greedy.send(pings(1...100))
    greedy.connection.inputEnded()
    #expect(!greedy.isClosing)
    daemon.advance(milliseconds: 10_000)
    #expect(ids(greedy.messages()) == Array(1...100))
    #expect(greedy.isClosing)
  }

  @Test
  func `a client that is gone has no slice`() {
    let daemon = TestDaemon()
    let greedy = daemon.connect()
    daemon.timePerLook = .milliseconds(1)
    greedy.send(pings(1...100))
    greedy.connection.closed()
    daemon.advance(milliseconds: 10_000)
    #expect(ids(greedy.messages()).count < 100)
  }

  @Test
  func `sessions whose times come together let other clients go first`() {
    let daemon = TestDaemon()
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    let sessions = (0..<100).map { _ in greedy.open("timed") }
    for session in sessions {
      greedy.request("field/change", ["session": .integer(session), "field": "term", "value": "x"])
    }
    func echoes() -> Int { greedy.messages().count { $0.at("params", "patch", "outputs", "echo") == "x" } }
    #expect(echoes() == 0)
    daemon.timePerLook = .milliseconds(1)
    while daemon.time < Instant(nanoseconds: 300_000_000) { daemon.wake() }
    var done = echoes()
    #expect((1..<20).contains(done), "\(done)")
    // Messages of the same client wait behind its sessions' work, and messages of other clients do not.
    greedy.send(pings(1...1))
    modest.send(pings(1...1))
    daemon.wake()
    #expect(ids(modest.messages()) == [1])
    daemon.advance(milliseconds: 10_000)
    let rest = greedy.messages()
    done += rest.count { $0.at("params", "patch", "outputs", "echo") == "x" }
    #expect(done == 100)
    #expect(ids(rest) == [1])
  }

  @Test
  func `answers that come together let other clients go first`() {
    let daemon = TestDaemon()
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    for _ in 0..<50 {
      let session = greedy.open("login")
      let values: JSON = ["email": "kim@example.com", "password": "x"]
      greedy.request("field/change", ["session": .integer(session), "values": values])
      greedy.request("action/tap", ["session": .integer(session), "action": "login"])
    }
    daemon.timePerLook = .milliseconds(1)
    for _ in 0..<50 { daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"])) }
    func ends(_ messages: [JSON]) -> Int { messages.count { $0.at("params", "events")?.arrayValue?.isEmpty == false } }
    var done = ends(greedy.messages())
    #expect((1..<20).contains(done), "\(done)")
    modest.send(pings(1...1))
    daemon.wake()
    #expect(ids(modest.messages()) == [1])
    daemon.advance(milliseconds: 10_000)
    done += ends(greedy.messages())
    #expect(done == 50)
  }

  @Test
  func `a session that ends does not have what was due`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let sessions = (0..<50).map { _ in client.open("timed") }
    for session in sessions {
      client.request("field/change", ["session": .integer(session), "field": "term", "value": "x"])
    }
    daemon.timePerLook = .milliseconds(1)
    while daemon.time < Instant(nanoseconds: 300_000_000) { daemon.wake() }
    client.connection.closed()
    daemon.advance(milliseconds: 10_000)
    #expect(daemon.connect().result("server/stats")["sessions"] == 0)
  }

  @Test
  func `many clients with a little work each do not keep the event loop from its input`() {
    let daemon = TestDaemon()
    let clients = (0..<40).map { _ in daemon.connect() }
    daemon.timePerLook = .milliseconds(1)
    // All input arrived together, so the event loop does not look for more in between.
    for client in clients {
      pings(1...1).withUnsafeBufferPointer { client.connection.received($0) }
      client.connection.receivedAll()
    }
    let served = clients.filter { !$0.messages().isEmpty }.count
    #expect(served < 20, "\(served)")
    daemon.poll()
    daemon.advance(milliseconds: 10_000)
    #expect(clients.filter { ids($0.messages()) == [1] }.count == 40 - served)
  }
}
