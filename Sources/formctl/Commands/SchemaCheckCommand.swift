internal import ArgumentParser
internal import Findings

/// `formctl schema check`: checks schemas.
struct SchemaCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that files are usable schemas.",
    discussion: """
      The command validates each file with the meta-schema, and compiles every schema
      in it, even if no reference leads there. It prints each problem as
      file:line:column: error: what is wrong.

      FILE may also be a folder, for all *.json below it, or a pattern in quotes.

      Exit status: 0 no error (there may be warnings), 1 there are errors, 2 a file
      cannot be read.
      """
  )

  private static let suffixes = [".json"]

  @Argument(help: "Schemas; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]
  @Option(help: ReportName.help) var output = ReportName.text
  @OptionGroup var report: ReportOptions
  @OptionGroup var reading: SchemaReading

  func validate() throws {
    try report.validate(isForPeople: output == .text, files: files)
  }

  func run() throws {
    try report.run(watching: files + reading.paths, suffixes: Self.suffixes) {
      let selection = FileSelection(files, suffixes: Self.suffixes)
      let references = try reading.referenceFiles()
      var run = FileRun(
        selection,
        reporter: report.reporter(output.format, totals: selection.isOneFileByName ? .none : .files)
      )
      return try run.perform { file in
        FileFindings.reading(file) { bytes in
          let diagnostics = reading.check(bytes, file: file, with: references)
          return FileFindings(file: file, diagnostics.map { Finding($0) })
        }
      }
    }
  }
}
