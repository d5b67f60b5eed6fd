internal import JSONRPC
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// A recognizer for the inputs that come by the thousand: a flat `field/change`, `field/focus`, `field/blur` or
/// `action/tap` request of plain ASCII without escapes.
///
/// It comes before the JSON reader, and either understands a text completely or leaves it alone. It does not recognize
/// another method, an unknown member, a member twice, an escape, a fraction, or any problem. Then libjansson reads the
/// text as if this recognizer did not exist. So every text that it accepts has the meaning that the reader would give
/// it; a test compares the two.
package struct PlainInput {
  /// The request's id.
  package private(set) var id: Int64 = 0
  /// Which of the four methods is called.
  package private(set) var method = Method.fieldChange
  /// The session's number; nil when the request names none.
  package private(set) var session: Int64?
  /// The field's or the action's name, in ASCII.
  package private(set) var name: UnsafeBufferPointer<UInt8>
  /// The text of a change, in ASCII.
  package private(set) var value: UnsafeBufferPointer<UInt8>?

  /// Longer texts are rare, and the time to read them is not their main cost.
  private static let bytesMax = 512

  /// The text's meaning; nil when the text is not plain enough.
  @inline(__always)
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count <= Self.bytesMax, let start = text.baseAddress else { return nil }
    let scanner = Scanner(position: start, end: start + text.count)
    if let usual = PlainInput(usual: scanner) {
      self = usual
    } else if let other = PlainInput(other: scanner) {
      self = other
    } else {
      return nil
    }
  }

  /// Reads a text that has its members in the order of the protocol's document, without white space. Most clients write
  /// them in this way, so whole runs of bytes are compared at once.
  @inline(__always)
  private init?(usual start: Scanner) {
    var scanner = start
    guard scanner.skip(#"{"jsonrpc":"2.0","id":"#), let id = scanner.integer(), scanner.skip(#","method":""#) else {
      return nil
    }
    self.id = id
    guard let method = Self.method({ scanner.skip($0) }) else { return nil }
    self.method = method
    guard scanner.skip(#"","params":{"session":"#), let session = scanner.integer(),
      method == .actionTap ? scanner.skip(#","action":""#) : scanner.skip(#","field":""#)
    else { return nil }
    self.session = session
    name = scanner.characters()
    if method == .fieldChange {
      guard scanner.skip(#"","value":""#) else { return nil }
      value = scanner.characters()
    }
    guard scanner.skip(#""}}"#), scanner.isAtEnd() else { return nil }
  }

  /// Reads a text that has its members in any order, with white space anywhere.
  @inline(never)
  private init?(other start: Scanner) {
    var scanner = start
    name = UnsafeBufferPointer(start: nil, count: 0)
    guard scanner.consume(UInt8(ascii: "{")) else { return nil }
    var nameKind = NameKind.none
    var seen: UInt8 = 0
    repeat {
      guard let member = scanner.string(), scanner.consume(UInt8(ascii: ":")) else { return nil }
      let bit: UInt8
      switch member.count {
      case 2 where member.hasSameBytes(as: "id"):
        bit = 1
        scanner.skipSpace()
        guard let number = scanner.integer() else { return nil }
        id = number
      case 7 where member.hasSameBytes(as: "jsonrpc"):
        bit = 2
        guard let version = scanner.string(), version.hasSameBytes(as: "2.0") else { return nil }
      case 6 where member.hasSameBytes(as: "method"):
        bit = 4
        guard let name = scanner.string(), let method = Self.method({ name.hasSameBytes(as: $0) }) else { return nil }
        self.method = method
      case 6 where member.hasSameBytes(as: "params"):
        bit = 8
        guard readParams(&scanner, &nameKind) else { return nil }
      default:
        return nil
      }
      guard seen & bit == 0 else { return nil }
      seen |= bit
    } while scanner.consume(UInt8(ascii: ","))
    guard seen == 15, scanner.consume(UInt8(ascii: "}")), scanner.isAtEnd() else { return nil }
    // The required members depend on the method, which may come after them.
    guard nameKind == (method == .actionTap ? .action : .field), (value != nil) == (method == .fieldChange) else {
      return nil
    }
  }

  /// The method that a text names; nil if no plain input has that name.
  @inline(__always)
  private static func method(_ isNamed: (StaticString) -> Bool) -> Method? {
    if isNamed(FieldChangeParams.name) { return .fieldChange }
    if isNamed(FieldBlurParams.name) { return .fieldBlur }
    if isNamed(FieldFocusParams.name) { return .fieldFocus }
    if isNamed(ActionTapParams.name) { return .actionTap }
    return nil
  }

  private enum NameKind {
    case none, field, action
  }

  private mutating func readParams(_ scanner: inout Scanner, _ nameKind: inout NameKind) -> Bool {
    guard scanner.consume(UInt8(ascii: "{")) else { return false }
    repeat {
      guard let member = scanner.string(), scanner.consume(UInt8(ascii: ":")) else { return false }
      switch member.count {
      case 7 where member.hasSameBytes(as: "session"):
        scanner.skipSpace()
        guard session == nil, let number = scanner.integer() else { return false }
        session = number
      case 5 where member.hasSameBytes(as: "field"):
        guard nameKind == .none, let text = scanner.string() else { return false }
        name = text
        nameKind = .field
      case 5 where member.hasSameBytes(as: "value"):
        guard value == nil, let text = scanner.string() else { return false }
        value = text
      case 6 where member.hasSameBytes(as: "action"):
        guard nameKind == .none, let text = scanner.string() else { return false }
        name = text
        nameKind = .action
      default:
        return false
      }
    } while scanner.consume(UInt8(ascii: ","))
    return scanner.consume(UInt8(ascii: "}"))
  }

  /// Steps through a text.
  private struct Scanner {
    var position: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>

    @inline(__always)
    mutating func skipSpace() {
      while position < end, position.pointee <= 0x20,
        position.pointee == 0x20 || position.pointee == 0x0a || position.pointee == 0x0d || position.pointee == 0x09
      { position += 1 }
    }

    /// Whether that byte is next, white space aside; then it is consumed.
    @inline(__always)
    mutating func consume(_ byte: UInt8) -> Bool {
      skipSpace()
      guard position < end, position.pointee == byte else { return false }
      position += 1
      return true
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

    @inline(__always)
    mutating func isAtEnd() -> Bool {
      skipSpace()
      return position == end
    }

    /// A string of ASCII without escapes or control characters, white space before it aside.
    mutating func string() -> UnsafeBufferPointer<UInt8>? {
      guard consume(UInt8(ascii: "\"")) else { return nil }
      let text = characters()
      // White space in a string is not white space around it.
      return skip("\"") ? text : nil
    }

    /// The characters of a string up to the first one that ends it or is not allowed in it. A caller that skips a quote
    /// next finds out which.
    @inline(__always)
    mutating func characters() -> UnsafeBufferPointer<UInt8> {
      let start = position
      while end - position >= 8 {
        let block = EightBytes(at: position)
        let stop = EightBytes.first(of: block.escapes | block.nonASCII)
        position += stop
        if stop < 8 { return UnsafeBufferPointer(start: start, count: position - start) }
      }
      while position < end, position.pointee >= 0x20, position.pointee < 0x80, position.pointee != UInt8(ascii: "\""),
        position.pointee != UInt8(ascii: "\\")
      { position += 1 }
      return UnsafeBufferPointer(start: start, count: position - start)
    }

    /// A number of at most 15 digits, without a sign, a leading zero, a fraction or an exponent.
    @inline(__always)
    mutating func integer() -> Int64? {
      // Most numbers have fewer than eight digits, and enough bytes after them: they are read all at once.
      guard end - position >= 8 else { return longInteger() }
      let block = EightBytes(at: position)
      let count = block.digitCount
      guard count < 8 else { return longInteger() }
      guard count > 0, count == 1 || position.pointee != UInt8(ascii: "0"), Self.endsNumber(position[count]) else {
        return nil
      }
      position += count
      return Int64(block.number(ofDigits: count))
    }

    /// Reads any number, digit by digit.
    @inline(never)
    private mutating func longInteger() -> Int64? {
      let start = position
      var number: Int64 = 0
      while position < end, position - start < 16, position.pointee &- 48 <= 9 {
        number = number &* 10 &+ Int64(position.pointee &- 48)
        position += 1
      }
      let digits = position - start
      guard digits > 0, digits < 16, digits == 1 || start.pointee != 48, position < end,
        Self.endsNumber(position.pointee)
      else { return nil }
      return number
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
}
