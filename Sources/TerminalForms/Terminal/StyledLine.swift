/// A line for people: parts of it stand out.
package struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a part is meant.
  package enum Style: Hashable, Sendable {
    case plain
    /// What is asked, and headings.
    case strong
    /// What may be passed over: help, hints.
    case faint
    /// What is wrong.
    case wrong
    /// What is odd, and accepted.
    case warning
    /// What is chosen at present.
    case chosen

    /// The parameters of "select graphic rendition" (ECMA-48, SGR); nil for what looks as usual.
    var rendition: String? {
      switch self {
      case .plain: nil
      case .strong: "1"
      case .faint: "2"
      case .wrong: "31"
      case .warning: "33"
      case .chosen: "7"
      }
    }
  }

  /// A part of one style.
  package struct Span: Hashable, Sendable {
    package var text: String
    package var style: Style
  }

  /// The parts, in order. None has a control character.
  package private(set) var spans: [Span] = []

  /// A line of one style.
  package init(_ text: String, _ style: Style = .plain) {
    add(text, style)
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// Adds a part at the end.
  ///
  /// Texts of a form and values are anybody's: what could command the terminal is shown as a question mark.
  package mutating func add(_ text: String, _ style: Style = .plain) {
    if !text.isEmpty { spans.append(Span(text: Self.shown(text), style: style)) }
  }

  /// The text without control characters (C0, DEL, C1), line breaks included.
  static func shown(_ text: String) -> String {
    let isHarmless = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    if isHarmless { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": shown.append(" ")
      case "\r": break
      default: shown.append(scalar.properties.generalCategory == .control ? "?" : scalar)
      }
    }
    return String(shown)
  }

  /// The text without its styles.
  package var text: String { spans.map(\.text).joined() }

  /// The line as it is written: with its styles where the terminal is to show them.
  package func rendered(hasColor: Bool) -> String {
    spans.map { Self.rendered($0.text, $0.style, hasColor: hasColor) }.joined()
  }

  static func rendered(_ text: String, _ style: Style, hasColor: Bool) -> String {
    guard hasColor, !text.isEmpty, let rendition = style.rendition else { return text }
    return "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
  }
}
