internal import Forms
package import JSON

/// What became of one test file.
package struct FileResult: Sendable {
  /// The file, as it was named.
  package var path: String
  /// The results of its cases, in their order; empty when they could not run.
  package var cases: [CaseResult] = []
  /// Why they could not: what is wrong with the file, or with its form.
  package var faults: [Diagnostic] = []
  /// What of the form no case reaches, with the form's file; nil where nobody has asked.
  package var coverage: (form: String, report: CoverageReport, text: ScannedText)?

  /// A file of that path, of which nothing is known yet.
  package init(path: String) { self.path = path }

  /// How many cases are as they say.
  package var passedCount: Int { cases.count { $0.failure == nil } }
  /// How many are not. A file whose cases cannot run counts as one.
  package var failedCount: Int { cases.count - passedCount + (faults.isEmpty ? 0 : 1) }
}

extension FileResult {
  /// What of the form no case reaches, a line each: first how much is reached. Empty where nobody has asked.
  var coverageLines: [String] {
    guard let (form, report, text) = coverage else { return [] }
    let lines =
      ["\(form): \(report.reachedCount) of \(report.count) reached"]
      + report.gaps.map { "\(form):\(text.place(of: $0.pointer)): \($0.text)" }
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
  /// When that is: `step 2, tap login`.
  package var text: String {
    switch self {
    case .opening: "when the session was opened"
    case .step(let number, let summary): "step \(number), \(summary)"
    case .end: "at the end"
    }
  }
}

extension Deviation {
  /// What is wrong, in lines: the place, what was expected and what was there.
  package var lines: [String] {
    let name = place.tokens.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: " ")
    switch fault {
    case .remark(let text):
      let lines = text.split(separator: "\n").map(String.init)
      return name.isEmpty ? lines.prefix(1) + lines.dropFirst().map { "  " + $0 } : [name] + lines.map { "  " + $0 }
    case .value(let expected, let got):
      return [
        name, "  expected  \(expected == .null ? "nothing" : expected.description)",
        "  got       \(got.map(\.description) ?? "nothing")",
      ]
    }
  }
}

extension Deviation.Subject {
  /// What it is: `field email`.
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
  /// All there is to say, in lines without an indentation: what is wrong at which line and column of the file, then what the engine says.
  package func lines(file: String) -> [String] {
    var lines: [String] = []
    for (deviation, _, place) in deviations {
      let told = deviation.lines
      lines.append("\(file):\(place): \(told.first ?? "")")
      lines += told.dropFirst()
    }
    lines += faults
    for (subject, says) in explanations {
      lines.append("the engine says of \(subject.text):")
      lines += says.indentedText.split(separator: "\n").map { "  " + $0 }
    }
    return lines
  }
}
