internal import JSON
internal import SourceTexts

/// The lines that people read: `file:line:column: message`, followed by the totals.
package struct TextReporter: FindingReporter {
  /// The totals at the end.
  package enum Totals: Sendable {
    /// Nothing.
    case none
    /// The number of errors and warnings, if any.
    case counts
    /// The number of errors, warnings and files.
    case files
  }

  private let totals: Totals
  private let isQuiet: Bool
  private let hasColor: Bool

  /// - Parameters:
  ///   - totals: the totals at the end.
  ///   - isQuiet: whether only findings are printed.
  ///   - hasColor: whether a terminal shows the report in color.
  package init(totals: Totals, isQuiet: Bool, hasColor: Bool) {
    self.totals = totals
    self.isQuiet = isQuiet
    self.hasColor = hasColor
  }

  package mutating func begin() -> String { "" }

  package mutating func report(_ file: FileFindings) -> String {
    var text = ""
    for finding in file.findings {
      let name = finding.diagnostic.file ?? file.file
      for line in finding.lines {
        let position = [name, line.position?.description].compactMap { $0.map { "\($0):" } }.joined()
        text += String(repeating: "  ", count: line.depth) + colored(position, .bold)
        text += " \(words(line.text))\n"
      }
    }
    for note in file.notes { text += note + "\n" }
    if !isQuiet, file.outcome == .fine, file.findings.isEmpty, let praise = file.praise { text += praise + "\n" }
    return text
  }

  package mutating func end(_ summary: RunSummary) -> String {
    if isQuiet { return "" }
    switch totals {
    case .none: return ""
    case .counts: return summary.errors + summary.warnings > 0 ? summary.counts + "\n" : ""
    case .files: return summary.text + "\n"
    }
  }

  // MARK: Color

  /// ECMA-48, section 8.3.117 (SGR).
  private enum Rendition: String {
    case bold = "1"
    case red = "31"
    case magenta = "35"
  }

  private func words(_ text: String) -> String {
    for (severity, rendition) in [(Diagnostic.Severity.error, Rendition.red), (.warning, .magenta)] {
      let word = "\(severity.rawValue):"
      if text.hasPrefix(word) { return colored(word, rendition) + text.dropFirst(word.count) }
    }
    return text
  }

  private func colored(_ text: String, _ rendition: Rendition) -> String {
    hasColor ? "\u{1b}[\(rendition.rawValue)m\(text)\u{1b}[0m" : text
  }
}
