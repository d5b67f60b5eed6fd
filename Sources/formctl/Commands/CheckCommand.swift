internal import ArgumentParser
internal import Findings
internal import Forms
internal import JSON
internal import SourceTexts

/// `formctl check`: checks form definitions, offline.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check form definitions. No daemon is needed.",
    discussion: """
      Finds the errors for which a daemon refuses a form: unknown names, wrong types
      in formulas, cycles, unusable schemas. Each finding is printed in the format of
      compilers, with a hint on the next line:

        login.form.json:14:9: error: what is wrong [/rules/0/check]

      FILE is JSON, JSON with comments (.jsonc) or YAML (.yaml, .yml). It may also be
      a folder, for all *.form.json, *.form.jsonc and *.form.yaml below it, or a
      pattern in quotes ('**/*.form.*'). Formats for CI services are --output github,
      gitlab, sarif, junit and json.

      With --cells, the command prints the cells that formulas can name, with their
      types. The cells of the form come first, then the additional cells of formulas
      of rows and of outcomes. A question mark means that a cell may be absent: int?.

      With --against OLD, it also warns about fields of the earlier version OLD whose
      values kept sessions would set aside: the form has neither the field nor a field
      with "renamedFrom". OLD is a file, or a folder with earlier versions of forms.

        formctl check login.form.json --against deployed/login.form.json

      With --json, it prints one JSON object per finding. line and column are the
      place of the finding. range is the part that is wrong: a name, a value, a part
      of a formula. Its end is exclusive; lines and characters count from 0.

      Exit status: 0 no error (there may be warnings), 1 there are errors, 2 a file
      cannot be read.
      """
  )

  @Argument(help: "Form definitions; - is standard input.", completion: .file(extensions: FormFile.extensions))
  var files: [String]
  @Option(help: ReportName.help) var output = ReportName.text
  @Flag(help: "Print findings as JSON lines.") var json = false
  @OptionGroup var encoding: EncodingOption
  @Flag(help: "Print the cells that formulas can name, with types.") var cells = false
  @Option(
    help: ArgumentHelp("Compare with the earlier versions of the forms in this file or folder.", valueName: "old"),
    completion: .file(extensions: FormFile.extensions)
  )
  var against: String?
  @Flag(help: "Also fail if there are warnings.") var strict = false
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if files.isEmpty { throw ValidationError("name at least one file: formctl check forms/*.form.json") }
    if json, output != .text { throw ValidationError("--json and --output exclude each other: leave one out") }
    if cells, json || output != .text {
      throw ValidationError("--cells prints a list for people, and --json and --output print findings: leave one out")
    }
    try report.validate(isForPeople: output == .text && !json, files: files)
  }

  func run() throws {
    let earlier = try against.map { try EarlierForms($0) }
    try report.run(watching: files, suffixes: FileLanguage.suffixes) {
      let selection = FileSelection(files, suffixes: AuthoredFile.form.suffixes)
      let isOfOne = selection.isOneFileByName
      var run = FileRun(selection, reporter: reporter(totals: isOfOne ? .counts : .files))
      return try run.perform { findings(in: $0, earlier) }
    }
  }

  private func reporter(totals: TextReporter.Totals) -> any FindingReporter {
    json
      ? JSONLinesReporter(encoding: encoding.encoding)
      : report.reporter(output.format, totals: totals, encoding: encoding.encoding)
  }

  private func findings(in file: String, _ earlier: EarlierForms?) -> FileFindings {
    FileFindings.ofForm(file, earlier, isStrict: strict) { form in
      if cells { return (CellListing.lines(of: form), nil) }
      let told =
        "\(file): \(form.name): \(count(form.fields.count, "field")), "
        + "\(count(form.actions.count, "action")), \(count(form.outputs.count, "output"))"
      return ([], told)
    }
  }

  /// `1 field`, `2 fields`.
  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension FileFindings {
  /// The findings in a definition.
  ///
  /// - Parameters:
  ///   - earlier: the earlier versions of forms, if they are compared.
  ///   - isStrict: whether warnings make the file wrong.
  ///   - tell: the lines for people about a form without errors: notes, and praise.
  static func ofForm(
    _ file: String,
    _ earlier: EarlierForms? = nil,
    isStrict: Bool,
    _ tell: (Form) -> (notes: [String], praise: String?) = { _ in ([], nil) }
  ) -> FileFindings {
    FileFindings.reading(file, bytesMax: Form.fileBytesMax) { bytes in
      let compilation = FormFile.compile(bytes, file)
      let clash = FormFile.clash(of: file).map { [$0] } ?? []
      let lost = compilation.form.flatMap { earlier?.warnings(about: $0, in: file) } ?? []
      let warnings = compilation.warningCount + lost.count
      var findings = FileFindings(file: file, (clash + compilation.diagnostics + lost).map { Finding($0) })
      findings.errors = compilation.errorCount + clash.count
      findings.warnings = warnings
      findings.isWrong = findings.errors > 0 || isStrict && warnings > 0
      if let form = compilation.form { (findings.notes, findings.praise) = tell(form) }
      return findings
    }
  }
}
