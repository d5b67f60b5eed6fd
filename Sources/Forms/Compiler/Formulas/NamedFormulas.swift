internal import Budgets
internal import CEL
internal import JSON
internal import SourceTexts
internal import Texts

/// The named formulas of a definition, ready to be called: each with the formulas expanded that it calls.
struct NamedFormulas {
  private let definitions: [FunctionDefinition]
  private var environment: Environment
  private let budget: CompileBudget
  /// By name: the position among the definitions.
  private let positions: [String: Int]
  /// The formulas whose calls are being expanded, the innermost last.
  private var open: [Int] = []

  /// By name: the formulas. Wrong formulas are reported.
  ///
  /// - Parameter environment: the functions that formulas can call.
  static func all(
    _ definitions: [FunctionDefinition],
    in environment: Environment,
    budget: CompileBudget,
    _ collector: inout DiagnosticCollector
  ) -> [String: NamedFormula] {
    if definitions.isEmpty { return [:] }
    var formulas = NamedFormulas(definitions, environment, budget)
    for index in definitions.indices { formulas.add(index, &collector) }
    return formulas.environment.parserOptions.functions
  }

  private init(_ definitions: [FunctionDefinition], _ environment: Environment, _ budget: CompileBudget) {
    self.definitions = definitions
    self.environment = environment
    self.budget = budget
    let names = definitions.enumerated().map { ($0.element.name, $0.offset) }
    positions = Dictionary(names, uniquingKeysWith: { first, _ in first })
  }

  private mutating func add(_ number: Int, _ collector: inout DiagnosticCollector) {
    let function = definitions[number]
    guard environment.parserOptions.functions[function.name] == nil else { return }
    guard checkNames(of: function, &collector) else { return }
    environment.parserOptions.functions[function.name] = NamedFormula(
      parameters: function.parameters,
      body: body(of: number, &collector)
    )
  }

  /// The formula with its calls expanded; nil if it is wrong.
  private mutating func body(of number: Int, _ collector: inout DiagnosticCollector) -> ParsedExpression? {
    guard let formula = definitions[number].formula, budget.spend(10 + formula.source.utf8.count) else { return nil }
    open.append(number)
    defer { open.removeLast() }
    do throws(ExpressionError) {
      for name in Self.calls(in: try environment.parse(formula.source)) {
        guard let called = positions[name] else { continue }
        if open.contains(called) {
          reportCycle(to: called, &collector)
          return nil
        }
        add(called, &collector)
      }
      let parsed = try environment.parse(formula.source)
      return budget.spend(parsed.root.nodeCount) ? parsed : nil
    } catch {
      FormulaCompiler.report(error.problems, of: formula, &collector)
      return nil
    }
  }

  /// The names that an expression calls as functions.
  private static func calls(in expression: ParsedExpression) -> [String] {
    var names: [String] = []
    expression.root.forEachNode { node in
      if case .call(let call) = node.kind, call.target == nil { names.append(call.function) }
    }
    return names
  }

  // MARK: Reports

  /// Whether the name and the parameters can be written in formulas.
  private func checkNames(of function: FunctionDefinition, _ collector: inout DiagnosticCollector) -> Bool {
    let isFree = !environment.calls(function.name)
    if !Self.isName(function.name) || !isFree {
      collector.report(
        "functionName",
        at: function.pointer,
        spot: .name,
        isFree
          ? "\"\(function.name)\" cannot be the name of a function"
          : "formulas already have a function \"\(function.name)\"",
        remedy: isFree
          ? "use letters, digits and _, no digit first, and no word of the language" : "choose another name"
      )
      return false
    }
    for (index, parameter) in function.parameters.enumerated() {
      let isRepeated = function.parameters[..<index].contains(parameter)
      if Self.isName(parameter), !isRepeated { continue }
      collector.report(
        "functionName",
        at: function.pointer.appending("parameters").appending(index),
        isRepeated
          ? "the parameter \"\(parameter)\" is there twice" : "\"\(parameter)\" cannot be the name of a parameter",
        remedy: isRepeated
          ? "give each parameter a name of its own"
          : "use letters, digits and _, no digit first, and no word of the language"
      )
    }
    return true
  }

  private static func isName(_ name: String) -> Bool { Printer.isIdentifier(name) && !Parser.isReserved(name) }

  private func reportCycle(to number: Int, _ collector: inout DiagnosticCollector) {
    guard let first = open.firstIndex(of: number) else { return }
    let cycle = open[first...].map { definitions[$0] }
    let names = (cycle + [definitions[number]]).map(\.name)
    collector.report(
      "recursion",
      at: cycle[0].pointer.appending("is"),
      "a function cannot call itself: \(names.joined(separator: " -> "))",
      remedy: "fold(list, start, a, x, body) goes through a list",
      related: cycle.dropFirst().map { Diagnostic.Related($0.pointer.appending("is"), "a part of the circle") }
    )
  }
}

extension FunctionDefinition: Equatable {
  /// Whether both mean the same.
  static func == (left: FunctionDefinition, right: FunctionDefinition) -> Bool {
    left.name.hasSameUTF8(as: right.name) && left.parameters == right.parameters
      && left.formula.map { UTF8Key(text: $0.source) } == right.formula.map { UTF8Key(text: $0.source) }
  }
}
