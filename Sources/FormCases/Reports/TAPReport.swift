internal import JSON
internal import SourceTexts

/// The results in the Test Anything Protocol, version 14 (testanything.org), which test harnesses read.
package enum TAPReport {
  /// All lines, the plan first.
  package static func lines(for results: [FileResult]) -> [String] {
    var lines: [String] = []
    var number = 0
    for result in results {
      for testCase in result.cases {
        number += 1
        let name = escape("\(result.path): \(testCase.name)")
        guard let failure = testCase.failure else {
          lines.append("ok \(number) - \(name)")
          continue
        }
        lines.append("not ok \(number) - \(name)")
        lines += block(failure.moment.text, failure.lines(file: result.path))
      }
      if !result.problems.isEmpty {
        number += 1
        lines.append("not ok \(number) - \(escape(result.path))")
        lines += block(
          "the cases cannot run",
          result.problems.flatMap { $0.description.split(separator: "\n").map(String.init) }
        )
      }
      lines += result.coverageLines.map { "# " + $0 }
    }
    return ["TAP version 14", "1..\(number)"] + lines + ["# \(results.totals)"]
  }

  /// A diagnostic block of YAML: texts in double quotes are JSON.
  private static func block(_ message: String, _ lines: [String]) -> [String] {
    ["  ---", "  message: \(JSON.string(message))", "  details:"] + lines.map { "    - \(JSON.string($0))" } + ["  ..."]
  }

  /// Escapes a backslash, and the sign that begins a directive, with a backslash.
  private static func escape(_ text: String) -> String {
    String(text.flatMap { $0 == "\\" || $0 == "#" ? ["\\", $0] : $0.isNewline ? [" "] : [$0] })
  }
}
