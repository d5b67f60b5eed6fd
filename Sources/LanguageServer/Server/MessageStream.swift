internal import JSON
internal import JSONRPC

/// The messages in the bytes that an editor sends. A frame that cannot be read is skipped: reading goes on at the next
/// `Content-Length:`.
struct MessageStream: ~Copyable {
  /// An editor sends the whole text of a document when it opens it. A frame with a larger length is skipped.
  static let textBytesMax = 256 << 20
  private static let limits = RPCLimits(
    textBytesMax: textBytesMax,
    json: JSONLimits(depthMax: 512, nodesMax: 1_000_000)
  )
  private static let header: [UInt8] = Array("content-length:".utf8)

  private var reader = RPCReader(limits: limits, framing: .headers)
  /// The length of the prefix of ``header`` that the last bytes match, after a frame that cannot be read. nil while
  /// frames can be read.
  private var matched: Int?

  /// Takes bytes, and calls the closure for each event in them. The memory of an event is valid only during the call.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (RPCReader.Event) -> Void) {
    var input = bytes
    while findsFrame(in: &input), let event = reader.next(&input) {
      switch event {
      case .text(let text): reader.read(text)
      case .ended:
        reader = RPCReader(limits: Self.limits, framing: .headers)
        matched = 0
      default: body(event)
      }
    }
  }

  /// Drops bytes up to the next header, if the last frame could not be read; false if the bytes have no header.
  private mutating func findsFrame(in input: inout UnsafeBufferPointer<UInt8>) -> Bool {
    guard var count = matched else { return true }
    for (offset, byte) in input.enumerated() {
      // Setting bit 5 makes a letter small, and does not change "-" and ":". The header has no proper suffix that is
      // also a prefix of it.
      count = byte | 0x20 == Self.header[count] ? count + 1 : byte | 0x20 == Self.header[0] ? 1 : 0
      guard count == Self.header.count else { continue }
      matched = nil
      input = UnsafeBufferPointer(rebasing: input[(offset + 1)...])
      Self.header.withUnsafeBufferPointer { header in
        var header = header
        _ = reader.next(&header)
      }
      return true
    }
    matched = count
    return false
  }
}
