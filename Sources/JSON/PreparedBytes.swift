/// A piece of JSON that is written once, when a form is loaded, and copied often.
///
/// Its memory goes on for ``overhang`` bytes behind the last one, so that ``OutputBuffer`` may copy whole words. The piece does not own
/// its memory: its maker keeps the memory and gives it back.
public struct PreparedBytes {
  /// How far behind its end a piece may be read.
  @usableFromInline static let overhang = MemoryLayout<SIMD16<UInt8>>.size

  @usableFromInline let start: UnsafeRawPointer
  /// The number of bytes, without the overhang.
  public let count: Int

  /// Copies the bytes into memory of their own.
  ///
  /// - Parameter keep: is given the memory; it has to be deallocated when no copy of the result is used any more.
  public init(_ content: [UInt8], keep: (UnsafeMutableRawPointer) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: content.count + Self.overhang, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: content.count + Self.overhang)
    content.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
    keep(memory)
    start = UnsafeRawPointer(memory)
    count = content.count
  }
}

extension OutputBuffer {
  /// Appends a prepared piece, without its first `skipped` bytes.
  @inlinable @inline(__always)
  public func append(_ piece: PreparedBytes, skipping skipped: Int = 0) {
    assert(skipped <= piece.count, "skips \(skipped) of \(piece.count) bytes")
    let length = piece.count &- skipped
    room(length &+ PreparedBytes.overhang)
    let target = UnsafeMutableRawPointer(base + written)
    let source = piece.start + skipped
    var offset = 0
    // The last word may go beyond the piece: there is room for it on both sides, and it is written over.
    repeat {
      let word = (source + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      (target + offset).storeBytes(of: word, as: SIMD16<UInt8>.self)
      offset &+= PreparedBytes.overhang
    } while offset < length
    written &+= length
  }
}
