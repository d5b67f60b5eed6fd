internal import ArgumentParser
internal import CEL
internal import Findings
internal import JSON
internal import SourceTexts

/// `formctl expr`: evaluates a CEL expression.
struct ExprCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expr",
    abstract: "Check and evaluate a CEL expression, as forms use them. No daemon is needed.",
    discussion: """
      A variable has the type of its JSON value, so wrong types are found before the
      evaluation. The command prints the result in CEL's notation, or as JSON with
      --json.

        formctl expr "self.contains('@')" --var 'self="kim@example.com"'
        formctl expr 'size(values.tags) <= 3' --var 'values={"tags": ["a"]}' --deps
        formctl expr '1 + 2 * 3' --types
        formctl expr "years('2008-02-29', today)" --now 2026-02-28T12:00:00Z

      Expressions can also use today, now and form.zone. They follow the system's
      clock and time zone, or --now and --zone.

      With --input, the expression is evaluated for each value of the files: for each
      document of YAML and each line of JSON Lines. The value is self. With --schema,
      a JSON Schema gives the type of self, so a misspelt member is found before the
      evaluation. With --assert, the result must be true. Otherwise the command
      prints file and line.

        formctl expr 'self.port < 1024' --input services.jsonl --schema service.json
        formctl expr 'self.port < 1024' --assert --input services/

      Exit status: 0 evaluated, 1 the expression is wrong, its evaluation failed, or
      an assertion does not hold, 2 the command could not be carried out.
      """
  )

  @Argument(help: "The expression, or - for standard input.") var expression: String
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp(
      "A variable with a JSON value, or with @ and a file that has the value; may be repeated.",
      valueName: "name=json|@file"
    )
  )
  var variables: [String] = []
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Files whose values become self, one after the other; - is standard input; may be repeated.",
      valueName: "file"
    ),
    completion: .file()
  )
  var inputs: [String] = []
  @Option(help: "The language of the input: json, jsonc, yaml, jsonl or env.") var language: FileLanguage?
  @Option(
    help: ArgumentHelp("The JSON Schema that gives the type of self.", valueName: "file"),
    completion: .file()
  )
  var schema: String?
  @Flag(name: .customLong("assert"), help: "Fail if a result is not true.") var asserts = false
  @OptionGroup var moment: MomentOptions
  @Flag(help: "Also print the syntax tree.") var ast = false
  @Flag(help: "Also print the type of the result; with --ast, of every node.") var types = false
  @Flag(help: "Also print what the expression reads, and its maximum cost.") var deps = false
  @Flag(help: "Print the result as JSON.") var json = false

  /// The arguments of the program, with `--` before an expression that begins with a minus sign, as options do.
  static func separated(_ arguments: [String]) -> [String] {
    guard arguments.first == configuration.commandName, !arguments.contains("--") else { return arguments }
    let valued = ["--var", "--input", "--language", "--schema", "--now", "--zone"]
    let found = arguments.indices.dropFirst().first { position in
      let argument = arguments[position].dropFirst(1)
      guard arguments[position].hasPrefix("-"), !argument.isEmpty, argument != "h" else { return false }
      let isOption = argument.first == "-" && argument.dropFirst().first?.isLetter == true
      return !isOption && !valued.contains(arguments[position - 1])
    }
    guard let found else { return arguments }
    return arguments[..<found] + arguments[(found + 1)...] + ["--", arguments[found]]
  }

  func validate() throws {
    if expression == "-", inputs.contains("-") {
      throw ValidationError("standard input is read once: the expression and the input cannot both be -")
    }
  }

  func run() throws {
    let source = expression == "-" ? String(decoding: try Console.readFile("-"), as: UTF8.self) : expression
    let setting = if let schema { try ExpressionSetting(schemaFile: schema) } else { ExpressionSetting() }
    var variables = try self.variables.map(Self.variable)
    if !inputs.isEmpty || schema != nil && !variables.contains(where: { $0.name == Self.input }) {
      variables.append(TriedExpression.Variable(name: Self.input))
    }
    for index in variables.indices { setting.complete(&variables[index]) }
    let tried: TriedExpression
    do throws(ExpressionError) {
      tried = try TriedExpression(
        source,
        in: setting.environment,
        variables: ExpressionSetting.variables + variables,
        at: moment.moment
      )
    } catch {
      Console.complain(error.description)
      throw ExitCode(1)
    }
    let status = inputs.isEmpty ? tell(tried.report(telling: sections), of: nil) : try evaluate(tried)
    if status != 0 { throw ExitCode(status) }
  }

  /// The variable whose value is an input.
  private static let input = ExpressionSetting.input

  private var sections: ExpressionReport.Sections {
    var sections: ExpressionReport.Sections = []
    if ast { sections.insert(.tree) }
    if types { sections.insert(.types) }
    if deps { sections.formUnion([.dependencies, .cost]) }
    return sections
  }

  /// Evaluates the expression for each value of the files.
  ///
  /// - Returns: the exit status.
  private func evaluate(_ tried: TriedExpression) throws(CommandFailure) -> Int32 {
    var status: Int32 = 0
    var sections = sections
    for entry in FileSelection(inputs, suffixes: FileLanguage.suffixes).entries {
      guard case .file(let file) = entry else {
        if case .trouble(let path, let trouble) = entry { Console.complain("\(path): \(trouble)") }
        status = 2
        continue
      }
      let texts = FileText.texts(of: try Console.readFile(file), language ?? FileLanguage(fileName: file) ?? .json)
      for text in texts {
        switch text.read(file: file) {
        case .problems(let problems):
          for problem in problems { Console.complain(problem.description) }
          status = 2
        case .value(let value):
          let report = tried.report(with: [Self.input: value], telling: sections)
          // Facts about the expression itself are printed only once.
          sections = []
          status = max(status, tell(report, of: "\(file):\(text.lines + 1)"))
        }
      }
    }
    return status
  }

  /// Prints the outcome of the expression.
  ///
  /// - Parameter position: the file and the line of the input.
  /// - Returns: the exit status.
  private func tell(_ report: ExpressionReport, of position: String?) -> Int32 {
    let start = position.map { "\($0): " } ?? ""
    guard !report.isFailure else {
      Console.complain(start + report.text)
      return 1
    }
    if asserts {
      if report.json == true { return 0 }
      Console.say("\(start)the assertion does not hold: \(report.text)")
      return 1
    }
    if json, let value = report.json { Console.say(value) } else { Console.say(report.text) }
    return 0
  }

  // MARK: Variables

  private static func variable(_ text: String) throws(CommandFailure) -> TriedExpression.Variable {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw CommandFailure(
        message: "--var \(text) has no value; write --var 'name=JSON', a text as --var 'name=\"text\"'"
      )
    }
    let name = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    if value.hasPrefix("@") {
      return TriedExpression.Variable(name: name, value: try self.value(inFile: String(value.dropFirst())))
    }
    do {
      return TriedExpression.Variable(name: name, value: try JSON(parsing: value))
    } catch {
      throw CommandFailure(
        message:
          "--var \(name): the value is not valid JSON: \(error)\n  a text needs quotes: --var '\(name)=\"\(value)\"'"
      )
    }
  }

  /// The single value of a file.
  static func value(inFile file: String) throws(CommandFailure) -> JSON {
    let texts = FileText.texts(of: try Console.readFile(file), FileLanguage(fileName: file) ?? .json)
    guard texts.count == 1 else {
      throw CommandFailure(
        message: "\(file): the file has \(texts.count) values; evaluate each of them as self with --input \(file)"
      )
    }
    switch texts[0].read(file: file) {
    case .value(let value): return value
    case .problems(let problems): throw CommandFailure(message: problems.map(\.description).joined(separator: "\n"))
    }
  }
}
