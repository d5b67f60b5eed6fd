internal import JSON
internal import SourceTexts

/// The results for people: the failures and their reasons, then the totals.
package enum PeopleReport {
  /// The lines for one file.
  ///
  /// - Parameter isVerbose: whether passed cases are listed, too.
  package static func lines(for result: FileResult, isVerbose: Bool) -> [String] {
    var lines: [String] = []
    if result.problems.isEmpty {
      lines.append("\(result.path): \(result.passedCount) of \(result.cases.count) passed")
    } else {
      lines += result.problems.map(\.description)
    }
    for testCase in result.cases {
      guard let failure = testCase.failure else {
        if isVerbose { lines.append("  passed: \(testCase.name)") }
        continue
      }
      lines.append("  FAILED: \(testCase.name) (\(failure.moment.text))")
      lines += failure.lines(file: result.path).map { "    " + $0 }
    }
    let coverage = result.coverageLines
    return lines + coverage.prefix(1) + coverage.dropFirst().map { "  " + $0 }
  }
}
