package import FormProtocol
public import JSON
package import JSONRPC

/// A connection to the daemon, with calls that block.
///
/// A connection belongs to one thread. A call that waits for its answer, and ``receive()``, handle the messages that
/// the daemon sends on its own. Updates go to their ``FormSession``, and everything else goes to ``onNotice``.
/// Callbacks are called in the order in which the daemon sent its messages, before the call returns. A callback must
/// not call the connection or one of its sessions.
///
/// The connection ends with this object; the daemon then closes the sessions of the connection that it does not keep.
///
/// The call that finds the connection lost restores it, if there is something to restore: kept sessions, which are
/// attached again, and the watch of the forms. That call waits for it, for as long as ``patience`` says. A session that
/// is not kept is lost (``FormSession/Change/lost(_:)``). Some calls were sent and not answered then:
///
/// - Idempotent calls are sent again. They are all calls that only ask, and a session's `change`, `focus`, `blur`,
///   `fail`, `show`, `setLocale` and `reset`, unless they name a row by its position.
/// - All other calls throw ``ClientError/outcomeUnknown(method:reason:)`` when the sessions are current again. They are
///   a tap, an inserted, removed or moved row, an opening that keeps, an attach that rotates, and a method called by
///   its name.
///
/// A revision does not tell whether an input was applied. It also counts other clients' inputs and timers, and input on
/// its way over the lost connection may still be applied. A connection that an operator ended
/// (`FormErrorCode.disconnected`) is not restored. A connection that was handed over (``init(connected:named:)``) is
/// not restored either.
///
/// A kept session that the daemon could not store, or that it has lost to its store (`SessionClosed.Reason.store`,
/// `.lost`), is attached again over the same connection. A session that another daemon took (`.moved`) is lost: this
/// program does not take it back.
public final class FormConnection {
  /// A message that the daemon sends on its own, and not about a session of this connection.
  public enum Notice: Sendable {
    /// The daemon is shutting down. It answers accepted requests within that time, and accepts no more.
    case draining(within: Duration)
    /// The forms were reloaded. Only a connection that has called ``FormConnection/watchForms()`` gets this notice.
    case formsChanged(LoadedForms)
    /// A lost connection was restored, with everything that it had, except the sessions that reported their loss.
    case reconnected
    /// Any other message: the method and its params, unchanged.
    case other(method: String, params: JSON)
  }

  /// The kind of a message.
  public enum TextKind: Sendable {
    /// A call, sent to the daemon.
    case sent
    /// The daemon's answer to a call.
    case answer
    /// A message that the daemon sent on its own.
    case notification
    /// A text from the daemon that is not a JSON-RPC 2.0 message.
    case unreadable
  }

  var connection: RPCConnection
  /// The sockets for a reconnect, in order: the socket of the last connection comes first. Empty if the connection was
  /// handed over.
  var sockets: [SocketPath]
  /// The sessions that the program still holds, by number.
  var sessions: [Int64: WeakSession] = [:]
  /// Whether the connection has, or had, a kept session.
  private(set) var hasKept = false
  /// Kept sessions that must be attached again.
  var away: [FormSession] = []
  /// Whether ``connection`` is open, as far as the client knows.
  var isConnected = true
  /// Whether the forms are watched, on this connection and after a reconnect.
  var watchesForms = false
  var schedule = RetrySchedule()
  /// Requests that no call waits for, by id: the method, and the handler of the answer.
  var unanswered: [RequestID: (method: String, answered: (Result<Reply, ClientError>) -> Void)] = [:]
  /// Whether a callback is running.
  private var isCallingBack = false

  /// The answer to a request: a result or an error.
  struct Reply {
    let result: JSONNode?
    let error: JSONNode?
  }

  struct WeakSession {
    weak var session: FormSession?
  }

  /// The time for which a lost connection is retried, with growing pauses; zero: there is no retry.
  public var patience = FormConnection.standardPatience

  /// Called with each notice.
  public var onNotice: ((Notice) -> Void)?

  /// Called with each message that is sent or arrives, for logs.
  public var onText: ((_ kind: TextKind, _ text: String) -> Void)? {
    get { connection.onText }
    set { connection.onText = newValue }
  }

  /// Connects.
  ///
  /// - Parameter socket: the daemon's socket; by default `$FORMD_SOCKET`, else the daemon's own default.
  /// - Throws: ``ClientError/notRunning(socket:reason:)`` when no daemon listens there,
  ///   ``ClientError/unusablePath(socket:)`` when no socket can have that path.
  public init(to socket: SocketPath = .forClient()) throws(ClientError) {
    connection = try RPCConnection(to: socket, waits: true)
    sockets = [socket]
  }

  /// Connects to the first of several sockets on which a daemon listens. When the connection is lost, they are tried
  /// again. Kept sessions go on at the next daemon if the daemons share a store.
  ///
  /// - Parameter socketPaths: the paths, in order.
  /// - Throws: as ``init(to:)``, for the last path.
  public init(socketPaths: [String]) throws(ClientError) {
    sockets = socketPaths.map { SocketPath($0, namedBy: "the program") }
    connection = try Self.connect(&sockets, waits: true)
  }

  /// Connects to the first socket on which a daemon listens, and puts it to the front.
  ///
  /// - Throws: ``ClientError`` of the last socket.
  static func connect(_ sockets: inout [SocketPath], waits: Bool) throws(ClientError) -> RPCConnection {
    var problem = ClientError.unusablePath(socket: "")
    for (index, socket) in sockets.enumerated() {
      do throws(ClientError) {
        let connection = try RPCConnection(to: socket, waits: waits)
        sockets.insert(sockets.remove(at: index), at: 0)
        return connection
      } catch {
        problem = error
      }
    }
    throw problem
  }

  /// Connects, without waiting for a daemon that accepts no connections: such a daemon counts as not running.
  ///
  /// - Throws: as ``init(to:)``.
  package init(withoutWaitingTo socket: SocketPath) throws(ClientError) {
    connection = try RPCConnection(to: socket, waits: false)
    sockets = [socket]
  }

  /// Connects to the socket of that path.
  ///
  /// - Throws: as ``init(to:)``.
  public convenience init(socketPath: String) throws(ClientError) {
    try self.init(to: SocketPath(socketPath, namedBy: "the program"))
  }

  /// Takes over a connected socket, and closes it with this object. The socket may be one end of a socketpair(2) whose
  /// other end is the standard input and output of `formd serve --stdio`. Another program may have passed it, too.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - name: the name of the other side in error messages.
  public init(connected descriptor: CInt, named name: String) {
    connection = RPCConnection(connected: descriptor, named: name)
    sockets = []
  }

  /// The socket's file descriptor, for `poll`. Call ``receive()`` when it is readable, and once before the first wait:
  /// a message that arrived with an answer has been read already. Read the property each time, because a reconnect
  /// changes it.
  public var descriptor: CInt { connection.descriptor }

  // MARK: Calls

  /// Calls a method and waits for its answer.
  ///
  /// - Parameter timeout: nil waits for ever. The time for a reconnect does not count.
  /// - Returns: the method's result.
  /// - Throws: ``ClientError``.
  package func call<Params: Call>(_ params: Params, timeout: Duration? = nil) throws(ClientError) -> Params.Answer {
    try call(Params.name.description, params, timeout, mayBeRepeated: params.mayBeRepeated) {
      result throws(InvalidParams) in
      try MessageReader.value(Params.Answer.self, result, .lenient)
    }
  }

  /// Calls a method of a session, by the session's number at that time, and waits for its answer.
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
    return try connection.send(type(of: params).name.description) { params.write(into: $0) }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Returns: the unchanged answer, also with members that this module does not know.
  /// - Throws: ``ClientError``.
  package func answer(to params: some Call) throws(ClientError) -> JSON {
    let method = type(of: params).name.description
    return try call(method, params, nil, mayBeRepeated: params.mayBeRepeated) { $0.value() }
  }

  /// Calls any method by its name and waits for its answer: for methods that this module has no function for.
  ///
  /// - Parameters:
  ///   - method: the name on the wire; protocol/README.md lists them all.
  ///   - params: by name, as the method takes them.
  ///   - timeout: nil waits for ever.
  /// - Returns: the unchanged result.
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
  /// - Parameter whenAnswered: called like ``onNotice``, once, unless the connection ends for good before. It gets the
  ///   answer, the refusal, or ``ClientError/outcomeUnknown(method:reason:)``.
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

  /// Calls a method without waiting for its answer, and without waiting until the daemon reads the call. ``flush()``
  /// writes the rest of the call later. The call is not sent again.
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
    let method = Params.name.description
    precondition(!isCallingBack, "\(method) is called by a callback of the same connection")
    return method
  }

  private func expectAnswer<Params: Call>(
    _ id: RequestID,
    to params: Params,
    _ whenAnswered: @escaping (Result<Params.Answer, ClientError>) -> Void
  ) {
    let method = Params.name.description
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

  /// Writes as much of the posted calls as the daemon accepts at once.
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

  /// Waits for the answer to a request, and dispatches the messages before it.
  func answer<Value>(
    to id: RequestID,
    _ method: String,
    _ timeout: Duration?,
    _ read: (JSONNode) throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while let event = try connection.nextEvent(within: end.map { max($0 - clock.now, .zero) }) {
      // An answer without an id is for a message that the daemon could not read. It is this request, since calls are
      // made one at a time.
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

  /// Reads and dispatches the messages that have arrived. It waits only if the connection is lost and restored.
  ///
  /// If a session has lost updates, its own ``FormSession/receive()`` makes it current.
  ///
  /// - Throws: ``ClientError/disconnected(socket:reason:)`` when the connection has ended, and was not restored within
  ///   the ``patience``.
  public func receive() throws(ClientError) {
    precondition(!isCallingBack, "a callback receives on its own connection")
    try takeIn()
  }

  /// Sends the updates of that session to it, for as long as the program holds it.
  func register(_ session: FormSession) {
    sessions[session.number] = WeakSession(session: session)
    if session.key != nil { hasKept = true }
  }

  /// The session with that number, if the program still holds it.
  func session(_ number: Int64) -> FormSession? { sessions[number]?.session }

  /// Forgets a session that the program does not hold any more. Another session may have its number by now.
  func forget(_ session: Int64) {
    if sessions[session]?.session == nil { sessions[session] = nil }
  }

  func handOn(_ event: RPCReader.Event) throws(ClientError) {
    switch event {
    case .request(let request): try handOn(request)
    case .refused(_, let error):
      throw .protocolViolation("a text that is not a message: \(error.message) \(error.data ?? [:])")
    case .response(let id, let result, let error):
      // An answer that no call waits for is ignored.
      if let id, let waiting = unanswered.removeValue(forKey: id) {
        callBack { waiting.answered(.success(Reply(result: result, error: error))) }
      }
    // The daemon answers with a batch only if a batch was sent.
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

  /// Decodes a message of the daemon.
  private func understood<Value>(
    _ method: String,
    _ read: () throws(InvalidParams) -> Value
  ) throws(ClientError) -> Value {
    do throws(InvalidParams) {
      return try read()
    } catch {
      let problems = error.problems.map { "\($0.path.isEmpty ? "" : "\($0.path): ")expected \($0.expected)" }
      throw .protocolViolation("\(method): \(problems.joined(separator: ", "))")
    }
  }

  // MARK: Messages as they are

  /// Sends any message, for transcripts.
  package func send(_ frame: RPCFrame) throws(ClientError) {
    try connection.send(frame)
  }

  /// The next message of any kind, for transcripts. It is not dispatched.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil after the timeout.
  package func nextFrame(within timeout: Duration?) throws(ClientError) -> RPCFrame? {
    try connection.nextFrame(within: timeout)
  }
}
