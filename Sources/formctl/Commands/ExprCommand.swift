internal import ArgumentParser
internal import CEL
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
  @Flag(help: "Print the syntax tree instead of evaluating.") var ast = false
  @Flag(help: "Print the syntax tree with the type of every node instead of evaluating.") var types = false
  @Flag(help: "Print what the expression reads, and what it costs at most, instead of evaluating.") var deps = false
  @Flag(help: "Print the result as JSON.") var json = false

  func run() throws {
    let source = expression == "-" ? String(decoding: Console.readInput(), as: UTF8.self) : expression
    var environment = Environment()
    var values: [String: Value] = [:]
    for variable in variables {
      let (name, value) = try Self.variable(variable)
      environment.declare(variable: name, type: Self.type(of: value))
      values[name] = Value(value)
    }
    let program: Program
    do {
      program = try environment.compile(source)
    } catch {
      for diagnostic in error.all { Console.complain(diagnostic.rendered) }
      throw ExitCode(1)
    }
    if ast || types {
      for line in Self.tree(program.expression, withTypes: types) { Console.say(line) }
    }
    if deps {
      for dependency in program.dependencies {
        Console.say(([dependency.variable] + dependency.path).joined(separator: "."))
      }
      switch program.cost {
      case .bounded(let steps): Console.say("at most \(steps) steps")
      case .unbounded(let reason): Console.say("unbounded: \(reason)")
      }
    }
    if ast || types || deps { return }
    let result = program.evaluate(values)
    switch result {
    case .error(let error):
      let place = program.position(of: error).map { "\($0.line):\($0.column): " } ?? ""
      Console.complain("\(place)\(error)")
      throw ExitCode(1)
    default:
      if json, let value = result.json {
        Console.say(value)
      } else {
        Console.say(result.description)
      }
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

  /// The type that a variable of that value is declared with.
  private static func type(of value: JSON) -> CELType {
    switch value {
    case .null: return .dyn
    case .bool: return .bool
    case .integer: return .int
    case .real: return .double
    case .string: return .string
    case .array(let elements):
      let inner = Set(elements.map { "\(type(of: $0))" })
      return .list(inner.count == 1 ? elements.first.map(type(of:)) ?? .dyn : .dyn)
    case .object: return .map(.string, .dyn)
    }
  }

  /// The tree, a line for each node, children further right.
  private static func tree(_ expression: CheckedExpression, withTypes: Bool) -> [String] {
    var lines: [String] = []
    func visit(_ node: Syntax, depth: Int) {
      let type = withTypes ? "  : \(expression.type(of: node))" : ""
      lines.append(String(repeating: "  ", count: depth) + title(of: node) + type)
      node.forEachChild { visit($0, depth: depth + 1) }
    }
    visit(expression.parsed.root, depth: 0)
    return lines
  }

  private static func title(of node: Syntax) -> String {
    switch node.kind {
    case .literal(let literal): "literal \(literal)"
    case .identifier(let name): "name \(name)"
    case .select(let selection):
      "\(selection.isTest ? "has" : "select") \(selection.isOptional ? "?" : "").\(selection.field)"
    case .call(let call): "call \(call.function)"
    case .list: "list"
    case .map: "map"
    case .record(let name, _): "record \(name)"
    case .comprehension(let comprehension): "macro \(comprehension.macro) over \(comprehension.variable)"
    case .invalid: "invalid"
    }
  }
}
