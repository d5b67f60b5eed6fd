package import JSON

/// Output buffers that the connections of one event loop share. A connection borrows one from the first byte of a burst
/// to its flush, so a quiet connection holds none.
package final class OutputPool {
  /// Empty buffers; never more than `keptMax`.
  private var free: [OutputBuffer] = []
  /// A handful covers all buffers in use at once: the connection that is being read, a batch, a body after a header.
  private let keptMax = 8
  /// A buffer that grew beyond this gives its memory back.
  private let bytesKept = 1 << 18

  /// An empty pool.
  package init() {}

  /// An empty buffer.
  package func take() -> OutputBuffer {
    free.popLast() ?? OutputBuffer(capacity: 1 << 14)
  }

  /// Takes a buffer back; the caller must not use it any more.
  package func give(_ buffer: OutputBuffer) {
    guard free.count < keptMax else { return }
    buffer.removeAll(keeping: bytesKept)
    free.append(buffer)
  }
}
