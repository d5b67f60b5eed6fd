internal import Configuration
import FormProtocol
import JSON
import JSONRPC
import Sessions
import Testing
internal import Times

@testable import Server

/// The outputs of a few connections are written together if many connections have input at a time.
struct OutputGatheringTests {
  private typealias Gathering = OutputGathering

  /// An ``OutputGathering`` that expectations can change.
  private final class Subject {
    private var gathering = Gathering()

    var isWaiting: Bool { gathering.isWaiting }
    func inputHandled(of connection: Int64) -> Bool { gathering.inputHandled(of: connection) }
    func charge(_ time: Int64) { gathering.charge(time) }
    func flushed() { gathering.flushed() }
    func pollCame() { gathering.pollCame() }
  }

  /// A gathering after the minimum streak of short inputs.
  private func expectant() -> Subject {
    let gathering = Subject()
    for number in 1...Int64(Gathering.streakMin) {
      #expect(!gathering.inputHandled(of: number))
      gathering.flushed()
    }
    return gathering
  }

  // MARK: Who waits

  @Test
  func `after many short inputs in a row four are told together`() {
    let gathering = expectant()
    for number in [101, 102, 103] as [Int64] {
      #expect(gathering.inputHandled(of: number))
      #expect(gathering.isWaiting)
    }
    #expect(!gathering.inputHandled(of: 104))
    gathering.flushed()
    #expect(!gathering.isWaiting)
    #expect(gathering.inputHandled(of: 105))
  }

  @Test
  func `whoever sends again before anybody else does is told at once, and so are those behind`() {
    let gathering = expectant()
    #expect(gathering.inputHandled(of: 101))
    #expect(!gathering.inputHandled(of: 101))
    gathering.flushed()
    #expect(!gathering.inputHandled(of: 102))
  }

  @Test
  func `nobody waits behind long work`() {
    let gathering = expectant()
    // The first connection's own work does not count, because that connection did not wait for it.
    gathering.charge(Gathering.workNanosecondsMax)
    #expect(gathering.inputHandled(of: 101))
    gathering.charge(Gathering.workNanosecondsMax / 2)
    #expect(gathering.inputHandled(of: 102))
    gathering.charge(Gathering.workNanosecondsMax / 2)
    #expect(!gathering.inputHandled(of: 103))
    gathering.flushed()
    // A single input that takes this long ends the streak.
    #expect(gathering.inputHandled(of: 104))
    gathering.charge(Gathering.workNanosecondsMax + 1)
    #expect(!gathering.inputHandled(of: 105))
    gathering.flushed()
    #expect(!gathering.inputHandled(of: 106))
  }

  @Test
  func `where few have input at a time nobody waits for a while`() {
    let gathering = expectant()
    // A gathering that began in the middle of a round says nothing about that round.
    #expect(gathering.inputHandled(of: 100))
    gathering.pollCame()
    gathering.flushed()
    for number in [101, 102, 103] as [Int64] { #expect(gathering.inputHandled(of: number)) }
    gathering.pollCame()
    gathering.flushed()
    var count = 0
    repeat {
      count += 1
      gathering.flushed()
    } while !gathering.inputHandled(of: Int64(1_000 + count)) && count < 100_000
    #expect(count == Gathering.pauseInputs + Gathering.streakMin + 1)
  }

  @Test
  func `where many have input at a time the next ones wait, too`() {
    let gathering = expectant()
    for number in [101, 102, 103, 104] as [Int64] { _ = gathering.inputHandled(of: number) }
    gathering.flushed()
    #expect(gathering.inputHandled(of: 105))
    gathering.pollCame()
    gathering.flushed()
    // Nothing was handled in this round.
    gathering.pollCame()
    #expect(gathering.inputHandled(of: 106))
    // Each round is counted separately: this one has only two inputs.
    #expect(gathering.inputHandled(of: 107))
    gathering.pollCame()
    gathering.flushed()
    #expect(!gathering.inputHandled(of: 108))
  }

  // MARK: A daemon

  /// Clients with a session each. They have sent so many inputs in a row that the next outputs are written together.
  private struct Clients {
    let daemon: TestDaemon
    private var sessions: [Int64] = []
    private(set) var all: [TestClient] = []
    private var changes: [Int] = []

    /// - Parameters:
    ///   - store: keeps their sessions; nil for no store.
    ///   - change: changes the daemon's configuration.
    init(_ count: Int, store: TestStore? = nil, _ change: (inout ServerConfiguration) -> Void = { _ in }) {
      daemon = TestDaemon(store: store, change)
      for _ in 0..<count {
        let client = daemon.connect()
        let options: JSON = store == nil ? ["form": "login"] : ["form": "login", "keep": "10m"]
        sessions.append(client.result("session/open", options)["session"]?.integerValue ?? -1)
        all.append(client)
        changes.append(0)
      }
      for index in 0..<OutputGathering.streakMin { self.change(index % count) }
      daemon.poll()
      daemon.doOffloadedWork()
      for client in all { _ = client.messages() }
    }

    /// A client changes a field, in a way that always causes an update for it. The event loop does not look for input
    /// afterwards.
    mutating func change(_ client: Int, isWhole: Bool = true) {
      changes[client] += 1
      let email = changes[client] % 2 == 0 ? "kim" : "kim@example.com"
      let params = #"{"session":\#(sessions[client]),"field":"email","value":"\#(email)"}"#
      let text = #"{"jsonrpc":"2.0","id":\#(changes[client]),"method":"field/change","params":\#(params)}"#
      send(text, client, isWhole: isWhole)
    }

    /// Makes the same change, and more of that client's input is still to come.
    mutating func begin(_ client: Int) { change(client, isWhole: false) }

    func send(_ text: String, _ client: Int, isWhole: Bool = true) {
      TestClient.framed(text, headers: false).withUnsafeBufferPointer { all[client].connection.received($0) }
      if isWhole { all[client].connection.receivedAll() }
    }

    /// The clients that have unread output.
    var told: [Int] { all.indices.filter { all[$0].hasOutput } }
  }

  private static let ping = #"{"jsonrpc":"2.0","id":"p","method":"server/ping"}"#

  @Test
  func `four clients are told together, each with one write, whoever came first first`() {
    var clients = Clients(8)
    var order: [Int] = []
    for (index, client) in clients.all.enumerated() { client.onWrite = { order.append(index) } }
    for client in [5, 2, 7] {
      clients.change(client)
      #expect(clients.told == [])
    }
    clients.change(1)
    #expect(order == [5, 2, 7, 1])
    for client in [5, 2, 7, 1] {
      #expect(clients.all[client].messages().count == 2)
    }
  }

  @Test
  func `all are told before the event loop looks for input`() {
    var clients = Clients(8)
    for client in 0..<6 { clients.change(client) }
    #expect(clients.told == [0, 1, 2, 3])
    clients.daemon.poll()
    #expect(clients.told == [0, 1, 2, 3, 4, 5])
  }

  @Test
  func `whatever is not a short plain input is handled when those who waited are told`() {
    var clients = Clients(8)
    clients.change(0)
    clients.change(1)
    #expect(clients.told == [])
    // The input is incomplete, so it is not handled yet.
    let (head, tail) = (Self.ping.prefix(10), Self.ping.dropFirst(10) + "\n")
    Array(head.utf8).withUnsafeBufferPointer { clients.all[2].connection.received($0) }
    #expect(clients.told == [])
    // No part of the answer is written when the first client gets its output.
    var answerBytes = -1
    let connection = clients.all[2].connection!
    clients.all[0].onWrite = { answerBytes = connection.output.writer.unflushedBytes }
    Array(tail.utf8).withUnsafeBufferPointer { clients.all[2].connection.received($0) }
    #expect(answerBytes == 0)
    // The ping is handled. Its answer is sent when all of its client's input is handled.
    #expect(clients.told == [0, 1])
    #expect(connection.output.writer.unflushedBytes > 0)
    clients.all[2].connection.receivedAll()
    #expect(clients.told == [0, 1, 2])
    // The streak is over: the next outputs are written at once.
    clients.change(3)
    #expect(clients.told == [0, 1, 2, 3])
  }

  @Test
  func `nobody waits for the rest of an input that has taken long`() {
    var clients = Clients(8)
    clients.change(0)
    clients.daemon.timePerLook = .microseconds(50)
    // The input is read in pieces. The second piece is handled when the waiting clients get their output.
    clients.begin(1)
    clients.begin(1)
    #expect(clients.told == [])
    clients.begin(1)
    #expect(clients.told == [0, 1])
  }

  @Test
  func `nobody waits for what others do without sending anything`() {
    for event in ["timer", "end of input", "end", "another client", "reload", "drain"] {
      var clients = Clients(8)
      clients.change(0)
      #expect(clients.told == [], "\(event)")
      // The output is written before any other work: the clock was not even read.
      let daemon = clients.daemon
      let before = daemon.time
      var told: Instant?
      clients.all[0].onWrite = { told = told ?? daemon.time }
      daemon.timePerLook = .microseconds(1)
      switch event {
      case "timer": clients.daemon.server.timersDue()
      case "end of input": clients.all[1].connection.inputEnded()
      case "end": clients.all[1].connection.closed()
      case "another client": _ = clients.daemon.connect()
      case "reload": clients.daemon.server.reload(TestForms.all)
      default: clients.daemon.server.drain()
      }
      #expect(told == before, "\(event)")
    }
  }

  @Test
  func `a client that ends while it waits has its answers before, and one that is gone none`() {
    var clients = Clients(8)
    clients.change(0)
    clients.all[0].connection.inputEnded()
    #expect(clients.all[0].messages().count == 2)
    #expect(clients.all[0].isClosing)
    clients = Clients(8)
    clients.change(1)
    clients.change(2)
    clients.all[1].connection.closed()
    #expect(clients.told == [2])
  }

  @Test
  func `whoever has sent too much is told so at once, and goes`() {
    let clients = Clients(8) { $0.limits[.unreadBytesMax] = 100_000 }
    let connection = clients.all[3].connection!
    Array(repeating: UInt8(ascii: "["), count: 150_000).withUnsafeBufferPointer { connection.received($0) }
    connection.receivedAll()
    #expect(clients.all[3].messages().map { $0.at("error", "data", "limit") } == ["unreadBytesMax"])
    #expect(clients.all[3].isClosing)
  }

  @Test
  func `what is to be stored is stored at once`() {
    let store = TestStore()
    var clients = Clients(8, store: store)
    store.isHolding = true
    for client in 0..<3 {
      clients.change(client)
      #expect(store.jobCount == client + 1)
    }
    store.commit(3)
    #expect(clients.told == [0, 1, 2])
  }

  @Test
  func `a client alone is told at once, however much it sends`() {
    var clients = Clients(1)
    for _ in 0..<100 {
      clients.change(0)
      #expect(clients.all[0].messages().count == 2)
    }
  }

  @Test
  func `clients whose inputs take long are told at once`() {
    var clients = Clients(8)
    clients.daemon.timePerLook = .microseconds(200)
    for client in 0..<8 {
      clients.change(client)
      #expect(clients.told == Array(0...client))
    }
  }

  @Test
  func `output that waits is not more than a reader has room for`() {
    var clients = Clients(8)
    clients.all[0].roomBytes = 0
    clients.change(0)
    #expect(clients.all[0].isReading)
    clients.change(1)
    clients.daemon.poll()
    #expect(!clients.all[0].isReading)
    #expect(clients.told == [1])
    clients.all[0].drain()
    #expect(clients.all[0].messages().count == 2)
    #expect(clients.all[0].isReading)
  }
}
