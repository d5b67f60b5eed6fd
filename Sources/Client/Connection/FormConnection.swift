package import FormProtocol
public import JSON
package import JSONRPC

/// A connection to the daemon, with calls that block.
///
/// A connection belongs to one thread. What the daemon sends on its own is taken in while a call waits for its answer, and by
/// ``receive()``: updates go to the ``FormSession`` that they are about, everything else goes to ``onNotice``. Callbacks are called in
/// the order in which the daemon sent its messages, before the call returns. A callback must not call the connection or one of its
/// sessions.
///
/// The connection ends with this object; the daemon then closes the sessions of the connection that it does not keep.
///
/// A connection that is lost is made again by the call that finds it lost, while there is something to come back to: kept sessions,
/// which are attached again, and the watch of the forms. That call waits for it, for as long as ``patience`` says. A session that is not
/// kept is lost (``FormSession/Change/lost(_:)``). Of the calls that were sent and not answered
///
/// - those that may be made twice are sent again: all that only ask, and a session's `change`, `focus`, `blur`, `fail`, `show`, `setLocale`
///   and `reset`, unless they name a row by its position;
/// - the others (a tap, rows that are inserted, removed or moved, an opening that keeps, an attach that rotates, a method called by its
///   name) throw ``ClientError/outcomeUnknown(method:reason:)`` when the sessions are current again.
///
/// A revision does not tell whether an input was applied, and is not asked: it counts other clients' inputs and timers, too, and what is on
/// its way over the lost connection may still be applied. A connection that somebody has ended (`FormErrorCode.disconnected`) is not made
/// again, nor one that was handed over (``init(connected:named:)``).
///
/// A kept session that the daemon could not store, or that it has lost to its store (`SessionClosed.Reason.store`, `.lost`), is attached
/// again likewise, over the same connection. One that was taken at another daemon (`.moved`) is lost: this program does not take it back.
public final class FormConnection {
  /// What the daemon says on its own, and of no session of this connection.
  public enum Notice: Sendable {
    /// The daemon ends. It answers what it has accepted within that time, and accepts nothing more.
    case draining(within: Duration)
    /// The forms were read anew. It comes to a connection that has called ``FormConnection/watchForms()``.
    case formsChanged(LoadedForms)
    /// A lost connection was made again, and everything is there that it had, but for the sessions that have said that they are lost.
    case reconnected
    /// Anything else: the method and its params as they came.
    case other(method: String, params: JSON)
  }

  /// What a message is.
  public enum TextKind: Sendable {
    /// A call, sent to the daemon.
    case sent
    /// The daemon's answer to a call.
    case answer
    /// A message that the daemon sent on its own.
    case notification
    /// A text of the daemon that is no message of JSON-RPC 2.0.
    case unreadable
  }

  var connection: RPCConnection
  /// Where the connection is made again; nil for one that was handed over.
  let socketPath: SocketPath?
  /// By number, those that somebody still has.
  var sessions: [Int64: WeakSession] = [:]
  /// Whether one of them is kept, or was.
  private(set) var hasKept = false
  /// Kept sessions that are to be attached again.
  var away: [FormSession] = []
  /// Whether ``connection`` has not ended, as far as is known.
  var isConnected = true
  /// Whether the forms are watched, on this connection and on the next.
  var watchesForms = false
  var schedule = RetrySchedule()
  /// Requests whose answers are not waited for, by id: the method, and what is to be done with an answer.
  var unanswered: [RequestID: (method: String, answered: (Result<Reply, ClientError>) -> Void)] = [:]
  /// Whether a callback is under way.
  private var isCallingBack = false

  /// What a request was answered: one of both.
  struct Reply {
    let result: JSONNode?
    let error: JSONNode?
  }

  struct WeakSession {
    weak var session: FormSession?
  }

  /// For so long it is tried to make a lost connection again, with growing pauses; zero: it is not.
  public var patience = FormConnection.standardPatience

  /// Called with each notice.
  public var onNotice: ((Notice) -> Void)?

  /// Called with each message as it is sent or has arrived, for logs.
  public var onText: ((_ kind: TextKind, _ text: String) -> Void)? {
    get { connection.onText }
    set { connection.onText = newValue }
  }

  /// Connects.
  ///
  /// - Parameter socket: the daemon's socket; without one `$FORMD_SOCKET`, else the daemon's own default.
  /// - Throws: ``ClientError/notRunning(socket:reason:)`` when nobody listens there, ``ClientError/unusablePath(socket:)`` when no socket
  ///   can have that path.
  public init(to socket: SocketPath = .forClient()) throws(ClientError) {
    connection = try RPCConnection(to: socket, waits: true)
    socketPath = socket
  }

  /// Connects, and does not wait for a daemon that takes no connections: that counts as not running.
  ///
  /// - Throws: as ``init(to:)``.
  package init(withoutWaitingTo socket: SocketPath) throws(ClientError) {
    connection = try RPCConnection(to: socket, waits: false)
    socketPath = socket
  }

  /// Connects to the socket of that path.
  ///
  /// - Throws: as ``init(to:)``.
  public convenience init(socketPath: String) throws(ClientError) {
    try self.init(to: SocketPath(socketPath, namedBy: "the program"))
  }

  /// Takes over a socket that is connected already: one end of a socketpair(2) whose other end is the standard input and output of
  /// `formd serve --stdio`, or one that another program handed on. It is closed with this object.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - name: what error messages call the other side.
  public init(connected descriptor: CInt, named name: String) {
    connection = RPCConnection(connected: descriptor, named: name)
    socketPath = nil
  }

  /// The socket's file descriptor, for `poll`. Call ``receive()`` when it can be read, and once before the first wait: a message that
  /// came together with an answer has been read already. Ask for it each time: it is another one when a lost connection was made again.
  public var descriptor: CInt { connection.descriptor }

  // MARK: Calls

  /// Calls a method and waits for its answer.
  ///
  /// - Parameter timeout: nil waits for ever. The time that coming back takes does not count.
  /// - Returns: what the method answers with.
  /// - Throws: ``ClientError``.
  package func call<Params: Call>(_ params: Params, timeout: Duration? = nil) throws(ClientError) -> Params.Answer {
    try call(Params.method.wireName.description, params, timeout, mayBeRepeated: params.mayBeRepeated) {
      result throws(InvalidParams) in
      try MessageReader.value(Params.Answer.self, result, .lenient)
    }
  }

  /// Calls a method of a session, by the number that it has then, and waits for its answer.
  func call<Params: SessionCall>(
    _ params: Params,
    of session: FormSession,
    timeout: Duration? = nil
  ) throws(ClientError) -> Params.Answer {
    let method = Self.checkedMethod(of: params, isCallingBack)
    return try perform(method, of: session, mayBeRepeated: params.mayBeRepeated) { () throws(ClientError) in
      try send(params, of: session)
    } answer: { id throws(ClientError) in
      try answer(to: id, method, timeout) { result throws(InvalidParams) in
        try MessageReader.value(Params.Answer.self, result, .lenient)
      }
    }
  }

  private func send(_ params: some SessionCall, of session: FormSession) throws(ClientError) -> RequestID {
    var params = params
    params.session = session.number
    return try connection.send(type(of: params).method.wireName.description) { params.write(into: $0) }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Returns: the answer as it came, members included that this module does not know.
  /// - Throws: ``ClientError``.
  package func answer(to params: some Call) throws(ClientError) -> JSON {
    let method = type(of: params).method.wireName.description
    return try call(method, params, nil, mayBeRepeated: params.mayBeRepeated) { $0.value() }
  }

  /// Calls any method by its name and waits for its answer: for methods that this module has no function for.
  ///
  /// - Parameters:
  ///   - method: the name on the wire; protocol/README.md lists them all.
  ///   - params: by name, as the method takes them.
  ///   - timeout: nil waits for ever.
  /// - Returns: the result as it came.
  /// - Throws: ``ClientError``.
  public func call(
    method: String,
    params: JSONObject = [:],
    timeout: Duration? = nil
  ) throws(ClientError) -> JSON {
    try call(method, params, timeout, mayBeRepeated: false) { $0.value() }
  }

  /// Calls a method of a session and does not wait for its answer. It is not sent again.
  ///
  /// - Parameter whenAnswered: called like ``onNotice``, once, unless the connection ends for good before: with the answer, with a
  ///   refusal, or with ``ClientError/outcomeUnknown(method:reason:)``.
  /// - Throws: ``ClientError`` when the connection has ended.
  func send<Params: SessionCall>(
    _ params: Params,
    of session: FormSession,
    whenAnswered: @escaping (Result<Params.Answer, ClientError>) -> Void
  ) throws(ClientError) {
    let method = Self.checkedMethod(of: params, isCallingBack)
    try perform(method, of: session, mayBeRepeated: false) { () throws(ClientError) in
      try send(params, of: session)
    } answer: { id throws(ClientError) in
      expectAnswer(id, to: params, whenAnswered)
    }
  }

  /// Calls a method, and waits neither for its answer nor until the daemon has taken the call: what it does not take at once is written by
  /// ``flush()``. It is not sent again.
  ///
  /// - Parameter whenAnswered: called like ``onNotice``, once, unless the connection ends before.
  /// - Throws: ``ClientError/disconnected(socket:reason:)`` when the connection has ended.
  package func post<Params: Call>(
    _ params: Params,
    whenAnswered: @escaping (Result<Params.Answer, ClientError>) -> Void
  ) throws(ClientError) {
    let method = Self.checkedMethod(of: params, isCallingBack)
    let id = try connection.post(method) { params.write(into: $0) }
    expectAnswer(id, to: params, whenAnswered)
  }

  private static func checkedMethod<Params: Call>(of params: Params, _ isCallingBack: Bool) -> String {
    let method = Params.method.wireName.description
    precondition(!isCallingBack, "\(method) is called by a callback of the same connection")
    return method
  }

  private func expectAnswer<Params: Call>(
    _ id: RequestID,
    to params: Params,
    _ whenAnswered: @escaping (Result<Params.Answer, ClientError>) -> Void
  ) {
    let method = Params.method.wireName.description
    unanswered[id] = (
      method,
      { [unowned self] reply in
        whenAnswered(
          Result { () throws(ClientError) in
            let reply = try reply.get()
            return try answer(method, reply.result, reply.error) { result throws(InvalidParams) in
              try MessageReader.value(Params.Answer.self, result, .lenient)
            }
          }
        )
      }
    )
  }

  /// Whether ``flush()`` has something to write: for `poll`.
  package var hasPosted: Bool { connection.hasPosted }

  /// Writes as much of what was posted as the daemon takes at once.
  ///
  /// - Throws: ``ClientError/disconnected(socket:reason:)`` when the connection has ended.
  package func flush() throws(ClientError) { try connection.flush() }

  /// Sends a request and waits for its answer.
  private func call<Value>(
    _ method: String,
    _ params: some MemberValue,
    _ timeout: Duration?,
    mayBeRepeated: Bool,
    _ read: (JSONNode) throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    precondition(!isCallingBack, "\(method) is called by a callback of the same connection")
    return try perform(method, of: nil, mayBeRepeated: mayBeRepeated) { () throws(ClientError) in
      try connection.send(method) { params.write(into: $0) }
    } answer: { id throws(ClientError) in
      try answer(to: id, method, timeout, read)
    }
  }

  /// Waits for the answer to a request, and hands on what comes before it.
  func answer<Value>(
    to id: RequestID,
    _ method: String,
    _ timeout: Duration?,
    _ read: (JSONNode) throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while let event = try connection.nextEvent(within: end.map { max($0 - clock.now, .zero) }) {
      // An answer without an id answers something that was not understood: this request, since calls are made one at a time.
      guard case .response(let answered, let result, let error) = event, answered == id || answered == nil else {
        try handOn(event)
        continue
      }
      return try answer(method, result, error, read)
    }
    throw .timeout(method: method, after: timeout ?? .zero)
  }

  /// Reads an answer.
  private func answer<Value>(
    _ method: String,
    _ result: JSONNode?,
    _ error: JSONNode?,
    _ read: (JSONNode) throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    if let error { throw .refused(method: method, RemoteError(RPCError(received: error.value()))) }
    guard let result else { preconditionFailure("an answer has a result or an error") }
    return try understood(method) { () throws(InvalidParams) in try read(result) }
  }

  // MARK: What the daemon sends on its own

  /// Takes in what has arrived and hands it on; waits for nothing, unless the connection is lost and made again.
  ///
  /// A session of which updates were lost is made current by its own ``FormSession/receive()``.
  ///
  /// - Throws: ``ClientError/disconnected(socket:reason:)`` when the connection has ended, and was not made again within the ``patience``.
  public func receive() throws(ClientError) {
    precondition(!isCallingBack, "a callback receives on its own connection")
    try takeIn()
  }

  /// Hands updates of that session to it from now on, for as long as somebody has it.
  func register(_ session: FormSession) {
    sessions[session.number] = WeakSession(session: session)
    if session.key != nil { hasKept = true }
  }

  /// The session of that number, where somebody still has it.
  func session(_ number: Int64) -> FormSession? { sessions[number]?.session }

  /// Nobody has that session any more. Its number may be another one's by now.
  func forget(_ session: Int64) {
    if sessions[session]?.session == nil { sessions[session] = nil }
  }

  func handOn(_ event: RPCReader.Event) throws(ClientError) {
    switch event {
    case .request(let request): try handOn(request)
    case .refused(_, let error):
      throw .protocolViolation("a text that is no message: \(error.message) \(error.data ?? [:])")
    case .response(let id, let result, let error):
      // One that nobody waits for any more is passed over.
      if let id, let waiting = unanswered.removeValue(forKey: id) {
        callBack { waiting.answered(.success(Reply(result: result, error: error))) }
      }
    // The daemon answers no batch where none was sent.
    case .text, .batchBegan, .batchEnded, .ended: break
    }
  }

  private func handOn(_ request: RPCRequest) throws(ClientError) {
    let method = String(decoding: request.method, as: UTF8.self)
    let params = request.params
    func read<Params: Push>(_ type: Params.Type) throws(ClientError) -> Params {
      try understood(method) { () throws(InvalidParams) in try MessageReader.read(type, params, .lenient) }
    }
    let push = PushMethod(wireName: method)
    switch push {
    case .sessionUpdate:
      let update = try read(SessionUpdate.self)
      callBack { sessions[update.head.session]?.session?.updated(update) }
    case .sessionDesync:
      let desync = try read(SessionDesync.self)
      sessions[desync.session]?.session?.desynchronized(desync)
    case .sessionClosed:
      let closed = try read(SessionClosed.self)
      guard let session = session(closed.session) else { return }
      let isToComeBack = closed.reason == .store || closed.reason == .lost
      if isToComeBack, session.isToBeAttachedAgain, patience > .zero {
        sessions[closed.session] = nil
        away.append(session)
      } else {
        callBack { session.closed(closed.reason) }
      }
    case .serverDraining:
      let draining = try read(ServerDraining.self)
      callBack { onNotice?(.draining(within: .milliseconds(draining.withinMs))) }
    case .formsChanged:
      let forms = try read(LoadedForms.self)
      callBack { onNotice?(.formsChanged(forms)) }
    case .serverRejected, .providerEvaluate, .cancelRequest, nil:
      let value = params?.value() ?? .null
      callBack { onNotice?(.other(method: method, params: value)) }
    }
  }

  func callBack(_ body: () -> Void) {
    isCallingBack = true
    body()
    isCallingBack = false
  }

  /// Reads what the daemon sent.
  private func understood<Value>(
    _ method: String,
    _ read: () throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    do throws(InvalidParams) {
      return try read()
    } catch {
      let faults = error.faults.map { "\($0.path): expected \($0.expected)" }
      throw .protocolViolation("\(method): \(faults.joined(separator: ", "))")
    }
  }

  // MARK: Messages as they are

  /// Sends any message, for transcripts.
  package func send(_ frame: RPCFrame) throws(ClientError) {
    try connection.send(frame)
  }

  /// The next message, whatever it is, for transcripts. Nothing is handed on.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil when the time is up.
  package func nextFrame(within timeout: Duration?) throws(ClientError) -> RPCFrame? {
    try connection.nextFrame(within: timeout)
  }
}
