internal import JSON
internal import JSONRPC

/// The messages in the bytes that an editor sends. Frames that cannot be read are passed over: reading goes on at the next
/// `Content-Length:`.
struct MessageStream: ~Copyable {
  /// An editor sends a document whole when it opens one; a frame that says it is larger than this is passed over.
  static let textBytesMax = 256 << 20
  private static let limits = RPCLimits(
    textBytesMax: textBytesMax,
    json: JSONLimits(depthMax: 512, nodesMax: 1_000_000)
  )
  private static let header: [UInt8] = Array("content-length:".utf8)

  private var reader = RPCReader(limits: limits, framing: .headers)
  /// How many bytes of ``header`` the last bytes were, after a frame that cannot be read; nil while frames can be read.
  private var matched: Int?

  /// Takes bytes, and calls with each event in them. What an event shows is valid during the call only.
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

  /// Drops bytes up to the next header, if the last frame could not be read; false when there is none in them.
  private mutating func findsFrame(in input: inout UnsafeBufferPointer<UInt8>) -> Bool {
    guard var count = matched else { return true }
    for (offset, byte) in input.enumerated() {
      // Setting bit 5 makes a letter small, and leaves "-" and ":" as they are. No end of the header is also a beginning of it.
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
