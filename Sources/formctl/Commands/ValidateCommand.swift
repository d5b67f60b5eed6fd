internal import ArgumentParser
internal import CEL
internal import Client
internal import DataTexts
internal import FormProtocol
internal import Forms
internal import JSON
internal import SessionMessages
internal import TextValidation

/// `formctl validate`: a text of values, once.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Judge values by a form, and say where they are wrong.",
    discussion: """
      FORM is the name of a form of the daemon, or a file with a definition (it has
      a / or ends with .json), which needs no daemon. VALUES is a file, or - (the
      default) for standard input. It is JSON, JSON with comments (.jsonc), YAML
      (.yaml, .yml) or lines NAME=value (.env): by its ending, or by --language.
      Members $form and $schema at the top are about the file, and no values.

        echo '{"email": "kim@"}' | formctl validate login
        formctl validate forms/login.form.json values.yaml --locale ko
        formctl validate booking.form.json values.json --now 2026-11-22T12:00:00Z

      Prints each error with file, line and column, the field and the code; below
      a value that is none of several alternatives, indented, what it lacks for
      the closest one. A broken text is judged as far as it can be read.

      With --json the result is one object: isValid, errors, each with the range of
      the value and of its name, and isTruncated; lines and characters from 0.

      Exit status: 0 valid, 1 invalid, 2 it could not be judged.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form: a name, or a file.", completion: .file(extensions: ["json"])) var form: String
  @Argument(help: "The values: a file, or - for standard input.", completion: .file())
  var values = "-"
  @Option(help: "The language of the values: json, jsonc, yaml or env.") fileprivate var language: LanguageName?
  @Option(help: "The language of the messages.") var locale: String?
  @OptionGroup var moment: MomentOptions
  @Option(help: "What stands in for values that are not there: the schema's defaults (apply), or nothing (ignore).")
  fileprivate var defaults = DefaultsName.apply
  @Flag(help: "Also run the form's checks, which ask services (by a daemon only).") var checks = false
  @Flag(help: "Print the result as JSON.") var json = false
  @OptionGroup var encoding: EncodingOption

  func run() throws {
    let bytes = try Console.readFile(values)
    let language = try languageOfValues
    let text = ScannedText(SourceText(bytes), language: language)
    let judgment = FormFile.isPath(form) ? try judgeHere(text, language) : try askDaemon(bytes, language)
    if json {
      Console.say(judgment.json.description)
    } else {
      for problem in judgment.errors { tell(problem, of: text) }
      if judgment.isTruncated { Console.report("there are more errors than these") }
      if judgment.isValid { Console.say("valid") }
    }
    if !judgment.isValid { throw ExitCode(1) }
  }

  /// The language that is named, or that the file's ending says; what has no ending is JSON.
  private var languageOfValues: DataLanguage {
    get throws(CommandFailure) {
      if let language { return language.language }
      if let language = DataLanguage(fileName: values) { return language }
      guard values.split(separator: "/").last?.contains(".") == true else { return .json }
      let names = DataLanguage.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        message: "\(values): its ending says no language; write --language with one of: \(names)"
      )
    }
  }

  private func judgeHere(_ text: ScannedText, _ language: DataLanguage) throws(CommandFailure) -> TextJudgment {
    if checks { throw CommandFailure(message: "--checks needs a daemon: name a form of it instead of a file") }
    let form = try FormFile.read(self.form)
    let (now, zone) = moment.moment
    let verdict = form.judge(
      text,
      language: language,
      locale: locale,
      now: now,
      zone: zone,
      appliesDefaults: defaults == .apply
    ) { Console.report("\(self.form): \($0) went wrong: \($1)") }
    return TextJudgment(verdict, of: text.source, in: encoding.encoding)
  }

  private func askDaemon(_ bytes: [UInt8], _ language: DataLanguage) throws -> TextJudgment {
    if moment.now != nil {
      throw CommandFailure(message: "--now needs a file with a definition: a daemon goes by its own clock")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(
        message: "\(values): this is not UTF-8, and a daemon is sent nothing else; save the file as UTF-8"
      )
    }
    return try connection.connect().validate(
      text: text,
      language: TextLanguage(language),
      form: form,
      encoding: encoding.encoding,
      locale: locale,
      zone: moment.zone?.name,
      runsChecks: checks,
      appliesDefaults: defaults == .apply,
      errorsMax: 10_000
    )
  }

  /// Prints an error for people.
  private func tell(_ problem: TextProblem, of text: ScannedText) {
    let pointer = JSONPointer(problem.path) ?? .root
    let isFault = TextFault.Code(rawValue: problem.code) != nil && problem.params == nil
    let start = text.source.offset(of: problem.range.start, in: encoding.encoding)
    // What is missing is looked for where it would stand.
    let place = isFault || text.node(at: pointer) != nil ? text.source.place(of: start) : text.place(of: pointer)
    if problem.code == "unknownName" {
      return Console.report("\(values):\(place): warning: \(problem.message) [\(problem.code)]")
    }
    let severity = problem.severity == .warning ? "warning: " : ""
    let subject = isFault ? "" : "\(pointer.tokens.isEmpty ? "the form" : pointer.description): "
    Console.say("\(values):\(place): \(severity)\(subject)\(problem.message) [\(problem.code)]")
    for cause in problem.causes {
      let pointer = JSONPointer(cause.path) ?? .root
      Console.say("\(values):\(text.place(of: pointer)):   \(cause.path): [\(cause.code)]")
    }
  }
}

/// What the characters of ranges in JSON are.
struct EncodingOption: ParsableArguments {
  @Option(
    name: .customLong("encoding"),
    help: "With --json: what the characters of ranges are: utf-8, utf-16 (as in editors) or utf-32."
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

/// The names of languages as an option's values.
private enum LanguageName: String, CaseIterable, ExpressibleByArgument {
  case json, jsonc, yaml, env

  var language: DataLanguage { DataLanguage(rawValue: rawValue) ?? .json }
}

/// What stands in for what is not there.
private enum DefaultsName: String, CaseIterable, ExpressibleByArgument {
  case apply, ignore
}
