internal import Forms
internal import JSON
package import SourceTexts

/// The result of one test file.
package struct FileResult: Sendable {
  /// The path of the file, as the user named it.
  package var path: String
  /// The results of the file's cases, in order; empty if the cases could not run.
  package var cases: [CaseResult] = []
  /// The reasons why the cases could not run: problems of the file, or of its form.
  package var problems: [Diagnostic] = []
  /// The coverage of the form, with the form's file; nil if it was not requested.
  package var coverage: (form: String, report: CoverageReport, text: ScannedText)?

  /// The least share of the form that the cases must reach, in percent; nil if any is enough.
  package var coverageMin: Int?

  /// A result without cases.
  package init(path: String) { self.path = path }

  /// What is wrong with the coverage: `forms/a.form.json: the cases reach 80 % of the form, less than 90 %`; nil if it
  /// is enough.
  package var lackOfCoverage: String? {
    guard let coverage, let coverageMin, coverage.report.percent < coverageMin else { return nil }
    return "\(coverage.form): the cases reach \(coverage.report.percent) % of the form, less than \(coverageMin) %"
  }

  /// The number of passed cases.
  package var passedCount: Int { cases.count { $0.failure == nil } }
  /// The number of failed cases. A file whose cases cannot run counts as one.
  package var failedCount: Int { cases.count - passedCount + (problems.isEmpty ? 0 : 1) }
}

extension FileResult {
  /// The lines about coverage: the share that is reached, then a line for each gap. Empty if it was not requested.
  var coverageLines: [String] {
    guard let (form, report, text) = coverage else { return [] }
    let lines =
      ["\(form): \(report.reachedCount) of \(report.count) reached"]
      + [lackOfCoverage].compactMap(\.self)
      + report.gaps.map { "\(form):\(text.position(of: $0.pointer)): \($0.text)" }
    // A formula may have several lines.
    return lines.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
  }
}

extension [FileResult] {
  /// `12 passed, 1 failed`.
  package var totals: String {
    "\(reduce(0) { $0 + $1.passedCount }) passed, \(reduce(0) { $0 + $1.failedCount }) failed"
  }
}

extension CaseFailure.Moment {
  /// The moment, for people: `step 2, tap login`.
  package var text: String {
    switch self {
    case .opening: "when the session was opened"
    case .step(let number, let summary): "step \(number), \(summary)"
    case .end: "at the end"
    }
  }
}

extension Deviation {
  /// The deviation in lines: the location, the expected value and the actual value.
  package var lines: [String] {
    let name = pointer.tokens.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: " ")
    switch kind {
    case .remark(let text):
      let lines = text.split(separator: "\n").map(String.init)
      return name.isEmpty ? lines.prefix(1) + lines.dropFirst().map { "  " + $0 } : [name] + lines.map { "  " + $0 }
    case .value(let expected, let got):
      let texts = Self.texts(expected, got)
      return [name, "  expected  \(texts.expected)", "  got       \(texts.got)"]
    }
  }

  /// The values as people read them. If they differ only by the kind of a space, as in numbers that a language writes
  /// with no-break spaces, all spaces but U+0020 are escapes of JSON: `1\u202f000`.
  private static func texts(_ expected: JSON, _ got: JSON?) -> (expected: String, got: String) {
    let texts = (expected == .null ? "nothing" : expected.description, got.map(\.description) ?? "nothing")
    guard texts.0 != texts.1, spaced(texts.0, { _ in " " }) == spaced(texts.1, { _ in " " }) else { return texts }
    func escaped(_ space: Unicode.Scalar) -> String {
      let digits = String(space.value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
    return (spaced(texts.0, escaped), spaced(texts.1, escaped))
  }

  /// The text with other texts for its spaces, except U+0020.
  private static func spaced(_ text: String, _ space: (Unicode.Scalar) -> String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      let isSpace = scalar != " " && scalar.properties.generalCategory == .spaceSeparator
      result += isSpace ? space(scalar) : String(scalar)
    }
  }
}

extension Deviation.Subject {
  /// The subject, for people: `field email`.
  package var text: String {
    switch self {
    case .form: "the form"
    case .field(let address): "field \(address)"
    case .step(let id): "step \(id)"
    case .lookup(let name): "lookup \(name)"
    case .action(let name): "action \(name)"
    case .output(let name): "output \(name)"
    }
  }
}

extension CaseFailure {
  /// The failure in lines without indentation. The deviations with line and column in the file come first, then the
  /// engine's explanations.
  package func lines(file: String) -> [String] {
    var lines: [String] = []
    for (deviation, _, position) in deviations {
      let told = deviation.lines
      lines.append("\(file):\(position): \(told.first ?? "")")
      lines += told.dropFirst()
    }
    lines += faults
    for (subject, says) in explanations {
      lines.append("the engine's explanation of \(subject.text):")
      lines += says.indentedText.split(separator: "\n").map { "  " + $0 }
    }
    return lines
  }
}
