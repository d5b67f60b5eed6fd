internal import JSON
internal import JSONRPC

/// The output of one connection: the writer of its messages, and the transport that takes them.
struct ConnectionOutput: ~Copyable {
  /// Writes the messages; their bytes wait here until ``flush()``.
  var writer: RPCWriter
  /// nil once the connection is gone.
  private(set) var transport: (any ConnectionTransport)?
  /// Whether the connection is among those that the server flushes when the entry ends (``FormServer/flushLater(_:)``).
  var isListed = false
  /// Bytes ever handed to the transport.
  private var writtenBytes = 0
  /// How many bytes the client had read at the last look, approximately.
  private var readBytes = 0

  init(transport: any ConnectionTransport, pool: OutputPool) {
    self.transport = transport
    writer = RPCWriter(pool: pool)
  }

  /// Hands all bytes to the transport.
  ///
  /// - Returns: whether the transport is still writable.
  mutating func flush() -> Bool {
    guard let output = writer.takeOutput() else { return true }
    defer { writer.pool.give(output) }
    guard let transport else { return true }
    writtenBytes += output.count
    return transport.write(output.bytes)
  }

  /// Bytes that the client has not taken yet.
  var unsentBytes: Int { transport?.unsentBytes ?? 0 }

  /// Looks how much the client has read. Bytes that the system holds count as not read. The system takes no more bytes
  /// before the client has read many of them. So the daemon's own queue does not show whether a client reads slowly.
  ///
  /// - Returns: whether it has read anything since the last look, or the daemon's queue is empty.
  mutating func updateReadBytes() -> Bool {
    let before = readBytes
    readBytes = writtenBytes - (transport?.inFlightBytes ?? 0)
    return readBytes > before || unsentBytes == 0
  }

  mutating func transportClosed() {
    transport = nil
  }
}
