internal import JSON

/// The answer to one batch, as far as it is collected (JSON-RPC 2.0, section 6). The tokens of its members share it.
final class BatchAnswer {
  /// `[` and the answers so far; nil before the first.
  private(set) var text: OutputBuffer?
  /// What it counts for in ``RPCWriter/batchBytes``.
  var countedBytes = 0
  /// Members without an answer, and one more while members are still being read.
  var unanswered = 1

  /// Where the next member's answer goes.
  func next(from pool: OutputPool) -> OutputBuffer {
    if let text {
      text.append(byte: UInt8(ascii: ","))
      return text
    }
    let buffer = pool.take()
    buffer.append(byte: UInt8(ascii: "["))
    text = buffer
    return buffer
  }
}
