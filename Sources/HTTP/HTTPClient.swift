internal import CCurl
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Sends requests to HTTP servers. libcurl does the work, on one thread that begins with the first request.
///
/// Connections are kept for later requests. The client follows no redirects, keeps no cookies and reads no `.netrc`.
///
/// Each request has exactly one outcome, also if it is cancelled or the client is closed. The caller learns it on the
/// client's thread and must not block there.
package final class HTTPClient: Sendable {
  /// Takes the outcome of a request, on the client's thread.
  package typealias Completion = @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void

  /// Names a request, for ``cancel(_:)``.
  package struct RequestID: Hashable, Sendable {
    fileprivate let number: Int
  }

  fileprivate enum Command: Sendable {
    case send(RequestID, HTTPRequest, Completion)
    case cancel(RequestID)
  }

  /// Work that callers hand over to the thread.
  fileprivate struct Inbox: Sendable {
    var commands: [Command] = []
    var lastNumber = 0
    var isClosed = false
    /// Nil as long as the thread has not begun.
    var multi: MultiHandle?
  }

  /// A lock that ThreadSanitizer sees, which is not true for `Mutex`.
  private let inbox = NIOLockedValueBox(Inbox())
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let connectionsMax: Int
  private let idleTimeout: Duration

  /// A client without connections.
  ///
  /// - Parameters:
  ///   - connectionsMax: how many connections are kept for later requests.
  ///   - idleTimeout: how long a connection without a request is kept.
  package init(connectionsMax: Int, idleTimeout: Duration) {
    self.connectionsMax = connectionsMax
    self.idleTimeout = idleTimeout
  }

  /// Starts a request. Its time has no limit: the caller cancels it when its time is over.
  @discardableResult
  package func send(_ request: HTTPRequest, completion: @escaping Completion) -> RequestID {
    let (id, failure) = inbox.withLockedValue { inbox -> (RequestID, HTTPFailure?) in
      inbox.lastNumber += 1
      let id = RequestID(number: inbox.lastNumber)
      if inbox.isClosed { return (id, .closed) }
      guard begin(&inbox) else { return (id, .noResources) }
      inbox.post(.send(id, request, completion))
      return (id, nil)
    }
    if let failure { completion(.failure(failure)) }
    return id
  }

  /// Ends a request, if it is still under way, with a failure of kind `cancelled`.
  package func cancel(_ id: RequestID) {
    inbox.withLockedValue { $0.post(.cancel(id)) }
  }

  /// Cancels all requests and closes all connections; returns when that is done.
  package func close() async {
    let hasThread = inbox.withLockedValue { inbox in
      inbox.isClosed = true
      inbox.wake()
      return inbox.multi != nil
    }
    // The pool waits for the work of its thread.
    if hasThread { try? await thread.shutdownGracefully() }
  }

  /// Starts the thread, unless it runs. Returns false if the process has no file descriptor left.
  private func begin(_ inbox: inout Inbox) -> Bool {
    if inbox.multi != nil { return true }
    guard let multi = MultiHandle(connectionsMax: connectionsMax) else { return false }
    inbox.multi = multi
    thread.start()
    thread.submit { _ in
      HTTPTransfers(multi, self.inbox, connectionsMax: self.connectionsMax, idleTimeout: self.idleTimeout).run()
    }
    return true
  }
}

extension HTTPClient.Inbox {
  /// Hands a command over, unless the thread takes none any more.
  fileprivate mutating func post(_ command: HTTPClient.Command) {
    if isClosed { return }
    commands.append(command)
    // Otherwise the thread was woken before and has not looked yet.
    if commands.count == 1 { wake() }
  }

  fileprivate func wake() {
    if let multi { curl_multi_wakeup(multi.pointer) }
  }
}

extension HTTPFailure {
  fileprivate static let cancelled = HTTPFailure(.cancelled, "the request was cancelled")
  fileprivate static let closed = HTTPFailure(.cancelled, "the client was closed")
  fileprivate static let noResources = HTTPFailure(.other, "the process has no memory or no file descriptor left")
  fileprivate static let noNames = HTTPFailure(.refused, "the name servers have not answered earlier requests")
}

/// libcurl's handle for many transfers and their connections.
///
/// `@unchecked Sendable`: the thread of the client uses the handle. Callers on other threads use it for
/// `curl_multi_wakeup(3)` alone, which is thread-safe, and with the inbox locked. The thread frees a handle after it
/// has taken it out of the inbox.
private struct MultiHandle: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// Nil if the process has no memory or no file descriptor left.
  init?(connectionsMax: Int) {
    _ = Self.library
    guard let pointer = curl_multi_init() else { return nil }
    // libcurl makes a handle even if it has no descriptors by which it can be woken.
    guard curl_multi_wakeup(pointer) == CURLM_OK else {
      curl_multi_cleanup(pointer)
      return nil
    }
    self.pointer = pointer
    formd_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, connectionsMax)
  }

  /// libcurl is set up once in a process (curl_global_init(3)).
  private static let library: Void = {
    let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    precondition(code == CURLE_OK, "libcurl cannot be set up: error \(code.rawValue)")
  }()
}

/// The work of the client's thread: it starts, drives and ends transfers.
private final class HTTPTransfers {
  private let inbox: NIOLockedValueBox<HTTPClient.Inbox>
  private let connectionsMax: Int
  private let idleTimeout: Duration
  private var multi: MultiHandle
  private var running: [HTTPClient.RequestID: HTTPTransfer] = [:]
  private var ids: [UnsafeMutableRawPointer: HTTPClient.RequestID] = [:]
  private var connections = IdleConnections()
  /// How many of ``running`` wait for name servers, although their callers have an outcome. libcurl has a thread for
  /// each.
  private var abandonedCount = 0
  /// Whether a request has used this handle's connections.
  private var hasConnections = false

  init(
    _ multi: MultiHandle,
    _ inbox: NIOLockedValueBox<HTTPClient.Inbox>,
    connectionsMax: Int,
    idleTimeout: Duration
  ) {
    self.multi = multi
    self.inbox = inbox
    self.connectionsMax = connectionsMax
    self.idleTimeout = idleTimeout
  }

  /// Works until the client is closed.
  func run() {
    while true {
      let (commands, isClosed) = inbox.withLockedValue { inbox in
        defer { inbox.commands = [] }
        return (inbox.commands, inbox.isClosed)
      }
      for command in commands { perform(command) }
      if isClosed { break }
      drive()
      wait()
    }
    for id in Array(running.keys) { end(id, .failure(.closed)) }
    inbox.withLockedValue { $0.multi = nil }
    curl_multi_cleanup(multi.pointer)
  }

  private func perform(_ command: HTTPClient.Command) {
    switch command {
    case .send(let id, let request, let completion):
      // As many lookups may be abandoned as there are connections: nothing else bounds libcurl's threads.
      if abandonedCount >= connectionsMax { return completion(.failure(.noNames)) }
      do throws(HTTPFailure) {
        let transfer = try HTTPTransfer(
          request,
          idleTimeout: idleTimeout,
          connections: connections,
          completion: completion
        )
        running[id] = transfer
        ids[transfer.handle] = id
        hasConnections = true
        add(id, transfer)
      } catch {
        completion(.failure(error))
      }
    case .cancel(let id): cancel(id)
    }
  }

  private func add(_ id: HTTPClient.RequestID, _ transfer: HTTPTransfer) {
    if curl_multi_add_handle(multi.pointer, transfer.handle) != CURLM_OK { end(id, .failure(.noResources)) }
  }

  private func cancel(_ id: HTTPClient.RequestID) {
    // A request that has ended before it was cancelled is not there any more.
    guard let transfer = running[id], !transfer.isAbandoned else { return }
    if transfer.isResolved {
      transfer.closeConnection()
      end(id, .failure(.cancelled))
    } else {
      transfer.isAbandoned = true
      abandonedCount += 1
      transfer.completion(.failure(.cancelled))
    }
  }

  /// Lets libcurl read and write all that it can, and ends the transfers that are complete.
  private func drive() {
    var count: CInt = 0
    curl_multi_perform(multi.pointer, &count)
    while let message = curl_multi_info_read(multi.pointer, &count) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle, let id = ids[handle],
        let transfer = running[id]
      else { continue }
      let code = message.pointee.data.result
      if transfer.metStaleConnection, !transfer.isAbandoned {
        curl_multi_remove_handle(multi.pointer, transfer.handle)
        transfer.retry()
        add(id, transfer)
      } else {
        transfer.noteIdleConnection()
        end(id, transfer.outcome(code))
      }
    }
  }

  /// Waits for a connection, for libcurl's own timers, or for a caller.
  private func wait() {
    let isIdle = running.isEmpty && hasConnections
    let start = ContinuousClock.now
    // libcurl waits for less if one of its timers is due earlier.
    let milliseconds = isIdle ? CInt(clamping: Int64(idleTimeout / .milliseconds(1)) + 1) : CInt.max
    curl_multi_poll(multi.pointer, nil, 0, milliseconds, nil)
    if isIdle, ContinuousClock.now - start >= idleTimeout { closeConnections() }
  }

  /// Closes all connections: libcurl by itself would keep them until a later request looks for one.
  private func closeConnections() {
    let old = multi
    // Without a new handle the connections stay until there is one.
    guard let fresh = MultiHandle(connectionsMax: connectionsMax) else { return }
    multi = fresh
    connections = IdleConnections()
    hasConnections = false
    inbox.withLockedValue { $0.multi = multi }
    curl_multi_cleanup(old.pointer)
  }

  private func end(_ id: HTTPClient.RequestID, _ outcome: Result<HTTPResponse, HTTPFailure>) {
    guard let transfer = running.removeValue(forKey: id) else { return }
    ids[transfer.handle] = nil
    curl_multi_remove_handle(multi.pointer, transfer.handle)
    transfer.end()
    if transfer.isAbandoned { abandonedCount -= 1 } else { transfer.completion(outcome) }
  }
}
