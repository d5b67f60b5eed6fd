package import JSON
internal import Texts

/// Writes what was found in files in one format, a piece for each file, so that a run of many files is never held as a whole.
///
/// What the three calls return, one behind the other, is one document of the format.
package protocol FindingReporter: Sendable {
  /// What stands before all files.
  mutating func begin() -> String
  /// What is to be said of a file; the files come in their order.
  mutating func report(_ file: FileFindings) -> String
  /// What stands behind all files.
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

  /// What writes the format.
  ///
  /// - Parameters:
  ///   - tool: which program finds, of which version.
  ///   - folder: the folder that services take for the root of the files.
  ///   - encoding: what the characters of ranges in JSON are.
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

/// The program that finds.
package struct ReportingTool: Sendable {
  /// Its name.
  package var name: String
  /// Its version.
  package var version: String

  /// A program of that name.
  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// How reports name files.
enum ReportedPath {
  /// A path as it is from a folder, where it leads into that; services look for files by such a path.
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

/// Tells findings of different runs apart, and knows those that are the same though lines have moved: by file, place in the value, code and
/// words.
struct Fingerprints {
  private var seen: [UInt64: Int] = [:]

  /// The print of a finding in a file; the second of two that are alike gets another.
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
