internal import CCurl
internal import NIOConcurrencyHelpers

/// The work of an ``HTTPClient``'s thread: it starts, drives and ends transfers. Only that thread uses it.
final class HTTPThread {
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
