/// The numbers of a JSON text that neither 64 bits nor a double hold exactly. jansson refuses or rounds them.
///
/// So jansson reads the text with a zero and spaces in place of each of these numbers: all other bytes keep their
/// positions, and so does an error. Then the numbers are put into the value.
struct ExactNumbers {
  private struct Number {
    /// How many numbers precede it in the text.
    var position: Int
    var range: Range<Int>
    var value: JSONDecimal
  }

  /// A shorter number without an exponent has at most 15 digits, so an integer or a double is always exact.
  private static let checkedBytesMin = 17

  /// In the order of the text.
  private var numbers: [Number] = []

  /// The numbers of that text.
  ///
  /// The search ends at a number that cannot be in a valid text, because jansson reads no further. If jansson only
  /// rounds that number, it stays in the text: then it is a part of the error.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    var offset = 0
    var count = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset = Self.endOfString(at: offset, in: bytes)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard offset == 0 || Self.mayPrecedeNumber(bytes[offset - 1]) else { return }
        let (end, hasExponent) = Self.endOfNumber(at: offset, in: bytes)
        let isAlone = end == bytes.count || Self.mayFollowNumber(bytes[end])
        if hasExponent || end - offset >= Self.checkedBytesMin {
          let text = String(decoding: bytes[offset..<end], as: UTF8.self)
          if case .decimal(let value) = JSON(exactNumber: text), isAlone || value.isBeyondJansson {
            numbers.append(Number(position: count, range: offset..<end, value: value))
          }
        }
        guard isAlone else { return }
        count += 1
        offset = end
      default:
        offset += 1
      }
    }
  }

  /// Whether there are none.
  var isEmpty: Bool { numbers.isEmpty }

  /// The text for jansson.
  func replaced(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text = Array(bytes)
    for number in numbers {
      text[number.range.lowerBound] = UInt8(ascii: "0")
      for offset in number.range.dropFirst() { text[offset] = UInt8(ascii: " ") }
    }
    return text
  }

  /// The value of the text, made from the value that jansson has read.
  func restored(in value: JSON) -> JSON {
    var rest = numbers[...]
    var count = 0
    return Self.restored(in: value, &count, &rest)
  }

  /// - Parameters:
  ///   - count: how many numbers precede the value.
  ///   - rest: the numbers that are not in place yet.
  private static func restored(in value: JSON, _ count: inout Int, _ rest: inout ArraySlice<Number>) -> JSON {
    switch value {
    case .integer, .real, .decimal:
      defer { count += 1 }
      guard let number = rest.first, number.position == count else { return value }
      rest.removeFirst()
      return .decimal(number.value)
    case .array(let elements):
      return .array(elements.map { restored(in: $0, &count, &rest) })
    case .object(let members):
      return .object(
        JSONObject(
          uncheckedMembers: members.map {
            JSONObject.Member(name: $0.name, value: restored(in: $0.value, &count, &rest))
          }
        )
      )
    case .null, .bool, .string:
      return value
    }
  }

  // MARK: Tokens

  private static func mayPrecedeNumber(_ byte: UInt8) -> Bool {
    byte.isJSONSpace || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
  }

  private static func mayFollowNumber(_ byte: UInt8) -> Bool {
    byte.isJSONSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  private static func endOfString(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var offset = start + 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return offset + 1
  }

  /// The end of the longest number that begins there (RFC 8259, section 6). A minus sign alone counts as one.
  private static func endOfNumber(
    at start: Int,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> (end: Int, hasExponent: Bool) {
    func isDigit(_ offset: Int) -> Bool {
      offset < bytes.count && bytes[offset] >= UInt8(ascii: "0") && bytes[offset] <= UInt8(ascii: "9")
    }
    func endOfDigits(_ offset: Int) -> Int {
      var end = offset
      while isDigit(end) { end += 1 }
      return end
    }
    let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    guard isDigit(first) else { return (first, false) }
    var end = bytes[first] == UInt8(ascii: "0") ? first + 1 : endOfDigits(first)
    if end < bytes.count, bytes[end] == UInt8(ascii: "."), isDigit(end + 1) { end = endOfDigits(end + 1) }
    guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return (end, false) }
    let sign = end + 1
    let isSigned = sign < bytes.count && (bytes[sign] == UInt8(ascii: "-") || bytes[sign] == UInt8(ascii: "+"))
    let digits = isSigned ? sign + 1 : sign
    return isDigit(digits) ? (endOfDigits(digits), true) : (end, false)
  }
}

extension JSONDecimal {
  /// Whether jansson refuses it. It rounds other numbers to doubles.
  fileprivate var isBeyondJansson: Bool { isWrittenAsInteger || !doubleValue.isFinite }
}

extension JSON {
  /// The number of a text that is one (RFC 8259, section 6): an integer or a double if that is exactly the written
  /// number, else a decimal.
  fileprivate init(exactNumber text: String) {
    let decimal = JSONDecimal(text)
    if decimal.isWrittenAsInteger {
      self = Int64(text).map { .integer($0) } ?? .decimal(decimal)
    } else if let real = Double(text), real.isFinite, decimal.digits == DecimalDigits(real) {
      self = .real(real)
    } else {
      self = .decimal(decimal)
    }
  }
}
