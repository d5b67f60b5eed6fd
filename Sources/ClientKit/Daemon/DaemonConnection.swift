internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// One accepted connection of the scripted daemon. It reads and writes messages in the framing of its client.
final class DaemonConnection {
  /// The socket; closed with this object.
  let descriptor: CInt
  /// Whether the client can still be written to.
  private(set) var isOpen = true
  /// The bytes that are not a whole message yet.
  private var input: [UInt8] = []
  /// Whether the client's messages have headers; nil before its first byte.
  private var hasHeaders: Bool?

  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Ends the connection at once, as the kernel does for a daemon that was killed.
  func drop() {
    guard isOpen else { return }
    isOpen = false
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Ends what the client reads. What it writes is still accepted, so that it can read to the end.
  func endOutput() {
    isOpen = false
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// Reads the bytes that have arrived.
  ///
  /// - Returns: the whole messages among them, in order.
  /// - Throws: ``KitFailure`` if they are not JSON, or not framed.
  func receive() throws(KitFailure) -> [JSON] {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    guard count > 0 else {
      isOpen = false
      return []
    }
    input += chunk[..<count]
    var messages: [JSON] = []
    while let text = try nextText() {
      do { messages.append(try JSON(parsing: text)) } catch {
        throw KitFailure("the client sent a text that is not JSON (\(error)): \(String(decoding: text, as: UTF8.self))")
      }
    }
    return messages
  }

  /// The bytes of the next whole text, if they have arrived.
  private func nextText() throws(KitFailure) -> [UInt8]? {
    input = Array(input.drop { [0x0A, 0x0D, 0x20].contains($0) })
    guard let first = input.first else { return nil }
    let hasHeaders = self.hasHeaders ?? (first | 0x20 == UInt8(ascii: "c"))
    self.hasHeaders = hasHeaders
    guard hasHeaders else {
      guard let end = input.firstIndex(of: 0x0A) else { return nil }
      defer { input.removeSubrange(...end) }
      return Array(input[..<end])
    }
    guard let end = input.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) else { return nil }
    let lines = String(decoding: input[..<end.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
    let lengths = lines.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].drop { $0 == " " })
    }
    guard lengths.count == 1, lengths[0] >= 0 else {
      throw KitFailure("the client sent a header block without one Content-Length: \(lines.joined(separator: "; "))")
    }
    guard input.count >= end.upperBound + lengths[0] else { return nil }
    defer { input.removeFirst(end.upperBound + lengths[0]) }
    return Array(input[end.upperBound..<end.upperBound + lengths[0]])
  }

  /// Writes messages.
  ///
  /// - Parameters:
  ///   - bytesAtATime: at most so many bytes are on their way. The rest waits until the client has read them.
  ///   - deadline: the end of the wait for a client that does not read.
  /// - Throws: ``KitFailure`` if the client does not read.
  func write(_ messages: [JSON], bytesAtATime: Int = .max, until deadline: ContinuousClock.Instant) throws(KitFailure) {
    var bytes: [UInt8] = []
    for message in messages {
      let text = message.description.utf8
      if hasHeaders == true { bytes += "Content-Length: \(text.count)\r\n\r\n".utf8 }
      bytes += text
      if hasHeaders != true { bytes.append(0x0A) }
    }
    var rest = bytes[...]
    while isOpen, !rest.isEmpty {
      let piece = rest.prefix(bytesAtATime)
      let count = piece.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        if bytesAtATime < .max { try waitUntilRead(until: deadline) }
      } else if errno == EAGAIN {
        guard Readiness.wait(for: [(descriptor, POLLOUT)], until: deadline)[0] else { throw Self.unread }
      } else if errno != EINTR {
        isOpen = false
      }
    }
  }

  /// Waits until the client has read everything that was written (SIOCOUTQ, unix(7)).
  private func waitUntilRead(until deadline: ContinuousClock.Instant) throws(KitFailure) {
    var unread: CInt = 0
    while ioctl(descriptor, UInt(TIOCOUTQ), &unread) == 0, unread > 0 {
      guard ContinuousClock.now < deadline else { throw Self.unread }
      usleep(50)
    }
  }

  private static var unread: KitFailure { KitFailure("the client did not read what the daemon wrote") }
}

/// Waits for several file descriptors at once (poll(2)).
enum Readiness {
  /// Waits until one of the descriptors is ready or has ended.
  ///
  /// - Parameter wanted: the descriptors with their events, `POLLIN` or `POLLOUT`.
  /// - Returns: whether each descriptor is ready; all false at the deadline.
  static func wait(for wanted: [(descriptor: CInt, events: CInt)], until deadline: ContinuousClock.Instant) -> [Bool] {
    var entries = wanted.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while true {
      let left = max(deadline - ContinuousClock.now, .zero).components
      let milliseconds = min(left.seconds, 1_000_000) * 1000 + left.attoseconds / 1_000_000_000_000_000
      let count = poll(&entries, nfds_t(entries.count), CInt(milliseconds))
      // The time is rounded down to milliseconds.
      let isOver = ContinuousClock.now >= deadline
      if count > 0 || isOver { return entries.map { $0.revents != 0 } }
      if count == 0 { usleep(200) }
    }
  }
}
