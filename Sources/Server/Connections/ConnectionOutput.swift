internal import JSON
internal import JSONRPC

/// What goes out on one connection: the writer of its messages, and the transport that takes them.
struct ConnectionOutput: ~Copyable {
  /// Writes the messages; their bytes wait here until ``flush()``.
  var writer: RPCWriter
  /// nil once the connection is gone.
  private(set) var transport: (any ConnectionTransport)?
  /// Whether the server knows that there is output to be flushed.
  private var isListed = false
  /// Bytes ever handed to the transport.
  private var writtenBytes = 0
  /// What the client had read of them when it was last looked at, about.
  private var readBytes = 0

  init(transport: any ConnectionTransport, pool: OutputPool) {
    self.transport = transport
    writer = RPCWriter(pool: pool)
  }

  /// Whether the server is to be told that there is output; true once before each ``flushListed()``.
  @inline(__always)
  mutating func needsListing() -> Bool {
    guard !isListed, writer.unflushedBytes > 0 else { return false }
    isListed = true
    return true
  }

  /// The server does what it was told.
  ///
  /// - Returns: as ``flush()``.
  mutating func flushListed() -> Bool {
    isListed = false
    return flush()
  }

  /// Hands all bytes to the transport.
  ///
  /// - Returns: whether there is room for more.
  mutating func flush() -> Bool {
    guard let output = writer.takeOutput() else { return true }
    defer { writer.pool.give(output) }
    guard let transport else { return true }
    writtenBytes += output.count
    return transport.write(output.bytes)
  }

  /// Bytes that the client has not taken yet.
  var unsentBytes: Int { transport?.unsentBytes ?? 0 }

  /// Looks how much the client has read. What the system holds for it counts as not read: the system takes no more before much of that is
  /// read, so that the daemon's own queue says nothing of a client that reads slowly.
  ///
  /// - Returns: whether it has read anything since the last look, or the daemon's queue is empty.
  mutating func lookWhatIsRead() -> Bool {
    let before = readBytes
    readBytes = writtenBytes - (transport?.unreadBytes ?? 0)
    return readBytes > before || unsentBytes == 0
  }

  /// The transport is gone.
  mutating func transportClosed() {
    transport = nil
  }
}
