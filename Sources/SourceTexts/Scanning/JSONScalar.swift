internal import JSON
internal import Texts

/// A word where a value is expected: a literal, a number, or something that is neither.
struct JSONScalar {
  /// The value, exactly as jansson reads it if it is JSON; nil if it is unknown.
  let value: JSON?
  /// The problem; nil if the text is JSON.
  private let complaint: (code: SyntaxProblem.Code, message: String, replacement: String?)?
  private let text: String

  /// Reads a word, which has no white space around it.
  init(_ bytes: ArraySlice<UInt8>) {
    text = String(decoding: bytes, as: UTF8.self)
    switch text {
    case "true": (value, complaint) = (true, nil)
    case "false": (value, complaint) = (false, nil)
    case "null": (value, complaint) = (.null, nil)
    case _ where Self.isNumber(bytes): (value, complaint) = Self.number(text)
    default: (value, complaint) = Self.mistake(text)
    }
  }

  /// Whether more letters could make it JSON, even if it already is.
  var mayGoOn: Bool {
    // A first zero is not followed by digits, but by a fraction.
    ["true", "false", "null"].contains { $0.hasPrefix(text) && $0 != text }
      || ["0", ".0"].contains { Self.isNumber(Array("\(text)\($0)".utf8)[...]) }
  }

  /// The problem at that range.
  func problem(at range: Range<Int>) -> SyntaxProblem? {
    complaint.map { SyntaxProblem($0.code, at: range, $0.message, replacement: $0.replacement) }
  }

  /// Whether those bytes are a number (RFC 8259, section 6).
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false }
    func skipDigits() -> Bool {
      let count = rest.count
      while isDigit(rest.first) { rest.removeFirst() }
      return rest.count < count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    if rest.first == UInt8(ascii: "0") {
      rest.removeFirst()
    } else {
      guard skipDigits() else { return false }
    }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard skipDigits() else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  private typealias Reading = (JSON?, (SyntaxProblem.Code, String, String?)?)

  private static func number(_ text: String) -> Reading {
    let isInteger = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    if isInteger, let integer = Int64(text) { return (.integer(integer), nil) }
    guard let real = Double(text), real.isFinite else {
      let code: SyntaxProblem.Code = isInteger ? .integerRange : .realRange
      return (nil, (code, "the number is too large; write it as a text, in quotes", "\"\(text)\""))
    }
    if !isInteger { return (.real(real), nil) }
    let message =
      "an integer has 64 bits; write it as a text, in quotes, or with a fraction: \(SyntaxProblem.excerpt(text)).0"
    return (.real(real), (.integerRange, message, nil))
  }

  private static func mistake(_ text: String) -> Reading {
    switch text.lowercased() {
    case "true": return (true, (.unknownWord, "write true", "true"))
    case "false": return (false, (.unknownWord, "write false", "false"))
    case "null", "none", "nil", "undefined": return (.null, (.unknownWord, "write null", "null"))
    case "nan", "infinity", "-infinity", "+infinity", "-inf", "+inf", "inf":
      return (nil, (.number, "JSON has no \(SyntaxProblem.excerpt(text)); write a number, or null", nil))
    default: break
    }
    let quoted = JSON.string(text).description
    let isNumeric = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isNumeric else {
      if let word = closestName(to: text.lowercased(), among: ["true", "false"]) {
        let message = "this is not a JSON value; write \(word), or \(SyntaxProblem.excerpt(quoted)) for a text"
        return (nil, (.unknownWord, message, word))
      }
      return (nil, (.unknownWord, "a text needs quotes; write \(SyntaxProblem.excerpt(quoted))", quoted))
    }
    guard let real = Double(text), real.isFinite else {
      return (nil, (.number, "this is not a number; write digits, or a text in quotes", nil))
    }
    let value: JSON = Int64(text).map { .integer($0) } ?? .real(real)
    return (value, (.number, "a number is written \(value)", value.description))
  }
}
