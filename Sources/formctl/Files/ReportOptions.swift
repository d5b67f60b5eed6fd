internal import ArgumentParser
internal import Findings
internal import JSON

/// How a run over files is told, and whether it is repeated.
struct ReportOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print nothing but what was found.") var quiet = false
  @Flag(help: "Run again when a file changes, until Ctrl-C.") var watch = false

  /// What writes the report.
  ///
  /// - Parameters:
  ///   - format: the format for programs; nil for people.
  ///   - totals: what people are told at the end.
  ///   - encoding: what the characters of ranges in JSON are.
  func reporter(
    _ format: ReportFormat?,
    totals: TextReporter.Totals,
    encoding: PositionEncoding = .utf16
  ) -> any FindingReporter {
    guard let format else { return TextReporter(totals: totals, isQuiet: quiet, hasColor: Console.hasColor) }
    return format.reporter(
      tool: ReportingTool(name: "formctl", version: Formctl.configuration.version),
      folder: (try? FileIdentity.realPath(of: ".")) ?? "",
      encoding: encoding
    )
  }

  /// Refuses what cannot be repeated.
  ///
  /// - Throws: `ValidationError` where a report is for programs, or a file is standard input.
  func validate(isForPeople: Bool, files: [String]) throws {
    guard watch else { return }
    if !isForPeople { throw ValidationError("--watch is for people: leave out --output") }
    if files.contains("-") { throw ValidationError("--watch needs files: standard input is read once") }
  }

  /// Runs once, or again and again.
  ///
  /// - Parameters:
  ///   - paths: what the run depends on.
  ///   - once: a run; its result is the exit status.
  /// - Throws: `ExitCode` for any exit status but 0.
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

  /// The format for programs; nil for people's.
  var format: ReportFormat? { ReportFormat(rawValue: rawValue) }

  /// What the option's help says of them.
  static let help: ArgumentHelp =
    "How findings are written: text, json, github (annotations), gitlab (code quality), sarif or junit."
}

/// The languages of files as an option's values.
extension FileLanguage: ExpressibleByArgument {}
