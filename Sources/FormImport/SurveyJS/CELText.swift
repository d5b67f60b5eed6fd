/// Writes parts of CEL.
enum CELText {
  /// A text constant, in single quotes.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// A number constant of the type double.
  static func number(_ number: Double) -> String {
    let text = "\(number)"
    return text.contains(".") || text.contains("e") ? text : text + ".0"
  }

  /// A number without a needless `.0`, as JavaScript writes it.
  static func plain(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return "\(number)"
  }

  private static let reserved: Set<String> = [
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
    "loop", "package", "namespace", "return", "var", "void", "while",
  ]

  /// Whether a name can stand behind a point.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first), !reserved.contains(name) else { return false }
    return name.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
    }
  }

  /// A member of an object.
  static func member(_ name: String, of object: String) -> String {
    isPlain(name) ? "\(object).\(name)" : "\(object)[\(quoted(name))]"
  }
}
