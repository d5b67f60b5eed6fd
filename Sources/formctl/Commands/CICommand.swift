internal import ArgumentParser
internal import Files
internal import Findings
internal import FormCases
internal import Forms
internal import JSON
internal import SourceTexts

/// `formctl ci`: checks forms, runs their tests and validates data, with one report.
struct CICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ci",
    abstract: "Check forms, run their tests and validate data, with one report. No daemon is needed.",
    discussion: """
      Looks at all files below the folders (this folder without PATHS):

        *.form.json, .jsonc, .yaml   as formctl check does
        *.test.json, .jsonc, .yaml   as formctl test does; a failed case is an error
        data that names a form       as formctl validate --own-form does

      Other files are passed over.

        formctl ci
        formctl ci forms deploy --coverage-min 90 --output github

      Exit status: 0 all is right, 1 there are errors, 2 a file cannot be read.
      """
  )

  @Argument(help: "Files and folders.", completion: .file()) var paths = ["."]
  @Option(help: ReportName.help) var output = ReportName.text
  @Option(
    help: ArgumentHelp("Fail if the cases of a form reach less of it, or if it has no test.", valueName: "percent"),
    transform: CoverageBound.percent
  )
  var coverageMin: Int?
  @Flag(help: "Also fail if there are warnings.") var strict = false
  @Option(help: "The language of the messages about data.") var locale: String?
  @OptionGroup var moment: MomentOptions
  @OptionGroup var report: ReportOptions

  private static let suffixes = FileLanguage.suffixes + [".env"]

  func validate() throws {
    if paths.contains("-") { throw ValidationError("ci needs files: standard input has no name") }
    try report.validate(isForPeople: output == .text, files: paths)
  }

  func run() throws {
    try report.run(watching: paths, suffixes: Self.suffixes) {
      let all = FileSelection(paths, suffixes: Self.suffixes)
      let data = all.files.filter { file in AuthoredFile.allCases.allSatisfy { $0.stem(of: file) == nil } }
      let forms = OwnForms(data, JudgeOptions(locale: locale, moment: moment))
      let passedOver = Set(data.filter { !forms.isNamed(by: $0) })
      let selection = all.filtered { !passedOver.contains($0) }
      let tested = Set(selection.files.filter { AuthoredFile.test.stem(of: $0) != nil }.compactMap(Self.formTested))
      var run = FileRun(selection, reporter: report.reporter(output.format, totals: .files))
      return try run.perform { file in
        if AuthoredFile.test.stem(of: file) != nil { return testFindings(in: file) }
        return AuthoredFile.form.stem(of: file) != nil ? formFindings(in: file, tested) : forms.findings(in: file)
      }
    }
  }

  /// The real path of the form that a test file is about; nil if the file cannot be read.
  private static func formTested(by file: String) -> String? {
    guard let bytes = try? FileBytes.read(file), let test = try? LoadedTestFile(bytes, path: file) else { return nil }
    return try? FileIdentity.realPath(of: test.formPath)
  }

  private func formFindings(in file: String, _ tested: Set<String>) -> FileFindings {
    var found = FileFindings.ofForm(file, isStrict: strict)
    guard coverageMin != nil, let path = try? FileIdentity.realPath(of: file), !tested.contains(path) else {
      return found
    }
    let problem = Diagnostic(
      file: file,
      code: "coverage",
      message: "no test file is about this form",
      remedy: "record a case: formctl record \(file) --case NAME"
    )
    found.findings.append(Finding(problem))
    found.errors += 1
    found.isWrong = true
    return found
  }

  private func testFindings(in file: String) -> FileFindings {
    var result = TestRun.result(ofFile: file, findsGaps: coverageMin != nil)
    result.coverageMin = coverageMin
    return FileFindings(result)
  }
}

extension FileFindings {
  /// The problems of a test file, a finding for each failed expectation, and a lack of coverage.
  fileprivate init(_ result: FileResult) {
    var findings = result.problems.map { Finding($0) }
    for testCase in result.cases {
      guard let failure = testCase.failure else { continue }
      let name = "\(JSON.string(testCase.name)) fails, \(failure.moment.text)"
      var told = failure.deviations.map { (words: $0.deviation.lines, pointer: $0.pointer, position: $0.position) }
      if told.isEmpty { told = [(failure.faults, .root, testCase.position)] }
      findings += told.map { words, pointer, position in
        let words = words.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "; ")
        return Finding(
          Diagnostic(
            file: result.path,
            pointer: pointer,
            position: position,
            code: "test",
            message: "the case \(name): \(words)"
          )
        )
      }
    }
    if let lack = result.lackOfCoverage, let coverage = result.coverage {
      let gaps = coverage.report.gaps.map { gap in
        Finding.Line(depth: 1, position: nil, text: gap.text.split(whereSeparator: \.isNewline).joined(separator: " "))
      }
      let diagnostic = Diagnostic(file: result.path, code: "coverage", message: lack)
      findings.append(Finding(diagnostic, lines: [Finding.Line(position: nil, text: lack + " [coverage]")] + gaps))
    }
    self.init(file: result.path, findings)
  }
}
