import CEL
internal import Configuration
import Forms
import JSON
import Logging
import Server
import SessionStore
import Sessions
internal import Times

/// A daemon with a virtual clock and effects that the test answers; connections are joined to it by ``connect()``.
final class TestDaemon {
  private(set) var time = Instant(nanoseconds: 0)
  /// The time of day at the beginning. It advances with the clock.
  var wallStart = Timestamp.epoch
  /// How long the daemon's machine has slept.
  private var sleepLag = Duration.zero
  /// How far the clock advances whenever the daemon reads it.
  var timePerLook: Duration = .zero
  private(set) var server: FormServer!
  /// Effects without an answer, oldest first.
  private(set) var effects: [(effect: Effect, answer: (EffectResponse) -> Void)] = []
  /// Work for other threads, oldest first. It is done after the input is handled, unless the test holds it.
  private var detachedWork: [(work: @Sendable () -> Void, completion: () -> Void)] = []
  var holdsDetachedWork = false
  var detachedWorkCount: Int { detachedWork.count }
  /// Callbacks before the daemon looks for input. It does so when a client has sent something and when time passes.
  private var polls: [() -> Void] = []
  /// How many effects were cancelled.
  private(set) var cancelled = 0
  private(set) var drained = 0
  /// How often no client was connected for the configured time.
  private(set) var idled = 0
  /// How often the daemon was woken.
  private(set) var wakes = 0
  /// How often the allocator was asked to release memory.
  private(set) var trims = 0
  private var wakeUp: Instant?
  /// The lines that were logged, oldest first.
  private let log = TestLog()
  var logged: [TestLog.Line] { log.lines }

  /// The store for kept sessions; nil for none.
  private let store: (any TestServerStore)?

  init(
    catalog: FormCatalog = TestForms.all,
    instanceID: String = "0123456789abcdef",
    store: (any TestServerStore)? = nil,
    sharing: (any ServerStore)? = nil,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) {
    var configuration = ServerConfiguration()
    change(&configuration)
    self.store = store
    let log = log
    var logger = Logger(label: "test") { _ in log.handler }
    logger.logLevel = configuration.logLevel
    server = FormServer(
      configuration: configuration,
      catalog: catalog,
      instanceID: instanceID,
      environment: ServerEnvironment(
        now: { [unowned self] in
          time = time + timePerLook
          return time
        },
        nowThroughSleep: { [unowned self] in time + sleepLag },
        wallClock: { [unowned self] in wallNow },
        cpuTime: { .zero },
        zone: .utc,
        wake: { [unowned self] in wakeUp = $0 },
        perform: { [unowned self] effect, _, completion in
          effects.append((effect, completion))
          let id = effect.id
          return { [unowned self] _ in
            cancelled += 1
            effects.removeAll { $0.effect.id == id }
          }
        },
        detach: { [unowned self] _, work, completion in detachedWork.append((work, completion)) },
        beforePoll: { [unowned self] in polls.append($0) },
        trim: { [unowned self] in trims += 1 },
        store: sharing ?? store,
        drained: { [unowned self] in drained += 1 },
        idle: { [unowned self] in idled += 1 },
        logger: logger
      )
    )
    store?.daemon = self
  }

  /// A client that is the process of another user, or whose process is not known.
  func connect(headers: Bool = false, from peer: Peer? = nil) -> TestClient {
    let client = TestClient(headers: headers)
    client.owner = self
    client.connection = server.accept(client, from: peer)
    return client
  }

  /// The sessions that its store has committed.
  var storedSessions: [StoredSessionID: StoredSession]? { (store as? TestStore)?.sessions }

  /// Answers the oldest effect.
  func answerEffect(_ response: EffectResponse) {
    let next = effects.removeFirst()
    next.answer(response)
    store?.work()
  }

  /// Does the waiting work of other threads, and the work that follows.
  func doDetachedWork() {
    store?.work()
    while !detachedWork.isEmpty {
      let (work, completion) = detachedWork.removeFirst()
      work()
      completion()
      store?.work()
    }
  }

  /// The time of day.
  var wallNow: Timestamp { wallStart.advanced(by: DurationValue(nanoseconds: time.nanoseconds)) ?? wallStart }

  /// The daemon looks for input.
  func poll() {
    let polls = polls
    self.polls = []
    for poll in polls { poll() }
  }

  /// Wakes the daemon once, at the time for which it asked.
  func wake() {
    guard let next = wakeUp else { return }
    wakeUp = nil
    wakes += 1
    time = max(time, next)
    poll()
    server.timersDue()
    store?.work()
    poll()
  }

  /// Lets time pass while the daemon is stopped and is not woken.
  ///
  /// - Parameter isMachine: whether its machine sleeps, too. Most clocks do not advance then.
  func sleep(milliseconds: Int64, isMachine: Bool = false) {
    if isMachine { sleepLag += .milliseconds(milliseconds) } else { time = time + .milliseconds(milliseconds) }
  }

  /// Lets time pass, and wakes the daemon whenever it asked for that.
  func advance(milliseconds: Int64) {
    let end = time + .milliseconds(milliseconds)
    poll()
    while let next = wakeUp, next <= end { wake() }
    time = end
  }
}

/// Notes the lines that a daemon logs.
final class TestLog: @unchecked Sendable {
  struct Line {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  /// Only the test's thread writes it, because the daemon runs on that thread.
  fileprivate(set) var lines: [Line] = []

  var handler: any LogHandler { Handler(log: self) }

  private struct Handler: LogHandler {
    let log: TestLog
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.lines.append(
        Line(
          level: event.level,
          message: "\(event.message)",
          metadata: (event.metadata ?? [:]).mapValues { "\($0)" }
        )
      )
    }
  }
}

/// The far end of a connection. It notes the received bytes, and reads as slowly as the test wants.
final class TestClient: ConnectionTransport {
  var connection: ClientConnection!
  /// Keeps the daemon alive as long as one of its clients lives.
  var owner: TestDaemon?
  private let headers: Bool
  private var output: [UInt8] = []
  /// Whether the client has unread output.
  var hasOutput: Bool { !output.isEmpty }
  /// The bytes that the socket still accepts; nil if it accepts everything.
  var roomBytes: Int?
  private(set) var unsent: [UInt8] = []
  private(set) var isReading = true
  private(set) var isClosing = false
  private(set) var isAborted = false
  private var nextID: Int64 = 0
  /// How often the daemon wrote.
  private(set) var writes = 0
  /// Called when the daemon writes.
  var onWrite: () -> Void = {}

  init(headers: Bool) {
    self.headers = headers
  }

  // MARK: ConnectionTransport

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    writes += 1
    onWrite()
    guard roomBytes != nil else {
      output.append(contentsOf: bytes)
      return true
    }
    unsent.append(contentsOf: bytes)
    return unsent.count <= (roomBytes ?? 0)
  }

  var unsentBytes: Int { unsent.count }

  /// The bytes that the system holds for the client.
  var bytesHeldBySystem = 0
  var unreadBytes: Int { unsent.count + bytesHeldBySystem }

  func setReading(_ isReading: Bool) { self.isReading = isReading }

  func closeAfterSending() { isClosing = true }

  func abort() {
    isAborted = true
    connection.closed()
  }

  // MARK: The client's side

  /// Reads the bytes that the socket held back. The daemon learns that there is room.
  func drain() {
    output += unsent
    unsent = []
    roomBytes = nil
    connection.roomAgain()
  }

  /// Reads some of these bytes.
  func drainSome(_ count: Int) {
    output += unsent.prefix(count)
    unsent.removeFirst(min(count, unsent.count))
  }

  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { connection.received($0) }
    connection.receivedAll()
    owner?.poll()
    if let owner, !owner.holdsDetachedWork { owner.doDetachedWork() }
  }

  /// Sends one text in the client's framing.
  func send(_ text: String) {
    send(Self.framed(text, headers: headers))
  }

  static func framed(_ text: String, headers: Bool) -> [UInt8] {
    let body = Array(text.utf8)
    return headers ? Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body : body + [0x0a]
  }

  /// All messages since the last call.
  func messages() -> [JSON] {
    defer { output = [] }
    return Self.messages(output, headers: headers)
  }

  static func messages(_ output: [UInt8], headers: Bool) -> [JSON] {
    var messages: [JSON] = []
    if headers {
      var rest = output[...]
      while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
        let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: " ").last ?? "") ?? 0
        let body = rest[end.upperBound...].prefix(length)
        messages.append((try? JSON(parsing: Array(body))) ?? .null)
        rest = rest[end.upperBound...].dropFirst(length)
      }
    } else {
      for line in output.split(separator: 0x0a) { messages.append((try? JSON(parsing: Array(line))) ?? .null) }
    }
    return messages
  }

  /// Sends a request and returns all messages that came back. If the answer is among them, it is the last one.
  @discardableResult
  func request(_ method: String, _ params: JSON = [:]) -> [JSON] {
    nextID += 1
    send(
      JSON(
        dictionaryLiteral: ("jsonrpc", "2.0"),
        ("id", .integer(nextID)),
        ("method", .string(method)),
        ("params", params)
      ).description
    )
    return messages()
  }

  func notify(_ method: String, _ params: JSON = [:]) -> [JSON] {
    send(JSON(dictionaryLiteral: ("jsonrpc", "2.0"), ("method", .string(method)), ("params", params)).description)
    return messages()
  }

  /// The result of a request that is answered at once.
  @discardableResult
  func result(_ method: String, _ params: JSON = [:]) -> JSON {
    request(method, params).last?["result"] ?? .null
  }

  /// The error of a request that is refused at once.
  func error(_ method: String, _ params: JSON = [:]) -> JSON {
    request(method, params).last?["error"] ?? .null
  }

  /// Opens a session of that form; returns its number.
  @discardableResult
  func open(_ form: String) -> Int64 {
    result("session/open", ["form": .string(form)])["session"]?.integerValue ?? -1
  }
}

extension JSON {
  /// Several steps at once: `at("error", "code")`.
  func at(_ names: String...) -> JSON? {
    names.reduce(self as JSON?) { $0?[$1] }
  }
}
