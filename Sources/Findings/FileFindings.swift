internal import JSON
internal import Texts

/// What was found in one file.
package struct FileFindings: Sendable {
  /// The file as it was named; `-` is standard input.
  package var file: String
  /// What was found, in the order in which it is told.
  package var findings: [Finding]
  /// How many errors there are, told or not.
  package var errors: Int
  /// How many warnings there are, told or not.
  package var warnings: Int
  /// Whether the file is not as it has to be.
  package var isWrong: Bool
  /// Why nobody knows whether the file is as it has to be, and what to do; nil where that is known.
  package var trouble: String?
  /// What people are told besides, behind the findings: a line each.
  package var notes: [String] = []
  /// What people are told of the file when nothing was found.
  package var praise: String?

  /// A file in which that was found; errors among it make it wrong.
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
  /// What became of a file.
  package enum Outcome: Sendable {
    /// It is as it has to be; not so; nobody knows.
    case fine, wrong, unjudged
  }

  /// What became of it. Where nobody knows, what was found does not change that.
  package var outcome: Outcome { trouble != nil ? .unjudged : isWrong ? .wrong : .fine }

  /// How many findings are not told.
  var untold: Int { max(0, errors + warnings - findings.count) }
}

/// What became of all files of a run.
package struct RunSummary: Sendable, Equatable {
  /// Files that are as they have to be.
  package private(set) var fine = 0
  /// Files that are not.
  package private(set) var wrong = 0
  /// Files of which nobody knows.
  package private(set) var unjudged = 0
  /// Errors in all files.
  package private(set) var errors = 0
  /// Warnings in all files.
  package private(set) var warnings = 0

  /// No file yet.
  package init() {}

  /// How many files there are.
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

  /// The exit status: 2 where a file could not be judged, else 1 where one is wrong, else 0.
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
