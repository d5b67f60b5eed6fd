internal import JSON
internal import SourceTexts

/// The meaning of YAML's scalars (YAML 1.2.2, section 10.3, "Core Schema").
enum CoreSchema {
  /// What is wrong with a scalar.
  struct Complaint: Error {
    var code: SyntaxProblem.Code
    var message: String
    /// The probable value in spite of the problem; nil if it is unknown.
    var value: JSON?
  }

  /// The value of a scalar.
  ///
  /// - Parameters:
  ///   - text: its content.
  ///   - isPlain: whether it has no quotes and is not a block.
  ///   - tag: the tag that the parser resolved; nil if none is written.
  ///   - numbers: the handling of numbers that neither 64 bits nor a double hold.
  static func value(
    _ text: String,
    isPlain: Bool,
    tag: String?,
    numbers: JSONNumbers
  ) throws(Complaint) -> JSON {
    guard let tag else { return isPlain ? try plain(text, numbers) : .string(text) }
    switch tag {
    case "!", "tag:yaml.org,2002:str": return .string(text)
    case "tag:yaml.org,2002:null", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int":
      let value = try plain(text, numbers)
      if "tag:yaml.org,2002:\(typeName(of: value))" == tag { return value }
    case "tag:yaml.org,2002:float":
      let value = try plain(text, numbers)
      if case .decimal = value { return value }
      if let real = value.doubleValue { return .real(real) }
    default:
      let value: JSON = isPlain ? (try? plain(text, numbers)) ?? .string(text) : .string(text)
      let advice = tag.hasPrefix("!") ? "put a text that begins with ! in quotes, or remove the tag" : "remove it"
      throw Complaint(code: .tag, message: "JSON has no tag \(shortened(tag)); \(advice)", value: value)
    }
    throw Complaint(
      code: .tag,
      message: "the value does not match its tag; remove the tag, or change the value",
      value: .string(text)
    )
  }

  private static func typeName(of value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .integer: "int"
    case .decimal(let number) where number.isWrittenAsInteger: "int"
    default: "other"
    }
  }

  private static func shortened(_ tag: String) -> String {
    tag.unicodeScalars.count > 60 ? String(String.UnicodeScalarView(tag.unicodeScalars.prefix(60))) + "..." : tag
  }

  /// The value of a plain scalar without a tag.
  private static func plain(_ text: String, _ numbers: JSONNumbers) throws(Complaint) -> JSON {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
      throw Complaint(code: .number, message: "JSON has no \(text); write a number, or null")
    default: return try number(Array(text.utf8), numbers) ?? .string(text)
    }
  }

  /// The number of a plain scalar; nil if it is not a number.
  private static func number(_ text: [UInt8], _ numbers: JSONNumbers) throws(Complaint) -> JSON? {
    var rest = text[...]
    if text.count > 2, text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "o") || text[1] == UInt8(ascii: "x") {
      let radix = text[1] == UInt8(ascii: "o") ? 8 : 16
      let digits = String(decoding: text.dropFirst(2), as: UTF8.self)
      guard digits.utf8.allSatisfy({ $0.digit.map { $0 < radix } ?? false }) else { return nil }
      if let value = Int64(digits, radix: radix) { return .integer(value) }
      throw Complaint(code: .integerRange, message: "the integer has more than 64 bits; write it as a text, in quotes")
    }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    func skipDigits() -> Int {
      let count = rest.count
      while let digit = rest.first?.digit, digit < 10 { rest.removeFirst() }
      return count - rest.count
    }
    let whole = skipDigits()
    if whole > 0, rest.isEmpty {
      let digits = String(decoding: text, as: UTF8.self)
      if let value = Int64(digits) { return .integer(value) }
      if numbers == .exact, let value = exact(text) { return value }
      throw Complaint(
        code: .integerRange,
        message: "an integer has 64 bits; write it as a text, in quotes",
        value: Double(digits).flatMap { $0.isFinite ? .real($0) : nil }
      )
    }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = skipDigits()
      if whole + fraction == 0 { return nil }
    } else if whole == 0 {
      return nil
    }
    if let sign = rest.first, sign | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      if skipDigits() == 0 { return nil }
    }
    guard rest.isEmpty else { return nil }
    guard let value = Double(normal(text)), value.isFinite else {
      if numbers == .exact, let value = exact(text) { return value }
      throw Complaint(code: .realRange, message: "the number is too large; write it as a text, in quotes")
    }
    return .real(value)
  }

  /// A number of any length as JSON reads it, which has no plus sign and no zeros before a number.
  private static func exact(_ text: [UInt8]) -> JSON? {
    var digits = Array(normal(text).utf8)
    let sign = digits.first == UInt8(ascii: "-") ? 1 : 0
    if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    while digits.count > sign + 1, digits[sign] == UInt8(ascii: "0"), digits[sign + 1].digit.map({ $0 < 10 }) == true {
      digits.remove(at: sign)
    }
    return try? JSON(parsing: digits, numbers: .exact)
  }

  /// A number as `Double` reads it: with digits on both sides of its point.
  private static func normal(_ text: [UInt8]) -> String {
    guard let point = text.firstIndex(of: UInt8(ascii: ".")) else { return String(decoding: text, as: UTF8.self) }
    var digits = text
    if point + 1 == text.count || (text[point + 1].digit.map { $0 >= 10 } ?? true) {
      digits.insert(UInt8(ascii: "0"), at: point + 1)
    }
    if point == 0 || text[point - 1].digit == nil { digits.insert(UInt8(ascii: "0"), at: point) }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a digit, of up to 16; nil for anything else.
  fileprivate var digit: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
