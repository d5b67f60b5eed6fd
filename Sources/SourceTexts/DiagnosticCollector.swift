package import JSON
internal import Texts

/// Gathers the problems of one text; reading goes on behind each, so that an author sees many at once.
package struct DiagnosticCollector: Sendable {
  /// The largest number of errors, and of warnings, that are kept. A text with more is broken at one point, which the
  /// first ones show.
  package static let countMax = 100

  /// The text's file, if it has one.
  package let file: String?
  /// The text, with the positions of its values; nil when the value came without a text.
  package let text: ScannedText?
  private var kept: [Diagnostic] = []
  /// How many errors were reported, kept or not.
  package private(set) var errorCount = 0
  /// How many warnings were reported, kept or not.
  package private(set) var warningCount = 0

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - file: its name in the diagnostics.
  ///   - text: nil when the value came without a text, and diagnostics get no position.
  package init(file: String?, text: ScannedText?) {
    self.file = file
    self.text = text
  }

  /// The same text, and nothing reported yet.
  package var emptied: DiagnosticCollector {
    var empty = self
    empty.kept = []
    empty.errorCount = 0
    empty.warningCount = 0
    return empty
  }

  /// The reported diagnostics, in order: the first ``countMax`` of each severity, and behind them how many more there
  /// were.
  package var diagnostics: [Diagnostic] {
    kept
      + [(Diagnostic.Severity.error, errorCount), (.warning, warningCount)].compactMap { severity, count in
        count > Self.countMax ? Diagnostic(more: count - Self.countMax, severity, file: file) : nil
      }
  }

  /// Whether one of the diagnostics is an error.
  package var hasErrors: Bool { errorCount > 0 }

  /// Whether a further error would only be counted: then its words need not be found.
  package var isFull: Bool { errorCount >= Self.countMax }

  /// The same for a problem of that severity.
  package func isFull(of severity: Diagnostic.Severity) -> Bool {
    switch severity {
    case .error: isFull
    case .warning: warningCount >= Self.countMax
    }
  }

  /// The part of the text at which a problem is shown.
  package enum Spot {
    /// At the value.
    case value
    /// At the member's name.
    case name
    /// At a value that lacks a member. The stretch is the name of the value, or its opening bracket: the whole value
    /// would be too much.
    case lack
    /// Inside a string, that many code points after its first; the stretch consists of those code points.
    case codePoint(Int, Range<Int>)
  }

  /// The stretch of the text for that part; nil without a text.
  package func span(of pointer: JSONPointer, _ spot: Spot = .value) -> TextSpan? {
    text.map { TextSpan(range(of: pointer, spot, in: $0), of: $0.source) }
  }

  private func range(of pointer: JSONPointer, _ spot: Spot, in text: ScannedText) -> Range<Int> {
    let node = text.nearestNode(to: pointer)
    let isThere = text.node(at: pointer) != nil
    switch spot {
    case .value:
      // A missing value is shown at the value around it.
      return isThere ? node.range : range(ofLackIn: node)
    case .name: return isThere ? node.keyRange ?? node.range : range(ofLackIn: node)
    case .lack: return range(ofLackIn: node)
    case .codePoint(_, let extent):
      guard let start = text.offset(at: pointer, codePoint: extent.lowerBound),
        let end = text.offset(at: pointer, codePoint: extent.upperBound)
      else { return node.range }
      return start..<max(start, end)
    }
  }

  private func range(ofLackIn node: ScannedNode) -> Range<Int> {
    if let name = node.keyRange { return name }
    guard node.kind == .object || node.kind == .array else { return node.range }
    return node.range.lowerBound..<node.range.lowerBound + 1
  }

  private func position(of pointer: JSONPointer, _ spot: Spot) -> LineColumn? {
    guard let text else { return nil }
    switch spot {
    case .value, .lack: return text.position(of: pointer)
    case .name: return text.positionOfName(pointer)
    case .codePoint(let count, _):
      return text.offset(at: pointer, codePoint: count).map(text.source.position(of:)) ?? text.position(of: pointer)
    }
  }

  /// Notes a problem of the value at `pointer`.
  package mutating func report(
    _ code: String,
    at pointer: JSONPointer,
    spot: Spot = .value,
    _ message: String,
    remedy: Remedy? = nil,
    severity: Diagnostic.Severity = .error,
    related: [Diagnostic.Related] = []
  ) {
    guard counts(severity) else { return }
    var diagnostic = Diagnostic(
      file: file,
      pointer: pointer,
      position: position(of: pointer, spot),
      span: span(of: pointer, spot),
      code: code,
      message: message,
      remedy: remedy,
      severity: severity
    )
    diagnostic.related = related
    kept.append(diagnostic)
  }

  /// Notes a problem whose position is known.
  package mutating func report(_ diagnostic: Diagnostic) {
    if counts(diagnostic.severity) { kept.append(diagnostic) }
  }

  /// Notes the problems of the text itself.
  package mutating func reportProblemsOfText() {
    guard let text else { return }
    for problem in text.problems { report(Diagnostic(problem, of: text.source, file: file)) }
    errorCount += text.problemCount - text.problems.count
  }

  /// Counts a problem; whether it is kept, too.
  private mutating func counts(_ severity: Diagnostic.Severity) -> Bool {
    switch severity {
    case .error:
      errorCount += 1
      return errorCount <= Self.countMax
    case .warning:
      warningCount += 1
      return warningCount <= Self.countMax
    }
  }
}

extension Diagnostic {
  /// Says how many more problems there were than reported: `and 9,900 more errors`. The code is `more`.
  package init(more count: Int, _ severity: Severity, file: String?) {
    let noun = "\(severity.rawValue)\(count == 1 ? "" : "s")"
    self.init(file: file, code: "more", message: "and \(count.grouped) more \(noun)", severity: severity)
  }
}
