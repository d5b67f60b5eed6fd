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

  enum Command: Sendable {
    case send(RequestID, HTTPRequest, Completion)
    case cancel(RequestID)
  }

  /// Work that callers hand over to the thread.
  struct Inbox: Sendable {
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
      HTTPThread(multi, self.inbox, connectionsMax: self.connectionsMax, idleTimeout: self.idleTimeout).run()
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

  fileprivate func wake() { multi?.wake() }
}
