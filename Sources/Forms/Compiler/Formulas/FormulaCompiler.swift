internal import Budgets
internal import CEL
internal import JSON
internal import SourceTexts
internal import Texts

/// Compiles the formulas of one form against the formula cells that the form has.
///
/// A cell gets its slot when the first formula reads it, so that a session keeps no cell that no formula reads.
final class FormulaCompiler {
  /// The names that a formula may read in addition to the cells of the form.
  struct Scope: Hashable {
    /// The template it belongs to: a row's formulas may also read `row`, `above`, `index`, and `outer`.
    var template = 0
    /// `self` is the value of that field.
    var field: Int?
    /// `response`, and for actions `previous`.
    var isOutcome = false
    /// It decides whether a row is shown: `row` has the members of the row whether they are shown or not.
    var decidesRow = false

    /// A formula of the form as a whole.
    static let form = Scope()
    /// A formula of the form, about the result of a request.
    static let outcome = Scope(isOutcome: true)
  }

  /// A formula that may take more steps within the bounds that the schema states is refused: a turn may have many.
  /// Steps that the schema does not bound are charged to the turn's budget.
  static let costMax = 1_000_000

  let cells: FormulaCells
  /// By the pointer of a rule, a check or a step: its id.
  private let ids: [JSONPointer: String]
  let texts: FormTexts
  let budget: CompileBudget
  /// Has the cells that formulas have named so far, each in its slot.
  private(set) var environment: Environment
  /// By slot, after the slots of `response` and `previous`.
  private var cellOfSlot: [FormulaCell] = []
  private var slotOfName: [UTF8Key: Int] = [:]
  private(set) var slots: SlotTable
  private let firstSlot: Int
  /// The names of cells that the environment keeps because they mean the same everywhere.
  private var namesDeclared: Set<UTF8Key> = []
  /// The fields whose records the environment has.
  private var recordsDeclared: Set<Int> = []
  /// The members of the context whose records the environment has.
  private var contextRecordsDeclared: Set<Int> = []
  /// The results of formulas when nearly the same definition was compiled before.
  private let cache: FormulaCache?
  private let functions: [FunctionDefinition]
  /// The named formulas that formulas call themselves.
  private var functionsCalled: Set<String> = []
  /// Whether the texts differ from the texts of ``cache``.
  private let textsHaveChanged: Bool
  /// Whether the environment has a record that ``cache`` does not have.
  private var recordsHaveChanged = false
  /// The results of formulas in this compilation, and the names they could read.
  private var formulas: [FormulaKey: CompiledFormula] = [:]
  private var records: [UTF8Key: RecordShape] = [:]
  /// The blocks of the definition of which a part could not be read. Names of their parts may lead nowhere.
  private let unreadBlocks: Set<String>
  /// The addresses that the definition names elsewhere, and for which it was told that the schema has no field.
  private let addressesReported: Set<UTF8Key>
  /// By template: the names of its cells.
  private var namesOfTemplate: [Int: [String]] = [:]

  /// - Parameters:
  ///   - ids: the ids of rules, checks and steps, by their pointers.
  ///   - slots: the slots of the form's cells, none given yet.
  ///   - texts: the texts that formulas may name.
  ///   - functions: the formulas that formulas may call.
  ///   - unreadBlocks: the blocks of which a part could not be read. Names that lead to no cell of them are not
  ///     reported.
  ///   - addressesReported: addresses without a field that are reported already. Formulas that read them are not.
  ///   - cache: the results of earlier formulas; nil without a cache.
  ///   - budget: the budget that pays for compiling.
  init(
    cells: FormulaCells,
    ids: [JSONPointer: String],
    slots: SlotTable,
    texts: FormTexts,
    functions: [FunctionDefinition] = [],
    unreadBlocks: Set<String>,
    addressesReported: Set<UTF8Key> = [],
    cache: FormulaCache?,
    budget: CompileBudget
  ) {
    self.functions = functions
    // A formula may call any function.
    if let cache, cache.functions != functions { cache.formulas = [:] }
    self.cache = cache
    textsHaveChanged = cache.map { $0.texts != texts } ?? false
    self.cells = cells
    self.ids = ids
    self.texts = texts
    self.unreadBlocks = unreadBlocks
    self.addressesReported = addressesReported
    self.slots = slots
    firstSlot = slots.count
    self.budget = budget
    environment = FormFunctions.environment(texts)
    formulas.reserveCapacity(cache?.formulas.count ?? 0)
  }

  /// The key of the cell of a slot; nil for a slot of outcomes.
  func key(ofSlot slot: Int) -> SlotKey? {
    slot < firstSlot ? nil : cellOfSlot[slot - firstSlot].slotKey
  }

  /// Compiles one formula; nil when it is wrong, which the collector then holds, and when the budget is spent.
  ///
  /// - Parameters:
  ///   - expected: the type that the result must have; nil for any.
  ///   - orReason: see ``Environment/check(_:expecting:orReason:)``.
  func compile(
    _ text: FormulaDefinition,
    scope: Scope = .form,
    expecting expected: CELType? = nil,
    orReason: Bool = false,
    isArgument: Bool = false,
    _ collector: inout DiagnosticCollector
  ) -> Formula? {
    guard budget.spend(Self.work(of: text)) else { return nil }
    let formula: CompiledFormula
    do throws(ExpressionError) {
      formula = try self.formula(
        of: text.source,
        scope,
        expected,
        orReason: orReason,
        namesSuggested: !collector.isFull
      )
    } catch {
      Self.report(error.problems.filter { !isUnread($0, in: text.source) }, of: text, &collector)
      return nil
    }
    let program = formula.program
    if let costly = formula.costly { report(costly: costly, program.cost, text, scope, &collector) }
    if formula.callsForText { checkTexts(namedBy: program.parsed, text, &collector) }
    for extent in formula.unknownLabels ?? [] { report(unknownLabelAt: extent, text, &collector) }
    for comparison in formula.comparisons { check(comparison, text, scope, &collector) }
    // In the order of the slots, as the dependencies are.
    var reads: [Int] = []
    var readFields: Set<Int> = []
    var readsSecret = false
    var readsContext = false
    for dependency in program.dependencies where dependency.slot >= firstSlot {
      let cell = cellOfSlot[dependency.slot - firstSlot]
      if reads.last != dependency.slot { reads.append(dependency.slot) }
      if cell.isSecret { readsSecret = true }
      if let field = cell.field, !cell.isInitial { readFields.insert(field) }
      if cell.contextMember != nil || cell.isInitial { readsContext = true }
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
      pointer: text.pointer,
      name: FormulaName(of: text.pointer, ids: ids),
      program: program,
      reads: reads,
      readFields: readFields.sorted(),
      readsSecret: readsSecret,
      readsContext: readsContext
    )
  }

  /// The units that compiling a formula takes: it is read, checked, planned and estimated in one walk each.
  private static func work(of text: FormulaDefinition) -> Int { 10 + text.source.utf8.count }

  // MARK: Names

  /// Reads, checks and plans a formula, unless the result is known: its names lead to the same cells, records and texts
  /// as before.
  private func formula(
    of source: String,
    _ scope: Scope,
    _ expected: CELType?,
    orReason: Bool,
    namesSuggested: Bool
  ) throws(ExpressionError) -> CompiledFormula {
    let key = FormulaKey(source: UTF8Key(text: source), scope: scope, expected: expected, admitsReasons: orReason)
    let known = cache?.formulas[key]
    let expression = if let known { known.program.parsed } else { try parse(source, scope) }
    // A call of a named formula has the nodes of the formula.
    if !functions.isEmpty {
      _ = budget.spend(expression.root.nodeCount)
      functionsCalled.formUnion(expression.functionsCalled)
    }
    let chains = known?.chains ?? Self.chains(in: expression.root)
    let cells = cells(namedBy: chains, in: scope)
    if let known, known.cells == cells, !(known.readsRecords && recordsHaveChanged),
      !(known.callsForText && textsHaveChanged)
    {
      formulas[key] = known
      return known
    }
    let names = declare(cells, in: scope)
    defer { for name in names { environment.remove(name) } }
    let (checked, program, unknownLabels) = try plan(
      expression,
      chains,
      scope,
      expected,
      orReason: orReason,
      namesSuggested: namesSuggested
    )
    let formula = CompiledFormula(
      chains: chains,
      cells: cells,
      readsRecords: cells.contains { self.cells.holdsObjects($0.cell) },
      callsForText: checked.callsForText,
      unknownLabels: unknownLabels,
      comparisons: ChoiceComparison.all(in: expression),
      program: program,
      costly: isTooCostly(program, in: scope, reading: cells) ? checked : nil
    )
    // A formula that takes too long is read again: its diagnostics depend on more. Labels belong to fields.
    if cache != nil, formula.costly == nil, unknownLabels == nil { formulas[key] = formula }
    return formula
  }

  /// Reads a formula. In rows, a list of the positions replaces `indexes`.
  private func parse(_ source: String, _ scope: Scope) throws(ExpressionError) -> ParsedExpression {
    let indexes = cells.indexes(in: scope.template)
    environment.parserOptions.lists = indexes.isEmpty ? [:] : [Self.indexes: indexes]
    return try environment.parse(source)
  }

  static let indexes = "indexes"

  /// The known types of the parts of an expression; nil if it cannot be parsed.
  func types(in source: String, _ scope: Scope) -> CheckedExpression? {
    guard let expression = try? parse(source, scope) else { return nil }
    let names = declare(cells(namedBy: Self.chains(in: expression.root), in: scope), in: scope)
    defer { for name in names { environment.remove(name) } }
    return environment.inferTypes(of: expression)
  }

  /// Whether an unknown name may be in a part of the definition that could not be read, or is reported already.
  private func isUnread(_ problem: ExpressionError.Problem, in source: String) -> Bool {
    guard problem.isUnknownName else { return false }
    let path = String(source.unicodeScalars.dropFirst(problem.extent.lowerBound).prefix(problem.extent.count))
      .split(separator: ".")
    if path.count > 1, path[0] == "values" {
      let pointer = JSONPointer(tokens: path.dropFirst().map(String.init))
      if addressesReported.contains(UTF8Key(text: pointer.address)) { return true }
    }
    guard !unreadBlocks.isEmpty else { return false }
    let first = source.unicodeScalars.dropFirst(problem.extent.lowerBound).prefix { $0 != "." && $0 != "[" }
    let tables: Set = ["checks", "lookups", "steps", "actions", "outputs", "context"]
    let name = String(String.UnicodeScalarView(first))
    return unreadBlocks.contains(tables.contains(name) ? name : "schema")
  }

  /// Makes the named formulas ready to be called. To be called before any formula is compiled.
  func expandFunctions(_ collector: inout DiagnosticCollector) {
    environment.parserOptions.functions = NamedFormulas.all(functions, in: environment, budget: budget, &collector)
  }

  /// The named formulas that formulas call, also through others.
  var functionsReached: Set<String> {
    var found = functionsCalled
    var waiting = Array(found)
    while let name = waiting.popLast() {
      for inner in environment.parserOptions.functions[name]?.body?.functionsCalled ?? []
      where found.insert(inner).inserted {
        waiting.append(inner)
      }
    }
    return found
  }

  /// Keeps all that was compiled for the next compilation.
  func keepFormulas() {
    cache?.formulas = formulas
    cache?.records = records
    cache?.texts = texts
    cache?.functions = functions
  }

  private func plan(
    _ expression: ParsedExpression,
    _ chains: [[String]],
    _ scope: Scope,
    _ expected: CELType?,
    orReason: Bool,
    namesSuggested: Bool
  ) throws(ExpressionError) -> (CheckedExpression, Program, unknownLabels: [Range<Int>]?) {
    func plan() throws(ExpressionError) -> (CheckedExpression, Program, unknownLabels: [Range<Int>]?) {
      let checked = try environment.check(expression, expecting: expected, orReason: orReason)
      guard ChoiceLabels.areNamed(in: checked) else { return (checked, try environment.plan(checked), nil) }
      let labels = ChoiceLabels(cells: cells, scope: scope, defaultLocale: texts.defaultLocale)
      let (bound, unknown) = labels.bind(checked)
      return (bound, try environment.plan(bound), unknown)
    }
    // Similar names are looked for only in a formula that is wrong.
    environment.suggests = false
    do throws(ExpressionError) {
      return try plan()
    } catch {
      guard namesSuggested, budget.mayCompare(error.problems.count * self.names(in: scope.template).count) else {
        throw error
      }
      environment.suggests = true
      environment.suggestedNames = suggestedNames(in: scope)
      environment.advice = advice(for: chains, template: scope.template)
      defer {
        environment.suggestedNames = nil
        environment.advice = [:]
      }
      return try plan()
    }
  }

  // MARK: Cells

  /// The cells that chains name in a scope. Cells whose names have one meaning everywhere come first. Each gets its
  /// slot and its records.
  private func cells(namedBy chains: [[String]], in scope: Scope) -> [DeclaredCell] {
    var found: [DeclaredCell] = []
    // In a rule, `self` is another name of the same cell, and `self.city` of the cell of the field inside.
    let value = scope.field.map(cells.names(ofValue:))
    func note(
      _ chain: [String],
      standingFor value: [String]?,
      in template: Int,
      isLasting: Bool,
      isStored: Bool = false
    ) {
      // The names after the longest cell name select from the cell's value.
      for count in (1...min(chain.count, cells.namesMax)).reversed() {
        let names = value.map { $0 + chain[1..<count] } ?? Array(chain[..<count])
        guard let (slot, name) = slot(ofCell: names, in: template, isStored: isStored) else { continue }
        let cell = cellOfSlot[slot - firstSlot]
        declareRecords(of: cell)
        let written = value == nil ? name : Printer.print(chain: Array(chain[..<count]))
        found.append(DeclaredCell(name: UTF8Key(text: written), slot: slot, cell: cell, isLasting: isLasting))
        return
      }
    }
    for chain in chains where !cells.dependOnRow(chain) {
      note(chain, standingFor: nil, in: 0, isLasting: true)
    }
    for chain in chains {
      if chain[0] == "self", let field = scope.field {
        note(chain, standingFor: value, in: cells.template(of: field), isLasting: false)
      } else if cells.dependOnRow(chain) {
        let isStored = scope.decidesRow && chain[0] == "row"
        note(chain, standingFor: nil, in: scope.template, isLasting: false, isStored: isStored)
      }
    }
    return found
  }

  /// Declares those cells, and the further names of a scope; returns the names that must be removed again.
  private func declare(_ cells: [DeclaredCell], in scope: Scope) -> [String] {
    var names: [String] = []
    for cell in cells {
      if !cell.isLasting { names.append(cell.name.text) } else if !namesDeclared.insert(cell.name).inserted { continue }
      environment.declare(variable: cell.name.text, type: cell.cell.type, slot: cell.slot, size: cell.cell.size)
    }
    guard scope.isOutcome else { return names }
    environment.declare(Self.response)
    environment.declare(variable: "response", type: .object("response"), slot: SlotTable.response)
    environment.declare(variable: "previous", type: .dyn, slot: SlotTable.previous)
    return names + ["previous", "response"]
  }

  /// By name in an expression that may lead to no cell: the advice.
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

  /// The similar names for a name that does not exist.
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
      "rows": .init(type: .list(.map(.string, .dyn))), "sqlState": .init(type: .string, size: SizeBounds(max: 5)),
      "constraint": .init(type: .string, size: SizeBounds(max: 1024)),
      "reason": .init(type: .string, size: SizeBounds(max: 1024)),
    ]
  )

  /// The names of each chain of an expression: see `Syntax.memberChain`.
  private static func chains(in node: Syntax) -> [[String]] {
    var chains: [[String]] = []
    func collect(_ node: Syntax) {
      guard var chain = node.memberChain ?? node.testedChain else { return node.forEachChild(collect) }
      // A leading dot means that the name is not a loop's variable.
      if chain[0].utf8.first == UInt8(ascii: ".") { chain[0].removeFirst() }
      chains.append(chain)
    }
    collect(node)
    return chains
  }

  /// The slot of the cell that those names lead to in a template, and their chain, if there is one.
  ///
  /// - Parameter isStored: whether the stored value of a row is meant, shown or not.
  private func slot(ofCell names: [String], in template: Int, isStored: Bool) -> (slot: Int, name: String)? {
    let name = Printer.print(chain: names)
    let key = UTF8Key(text: template == 0 ? name : "\(template) \(isStored ? "stored " : "")\(name)")
    if let slot = slotOfName[key] { return (slot, name) }
    let shown = cells.cell(named: names, in: template)
    guard let cell = isStored ? shown.map(cells.stored) : shown else { return nil }
    var slot = slots[cell.slotKey]
    if slot < 0 {
      slot = slots.add(name, isSecret: cell.isSecret, in: cell.template)
      slots[cell.slotKey] = slot
      cellOfSlot.append(cell)
      // The values that it gathers are in slots, too.
      if let output = cell.column, slots.outputs[output] < 0 {
        let own = cells.cell(ofOutput: output)
        slots[own.slotKey] = slots.add(name, isSecret: own.isSecret, in: own.template)
        cellOfSlot.append(own)
      }
      if cell.isAbove, let field = cell.field, slots.values[field] < 0 {
        let own = cells.value(of: field)
        slots[own.slotKey] = slots.add(
          Printer.print(chain: ["row"] + names.dropFirst()),
          isSecret: own.isSecret,
          in: own.template
        )
        cellOfSlot.append(own)
      }
    }
    slotOfName[key] = Int(slot)
    return (Int(slot), name)
  }

  /// Declares the records that a cell's type names, and those that their fields' types name.
  private func declareRecords(of cell: FormulaCell) {
    if let field = cell.field {
      declareRecords(in: field, &recordsDeclared, objects: { cells.objects(in: $0) }, record: { cells.record(of: $0) })
    } else if let member = cell.contextMember, let context = cells.context {
      declareRecords(in: member, &contextRecordsDeclared, objects: context.objects, record: context.record)
    }
  }

  private func declareRecords(
    in field: Int,
    _ declared: inout Set<Int>,
    objects: (Int) -> [Int],
    record: (Int) -> (shape: RecordShape, members: [Int])
  ) {
    var waiting = objects(field)
    while let object = waiting.popLast() {
      guard declared.insert(object).inserted else { continue }
      let (shape, members) = record(object)
      // A refused spending ends the compilation.
      guard budget.spend(1 + members.count) else { return }
      environment.declare(shape.declaration)
      if let cache {
        records[shape.name] = shape
        if cache.records[shape.name] != shape { recordsHaveChanged = true }
      }
      waiting += members.flatMap(objects)
    }
  }
}
