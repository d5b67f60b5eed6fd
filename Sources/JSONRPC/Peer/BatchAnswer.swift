internal import JSON

/// The collected part of the answer to one batch (JSON-RPC 2.0, section 6). The tokens of its members share it.
final class BatchAnswer {
  /// `[` and the answers so far; nil before the first.
  private(set) var text: OutputBuffer?
  /// Its share of ``RPCWriter/batchBytes``.
  var countedBytes = 0
  /// Members without an answer, and one more while members are still being read.
  var unanswered = 1

  /// The buffer for the next member's answer.
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
