internal import Configuration
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import Times

/// Judges the messages between a browser and the daemon: messages in, decisions out. It has no input and output and no
/// clock; ``BrowserHandler`` performs the decisions.
///
/// Always true:
/// - The daemon gets nothing of a browser before an allowed first call (``BrowserOpening``).
/// - After the first call, the daemon gets only calls that a browser may make about its own session.
/// - Each text that the daemon gets was read whole by the reader that the daemon uses, with the same limits, so both
///   understand the same.
/// - A request of the browser gets one answer: the daemon's answer, or the door's.
struct BrowserConversation: ~Copyable {
  /// The decision about a message.
  enum Decision: Equatable {
    /// Nothing.
    case nothing
    /// The message goes to the daemon as it is.
    case pass
    /// These bytes go to the daemon instead of the message. If they open a session that is kept, for how long: the
    /// address of the browser must be allowed to have another.
    case begin([UInt8], keep: Duration?)
    /// These bytes go back to the browser, as a message.
    case answer([UInt8])
    /// The connection is closed.
    case close(CloseReason)
  }

  private enum State {
    /// The browser has no session, and makes its first call. Then `opening` or `ended`.
    case waiting
    /// The daemon has not answered the first call of that id; the form is known if the browser opens it. Then `open`;
    /// `waiting` if the daemon refuses; or `ended`.
    case opening(RequestID, form: String?)
    /// The browser has a session. Then `ended`.
    case open(BrowserSession)
    /// Nothing is passed on.
    case ended
  }

  /// The time within which the browser makes its first call.
  static let firstCallMax = Duration.seconds(5)
  /// The messages of so many seconds may come at once: text that a user types while the network stalls comes so.
  static let burstSeconds = 10

  private let forms: [String: WebConfiguration.Form]
  private var state = State.waiting
  private var reader: RPCReader
  private var messages: TokenBucket
  /// Whether the daemon has told that it does not serve the connection.
  private var isTurnedAway = false
  /// The time at which a browser without a session is sent away.
  private let deadline: Instant

  /// The conversation with a browser that is connected now.
  init(_ configuration: WebConfiguration, at now: Instant) {
    forms = configuration.forms
    let limits = configuration.limits
    // The daemon would answer the members of a batch together, so a call among them could not be refused alone.
    let rpc = RPCLimits(textBytesMax: limits[.messageBytesMax], json: .message, batchMax: 0)
    reader = RPCReader(limits: rpc, framing: .lines)
    let perSecond = limits[.messagesPerSecond]
    messages = TokenBucket(perSecond: perSecond, capacity: perSecond * Self.burstSeconds, at: now)
    deadline = now + Self.firstCallMax
  }

  /// Whether nothing is passed on any more.
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Whether the browser has a session. For tests.
  var hasSession: Bool { if case .open = state { true } else { false } }

  /// Nothing is passed on from now on.
  mutating func end() { state = .ended }

  // MARK: From the browser

  /// A ping or a pong has come. It costs as much as a message.
  ///
  /// - Returns: a reason to close the connection.
  mutating func counted(at now: Instant) -> CloseReason? {
    messages.take(at: now) ? nil : closed(.later("too many messages"))
  }

  /// A text message of the browser has come.
  mutating func received(_ text: UnsafeBufferPointer<UInt8>, at now: Instant) -> Decision {
    if case .ended = state { return .nothing }
    if let reason = counted(at: now) { return .close(reason) }
    let decision = judge(text)
    if case .close = decision { state = .ended }
    return decision
  }

  private mutating func judge(_ text: UnsafeBufferPointer<UInt8>) -> Decision {
    var nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    // Ends the text before.
    _ = reader.next(&nothing)
    reader.read(text)
    switch reader.next(&nothing) {
    case .request(let request): return judge(request)
    case .refused(let id, let error):
      if String(validating: text, as: UTF8.self) == nil { return .close(.notUTF8) }
      if case .waiting = state { return .close(.policy("the first message must be a request of JSON-RPC")) }
      return .answer(Self.bytes { $0.writeError(id, error) })
    // The daemon asks a browser nothing.
    case .response:
      if case .waiting = state { return .close(.policy("the first message must be a request")) }
      return .nothing
    case .text, .batchBegan, .batchEnded, .ended, nil: return .nothing
    }
  }

  private mutating func judge(_ request: RPCRequest) -> Decision {
    let error: RPCError?
    switch state {
    case .waiting: return judge(first: request)
    case .opening(let opening, let form):
      // Its answer could not be told from the answer to the first call.
      if request.id == opening { return .close(.policy("two requests have the same id")) }
      error = request.refusal(toBrowserWith: nil, form: form)
    case .open(let session): error = request.refusal(toBrowserWith: session, form: nil)
    case .ended: return .nothing
    }
    guard let error else { return .pass }
    let answer = Self.bytes { $0.writeRefusal(of: request, error) }
    return answer.isEmpty ? .nothing : .answer(answer)
  }

  private mutating func judge(first request: RPCRequest) -> Decision {
    guard let id = request.id else { return .close(.policy("the first message must be a request")) }
    let opening: BrowserOpening
    do throws(BrowserOpening.Refusal) {
      opening = try BrowserOpening(request)
    } catch {
      switch error {
      case .forbidden(let text): return .close(.policy(text))
      case .wrong(let error): return .answer(Self.bytes { $0.writeError(id, error) })
      }
    }
    var keep: Duration?
    var form: String?
    if case .open(_, let name) = opening {
      // The same answer for a form that does not exist: the names of forms are not public.
      guard let rules = forms[name], rules.isOpen else { return .close(.policy("this form is not open to browsers")) }
      keep = rules.keep
      form = name
    }
    state = .opening(id, form: form)
    return .begin(Array(opening.requestText(id: id, keep: keep.map(Self.text)).utf8), keep: keep)
  }

  /// A duration as the daemon reads it.
  private static func text(_ duration: Duration) -> String { "\(Int64(duration / .milliseconds(1)))ms" }

  private static func bytes(_ write: (OutputBuffer) -> Void) -> [UInt8] {
    let buffer = OutputBuffer()
    write(buffer)
    return Array(buffer.bytes)
  }

  // MARK: From the daemon

  /// Whether each line of the daemon has to be shown to ``sent(_:at:)``. Otherwise lines go to the browser unseen.
  var isListening: Bool { if case .opening = state { true } else { false } }

  /// The daemon has sent a line, which goes to the browser.
  ///
  /// - Parameter line: the line without its end.
  /// - Returns: a reason to close the connection behind the line.
  mutating func sent(_ line: UnsafeBufferPointer<UInt8>, at now: Instant) -> CloseReason? {
    guard case .opening(let opening, let form) = state else { return nil }
    // A document may have more values than a browser's message.
    var reader = RPCReader(limits: RPCLimits(textBytesMax: .max, json: .file), framing: .lines)
    var nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    reader.read(line)
    guard case .response(let id, let result, let error)? = reader.next(&nothing) else { return nil }
    if error?.saysNoSeat ?? false { isTurnedAway = true }
    guard let id, id == opening else { return nil }
    guard let result else {
      state = .waiting
      return timePassed(now)
    }
    guard let session = BrowserSession(result: result, form: form) else {
      return closed(CloseReason(code: 1011, text: "the daemon's answer has no session"))
    }
    state = .open(session)
    return nil
  }

  /// The daemon's connection has ended.
  mutating func daemonEnded() -> CloseReason? {
    closed(isTurnedAway ? .later("the daemon has no room") : .ended("the daemon has ended"))
  }

  /// The daemon cannot be reached.
  mutating func daemonMissing() -> CloseReason? { closed(.later("the daemon is not there")) }

  // MARK: Time

  /// The time at which ``timePassed(_:)`` is to be called; nil: it needs not.
  var wakeUp: Instant? {
    switch state {
    case .waiting: deadline
    case .opening, .open, .ended: nil
    }
  }

  /// It is that time now.
  ///
  /// - Returns: a reason to close the connection.
  mutating func timePassed(_ now: Instant) -> CloseReason? {
    guard case .waiting = state, now >= deadline else { return nil }
    return closed(.policy("no first message came in time"))
  }

  private mutating func closed(_ reason: CloseReason) -> CloseReason? {
    if case .ended = state { return nil }
    state = .ended
    return reason
  }
}
