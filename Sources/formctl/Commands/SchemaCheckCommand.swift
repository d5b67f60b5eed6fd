internal import ArgumentParser
internal import Findings

/// `formctl schema check`: checks schemas.
struct SchemaCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that files are schemas that can be used.",
    discussion: """
      The meta-schema judges each file, and every schema in it is compiled, whether
      or not something refers to it. Each problem is printed as file:line:column:
      error: what is wrong.

      A file may be a folder, of which all *.json are meant, or a pattern in quotes.

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
