internal import JSON
package import SourceTexts

/// A JSON object on its own line for each finding, and nothing else.
package struct JSONLinesReporter: FindingReporter {
  private let encoding: PositionEncoding

  /// - Parameter encoding: the unit of the characters in ranges.
  package init(encoding: PositionEncoding) {
    self.encoding = encoding
  }

  package mutating func begin() -> String { "" }

  package mutating func report(_ file: FileFindings) -> String {
    file.findings.map { $0.diagnostic.json(encoding: encoding).description + "\n" }.joined()
  }

  package mutating func end(_ summary: RunSummary) -> String { "" }
}
