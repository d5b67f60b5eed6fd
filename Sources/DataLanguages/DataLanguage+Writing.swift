internal import JSON
internal import SourceTexts

extension DataLanguage {
  /// A member's name as the language writes it: in quotes if they are needed, and never in an environment, which has
  /// none.
  public func written(name: String) -> String { self == .env ? name : written(text: name) }

  /// A text as the language writes it: in quotes if they are needed.
  public func written(text: String) -> String {
    needsQuotes(text) ? JSON.string(text).description : text
  }

  /// Words that readers of YAML 1.1 take for Booleans.
  private static let truthsOfYAML11 = ["y", "n", "yes", "no", "on", "off"]

  /// Whether a text without quotes could mean anything but itself. A text that does not begin with a letter is always
  /// written in quotes: readers of YAML 1.1 know more numbers and dates than the core schema, and shells more marks.
  private func needsQuotes(_ text: String) -> Bool {
    guard let first = text.utf8.first, first >= 0x80 || first == UInt8(ascii: "_") || (65...90).contains(first & 0xdf)
    else { return true }
    let member: JSONObject = ["a": .string(text)]
    switch self {
    case .json, .jsonc: return true
    case .yaml:
      if Self.truthsOfYAML11.contains(text.lowercased()) { return true }
      // As a value, as a name, and between brackets.
      return !means("a: \(text)", .object(member)) || !means("\(text): a", .object([text: "a"]))
        || !means("[\(text)]", [.string(text)])
    case .env:
      let isWord = text.utf8.allSatisfy { $0 >= 0x80 || $0.isWordOfShells }
      return !isWord || !means("a=\(text)", .object(member))
    }
  }

  private func means(_ text: String, _ value: JSON) -> Bool {
    let read = ScannedText(SourceText(text), language: self)
    return read.problemCount == 0 && read.value == value
  }
}

extension UInt8 {
  /// Whether shells take it for itself.
  fileprivate var isWordOfShells: Bool {
    (65...90).contains(self & 0xdf) || (48...57).contains(self) || "_-./".utf8.contains(self)
  }
}
