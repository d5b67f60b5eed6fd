internal import JSON
internal import SourceTexts

/// Workflow commands of GitHub Actions ("Workflow commands", `error` and `warning`): annotations of the lines of a
/// change. Other output goes to the log.
struct GitHubReporter: FindingReporter {
  /// The root of the files: GitHub looks for them relative to it.
  let folder: String

  mutating func begin() -> String { "" }

  mutating func report(_ file: FileFindings) -> String {
    var text = ""
    for finding in file.findings {
      let diagnostic = finding.diagnostic
      text += command(
        diagnostic.severity == .error ? "error" : "warning",
        file: diagnostic.file ?? file.file,
        properties(of: diagnostic) + [("title", diagnostic.code)],
        finding.statement
      )
    }
    if let trouble = file.trouble { text += command("error", file: file.file, [], trouble) }
    return text
  }

  mutating func end(_ summary: RunSummary) -> String { summary.text + "\n" }

  /// A range over several lines has no columns there.
  private func properties(of diagnostic: Diagnostic) -> [(name: String, value: String)] {
    guard let start = diagnostic.position else { return [] }
    guard let end = diagnostic.span?.endPosition, end.line >= start.line else {
      return [("line", "\(start.line)"), ("col", "\(start.column)")]
    }
    guard end.line == start.line else { return [("line", "\(start.line)"), ("endLine", "\(end.line)")] }
    return [
      ("line", "\(start.line)"), ("col", "\(start.column)"), ("endLine", "\(end.line)"),
      ("endColumn", "\(max(end.column, start.column))"),
    ]
  }

  private func command(
    _ name: String,
    file: String,
    _ properties: [(name: String, value: String)],
    _ message: String
  ) -> String {
    let file = file == "-" ? [] : [(name: "file", value: ReportedPath.path(file, from: folder))]
    let list = (file + properties).map { "\($0.name)=\(Self.property($0.value))" }.joined(separator: ",")
    return "::\(name)\(list.isEmpty ? "" : " " + list)::\(Self.data(message))\n"
  }

  /// Escapes a text, so that the runner reads the original (actions/toolkit, `command.ts`).
  private static func data(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func property(_ text: String) -> String {
    var escaped = ""
    for scalar in data(text).unicodeScalars {
      switch scalar {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
