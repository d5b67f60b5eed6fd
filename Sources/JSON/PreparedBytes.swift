/// A piece of JSON that is written once, when a form is loaded, and copied often.
///
/// Its memory goes on for ``overhang`` bytes behind the last one, so that ``OutputBuffer`` may copy whole words. The
/// piece does not own its memory: its maker keeps the memory and frees it.
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

  /// A part of a piece, in the same memory.
  @inlinable
  package subscript(part: Range<Int>) -> PreparedBytes {
    precondition(part.upperBound <= count, "\(part) of \(count) bytes")
    return PreparedBytes(start: start + part.lowerBound, count: part.count)
  }

  @inlinable
  init(start: UnsafeRawPointer, count: Int) {
    self.start = start
    self.count = count
  }
}

extension PreparedBytes {
  /// The most bytes that ``copy(from:to:)`` writes, including the bytes behind the piece.
  @inlinable @inline(__always)
  public var countToWrite: Int { count &+ Self.overhang }

  /// Copies the piece, from the byte at `start` on, to an address with room for ``countToWrite`` bytes.
  ///
  /// - Returns: the address behind the piece.
  @inlinable @inline(__always)
  public func copy(from start: Int = 0, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    copy(start, upTo: count, to: target)
  }

  /// The same of the bytes from the one at `start` to that before `end`.
  @inlinable @inline(__always)
  package func copy(
    _ start: Int,
    upTo end: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    assert(start <= end && end <= count, "\(start) to \(end) of \(count) bytes")
    let length = end &- start
    let source = self.start + start
    let destination = UnsafeMutableRawPointer(target)
    var offset = 0
    // The last word may go beyond the piece: there is room for it on both sides, and it is written over.
    repeat {
      let word = (source + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      (destination + offset).storeBytes(of: word, as: SIMD16<UInt8>.self)
      offset &+= Self.overhang
    } while offset < length
    return target + length
  }
}

extension OutputBuffer {
  /// Appends a prepared piece.
  @inlinable @inline(__always)
  public func append(_ piece: PreparedBytes) {
    append(upTo: piece.countToWrite) { piece.copy(to: $0) }
  }

  /// Appends the bytes that `write` writes.
  ///
  /// - Parameters:
  ///   - count: for how many bytes there is to be room.
  ///   - write: is given the address of the next byte, and returns the address behind the last one that it has written.
  ///     It may write anything behind that, as far as the room goes.
  @inlinable @inline(__always)
  package func append(upTo count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
    room(count)
    let end = write(base + written)
    assert(end - (base + written) <= count, "\(end - (base + written)) bytes in room for \(count)")
    written = end - base
  }
}
