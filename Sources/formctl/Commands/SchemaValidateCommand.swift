internal import ArgumentParser
internal import Findings
internal import JSONSchema

/// `formctl schema validate`: validates values by a schema.
struct SchemaValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Validate files with a schema.",
    discussion: """
      FILE is a file, a folder with all *.json, *.jsonc, *.jsonl, *.ndjson, *.yaml and
      *.yml below it, a pattern in quotes ('**/*.yaml'), or - for standard input. The
      extension or --language decides the language; files with other extensions are
      JSON. Each line of JSON Lines and each document of YAML is a value.

        formctl schema validate order.schema.json order.json
        formctl schema validate order.schema.json orders/ 'more/**/*.yaml'
        echo '{"email": "kim@"}' | formctl schema validate user.schema.json -

      Without SCHEMA (if there is only one argument), or with --own-schema, each file
      names its own schema: with its member $schema or, in YAML, with the comment
      "# yaml-language-server: $schema=ADDRESS". --references gives the files of
      schemas with addresses:

        formctl schema validate config/
        formctl schema validate --references https://example.com/=schemas config/

      The command prints each failure as file:line:column: the place in the value, and
      what is wrong. If no alternative of anyOf or oneOf holds, it shows the failures
      of the closest alternative; with --all, of every alternative. With --output
      flag, basic or detailed, it prints the standard's output for one value (core,
      section 12.4).

      Exit status: 0 valid, 1 invalid or broken, 2 the schema cannot be used, a file
      cannot be read, or the validation reached --steps-max or --depth-max before it
      had a result. Then "valid" is null in JSON.
      """
  )

  @Argument(help: "The schema. As the only argument: the file to validate.", completion: .file()) var schema: String
  @Argument(help: "The files to validate.", completion: .file()) var files: [String] = []
  @Flag(help: "Validate all files, also the first one, with the schemas that they name.") var ownSchema = false
  @Option(help: "The language of the files: json, jsonc, yaml, jsonl or env.") var language: FileLanguage?
  @Option(
    help: ArgumentHelp(
      "How findings are written: text, json, github, gitlab, sarif or junit; flag, basic or detailed.",
      valueName: "format"
    )
  )
  var output = OutputName.text
  @Flag(help: "Show all failures, and for each alternative why it does not hold.") var all = false
  @Flag(help: "Validate formats (the keyword format), as forms do.") var formats = false
  @Option(
    help: ArgumentHelp("The language of the messages: en, ko, de, fr, es, pt, it, ja or zh.", valueName: "locale")
  ) var locale = "en"
  @OptionGroup var report: ReportOptions
  @OptionGroup var reading: SchemaReading
  @OptionGroup var bounds: EvaluationOptions

  /// The file of the schema; nil if each file names its own.
  private var commonSchema: String? { ownSchema || files.isEmpty ? nil : schema }
  /// The files to validate.
  private var judged: [String] { commonSchema == nil ? [schema] + files : files }

  func validate() throws {
    try report.validate(isForPeople: output == .text, files: [schema] + files)
    if commonSchema == "-", files.contains("-") {
      throw ValidationError("standard input is read once: the schema and the value cannot both be -")
    }
  }

  func run() throws {
    try report.run(watching: [schema] + files + reading.paths, suffixes: FileLanguage.suffixes) {
      let selection = FileSelection(judged, suffixes: FileLanguage.suffixes)
      let isOfOne = selection.isOneFileByName
      let references = try reading.referenceFiles()
      var run = FileRun(
        selection,
        reporter: report.reporter(output.report, totals: isOfOne ? .none : .files)
      )
      let source: ValueJudge.Source
      if let schema = commonSchema {
        switch try reading.compiled(schema, with: references, assertsFormat: formats, limits: bounds.limits) {
        case .success(let compiled): source = .one(compiled)
        case .failure(let problems):
          var file = FileFindings(file: schema, problems.diagnostics.map { Finding($0) })
          file.trouble = problems.trouble
          return run.giveUp(because: file)
        }
      } else {
        source = .own(OwnSchemas(reading, references, assertsFormat: formats, limits: bounds.limits))
      }
      let judge = ValueJudge(
        source: source,
        language: language,
        locale: locale,
        tellsAll: all,
        praise: isOfOne ? "valid" : nil
      )
      if let standard = output.standard {
        return try printStandardOutput(standard, of: selection, by: judge)
      }
      return try run.perform(stackBytes: bounds.stackBytes) { judge.findings(in: $0) }
    }
  }

  /// Prints the standard's output format for a value.
  ///
  /// - Returns: the exit status.
  private func printStandardOutput(
    _ format: OutputFormat,
    of selection: FileSelection,
    by judge: ValueJudge
  ) throws(CommandFailure) -> Int32 {
    guard selection.entries.count == 1, let file = selection.files.first else {
      throw CommandFailure(
        message: "--output \(format.rawValue) reports on one file; write --output json for several files"
      )
    }
    let evaluation = try bounds.onItsStack { () throws(CommandFailure) in
      try judge.evaluation(of: file, telling: format == .flag ? [] : .annotations)
    }
    Console.say(judge.output(evaluation, format))
    switch evaluation.verdict {
    case .valid: return 0
    case .invalid: return 1
    case .undecided: return 2
    }
  }
}

/// The formats of reports, and the standard's output formats, as an option's values.
enum OutputName: String, CaseIterable, ExpressibleByArgument {
  case text, json, github, gitlab, sarif, junit, flag, basic, detailed

  var report: ReportFormat? { ReportFormat(rawValue: rawValue) }
  var standard: OutputFormat? { OutputFormat(rawValue: rawValue) }
}
