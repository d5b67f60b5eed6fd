/// A line for people, with styles for its parts.
package struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The meaning of a part's style.
  package enum Style: Hashable, Sendable {
    case plain
    /// Questions and headings.
    case strong
    /// Less important texts: help, hints.
    case faint
    /// Errors.
    case wrong
    /// Warnings about accepted values.
    case warning
    /// The current choice.
    case chosen

    /// The parameters of "select graphic rendition" (ECMA-48, SGR); nil for the default style.
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

  /// The parts, in order. They contain no control characters.
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
  /// Texts and values of a form come from anywhere. Control characters are replaced, so that they cannot control the
  /// terminal.
  package mutating func add(_ text: String, _ style: Style = .plain) {
    if !text.isEmpty { spans.append(Span(text: Self.shown(text), style: style)) }
  }

  /// The text without control characters (C0, DEL, C1). Line breaks and tabs become spaces, carriage returns are
  /// removed, and others become question marks.
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

  /// The line as bytes for a terminal, with styles if it shows color.
  package func rendered(hasColor: Bool) -> String {
    spans.map { Self.rendered($0.text, $0.style, hasColor: hasColor) }.joined()
  }

  static func rendered(_ text: String, _ style: Style, hasColor: Bool) -> String {
    guard hasColor, !text.isEmpty, let rendition = style.rendition else { return text }
    return "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
  }
}
