internal import Formats
internal import Times

extension Value: CustomStringConvertible {
  /// The value as an expression of the language would write it: `"a"`, `1u`, `[1, 2]`, `{"k": 1}`, `duration("5s")`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .uint(let value): text += "\(value)u"
    case .double(let value): text += value.literal
    case .string(let value): text += value.quotedLiteral
    case .bytes(let bytes): text += "b" + Self.bytesLiteral(bytes)
    case .list(let list):
      text += "["
      for (position, element) in list.enumerated() {
        if position > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .map(let map):
      text += "{"
      for (position, entry) in map.entries.enumerated() {
        if position > 0 { text += ", " }
        entry.key.write(to: &text)
        text += ": "
        entry.value.write(to: &text)
      }
      text += "}"
    case .timestamp(let value): text += "timestamp(\"\(value.rfc3339)\")"
    case .duration(let value): text += "duration(\"\(value.secondsText)\")"
    case .type(let value): text += value.name
    case .optional(let optional):
      if let value = optional.value {
        text += "optional.of("
        value.write(to: &text)
        text += ")"
      } else {
        text += "optional.none()"
      }
    case .abstract(let value): text += value.literal
    case .error(let error): text += "error(\(error))"
    case .unknown(let set): text += "unknown(\(set.attributes.joined(separator: ", ")))"
    }
  }

  private static func bytesLiteral(_ bytes: [UInt8]) -> String {
    var text = "\""
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7f: text.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16)
        text += "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text + "\""
  }
}

extension Double {
  /// The number as a literal; numbers without one are written as the conversion that yields them.
  var literal: String {
    guard isFinite else { return "double(\"\(celText)\")" }
    let text = celText
    return text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") } ? text : text + ".0"
  }
}

extension String {
  /// The text between double quotes, with non-printable characters escaped so that the language reads it back.
  var quotedLiteral: String { quoted(escapesEveryControl: true) }

  /// The text between double quotes, with quotation marks, backslashes and the control characters that have a short
  /// escape escaped.
  var quotedForDisplay: String { quoted(escapesEveryControl: false) }

  private func quoted(escapesEveryControl: Bool) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{7}": text += "\\a"
      case "\u{8}": text += "\\b"
      case "\u{c}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{b}": text += "\\v"
      case "\u{0}"..<"\u{20}" where escapesEveryControl, "\u{7f}"..<"\u{a0}" where escapesEveryControl:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
