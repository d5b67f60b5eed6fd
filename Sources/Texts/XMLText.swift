/// Texts as XML 1.0 writes them. Characters that it does not have (section 2.2) become U+FFFD.
package enum XMLText {
  /// The text between tags.
  package static func content(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The same in an attribute's quotes; line breaks would be read as spaces.
  package static func attribute(_ value: String) -> String {
    var escaped = ""
    for scalar in content(value).unicodeScalars {
      switch scalar {
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
