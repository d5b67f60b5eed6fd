internal import ArgumentParser
internal import Files
internal import Findings
internal import JSON
internal import SourceTexts

/// The format of a run's report, and whether the run is repeated.
struct ReportOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print only the findings.") var quiet = false
  @Flag(help: "Run again when a file changes, until Ctrl-C.") var watch = false

  /// Creates the writer of the report.
  ///
  /// - Parameters:
  ///   - format: the format for programs; nil for people.
  ///   - totals: makes the last line for people.
  ///   - encoding: the unit of the characters in JSON ranges.
  func reporter(
    _ format: ReportFormat?,
    totals: TextReporter.Totals,
    encoding: PositionEncoding = .utf16
  ) -> any FindingReporter {
    guard let format else { return TextReporter(totals: totals, isQuiet: quiet, hasColor: Console.hasColor) }
    return Self.reporter(format, encoding: encoding)
  }

  /// Creates the writer of a report for programs.
  static func reporter(_ format: ReportFormat, encoding: PositionEncoding = .utf16) -> any FindingReporter {
    format.reporter(
      tool: ReportingTool(name: "formctl", version: Formctl.configuration.version),
      folder: (try? FileIdentity.realPath(of: ".")) ?? "",
      encoding: encoding
    )
  }

  /// Refuses a run that cannot be repeated.
  ///
  /// - Throws: `ValidationError` if a report is for programs, or if a file is standard input.
  func validate(isForPeople: Bool, files: [String]) throws {
    guard watch else { return }
    if !isForPeople { throw ValidationError("--watch prints for people: leave out --output") }
    if files.contains("-") { throw ValidationError("--watch needs files: standard input is read once") }
  }

  /// Runs once, or again after each change.
  ///
  /// - Parameters:
  ///   - paths: the files and folders that the run depends on.
  ///   - once: a run, which returns the exit status.
  /// - Throws: `ExitCode` for any exit status other than 0.
  func run(watching paths: [String], suffixes: [String], _ once: () throws -> Int32) throws {
    guard watch else {
      let status = try once()
      if status != 0 { throw ExitCode(status) }
      return
    }
    var watched = WatchedFiles(around: paths, suffixes: suffixes)
    while true {
      do { _ = try once() } catch let error as CommandFailure { Console.complain(error.message) }
      watched.waitForChange()
    }
  }
}

/// The formats of reports as an option's values.
enum ReportName: String, CaseIterable, ExpressibleByArgument {
  case text, json, github, gitlab, sarif, junit

  /// The format for programs; nil for people.
  var format: ReportFormat? { ReportFormat(rawValue: rawValue) }

  /// The option's help text.
  static let help: ArgumentHelp =
    "How findings are written: text, json, github (annotations), gitlab (code quality), sarif or junit."
}

/// The languages of files as an option's values.
extension FileLanguage: ExpressibleByArgument {}
