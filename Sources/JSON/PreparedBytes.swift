internal import Texts

/// A piece of JSON that is written once, when a form is loaded, and copied often.
///
/// Its memory goes on for ``overhang`` bytes behind the last one, so that ``OutputBuffer`` may copy whole words. The
/// piece does not own its memory: its maker keeps the memory and frees it.
@safe public struct PreparedBytes {
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
  /// Whether these are the bytes of the piece.
  package func isEqual(to bytes: Span<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer {
      UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self).hasSameBytes(as: $0)
    }
  }

  /// The most bytes that ``copy(from:to:)`` writes, including the bytes behind the piece.
  @inlinable @inline(__always)
  public var countToWrite: Int { count &+ Self.overhang }

  /// Copies the piece, from the byte at `start` on, to an address with room for ``countToWrite`` bytes.
  ///
  /// - Returns: the address behind the piece.
  @inlinable @inline(__always)
  package func copy(from start: Int = 0, to target: OutputPosition) -> OutputPosition {
    copy(start, upTo: count, to: target)
  }

  /// The same of the bytes from the one at `start` to that before `end`.
  @inlinable @inline(__always)
  package func copy(_ start: Int, upTo end: Int, to target: OutputPosition) -> OutputPosition {
    assert(start <= end && end <= count, "\(start) to \(end) of \(count) bytes")
    let length = end &- start
    let source = self.start + start
    let destination = UnsafeMutableRawPointer(target.pointer)
    var offset = 0
    // The last word may go beyond the piece: there is room for it on both sides, and it is written over.
    repeat {
      let word = (source + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      (destination + offset).storeBytes(of: word, as: SIMD16<UInt8>.self)
      offset &+= Self.overhang
    } while offset < length
    return OutputPosition(target.pointer + length)
  }
}

/// A position in an ``OutputBuffer``. ``OutputBuffer/append(upTo:_:)`` has made room for the bytes that are written
/// there.
///
/// That is safe because a closure of that method states how many bytes it writes at most, and debug builds check it.
@usableFromInline @safe package struct OutputPosition {
  @usableFromInline let pointer: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  init(_ pointer: UnsafeMutablePointer<UInt8>) { self.pointer = pointer }

  /// Writes a byte.
  ///
  /// - Returns: the position behind it, as all functions here do.
  @inlinable @inline(__always)
  package func writing(_ byte: UInt8) -> OutputPosition {
    pointer.pointee = byte
    return OutputPosition(pointer + 1)
  }

  /// Writes the bytes of a number, the lowest first.
  ///
  /// - Parameter count: how many of them count. Those behind are written over.
  @inlinable @inline(__always)
  package func writing<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, count: Int) -> OutputPosition {
    UnsafeMutableRawPointer(pointer).storeBytes(of: word.littleEndian, as: Word.self)
    return OutputPosition(pointer + count)
  }

  /// Writes a text.
  @inlinable @inline(__always)
  package func writing(_ text: StaticString) -> OutputPosition {
    UnsafeMutableRawPointer(pointer).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    return OutputPosition(pointer + text.utf8CodeUnitCount)
  }

  /// Writes a whole number in decimal, at most ``OutputBuffer/numberBytesMax`` bytes.
  @inlinable @inline(__always)
  package func writing(decimal value: Int64) -> OutputPosition {
    OutputPosition(OutputBuffer.write(value, at: pointer))
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
  ///   - write: is given the position of the next byte, and returns the position behind the last one that it has
  ///     written. It may write anything behind that, as far as the room goes.
  @inlinable @inline(__always)
  package func append(upTo count: Int, _ write: (OutputPosition) -> OutputPosition) {
    room(count)
    let end = write(OutputPosition(base + written)).pointer
    assert(end - (base + written) <= count, "\(end - (base + written)) bytes in room for \(count)")
    written = end - base
  }
}
