internal import JSON
internal import SourceTexts
internal import Texts

/// The findings in one file.
package struct FileFindings: Sendable {
  /// The path of the file, as the user named it; `-` is standard input.
  package var file: String
  /// The reported findings, in order.
  package var findings: [Finding]
  /// The number of errors, reported or not.
  package var errors: Int
  /// The number of warnings, reported or not.
  package var warnings: Int
  /// Whether the file is wrong.
  package var isWrong: Bool
  /// The reason why the file could not be judged, with a hint; nil if it was judged.
  package var trouble: String?
  /// Additional lines for people, behind the findings.
  package var notes: [String] = []
  /// The message to people about a file without findings.
  package var praise: String?

  /// A file with those findings; an error among them makes it wrong.
  package init(file: String, _ findings: [Finding] = []) {
    self.file = file
    self.findings = findings
    errors = findings.count { $0.diagnostic.severity == .error }
    warnings = findings.count - errors
    isWrong = errors > 0
  }

  /// A file that could not be judged.
  package init(file: String, trouble: String) {
    self.init(file: file)
    self.trouble = trouble
  }
}

extension FileFindings {
  /// The outcome for a file.
  package enum Outcome: Sendable {
    /// The file is right; wrong; not judged.
    case fine, wrong, unjudged
  }

  /// The outcome. A file that could not be judged completely counts as not judged, even if it has findings.
  package var outcome: Outcome { trouble != nil ? .unjudged : isWrong ? .wrong : .fine }

  /// The number of findings that are not reported.
  var untold: Int { max(0, errors + warnings - findings.count) }
}

/// The totals of a run.
package struct RunSummary: Sendable, Equatable {
  /// Files that are right.
  package private(set) var fine = 0
  /// Files that are wrong.
  package private(set) var wrong = 0
  /// Files that could not be judged.
  package private(set) var unjudged = 0
  /// Errors in all files.
  package private(set) var errors = 0
  /// Warnings in all files.
  package private(set) var warnings = 0

  /// Totals without files.
  package init() {}

  /// The number of files.
  package var files: Int { fine + wrong + unjudged }

  /// Counts a file.
  package mutating func count(_ file: FileFindings) {
    errors += file.errors
    warnings += file.warnings
    switch file.outcome {
    case .fine: fine += 1
    case .wrong: wrong += 1
    case .unjudged: unjudged += 1
    }
  }

  /// The exit status: 2 if a file could not be judged, else 1 if a file is wrong, else 0.
  package var exitStatus: Int32 { unjudged > 0 ? 2 : wrong > 0 ? 1 : 0 }

  /// `12 files: 10 valid, 2 invalid; 3 errors, 1 warning`.
  package var text: String {
    var text = "\(counted(files, "file")): \(fine.grouped) valid, \(wrong.grouped) invalid"
    if unjudged > 0 { text += ", \(unjudged.grouped) not judged" }
    if errors + warnings > 0 { text += "; \(counts)" }
    return text
  }

  /// `3 errors, 1 warning`.
  var counts: String { "\(counted(errors, "error")), \(counted(warnings, "warning"))" }

  /// The numbers as a JSON object.
  var json: JSON {
    [
      "files": .integer(Int64(files)), "valid": .integer(Int64(fine)), "invalid": .integer(Int64(wrong)),
      "unjudged": .integer(Int64(unjudged)), "errors": .integer(Int64(errors)),
      "warnings": .integer(Int64(warnings)),
    ]
  }

  private func counted(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
  }
}
