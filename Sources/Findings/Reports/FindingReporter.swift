internal import JSON
package import SourceTexts
internal import Texts

/// Writes findings in one format, a piece for each file, so that the report of a large run is never in memory as a
/// whole.
///
/// The results of all calls, one after the other, are one document of the format.
package protocol FindingReporter: Sendable {
  /// The beginning of the report.
  mutating func begin() -> String
  /// The piece for a file. The files come in order.
  mutating func report(_ file: FileFindings) -> String
  /// The end of the report.
  mutating func end(_ summary: RunSummary) -> String
}

/// The formats for programs.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// One JSON object.
  case json
  /// The workflow commands of GitHub Actions.
  case github
  /// The code quality reports of GitLab.
  case gitlab
  /// SARIF 2.1.0 (OASIS).
  case sarif
  /// The XML of JUnit.
  case junit

  /// Creates the reporter of the format.
  ///
  /// - Parameters:
  ///   - tool: the program that reports, and its version.
  ///   - folder: the folder that services take as the root of the files.
  ///   - encoding: the unit of the characters in JSON ranges.
  package func reporter(
    tool: ReportingTool,
    folder: String,
    encoding: PositionEncoding = .utf16
  ) -> any FindingReporter {
    switch self {
    case .json: JSONReporter(encoding: encoding)
    case .github: GitHubReporter(folder: folder)
    case .gitlab: GitLabReporter(folder: folder)
    case .sarif: SARIFReporter(tool: tool, folder: folder)
    case .junit: JUnitReporter()
    }
  }
}

/// The program that reports.
package struct ReportingTool: Sendable {
  /// The name of the program.
  package var name: String
  /// The version of the program.
  package var version: String

  /// Creates a tool.
  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// The names of files in reports.
enum ReportedPath {
  /// The path relative to a folder, if the file is inside it. Services look for files by such a path.
  static func path(_ path: String, from folder: String) -> String {
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    if path.utf8.starts(with: start.utf8), path.utf8.count > start.utf8.count {
      return String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
    var rest = Substring(path)
    while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
    return String(rest)
  }
}

/// Identifies findings across runs, even if lines have moved: by file, location in the value, code and message.
struct Fingerprints {
  private var seen: [UInt64: Int] = [:]

  /// The fingerprint of a finding in a file. If two findings are alike, the second gets another fingerprint.
  mutating func print(of finding: Finding, in file: String) -> String {
    let parts = [file, finding.diagnostic.pointer.description, finding.diagnostic.code, finding.diagnostic.message]
    let hash = Self.hash(parts.joined(separator: "\0"))
    let number = seen[hash, default: 0]
    seen[hash] = number + 1
    return (number == 0 ? hash : Self.hash("\(hash) \(number)")).hexDigits
  }

  /// FNV-1a, 64 bits.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
