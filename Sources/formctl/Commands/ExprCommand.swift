internal import ArgumentParser
internal import CEL
internal import Forms
internal import JSON

/// `formctl expr`: a CEL expression, tried.
struct ExprCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expr",
    abstract: "Check and evaluate a CEL expression, as forms use them. No daemon is needed.",
    discussion: """
      A variable's type is that of its JSON value, so wrong types are found before
      anything is evaluated. The result is printed as CEL writes it, or as JSON with
      --json.

        formctl expr "self.contains('@')" --var 'self="kim@example.com"'
        formctl expr 'size(values.tags) <= 3' --var 'values={"tags": ["a"]}' --deps
        formctl expr '1 + 2 * 3' --types
        formctl expr "years('2008-02-29', today)" --now 2026-02-28T12:00:00Z

      today, now and form.zone are known, too: by the system's clock and zone, or by
      --now and --zone.

      Exit status: 0 evaluated, 1 the expression is wrong or its evaluation failed,
      2 the command could not be done.
      """
  )

  @Argument(help: "The expression, or - for standard input.") var expression: String
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp("A variable and its value as JSON; may be repeated.", valueName: "name=json")
  )
  var variables: [String] = []
  @OptionGroup var moment: MomentOptions
  @Flag(help: "Also print the syntax tree.") var ast = false
  @Flag(help: "Also print the type of the result; with --ast, of every node.") var types = false
  @Flag(help: "Also print what the expression reads, and what it costs at most.") var deps = false
  @Flag(help: "Print the result as JSON.") var json = false

  /// The arguments of the program, with an expression that begins with a minus sign, as options do, behind `--`.
  static func separated(_ arguments: [String]) -> [String] {
    guard arguments.first == configuration.commandName, !arguments.contains("--") else { return arguments }
    let valued = ["--var", "--now", "--zone"]
    let found = arguments.indices.dropFirst().first { position in
      let argument = arguments[position].dropFirst(1)
      guard arguments[position].hasPrefix("-"), !argument.isEmpty, argument != "h" else { return false }
      let isOption = argument.first == "-" && argument.dropFirst().first?.isLetter == true
      return !isOption && !valued.contains(arguments[position - 1])
    }
    guard let found else { return arguments }
    return arguments[..<found] + arguments[(found + 1)...] + ["--", arguments[found]]
  }

  func run() throws {
    let source = expression == "-" ? String(decoding: try Console.readFile("-"), as: UTF8.self) : expression
    var sections: ExpressionReport.Sections = []
    if ast { sections.insert(.tree) }
    if types { sections.insert(.types) }
    if deps { sections.formUnion([.dependencies, .cost]) }
    let report = ExpressionReport(
      of: source,
      in: FormFunctions.environment(),
      // The one that text() reads.
      variables: [(name: "form.locale", value: JSON.string(""))] + (try variables.map(Self.variable)),
      at: moment.moment,
      telling: sections
    )
    guard !report.isFailure else {
      Console.complain(report.text)
      throw ExitCode(1)
    }
    if json, let value = report.json {
      Console.say(value)
    } else {
      Console.say(report.text)
    }
  }

  private static func variable(_ text: String) throws(CommandFailure) -> (name: String, value: JSON) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw CommandFailure(
        message: "--var \(text) has no value; write --var 'name=JSON', a text as --var 'name=\"text\"'"
      )
    }
    let name = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    do {
      return (name, try JSON(parsing: value))
    } catch {
      throw CommandFailure(
        message:
          "--var \(name): the value is no JSON: \(error)\n  a text needs its quotes: --var '\(name)=\"\(value)\"'"
      )
    }
  }
}
