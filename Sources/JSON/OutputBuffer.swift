internal import Texts

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Bytes that are on their way out, and the writer of JSON text into them.
///
/// Messages for the wire are written straight into such a buffer: no tree is built and nothing is allocated once the
/// buffer has grown to its working size. It belongs to one thread (one event loop) at a time.
public final class OutputBuffer {
  /// Owned, from malloc(3). It has `capacity` bytes, and the first `count` bytes are initialized.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// The number of bytes written since the last ``removeAll()``.
  @inlinable public var count: Int { written }
  @usableFromInline var written = 0

  /// An empty buffer with room for so many bytes.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    base = Self.memory(nil, self.capacity)
  }

  deinit {
    free(base)
  }

  /// Memory of that many bytes, which begins with the bytes of an older piece. A large piece grows where it is, or the
  /// system moves its pages: its bytes are not copied.
  private static func memory(_ old: UnsafeMutablePointer<UInt8>?, _ count: Int) -> UnsafeMutablePointer<UInt8> {
    guard let memory = realloc(old, count) else { preconditionFailure("no memory for \(count) bytes of output") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  /// A copy of the bytes that are written.
  public var copiedBytes: [UInt8] { Array(bytes) }

  /// The bytes written so far; valid until the buffer is written to again.
  @inlinable public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: written) }

  /// The bytes as a text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes all bytes; keeps the memory up to `keeping` bytes.
  public func removeAll(keeping: Int = 1 << 20) {
    written = 0
    if capacity > keeping {
      free(base)
      capacity = max(64, min(keeping, 4096))
      base = Self.memory(nil, capacity)
    }
  }

  /// Takes back everything behind the first `count` bytes.
  public func truncate(to count: Int) {
    precondition(count <= written, "truncate to \(count) of \(written)")
    written = count
  }

  /// Moves the bytes from `middle` on to before the byte at `start`. Use it for bytes that are known only after the
  /// bytes behind them are written.
  public func moveBytes(from middle: Int, to start: Int) {
    precondition(0 <= start && start <= middle && middle <= written, "\(start), \(middle) of \(written)")
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: written - middle) { moved in
      let count = moved.update(fromContentsOf: UnsafeBufferPointer(start: base + middle, count: written - middle))
      (base + start + count).update(from: base + start, count: middle - start)
      (base + start).update(from: moved.baseAddress!, count: count)
    }
  }

  @inlinable @inline(__always)
  func room(_ extra: Int) {
    if _slowPath(capacity &- written < extra) { grow(extra) }
  }

  @usableFromInline @inline(never)
  func grow(_ extra: Int) {
    capacity = max(capacity * 2, written + extra)
    base = Self.memory(base, capacity)
  }

  // MARK: Raw bytes

  /// Appends bytes unchanged.
  @inlinable @inline(__always)
  public func append(_ source: UnsafeBufferPointer<UInt8>) {
    guard let start = source.baseAddress else { return }
    room(source.count)
    (base + written).update(from: start, count: source.count)
    written &+= source.count
  }

  /// Appends a literal unchanged: JSON punctuation, prepared members.
  @inlinable @inline(__always)
  public func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    room(length)
    (base + written).update(from: literal.utf8Start, count: length)
    written &+= length
  }

  /// Appends one byte.
  @inlinable @inline(__always)
  public func append(byte: UInt8) {
    room(1)
    base[written] = byte
    written &+= 1
  }

  // MARK: JSON

  /// Appends the name of an object's member, which has nothing to escape, with its colon and with the comma before it
  /// unless the member is the first.
  @inlinable @inline(__always)
  package func write(name: StaticString, isFirst: Bool) {
    let length = name.utf8CodeUnitCount
    room(length &+ 4)
    var out = base + written
    if !isFirst {
      out.pointee = UInt8(ascii: ",")
      out += 1
    }
    out.pointee = UInt8(ascii: "\"")
    out += 1
    out.update(from: name.utf8Start, count: length)
    out += length
    out[0] = UInt8(ascii: "\"")
    out[1] = UInt8(ascii: ":")
    written = out + 2 - base
  }

  /// Appends a whole number in decimal.
  @inlinable
  public func write(_ value: Int64) {
    append(upTo: Self.numberBytesMax) { $0.writing(decimal: value) }
  }

  /// The most bytes that ``write(_:at:)`` writes: a sign and 19 digits, or a word of eight digits behind the sign.
  @inlinable package static var numberBytesMax: Int { 20 }

  /// Writes a whole number at an address with room for ``numberBytesMax`` bytes.
  ///
  /// - Returns: the address behind the last digit.
  @inlinable @inline(__always)
  static func write(_ value: Int64, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    if UInt64(bitPattern: value) < 10 {
      start.pointee = UInt8(truncatingIfNeeded: 48 &+ value)
      return start + 1
    }
    return writeLong(value, at: start)
  }

  @usableFromInline @inline(never)
  static func writeLong(_ value: Int64, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var out = start
    if value < 0 {
      out.pointee = UInt8(ascii: "-")
      out += 1
    }
    return writeDigits(of: value.magnitude, at: out)
  }

  /// Appends an array of texts that are numbers: `["1","2"]`. No number is negative.
  package func write(texts numbers: [Int]) {
    // As many digits as the largest number has, quotes and a comma; behind the last number, a whole word of digits.
    let digitsMax = (numbers.max() ?? 0).description.utf8.count
    room(numbers.count &* (digitsMax &+ 3) &+ Self.numberBytesMax &+ 2)
    var out = base + written
    out.pointee = UInt8(ascii: "[")
    for number in numbers {
      out[1] = UInt8(ascii: "\"")
      out = Self.writeDigits(of: UInt64(number), at: out + 2)
      out[0] = UInt8(ascii: "\"")
      out[1] = UInt8(ascii: ",")
      out += 1
    }
    // The last comma gives way.
    if numbers.isEmpty { out += 1 }
    out.pointee = UInt8(ascii: "]")
    written = out + 1 - base
  }

  /// Writes a number in decimal, at an address with room for its 20 digits.
  ///
  /// - Returns: the address behind the last digit.
  @inline(__always)
  private static func writeDigits(
    of number: UInt64,
    at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if number < 10_000 { return writeFourDigits(of: number, at: start) }
    if number < 100_000_000 { return writeEightDigits(of: number, at: start) }
    var digits = 9
    var bound: UInt64 = 1_000_000_000
    while digits < 20 && number >= bound {
      digits &+= 1
      bound = bound &* 10
    }
    let end = start + digits
    var (target, rest) = (end, number)
    repeat {
      target -= 1
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
      target.pointee = UInt8(truncatingIfNeeded: 48 + remainder)
      rest = quotient
    } while rest > 0
    return end
  }

  /// The same for a number of at most four digits, two at a time.
  @inline(__always)
  private static func writeFourDigits(
    of number: UInt64,
    at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let pairs = UnsafeRawPointer(Self.pairs.utf8Start)
    func store(_ pair: UInt64, _ target: UnsafeMutablePointer<UInt8>) {
      // `pairs` has 100 of them.
      let digits = (pairs + Int(truncatingIfNeeded: pair &* 2)).loadUnaligned(as: UInt16.self)
      UnsafeMutableRawPointer(target).storeBytes(of: digits, as: UInt16.self)
    }
    var target = start
    var low = number
    if number >= 100 {
      let high = (number &* 5_243) &>> 19
      low = number &- high &* 100
      if high >= 10 {
        store(high, target)
        target += 2
      } else {
        target.pointee = UInt8(truncatingIfNeeded: 48 &+ high)
        target += 1
      }
    } else if number < 10 {
      target.pointee = UInt8(truncatingIfNeeded: 48 &+ number)
      return target + 1
    }
    store(low, target)
    return target + 2
  }

  /// The two digits of every number below 100.
  private static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869\
    707172737475767778798081828384858687888990919293949596979899
    """
  }

  /// The same for a number of at most eight digits, all found at once: each step splits every part of a word into two
  /// of half as many digits (Khuong, "How to print integers really fast", 2017). The first digit ends in the lowest
  /// byte.
  @inline(__always)
  private static func writeEightDigits(
    of number: UInt64,
    at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let high = number / 10_000
    let fours = high | (number &- high &* 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x7f_0000_007f
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000f_000f_000f_000f
    let ones = tens | (twos &- tens &* 10) &<< 8
    // A zero has a digit, too.
    let leading = min(ones.trailingZeroBitCount &>> 3, 7)
    let text = (ones | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: leading &* 8)
    UnsafeMutableRawPointer(start).storeBytes(of: text.littleEndian, as: UInt64.self)
    return start + (8 &- leading)
  }

  /// Appends a whole number in decimal.
  @inline(__always)
  public func write(_ value: Int) { write(Int64(value)) }

  /// Appends `true` or `false`.
  @inlinable @inline(__always)
  public func write(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends a real in the shortest decimal that reads back as itself; `null` if JSON has no text for it.
  public func write(_ value: Double) {
    guard value.isFinite else {
      append("null")
      return
    }
    var text = value.description
    text.withUTF8 { append($0) }
  }

  /// Appends a text as a JSON string, quotes and escapes included (RFC 8259, section 7); NUL and the other controls are
  /// escaped, everything else is unchanged UTF-8.
  public func write(_ text: borrowing String) {
    text.withCodeUnits { write(string: $0) }
  }

  /// Appends UTF-8 bytes as a JSON string, quotes and escapes included.
  public func write(string bytes: UnsafeBufferPointer<UInt8>) {
    // Each byte becomes six at most (\u00XX).
    room(bytes.count &* 6 &+ 2)
    var out = base + count
    out.pointee = UInt8(ascii: "\"")
    out += 1
    var position = 0
    while position < bytes.count {
      // Eight bytes at a time as long as none of them needs an escape. The last eight may begin with bytes that were
      // written before.
      let start = min(position, bytes.count &- 8)
      if start >= 0 {
        let block = EightBytes(at: bytes.baseAddress! + start)
        if block.escapes == 0 {
          out -= position &- start
          block.store(at: out)
          out += 8
          position = start &+ 8
          continue
        }
      }
      let byte = bytes[position]
      position &+= 1
      if _fastPath(byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")) {
        out.pointee = byte
        out += 1
        continue
      }
      out[0] = UInt8(ascii: "\\")
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out[1] = byte
      case 0x0a: out[1] = UInt8(ascii: "n")
      case 0x0d: out[1] = UInt8(ascii: "r")
      case 0x09: out[1] = UInt8(ascii: "t")
      default:
        out[1] = UInt8(ascii: "u")
        out[2] = 48
        out[3] = 48
        out[4] = 48 + (byte >> 4)
        let low = byte & 15
        out[5] = low < 10 ? 48 + low : 87 + low
        out += 4
      }
      out += 2
    }
    out.pointee = UInt8(ascii: "\"")
    written = out - base + 1
  }

  /// Appends a value as compact JSON.
  public func write(_ value: JSON) {
    switch value {
    case .null: append("null")
    case .bool(let flag): write(flag)
    case .integer(let number): write(number)
    case .real(let number): write(number)
    case .decimal(let number):
      var text = number.text
      text.withUTF8 { append($0) }
    case .string(let text): write(text)
    case .array(let elements):
      append(byte: UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { append(byte: UInt8(ascii: ",")) }
        isFirst = false
        write(element)
      }
      append(byte: UInt8(ascii: "]"))
    case .object(let members):
      append(byte: UInt8(ascii: "{"))
      var isFirst = true
      for member in members {
        if !isFirst { append(byte: UInt8(ascii: ",")) }
        isFirst = false
        write(member.name)
        append(byte: UInt8(ascii: ":"))
        write(member.value)
      }
      append(byte: UInt8(ascii: "}"))
    }
  }
}
