internal import ArgumentParser
internal import Files
internal import Findings
internal import FormProtocol
internal import JSON
internal import SourceTexts

/// `formctl validate`: validates a text of values once.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Validate values with a form, and show where they are wrong.",
    discussion: """
      FORM is the name of a form of the daemon, or a file with a definition (it has
      a / or ends with .json, .jsonc or .yaml), which needs no daemon. VALUES are
      files, folders, patterns in quotes, or - (the default) for standard input. A
      file is JSON, JSON with comments (.jsonc), JSON Lines (.jsonl, .ndjson), YAML
      (.yaml, .yml) or lines NAME=value (.env). Its extension or --language decides.
      Each line of JSON Lines and each document of YAML is a value. The members $form
      and $schema at the top describe the file; they are not values.

      With --own-form, all arguments are VALUES, and each file names its form as in an
      editor: "$form" at its top, a comment "formd: NAME" at its beginning, or the
      patterns in .formd-files.json. Names are forms in this folder and below.

        echo '{"email": "kim@"}' | formctl validate login
        formctl validate forms/login.form.json values.yaml --locale ko
        formctl validate booking.form.json values.json --now 2026-11-22T12:00:00Z
        formctl validate booking.form.json bookings/ --output sarif > found.sarif
        formctl validate --own-form deploy/

      The command prints each error with file, line and column, the field and the
      code. If a value matches none of several alternatives, indented lines show what
      is wrong for the closest alternative. In a broken file, the readable part is
      validated.

      With --json, the result for one file is one object: isValid, errors, each with
      the range of the value and of its name, and isTruncated. Lines and characters
      count from 0. For several files and for CI services, use --output.

      Exit status: 0 valid, 1 invalid or broken, 2 the values could not be validated.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form: a name, or a file.", completion: .file(extensions: FormFile.extensions)) var form: String
  @Argument(help: "The values: files and folders, or - for standard input.", completion: .file())
  var values = ["-"]
  @Flag(help: "All arguments are values, and each file names its form.") var ownForm = false
  @Option(help: "The language of the values: json, jsonc, yaml, jsonl or env.") var language: FileLanguage?
  @Option(help: "The language of the messages.") var locale: String?
  @OptionGroup var context: ContextOption
  @OptionGroup var moment: MomentOptions
  @Option(help: "Whether missing values get the schema's defaults (apply) or stay missing (ignore).")
  var defaults = DefaultsName.apply
  @Flag(help: "Also run the form's checks, which call services. They need a daemon.") var checks = false
  @Option(help: ReportName.help) var output = ReportName.text
  @Flag(help: "Print the result for one file as JSON.") var json = false
  @OptionGroup var report: ReportOptions
  @OptionGroup var encoding: EncodingOption

  func validate() throws {
    if json, output != .text { throw ValidationError("--json and --output exclude each other: leave one out") }
    if ownForm, json || checks {
      throw ValidationError("--own-form has no --json and no --checks; write --output json, or name a form")
    }
    if ownForm, files.contains("-") { throw ValidationError("--own-form needs files: standard input has no path") }
    try report.validate(isForPeople: output == .text && !json, files: files)
  }

  /// The files with values.
  private var files: [String] { ownForm ? [form] + (values == ["-"] ? [] : values) : values }

  func run() throws {
    if ownForm { return try runOwn() }
    let isFile = FormFile.isPath(form)
    try report.run(watching: values + (isFile ? [form] : []), suffixes: FileLanguage.suffixes + [".env"]) {
      let selection = FileSelection(values, suffixes: FileLanguage.suffixes)
      let judge = try judge(isFile: isFile)
      if json { return try printJudgment(of: selection, by: judge) }
      let isOfOne = selection.isOneFileByName
      var run = FileRun(
        selection,
        reporter: report.reporter(output.format, totals: isOfOne ? .none : .files, encoding: encoding.encoding)
      )
      // A connection answers one request at a time.
      return try run.perform(threads: isFile ? OrderedWork.processors : 1) { file in
        var findings = judge.findings(in: file)
        if isOfOne { findings.praise = "valid" }
        return findings
      }
    }
  }

  /// Judges each file by the form that it names.
  private func runOwn() throws {
    try report.run(watching: ["."] + files, suffixes: FileLanguage.suffixes + [".env"]) {
      let selection = FileSelection(files, suffixes: FileLanguage.suffixes + [".env"])
      let forms = OwnForms(selection.files, try options)
      var run = FileRun(
        selection,
        reporter: report.reporter(output.format, totals: .files, encoding: encoding.encoding)
      )
      return try run.perform { forms.findings(in: $0) }
    }
  }

  private var options: JudgeOptions {
    get throws {
      JudgeOptions(
        language: language,
        locale: locale,
        context: try context.read(),
        moment: moment,
        appliesDefaults: defaults == .apply,
        runsChecks: checks,
        encoding: encoding.encoding
      )
    }
  }

  /// - Parameter isFile: whether the form is a file with a definition.
  /// - Throws: ``CommandFailure`` if the form cannot be used here, or if the daemon does not support the options.
  ///   `ClientError` if there is no daemon.
  private func judge(isFile: Bool) throws -> FormJudge {
    if isFile {
      if checks { throw CommandFailure(message: "--checks needs a daemon: name one of its forms instead of a file") }
      return try FormJudge(FormFile.read(form), named: form, options)
    }
    if moment.now != nil {
      throw CommandFailure(message: "--now needs a file with a definition, because a daemon uses its own clock")
    }
    return try FormJudge(connection.connect(), form: form, options)
  }

  /// Prints the answer of the protocol's method.
  ///
  /// - Returns: the exit status.
  private func printJudgment(of selection: FileSelection, by judge: FormJudge) throws(CommandFailure) -> Int32 {
    guard selection.entries.count == 1, let file = selection.files.first else {
      throw CommandFailure(message: "--json reports on one file; write --output json for several files")
    }
    let texts = try judge.texts(of: try Console.readFile(file), file)
    guard texts.count == 1 else {
      throw CommandFailure(message: "\(file): the file has \(texts.count) values; write --output json for several")
    }
    let judgment = try judge.judgment(of: texts[0], file, texts[0].scanned())
    Console.say(judgment.json.description)
    return judgment.isValid ? 0 : 1
  }
}

/// The unit of the characters in JSON ranges.
struct EncodingOption: ParsableArguments {
  @Option(
    name: .customLong("encoding"),
    help: "With --json: the unit of characters in ranges: utf-8, utf-16 (as in editors) or utf-32."
  )
  fileprivate var name = EncodingName.utf16

  var encoding: PositionEncoding { PositionEncoding(rawValue: name.rawValue) ?? .utf16 }
}

/// The names of encodings as an option's values.
private enum EncodingName: String, CaseIterable, ExpressibleByArgument {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"
}

/// The defaults for missing values.
enum DefaultsName: String, CaseIterable, ExpressibleByArgument {
  case apply, ignore
}
