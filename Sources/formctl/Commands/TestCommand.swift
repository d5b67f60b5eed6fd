internal import ArgumentParser
internal import Findings
internal import FormCases
internal import JSON
internal import SourceTexts

/// `formctl test`: runs the test cases of forms.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the test cases of forms. No daemon is needed.",
    discussion: """
      A file NAME.test.json beside NAME.form.json has cases: initial values, answers
      of services, steps, and what must hold after each step. Both may also be .jsonc
      or .yaml. See
      protocol/schema/test.schema.json and protocol/forms.md. Time is virtual: an
      hour passes at once. formctl record FORM records a session that is played by
      hand as a case.

        formctl test                      all test files below this folder
        formctl test forms/login.test.json --coverage
        formctl test forms --format junit > report.xml
        formctl test --coverage-min 90

      For each failure, the command prints file, line and column, the expected and
      the actual value, and the engine's explanation. The last line is always "N
      passed, M failed" (in tap after "# "; junit has the numbers in its first
      element). A file or folder that cannot be used counts as one failed case.

      Exit status: 0 all passed, 1 some failed or reach less than --coverage-min, 2 a
      test file or its form is broken or cannot be read, or a folder cannot be read
      completely or has no test file.
      """
  )

  /// The formats of results.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case people, tap, junit
  }

  @Argument(
    help: "Test files, and folders that are searched for *.test.json and *.test.yaml.",
    completion: .file(extensions: FormFile.extensions)
  )
  var paths: [String] = ["."]
  @Option(help: "How results are written: people, tap (version 14) or junit (XML).") var format = Format.people
  @Flag(help: "Also list what no case of a form reaches: rules, outcomes, conditions.") var coverage = false
  @Option(
    help: ArgumentHelp("Fail if a file's cases reach less of its form; implies --coverage.", valueName: "percent"),
    transform: CoverageBound.percent
  )
  var coverageMin: Int?
  @Flag(help: "Run again when a form or a test file changes, until Ctrl-C.") var watch = false
  @Flag(name: [.short, .long], help: "Also name the cases that pass.") var verbose = false

  func validate() throws {
    if watch, format != .people { throw ValidationError("--watch prints for people: leave out --format") }
  }

  func run() throws {
    guard watch else {
      let status = runOnce()
      if status != 0 { throw ExitCode(status) }
      return
    }
    var watched = WatchedFiles(around: paths, suffixes: FormFile.extensions.map { "." + $0 })
    while true {
      _ = runOnce()
      watched.waitForChange()
    }
  }

  /// Runs all cases and prints the results. Returns the exit status.
  private func runOnce() -> CInt {
    var results: [FileResult] = []
    func add(_ result: FileResult) {
      results.append(result)
      guard format == .people else { return }
      for line in PeopleReport.lines(for: result, isVerbose: verbose) { Console.say(line) }
    }
    do throws(TestFileError) {
      for file in try TestRun.files(at: paths) { add(result(of: file)) }
    } catch {
      for diagnostic in error.diagnostics {
        var result = FileResult(path: diagnostic.file ?? "")
        result.problems = [diagnostic]
        add(result)
      }
    }
    switch format {
    case .people: Console.say(results.totals)
    case .tap: for line in TAPReport.lines(for: results) { Console.say(line) }
    case .junit: for line in JUnitReport.lines(for: results) { Console.say(line) }
    }
    if results.contains(where: { !$0.problems.isEmpty }) { return 2 }
    return results.contains { $0.failedCount > 0 || $0.lackOfCoverage != nil } ? 1 : 0
  }

  private func result(of file: String) -> FileResult {
    var result = TestRun.result(ofFile: file, findsGaps: coverage || coverageMin != nil)
    result.coverageMin = coverageMin
    return result
  }
}

/// The value of `--coverage-min`.
enum CoverageBound {
  static func percent(_ text: String) throws -> Int {
    if let percent = Int(text), (1...100).contains(percent) { return percent }
    throw ValidationError("--coverage-min must be a whole number from 1 to 100")
  }
}
