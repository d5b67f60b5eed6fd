internal import CCrypto
internal import CPostgres
internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// A connection to a server, by libpq: commands out, results in. It is always in pipeline mode: the commands of a
/// flight go out at once, and cost one round trip.
///
/// A method waits for the server until it returns, and only one caller may be in a method at a time; any thread may
/// call.
package final class PostgresConnection {
  /// One command of a flight.
  package enum Command {
    /// A statement of our own, with texts for its parameters.
    case query(String, [String])
    /// A statement of our own with parameters in the server's binary form, and so are its results. Its rows come one by
    /// one.
    case rows(String, [PostgresValue])
    /// A statement is prepared by that name.
    case prepare(name: String, text: String)
    /// The types of the parameters and columns of a prepared statement.
    case describe(name: String)
    /// A prepared statement is run; nil is NULL. Its rows come one by one.
    case execute(name: String, [String?])
  }

  /// The result of a flight that came back.
  package struct Landing<Refusal: Error> {
    /// The first command that failed, with its error. The commands after it were not run.
    package var failure: (command: Int, error: PostgresError)?
    /// The caller's reason for wanting no more results; the command was cancelled then.
    package var refusal: Refusal?
  }

  /// The connection is lost; nothing can be done with it any more.
  package struct Loss: Error {
    /// The reason.
    package var failure: PostgresFailure

    package init(_ failure: PostgresFailure) { self.failure = failure }
  }

  /// How long a server may take to end a cancelled statement; then the connection is given up.
  private static let cancelPatience = Duration.seconds(5)
  /// The time between two requests to cancel: a request that comes before the statement has begun does nothing.
  private static let cancelInterval = Duration.milliseconds(250)

  /// How often unrequested data of a server is read before the connection is given up.
  private static let unaskedMax = 100

  private let handle: OpaquePointer
  /// The socket that libpq reads from and writes to; nil until the connection is there.
  private var socket: PortionedSocket!
  /// The largest row in bytes: libpq holds a whole row before the caller sees it.
  private let rowBytesMax: Int
  /// The time at which the connection is given up.
  private var deadline: ContinuousClock.Instant?
  /// Set when the connection is lost.
  private var hasEnded = false
  /// Bytes that came since the last result.
  private var unreadBytes = 0
  /// Once a statement is cancelled: the time of the next request to cancel, and the time at which the connection is
  /// given up.
  private var cancelling: (again: ContinuousClock.Instant, end: ContinuousClock.Instant)?

  /// Connects.
  ///
  /// - Parameters:
  ///   - rowBytesMax: the largest row in bytes.
  ///   - deadline: the time after which the connection is not wanted any more. Looking a name up can take longer.
  /// - Throws: the kind of the failure: `refused`, `tls`, `timeout`, `cancelled`, or `error` if
  ///   the server refuses it.
  package init(
    to url: PostgresURL,
    password: PostgresPassword?,
    rowBytesMax: Int,
    until deadline: ContinuousClock.Instant,
    _ cancellation: PostgresCancellation
  ) throws(PostgresFailure) {
    self.rowBytesMax = rowBytesMax
    handle = try Self.start(url, password)
    // From here on `deinit` closes the connection.
    if let phase = try Self.connect(handle, until: deadline, cancellation) {
      throw connectFailure(in: phase) { Self.certificateProblem(of: url, until: deadline, cancellation) }
    }
    PQsetnonblocking(handle, 1)
    PQenterPipelineMode(handle)
    socket = try PortionedSocket(between: PQsocket(handle))
  }

  /// Connects, or goes on until `isEnough`.
  ///
  /// - Returns: the phase in which it failed; nil if it did not.
  private static func connect(
    _ handle: OpaquePointer,
    until deadline: ContinuousClock.Instant,
    _ cancellation: PostgresCancellation,
    isEnough: () -> Bool = { false }
  ) throws(PostgresFailure) -> ConnStatusType? {
    var wanted = PGRES_POLLING_WRITING
    while wanted != PGRES_POLLING_OK, !isEnough() {
      let phase = PQstatus(handle)
      guard phase != CONNECTION_BAD, wanted != PGRES_POLLING_FAILED else { return phase }
      let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard try poll(PQsocket(handle), events, besides: cancellation, until: deadline) != 0 else {
        throw cancellation.isCancelled ? .cancelled : PostgresFailure(.timeout, "no connection in time")
      }
      wanted = PQconnectPoll(handle)
      if wanted == PGRES_POLLING_FAILED { return phase }
    }
    return nil
  }

  /// Why libpq did not accept a server's certificate, which it does not say. Another connection that accepts every
  /// certificate shows it. That connection ends before anything is sent on it: no name and no password.
  private static func certificateProblem(
    of url: PostgresURL,
    until deadline: ContinuousClock.Instant,
    _ cancellation: PostgresCancellation
  ) -> String {
    let unknown = "the server's certificate is not accepted"
    // With `require`, libpq checks a certificate only if a file of authorities exists.
    let lenient = [("sslmode", "require"), ("sslrootcert", "/dev/null/none")]
    guard let handle = try? start(url, nil, lenient) else { return unknown }
    defer { PQfinish(handle) }
    // libpq has the certificate when TLS is set up, and sends its first message at the next call.
    let isSecured = { PQstatus(handle) == CONNECTION_MADE && PQsslInUse(handle) == 1 }
    _ = try? connect(handle, until: deadline, cancellation, isEnough: isSecured)
    guard isSecured() else { return unknown }
    switch formd_certificate_time(PQsslStruct(handle, "OpenSSL")) {
    case 1: return "the server's certificate has expired"
    case -1: return "the server's certificate is not valid yet"
    default: return "the server's certificate is from an unknown authority"
    }
  }

  deinit { PQfinish(handle) }

  /// A path over a network that is lost without a word is noticed: the system ends a connection whose bytes get no
  /// acknowledgement for 10 s, and asks at the far end of a quiet connection from the same time on (tcp(7)). The
  /// defaults are 15 minutes and 2 hours.
  private static let lostPathOptions: [(String, String?)] = [
    ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
  ]

  private static func start(
    _ url: PostgresURL,
    _ secret: PostgresPassword?,
    _ others: [(String, String)] = []
  ) throws(PostgresFailure) -> OpaquePointer {
    let password: String?
    do throws(SystemError) {
      password = try secret?.read()
    } catch {
      throw PostgresFailure(.error, "the password file \(secret?.file ?? "") cannot be read: \(error)")
    }
    // Later options override earlier ones, so the address may choose other times. libpq ignores options without a
    // value.
    let options: [(String, String?)] =
      lostPathOptions + [
        ("dbname", url.text), ("password", password), ("client_encoding", "UTF8"),
        ("fallback_application_name", "formd"),
      ] + others.map { ($0.0, $0.1) }
    let keywords = options.map { strdup($0.0) }
    let values = options.map { $0.1.flatMap { strdup($0) } }
    defer { for text in keywords + values { free(text) } }
    let handle = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
      (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
        PQconnectStartParams(keywords.baseAddress, values.baseAddress, 1)
      }
    }
    guard let handle else { throw PostgresFailure(.error, "out of memory") }
    // Notices go nowhere: by default libpq writes them to standard error.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    return handle
  }

  private func connectFailure(in phase: ConnStatusType, certificateProblem: () -> String) -> PostgresFailure {
    let words = self.words
    let kind: PostgresFailure.Kind =
      switch phase {
      case CONNECTION_BAD, CONNECTION_STARTED, CONNECTION_NEEDED: .refused
      // The connection was cut; libpq words it so whatever the phase.
      case CONNECTION_SSL_STARTUP where words.contains("SSL SYSCALL error") || words.contains("closed the connection"):
        .refused
      case CONNECTION_SSL_STARTUP: .tls
      default: .error
      }
    guard kind == .tls, words.contains("certificate verify failed") else { return PostgresFailure(kind, words) }
    return PostgresFailure(kind, "\(certificateProblem()) (\(words))")
  }

  /// The last message of libpq, in one line. It contains a server's address and a user's name, and never a password.
  private var words: String {
    let lines = String(cString: PQerrorMessage(handle)).split { $0 == "\n" || $0 == "\t" }
    return lines.isEmpty ? "the server closed the connection" : lines.joined(separator: "; ")
  }

  // MARK: Between two flights

  /// Whether the connection can be used, as far as is known here: a server that was stopped has announced it, or its
  /// system has.
  package func isAlive() -> Bool {
    var descriptor = pollfd(fd: socket.server, events: Int16(POLLIN), revents: 0)
    // A server that sends data without an end cannot be used.
    for _ in 0..<Self.unaskedMax where !hasEnded && PQstatus(handle) == CONNECTION_OK {
      guard socket.hasUnread || Glibc.poll(&descriptor, 1, 0) > 0 else { return true }
      // Unrequested data of a server: a setting has changed, or the server says good-bye. The end of the data makes the
      // connection unusable.
      guard receive() else { break }
      _ = PQisBusy(handle)
    }
    return false
  }

  /// The reason why ``waitForNotification(_:until:)`` returns.
  package enum Waited: Equatable {
    /// Notifications with these texts have come, of channels that this connection listens to.
    case notified([String])
    /// The descriptor is readable.
    case woken
    /// The time is over.
    case nothing
  }

  /// Waits for the first of these: a notification (`NOTIFY`), a signal, or a time.
  ///
  /// - Parameters:
  ///   - wakeUp: gives the signal, which stays set.
  ///   - deadline: nil: the time is never over.
  package func waitForNotification(
    _ wakeUp: WakeUp,
    until deadline: ContinuousClock.Instant?
  ) throws(Loss) -> Waited {
    while true {
      let texts = takeNotifications()
      if !texts.isEmpty { return .notified(texts) }
      guard !hasEnded, PQstatus(handle) == CONNECTION_OK else { throw loss() }
      let ready: [Int32]?
      do throws(PostgresFailure) {
        ready = try Poll.wait([(socket.server, POLLIN), (wakeUp.descriptor, POLLIN)], until: deadline)
      } catch {
        throw loss(error)
      }
      guard let ready else { return .nothing }
      if ready[0] != 0 {
        repeat {
          guard receive() else { throw loss() }
          // The server says good-bye: libpq sees it when it looks for a result.
          _ = PQisBusy(handle)
        } while socket.hasUnread
      }
      // Received data comes first.
      if ready[0] == 0, ready[1] != 0 { return .woken }
    }
  }

  private func takeNotifications() -> [String] {
    var texts: [String] = []
    while let notification = PQnotifies(handle) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return texts
  }

  /// Whether a transaction is open, perhaps one that has failed.
  package var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  // MARK: Flights

  /// Sends commands and waits for their results. After a command that fails, the commands behind it are not run.
  ///
  /// - Parameters:
  ///   - cancellation: when it comes, the current command is cancelled.
  ///   - deadline: the time at which the connection is given up, because the server should have ended the flight
  ///     before; nil: never.
  ///   - take: gets each result that is not a failure, with its command's position. For `execute` and `rows` it gets
  ///     one result for each row, and a last one. An error that it throws cancels the command.
  package func fly<Refusal: Error>(
    _ commands: [Command],
    _ cancellation: PostgresCancellation,
    until deadline: ContinuousClock.Instant? = nil,
    take: (_ command: Int, _ result: PostgresResult) throws(Refusal) -> Void
  ) throws(Loss) -> Landing<Refusal> {
    cancelling = nil
    self.deadline = deadline
    var landing = Landing<Refusal>()
    for command in commands where !send(command) { throw loss() }
    guard PQpipelineSync(handle) == 1 else { throw loss() }
    for (index, command) in commands.enumerated() {
      switch command {
      case .execute, .rows: PQsetSingleRowMode(handle)
      case .query, .prepare, .describe: break
      }
      while let result = try nextResult(cancellation) {
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
          guard landing.refusal == nil else { continue }
          do throws(Refusal) {
            try take(index, PostgresResult(handle: result))
          } catch {
            landing.refusal = error
            try requestCancel()
          }
        case PGRES_PIPELINE_ABORTED: break
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
          // libpq would give this result again and again until the client copies.
          throw loss(PostgresFailure(.error, "the server begins a COPY, which is not supported; use SELECT or INSERT"))
        case PGRES_PIPELINE_SYNC: throw outOfStep()
        default:
          let error = PostgresError(PostgresResult(handle: result))
          if error.isFatal || PQstatus(handle) == CONNECTION_BAD {
            let reason = error.isFatal ? error.message : words
            throw loss(PostgresFailure(.gone, reason, sqlState: error.sqlState.isEmpty ? nil : error.sqlState))
          }
          if landing.failure == nil { landing.failure = (index, error) }
        }
      }
    }
    // The end of the flight is a result, too.
    let end = try nextResult(cancellation)
    defer { PQclear(end) }
    guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw outOfStep() }
    return landing
  }

  private func send(_ command: Command) -> Bool {
    switch command {
    case .query(let text, let values):
      withTexts(values) { PQsendQueryParams(handle, text, CInt(values.count), nil, $0, nil, nil, 0) } == 1
    case .rows(let text, let values): sendBinary(text, values)
    case .prepare(let name, let text): PQsendPrepare(handle, name, text, 0, nil) == 1
    case .describe(let name): PQsendDescribePrepared(handle, name) == 1
    case .execute(let name, let values):
      withTexts(values) { PQsendQueryPrepared(handle, name, CInt(values.count), $0, nil, nil, 0) } == 1
    }
  }

  private func withTexts(
    _ values: [String?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> CInt
  ) -> CInt {
    let texts = values.map { $0.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    return texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { body($0.baseAddress) }
  }

  private func sendBinary(_ text: String, _ values: [PostgresValue]) -> Bool {
    // libpq copies them. A null pointer means NULL, so an empty value needs another pointer.
    let bytes = values.map { value in
      value.bytes.map { bytes in
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        copy.copyBytes(from: bytes)
        return (start: copy, count: CInt(bytes.count))
      }
    }
    defer { for value in bytes { value?.start.deallocate() } }
    return PQsendQueryParams(
      handle,
      text,
      CInt(values.count),
      values.map(\.type),
      bytes.map { $0.flatMap { UnsafeRawPointer($0.start.baseAddress)?.assumingMemoryBound(to: CChar.self) } },
      bytes.map { $0?.count ?? 0 },
      Array(repeating: 1, count: values.count),
      1
    ) == 1
  }

  /// The next result of a command; nil behind the last.
  private func nextResult(_ cancellation: PostgresCancellation) throws(Loss) -> OpaquePointer? {
    while PQisBusy(handle) == 1 {
      let events = flush()
      let ready: Int32
      do throws(PostgresFailure) {
        ready =
          try socket.hasUnread
          ? POLLIN
          : Self.poll(
            socket.server,
            events,
            besides: cancelling == nil ? cancellation : nil,
            until: [cancelling?.again, deadline].compactMap(\.self).min()
          )
      } catch {
        throw loss(error)
      }
      if ready == 0 {
        let now = ContinuousClock.now
        if let cancelling, cancelling.end <= now { throw loss(.cancelled) }
        if let deadline, deadline <= now { throw loss(PostgresFailure(.timeout, "no answer in time")) }
        try requestCancel()
      } else if ready & ~POLLOUT != 0 {
        guard receive() else { throw loss() }
        if unreadBytes > rowBytesMax {
          throw loss(PostgresFailure(.tooLarge, "a row of more than \(rowBytesMax) bytes"))
        }
      }
    }
    unreadBytes = 0
    guard let result = PQgetResult(handle) else {
      if PQstatus(handle) == CONNECTION_BAD { throw loss() }
      return nil
    }
    return result
  }

  /// Sends as much as the server takes.
  ///
  /// - Returns: the events to wait for (poll(2)).
  private func flush() -> Int32 {
    while true {
      let isLeft = PQflush(handle) == 1
      guard socket.send() else { return POLLIN | POLLOUT }
      if !isLeft { return POLLIN }
    }
  }

  /// Takes the next portion of what the server has sent.
  ///
  /// - Returns: false at the end of the connection.
  private func receive() -> Bool {
    unreadBytes += socket.receive()
    return PQconsumeInput(handle) == 1
  }

  /// The server's answers do not belong to the commands that were sent.
  private func outOfStep() -> Loss { loss(PostgresFailure(.error, "the server breaks the protocol")) }

  private func loss(_ failure: PostgresFailure? = nil) -> Loss {
    hasEnded = true
    return Loss(failure ?? PostgresFailure(.gone, words))
  }

  /// Asks the server to cancel the command under way.
  ///
  /// The function waits until the server has taken the request: otherwise the request could meet a later command.
  /// PQcancel can wait forever, so that it runs on a thread of its own.
  ///
  /// - Throws: if the server does not take the request in time.
  private func requestCancel() throws(Loss) {
    let now = ContinuousClock.now
    let end = cancelling?.end ?? now + Self.cancelPatience
    cancelling = (again: now + Self.cancelInterval, end: end)
    let isTaken: Bool
    do throws(PostgresFailure) {
      let answer = try PostgresCancellation()
      guard let request = PQgetCancel(handle) else { return }
      nonisolated(unsafe) let sent = request
      let code = DetachedThread.tryToStart {
        var words = [CChar](repeating: 0, count: 256)
        // If the request fails, the caller gives the connection up after its patience.
        _ = PQcancel(sent, &words, CInt(words.count))
        PQfreeCancel(sent)
        answer.cancel()
      }
      if code != 0 {
        PQfreeCancel(request)
        return
      }
      isTaken = try Poll.wait([(answer.descriptor, POLLIN)], until: min(end, deadline ?? end)) != nil
    } catch {
      throw loss(error)
    }
    if isTaken { return }
    let isLate = deadline.map { $0 <= .now } ?? false
    throw loss(isLate ? PostgresFailure(.timeout, "no answer in time") : .cancelled)
  }

  /// Waits until a socket is ready.
  ///
  /// - Returns: for what it is ready; 0 when the time is over, or at a cancellation.
  private static func poll(
    _ socket: CInt,
    _ events: Int32,
    besides cancellation: PostgresCancellation?,
    until deadline: ContinuousClock.Instant?
  ) throws(PostgresFailure) -> Int32 {
    let ready = try Poll.wait([(socket, events), (cancellation?.descriptor ?? -1, POLLIN)], until: deadline)
    guard let ready, ready[1] == 0 else { return 0 }
    return ready[0]
  }
}
