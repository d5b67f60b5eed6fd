internal import CEL
internal import JSON
internal import Texts

/// Compiles the formulas of one form against the cells that the form has.
///
/// A cell gets its address when the first formula reads it, so that a session keeps no cell that nobody reads.
final class FormulaCompiler {
  /// What a formula may read beside the cells of the form.
  struct Scope {
    /// Where it belongs: a row's formulas may also read `row`, `index`, and `outer`.
    var template = 0
    /// `self` is the value of that field.
    var field: Int?
    /// `response`, and for actions `previous`.
    var isOutcome = false

    /// A formula of the form, about nothing in particular.
    static let form = Scope()
    /// A formula of the form, about what became of a request.
    static let outcome = Scope(isOutcome: true)
  }

  /// A formula that may take more steps within the bounds that the schema states is refused: a turn may have many. What the schema does not
  /// bound is charged to the turn's budget.
  static let costMax = 1_000_000

  /// So many code points of a line are told on each side of a fault.
  private static let excerptMax = 80

  private let cells: FormulaCells
  /// By the pointer of a rule, a check or a step: its id.
  private let ids: [JSONPointer: String]
  private let texts: FormTexts
  private let budget: CompileBudget
  /// Has the cells that formulas have named so far, each in its slot.
  private var environment: Environment
  /// By slot, behind those of `response` and `previous`.
  private var cellOfSlot: [FormulaCell] = []
  private var slotOfName: [UTF8Key: Int] = [:]
  private(set) var slots: SlotTable
  private let firstSlot: Int
  /// The names of cells that the environment has because they mean the same everywhere.
  private var namesDeclared: Set<UTF8Key> = []
  /// The fields whose records the environment has.
  private var recordsDeclared: Set<Int> = []
  /// Whether names may be unknown because the schema that has them could not be read.
  private let mayLackNames: Bool
  /// By template: the names of its cells.
  private var namesOfTemplate: [Int: [String]] = [:]

  /// - Parameters:
  ///   - ids: those of rules, checks and steps, by their pointers.
  ///   - slots: the addresses of the form's cells, none given yet.
  ///   - texts: the texts that formulas may name.
  ///   - mayLackNames: whether nothing is said of names that lead to no cell.
  ///   - budget: what compiling takes is spent from it.
  init(
    cells: FormulaCells,
    ids: [JSONPointer: String],
    slots: SlotTable,
    texts: FormTexts,
    mayLackNames: Bool,
    budget: CompileBudget
  ) {
    self.cells = cells
    self.ids = ids
    self.texts = texts
    self.mayLackNames = mayLackNames
    self.slots = slots
    firstSlot = slots.count
    self.budget = budget
    environment = FormFunctions.environment(texts)
  }

  /// Compiles one formula; nil when it is wrong, which the collector then holds, and when the budget is spent.
  ///
  /// - Parameter expected: the type that the result must have; nil for any.
  func compile(
    _ text: FormulaText,
    scope: Scope = .form,
    expecting expected: CELType? = nil,
    isArgument: Bool = false,
    _ collector: inout DiagnosticCollector
  ) -> Formula? {
    guard budget.spend(Self.work(of: text)) else { return nil }
    let program: Program
    do throws(ExpressionError) {
      program = try self.program(of: text.source, scope, expected, namesSuggested: !collector.isFull)
    } catch {
      for fault in error.faults where !(fault.isUnknownName && mayLackNames) {
        collector.report(
          "expression",
          at: text.pointer,
          spot: .codePoint(fault.offset, fault.extent),
          fault.message,
          remedy: .within(
            Self.excerpt(around: fault) + (text.quoted.map { "\n    a text has quotes of its own: \($0)" } ?? ""),
            part: fault.replacement
          )
        )
      }
      return nil
    }
    checkCost(of: program, text, &collector)
    checkTexts(namedBy: program.expression.parsed, text, &collector)
    // In the order of the slots, as the dependencies are.
    var reads: [Int] = []
    var readFields: Set<Int> = []
    var readsSecret = false
    for dependency in program.dependencies where dependency.slot >= firstSlot {
      let cell = cellOfSlot[dependency.slot - firstSlot]
      if reads.last != dependency.slot { reads.append(dependency.slot) }
      if cell.isSecret { readsSecret = true }
      if let field = cell.field { readFields.insert(field) }
    }
    if readsSecret, !isArgument, program.type != .bool {
      collector.report(
        "secret",
        at: text.pointer,
        "this formula reads a secret and is of type \(program.type)",
        remedy: "only a condition (a formula of type bool) and the arguments of \"run\" may read a secret's value"
      )
    }
    return Formula(
      pointer: text.pointer.description,
      name: CellName(of: text.pointer, ids: ids),
      program: program,
      reads: reads,
      readFields: readFields.sorted(),
      readsSecret: readsSecret
    )
  }

  /// The units that compiling a formula takes: it is read, checked, planned and estimated in one walk each.
  private static func work(of text: FormulaText) -> Int { 10 + text.source.utf8.count }

  /// The line of the source, with a caret below the fault; of a long line only what stands around it.
  private static func excerpt(around fault: ExpressionError.Fault) -> String {
    let before = max(0, fault.place.column - 1)
    guard fault.sourceLine.utf8.count > 2 * excerptMax else {
      return "\(fault.sourceLine)\n    \(String(repeating: " ", count: before))^"
    }
    let scalars = fault.sourceLine.unicodeScalars.dropFirst(max(0, before - excerptMax)).prefix(2 * excerptMax)
    return "\(String(scalars))\n    \(String(repeating: " ", count: min(before, excerptMax)))^"
  }

  // MARK: Names

  private func program(
    of source: String,
    _ scope: Scope,
    _ expected: CELType?,
    namesSuggested: Bool
  ) throws(ExpressionError) -> Program {
    let expression = try environment.parse(source)
    let chains = Self.chains(in: expression.root)
    declareCells(namedBy: chains)
    let names = declareNames(of: scope, in: chains)
    defer { for name in names { environment.remove(name) } }
    // What may have been meant is looked for in a formula that is wrong, and not in every one.
    environment.suggests = false
    do throws(ExpressionError) {
      return try environment.plan(environment.check(expression, expecting: expected))
    } catch {
      guard namesSuggested, budget.mayCompare(error.faults.count * self.names(in: scope.template).count) else {
        throw error
      }
      environment.suggests = true
      environment.suggestedNames = suggestedNames(in: scope)
      environment.advice = advice(for: chains, template: scope.template)
      defer {
        environment.suggestedNames = nil
        environment.advice = [:]
      }
      return try environment.plan(environment.check(expression, expecting: expected))
    }
  }

  /// Declares what chains name of what a scope has beside the cells; returns the names.
  private func declareNames(of scope: Scope, in chains: [[String]]) -> [String] {
    var names: [String] = []
    // In a rule, `self` is another name of the same cell, and `self.city` of the cell of the field inside.
    let value = scope.field.map(cells.names(ofValue:))
    for chain in chains {
      let isSelf = chain[0] == "self" && value != nil
      guard isSelf || cells.dependOnRow(chain) else { continue }
      for count in (1...min(chain.count, cells.namesMax)).reversed() {
        let cell = isSelf ? (value ?? []) + chain[1..<count] : Array(chain[..<count])
        let template = isSelf ? scope.field.map(cells.template) ?? 0 : scope.template
        guard let slot = slot(ofCell: cell, in: template)?.slot else { continue }
        let name = Printer.print(chain: Array(chain[..<count]))
        names.append(name)
        declareVariable(name, in: slot)
        break
      }
    }
    guard scope.isOutcome else { return names }
    environment.declare(Self.response)
    environment.declare(variable: "response", type: .object("response"), slot: SlotTable.response)
    environment.declare(variable: "previous", type: .dyn, slot: SlotTable.previous)
    return names + ["previous", "response"]
  }

  /// By name that an expression has, and that may lead to no cell: what to write instead.
  private func advice(for chains: [[String]], template: Int) -> [String: String] {
    let adviser = FormulaAdvice(cells: cells, template: template)
    var advice: [String: String] = [:]
    for chain in chains { advice[Printer.print(chain: chain)] = adviser.advice(for: chain) }
    return advice
  }

  private func names(in template: Int) -> [String] {
    if let names = namesOfTemplate[template] { return names }
    let names = cells.names(in: template)
    namesOfTemplate[template] = names
    return names
  }

  /// What may have been meant by a name that does not exist.
  private func suggestedNames(in scope: Scope) -> [String] {
    (scope.field.map { cells.names(ofValue: $0, as: "self") } ?? [])
      + (scope.isOutcome ? ["previous", "response"] : [])
      + names(in: scope.template)
  }

  static let response = RecordDeclaration(
    name: "response",
    fields: [
      "kind": .init(type: .string, size: SizeBounds(max: 16)), "status": .init(type: .int, size: .scalar),
      "headers": .init(type: .map(.string, .string)), "body": .init(type: .dyn),
      "rows": .init(type: .list(.map(.string, .dyn))), "reason": .init(type: .string, size: SizeBounds(max: 1024)),
    ]
  )

  /// Declares every cell that chains name, and whose name means the same everywhere.
  private func declareCells(namedBy chains: [[String]]) {
    for chain in chains where !cells.dependOnRow(chain) {
      // What is behind the longest name is selected from the cell's value.
      for count in (1...min(chain.count, cells.namesMax)).reversed() {
        let names = Array(chain.prefix(count))
        guard let (slot, name) = slot(ofCell: names, in: 0) else { continue }
        if namesDeclared.insert(UTF8Key(text: name)).inserted { declareVariable(name, in: slot) }
        break
      }
    }
  }

  /// The names of each chain of an expression: see `Syntax.memberChain`.
  private static func chains(in node: Syntax) -> [[String]] {
    var chains: [[String]] = []
    func collect(_ node: Syntax) {
      guard var chain = node.memberChain ?? node.testedChain else { return node.forEachChild(collect) }
      // A dot before it says that the name is no loop's variable.
      if chain[0].utf8.first == UInt8(ascii: ".") { chain[0].removeFirst() }
      chains.append(chain)
    }
    collect(node)
    return chains
  }

  /// The slot of the cell that those names lead to in a template, and their chain, if there is one.
  private func slot(ofCell names: [String], in template: Int) -> (slot: Int, name: String)? {
    let name = Printer.print(chain: names)
    let key = UTF8Key(text: template == 0 ? name : "\(template) \(name)")
    if let slot = slotOfName[key] { return (slot, name) }
    guard let cell = cells.cell(named: names, in: template) else { return nil }
    var slot = slots[keyPath: cell.address]
    if slot < 0 {
      slot = slots.add(name, isSecret: cell.isSecret, in: cell.template)
      slots[keyPath: cell.address] = slot
      cellOfSlot.append(cell)
      // What it gathers stands in slots, too.
      if let output = cell.column, slots.outputs[output] < 0 {
        let own = cells.cell(ofOutput: output)
        slots[keyPath: own.address] = slots.add(name, isSecret: own.isSecret, in: own.template)
        cellOfSlot.append(own)
      }
    }
    slotOfName[key] = Int(slot)
    return (Int(slot), name)
  }

  private func declareVariable(_ name: String, in slot: Int) {
    let cell = cellOfSlot[slot - firstSlot]
    environment.declare(variable: name, type: cell.type, slot: slot, size: cell.size)
    if let field = cell.field { declareRecords(in: field) }
  }

  /// Declares the records that a field's type names, and those that their fields' types name.
  private func declareRecords(in field: Int) {
    var waiting = cells.objects(in: field)
    while let object = waiting.popLast() {
      guard recordsDeclared.insert(object).inserted else { continue }
      let (declaration, members) = cells.record(of: object)
      // A refused spending ends the compilation.
      guard budget.spend(1 + members.count) else { return }
      environment.declare(declaration)
      waiting += members.flatMap(cells.objects)
    }
  }

  /// Looks at the calls of `text` in which the name is written out: a text that there is not, and placeholders that nothing fills.
  private func checkTexts(
    namedBy expression: ParsedExpression,
    _ text: FormulaText,
    _ collector: inout DiagnosticCollector
  ) {
    expression.root.forEachNode { node in
      guard case .call(let call) = node.kind, call.target == nil, call.function == FormTexts.function,
        let first = call.arguments.first, case .literal(.string(let name)) = first.kind
      else { return }
      guard let placeholders = texts.placeholders(of: name) else {
        let closest =
          collector.isFull || !budget.mayCompare(texts.names.count) ? nil : closestName(to: name, among: texts.names)
        collector.report(
          "unknownText",
          at: text.pointer,
          spot: .codePoint(expression.extent(of: first).lowerBound, expression.extent(of: first)),
          "\"texts\" has no \"\(name)\"",
          remedy: closest.map { .within("did you mean \"\($0)\"?", part: "'\($0)'") }
            ?? "add it: \"texts\": {\"\(name)\": {\"en\": \"...\"}}"
        )
        return
      }
      // The locale is the last argument.
      let given = call.arguments.count > 2 ? call.arguments[1].keys : []
      guard let given else { return }
      for placeholder in placeholders.unique where !given.contains(where: { $0.hasSameUTF8(as: placeholder) }) {
        collector.report(
          "unknownPlaceholder",
          at: text.pointer,
          spot: .codePoint(expression.extent(of: first).lowerBound, expression.extent(of: first)),
          "the text \"\(name)\" has {\(placeholder)}, which stays as it is",
          remedy: "fill it: text('\(name)', {'\(placeholder)': ...})",
          severity: .warning
        )
      }
    }
  }

  private func checkCost(of program: Program, _ text: FormulaText, _ collector: inout DiagnosticCollector) {
    let steps = program.cost.steps
    guard steps > Self.costMax else { return }
    let advice = CostAdvice(program: program, environment: environment, cells: cells, stepsMax: Self.costMax)
    // The cost is estimated anew for each place.
    let isTold = !collector.isFull && budget.mayCompare(program.cost.places.count * text.source.utf8.count)
    collector.report(
      "cost",
      at: text.pointer,
      "this formula may take \(steps) steps, and \(Self.costMax) are allowed",
      remedy: isTold ? Remedy(advice.remedy) : "give the fields that it reads a smaller \"maxLength\" or \"maxItems\""
    )
  }
}

extension Syntax {
  /// Calls with this node and all below it.
  fileprivate func forEachNode(_ body: (Syntax) -> Void) {
    body(self)
    forEachChild { $0.forEachNode(body) }
  }

  /// The keys of a map that is written out with texts as keys; nil for anything else.
  fileprivate var keys: [String]? {
    guard case .map(let entries) = kind else { return nil }
    var keys: [String] = []
    for entry in entries {
      guard case .literal(.string(let key)) = entry.key.kind else { return nil }
      keys.append(key)
    }
    return keys
  }
}

extension [String] {
  /// Each once, where it stands first.
  fileprivate var unique: [String] {
    var seen: Set<UTF8Key> = []
    return filter { seen.insert(UTF8Key(text: $0)).inserted }
  }
}
