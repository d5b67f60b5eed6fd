internal import Files
internal import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// A connected Unix stream socket.
final class UnixSocket {
  /// For `poll`.
  let descriptor: CInt
  /// The path of the socket, or another name of the other side.
  let path: String

  /// Connects.
  ///
  /// - Parameter waits: whether to wait if the other side's queue of connections is full.
  /// - Throws: `notRunning` or `unusablePath`.
  init(_ socketPath: SocketPath, waits: Bool) throws(ClientError) {
    let path = socketPath.path
    guard (1...SocketPath.bytesMax).contains(path.utf8.count) else { throw .unusablePath(socket: path) }
    if let problem = socketPath.problem { throw .notRunning(socket: socketPath, reason: problem) }
    let flags = CInt(SOCK_CLOEXEC.rawValue) | (waits ? 0 : CInt(SOCK_NONBLOCK.rawValue))
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | flags, 0)
    guard descriptor >= 0 else { throw .notRunning(socket: socketPath, reason: SystemError.last.description) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let reason = SystemError.last.description
      close(descriptor)
      throw .notRunning(socket: socketPath, reason: reason)
    }
    if !waits { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    self.descriptor = descriptor
    self.path = path
  }

  /// Takes over a connected socket, and closes it with this object.
  ///
  /// - Parameter name: the name of the other side in messages.
  init(connected descriptor: CInt, named name: String) {
    self.descriptor = descriptor
    path = name
  }

  deinit {
    close(descriptor)
  }

  /// Writes all of the bytes.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(ClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try write(UnsafeBufferPointer(rebasing: rest), waits: true))
    }
  }

  /// Writes as many of the bytes as the socket accepts at once.
  ///
  /// - Parameter waits: whether to wait until at least one byte is accepted.
  /// - Returns: the number of written bytes.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, waits: Bool) throws(ClientError) -> Int {
    while true {
      let flags = CInt(MSG_NOSIGNAL) | (waits ? 0 : CInt(MSG_DONTWAIT))
      let written = send(descriptor, bytes.baseAddress, bytes.count, flags)
      if written >= 0 { return written }
      if errno == EINTR { continue }
      if !waits, errno == EAGAIN { return 0 }
      throw .disconnected(socket: path, reason: SystemError.last.description)
    }
  }

  /// Appends the bytes that have arrived, waiting for at least one byte.
  ///
  /// - Returns: false at the end of the stream.
  func read(into bytes: inout [UInt8]) throws(ClientError) -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer throws(ClientError) in
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { throw .disconnected(socket: path, reason: SystemError.last.description) }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count > 0
      }
    }
  }

  /// Waits for input.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: false after the timeout.
  func waitForInput(timeout: Duration?) -> Bool {
    Poll.wait(for: [descriptor], timeout: timeout).first == true
  }
}

/// Waits on several file descriptors at once (poll(2)).
package enum Poll {
  /// Waits until one of the descriptors is readable or has ended.
  ///
  /// - Parameters:
  ///   - descriptors: the descriptors to wait for; a negative one is ignored.
  ///   - timeout: nil waits for ever.
  /// - Returns: whether each descriptor is ready; all false after the timeout.
  package static func wait(for descriptors: [CInt], timeout: Duration?) -> [Bool] {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let remaining: CInt
      if let end {
        let left = max(end - clock.now, .zero).components
        let milliseconds =
          min(left.seconds, 1_000_000) * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        remaining = CInt(milliseconds)
      } else {
        remaining = -1
      }
      let count = poll(&entries, nfds_t(entries.count), remaining)
      if count < 0 && errno == EINTR { continue }
      if count == 0, let end, clock.now < end { continue }
      return entries.map { $0.revents != 0 }
    }
  }
}
