internal import JSON
internal import SourceTexts

/// A code quality report of GitLab ("Code Quality", "Code Quality report format"): an array of findings with
/// fingerprints. A merge request distinguishes new findings from old ones by them.
struct GitLabReporter: FindingReporter {
  /// The root of the files: GitLab looks for them relative to it.
  let folder: String
  private var fingerprints = Fingerprints()
  private var isFirst = true

  init(folder: String) {
    self.folder = folder
  }

  mutating func begin() -> String { "[" }

  mutating func report(_ file: FileFindings) -> String {
    var findings = file.findings.map { ($0, $0.diagnostic.severity == .error ? "major" : "minor") }
    if let trouble = file.trouble {
      // A file that could not be judged is a finding, because it hides possible findings.
      findings.append((Finding(Diagnostic(file: file.file, code: "unjudged", message: trouble)), "critical"))
    }
    var text = ""
    for (finding, severity) in findings {
      let path = ReportedPath.path(finding.diagnostic.file ?? file.file, from: folder)
      let position = finding.diagnostic.position ?? LineColumn(line: 1, column: 1)
      let issue: JSON = [
        "description": .string(finding.statement), "check_name": .string(finding.diagnostic.code),
        "fingerprint": .string(fingerprints.print(of: finding, in: path)), "severity": .string(severity),
        "location": ["path": .string(path), "lines": ["begin": .integer(Int64(position.line))]],
      ]
      text += (isFirst ? "\n" : ",\n") + issue.description
      isFirst = false
    }
    return text
  }

  mutating func end(_ summary: RunSummary) -> String { "\n]\n" }
}
