package import JSON
internal import Texts

/// Reads the members of an object from the bytes of a ``PlainText``.
///
/// It is fast if the members come in the order in which a message lists them, without white space. Functions that are
/// not inlined read members in another order, and white space.
package struct PlainReader: MessageVisitor {
  /// The next byte to be read. It is the end when the reader has given up.
  var position: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The byte before the name of the next member.
  private var opener = UInt8(ascii: "{")
  /// How many members the object was asked for.
  private var asked: UInt32 = 0
  /// A bit for each member that was asked for and is there.
  private var found: UInt32 = 0
  /// Whether a required member is not there.
  private var isMissing = false

  @inline(__always)
  init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.position = position
    self.end = end
  }

  // MARK: Members

  /// Reads the members for which a list asks, in any order.
  mutating func readAll(_ list: (inout PlainReader) -> Void) {
    var start: UnsafePointer<UInt8>
    repeat {
      (start, asked, isMissing) = (position, 0, false)
      list(&self)
    } while position > start
  }

  /// Reads members that are not in the order in which the message lists them.
  @inline(never)
  func readingMore<Params: Message>(into params: inout Params) -> PlainReader {
    var reader = self
    reader.readAll { params.list(&$0) }
    return reader
  }

  /// Whether the object had members, and ends here with all that is to be read.
  @inline(__always)
  mutating func isAtEnd() -> Bool {
    guard found != 0, !isMissing, consume(UInt8(ascii: "}")) else { return false }
    return position == end || Self.skippingSpace(position, end) == end
  }

  /// Whether that member comes next; then its value is to be read.
  @inline(__always)
  mutating func find(_ name: StaticString) -> Bool {
    let member: UInt32 = 1 &<< asked
    asked &+= 1
    let length = name.utf8CodeUnitCount
    if end - position > length &+ 4, position[0] == opener, position[1] == UInt8(ascii: "\""),
      UnsafeBufferPointer(start: position + 2, count: length).hasSameBytes(as: name),
      position[length &+ 2] == UInt8(ascii: "\""), position[length &+ 3] == UInt8(ascii: ":")
    {
      position += length &+ 4
    } else {
      guard !isNext(UInt8(ascii: "}")), let value = Self.skipping(name, after: opener, position, end) else {
        return false
      }
      position = value
    }
    if found & member != 0 { giveUp() }
    found |= member
    opener = UInt8(ascii: ",")
    return true
  }

  /// The position behind a member's name and colon; nil if another member comes next.
  @inline(never)
  private static func skipping(
    _ name: StaticString,
    after opener: UInt8,
    _ position: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var reader = PlainReader(position: position, end: end)
    guard reader.consume(opener), reader.consume(UInt8(ascii: "\"")), reader.skip(name), reader.skip("\""),
      reader.consume(UInt8(ascii: ":"))
    else { return nil }
    return reader.position
  }

  @inline(__always)
  package mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  ) {
    if find(name) {
      if let read = Value.read(&self) { value = read } else { giveUp() }
    } else if found & 1 &<< (asked &- 1) == 0 {
      isMissing = true
    }
  }

  @inline(__always)
  package mutating func optional<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value?,
    _ summary: StaticString
  ) {
    guard find(name) else { return }
    value = Value.read(&self)
    if value == nil { giveUp() }
  }

  // No plain text has these members. If a text has one, it is not read, and so the object has no end.

  @inline(__always)
  package mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) {}

  @inline(__always)
  package mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {}

  @inline(__always)
  package mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    isMissing = true
  }

  // MARK: Bytes

  /// Nothing is next any more, and so the object has no end.
  @inline(__always)
  private mutating func giveUp() {
    position = end
  }

  @inline(__always)
  func isNext(_ byte: UInt8) -> Bool { position < end && position.pointee == byte }

  /// Whether that byte is next, white space aside; then it is consumed.
  @inline(__always)
  private mutating func consume(_ byte: UInt8) -> Bool {
    if _slowPath(!isNext(byte)) {
      position = Self.skippingSpace(position, end)
      guard isNext(byte) else { return false }
    }
    position += 1
    return true
  }

  /// The position behind white space.
  @inline(never)
  private static func skippingSpace(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var position = start
    while position < end,
      position.pointee == 0x20 || position.pointee == 0x0a || position.pointee == 0x0d || position.pointee == 0x09
    { position += 1 }
    return position
  }

  /// Whether these bytes are next; then they are skipped.
  @inline(__always)
  mutating func skip(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard end - position >= length,
      UnsafeBufferPointer(start: position, count: length).hasSameBytes(as: literal)
    else { return false }
    position += length
    return true
  }

  /// Skips an object that has no objects in it. Whoever reads its members finds out whether it begins with a brace.
  ///
  /// - Returns: its bytes.
  mutating func object() -> UnsafeBufferPointer<UInt8> {
    let start = position
    while position < end, position.pointee != UInt8(ascii: "}") {
      if position.pointee != UInt8(ascii: "\"") { position += 1 } else if string() == nil { giveUp() }
    }
    _ = consume(UInt8(ascii: "}"))
    return UnsafeBufferPointer(start: start, count: position - start)
  }

  /// A string of ASCII without escapes or control characters; nil if none is next.
  @inline(__always)
  mutating func string() -> UnsafeBufferPointer<UInt8>? {
    guard consume(UInt8(ascii: "\"")) else { return nil }
    let start = position
    var isOver = false
    while !isOver, end - position >= 8 {
      let block = EightBytes(at: position)
      let count = EightBytes.first(of: block.escapes | block.nonASCII)
      position += count
      isOver = count < 8
    }
    while !isOver, position < end, position.pointee >= 0x20, position.pointee < 0x80,
      position.pointee != UInt8(ascii: "\""), position.pointee != UInt8(ascii: "\\")
    { position += 1 }
    // White space here would belong to the string.
    guard isNext(UInt8(ascii: "\"")) else { return nil }
    position += 1
    return UnsafeBufferPointer(start: start, count: position - start - 1)
  }

  /// A number of at most 15 digits, without a sign, a leading zero, a fraction or an exponent; nil if none is next.
  @inline(__always)
  mutating func integer() -> Int64? {
    // Most numbers have fewer than eight digits, and enough bytes after them: they are read all at once.
    if end - position >= 8 {
      let block = EightBytes(at: position)
      let count = block.digitCount
      if count > 0, count < 8, position.pointee != UInt8(ascii: "0"), Self.endsNumber(position[count]) {
        position += count
        return Int64(block.number(ofDigits: count))
      }
    }
    guard let (number, next) = Self.anyInteger(position, end) else { return nil }
    position = next
    return number
  }

  /// Reads such a number after white space, digit by digit.
  @inline(never)
  private static func anyInteger(
    _ position: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> (number: Int64, next: UnsafePointer<UInt8>)? {
    let start = skippingSpace(position, end)
    var next = start
    var number: Int64 = 0
    while next < end, next - start < 16, next.pointee &- 48 <= 9 {
      number = number &* 10 &+ Int64(next.pointee &- 48)
      next += 1
    }
    let digits = next - start
    guard digits > 0, digits < 16, digits == 1 || start.pointee != 48, next < end, endsNumber(next.pointee) else {
      return nil
    }
    return (number, next)
  }

  /// Whether a byte after the digits of a number shows that the number is an integer.
  @inline(__always)
  private static func endsNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), 0x20, 0x0a, 0x0d, 0x09: true
    default: false
    }
  }
}

// The values of plain texts.

extension Int64 {
  @inline(__always)
  package static func read(_ reader: inout PlainReader) -> Int64? { reader.integer() }
}

extension String {
  @inline(__always)
  package static func read(_ reader: inout PlainReader) -> String? { reader.string().map { String(plainASCII: $0) } }
}

extension JSON {
  @inline(__always)
  package static func read(_ reader: inout PlainReader) -> JSON? { String.read(&reader).map { .string($0) } }
}
