internal import CEL
internal import JSON

/// Compiles the formulas of one form against the cells that the form has.
///
/// It is used twice: the first pass finds out which cells any formula reads, the second gives exactly those an address.
final class FormulaCompiler {
  /// What a formula may read beside the cells of the form.
  enum Scope {
    case form
    /// `self` is the value of that field.
    case field(Int)
    /// `response`, and for actions `previous`.
    case outcome
  }

  /// A cell that formulas may read.
  struct Cell {
    let name: String
    let type: CELType
    let size: SizeBounds
    /// Whether its value is a secret.
    let isSecret: Bool
    /// Where its address is kept.
    let address: WritableKeyPath<SlotTable, Int32>
  }

  /// A formula whose steps cannot be bounded by this is refused: a turn may have many.
  static let costMax = 1_000_000
  /// What is assumed of a text or list that the schema does not bound.
  static let assumedSizeMax = 4096

  private let cells: [Cell]
  private let fieldNames: [String]
  private var base: Environment
  private var withSelf: Environment
  private var withResponse: Environment
  /// By slot: the cell's position in `cells`.
  private let cellOfSlot: [Int]
  private let cellOfName: [String: Int]
  private(set) var slots: SlotTable
  /// The names of the cells that formulas have read so far.
  private(set) var readNames: Set<String> = []

  /// - Parameter used: the names of the cells that get an address; nil: all of them.
  init(cells: [Cell], fieldNames: [String], emptyTable: SlotTable, used: Set<String>?) {
    self.cells = cells
    self.fieldNames = fieldNames
    var environment = Environment()
    environment.assumedSizeMax = Self.assumedSizeMax
    var table = emptyTable
    var cellOfSlot: [Int] = []
    var cellOfName: [String: Int] = [:]
    for (position, cell) in cells.enumerated() where used?.contains(cell.name) ?? true {
      let slot = cellOfSlot.count
      environment.declare(variable: cell.name, type: cell.type, slot: slot, size: cell.size)
      table[keyPath: cell.address] = Int32(slot)
      cellOfSlot.append(position)
      cellOfName[cell.name] = position
    }
    table.count = cellOfSlot.count
    table.names = cellOfSlot.map { (cells[$0].name, cells[$0].isSecret) }
    self.cellOfSlot = cellOfSlot
    self.cellOfName = cellOfName
    slots = table
    base = environment
    withSelf = environment
    environment.declare(
      RecordDeclaration(
        name: "response",
        fields: [
          "kind": .init(type: .string, size: SizeBounds(max: 16)), "status": .init(type: .int, size: .scalar),
          "headers": .init(type: .map(.string, .string)), "body": .init(type: .dyn),
          "rows": .init(type: .list(.map(.string, .dyn))),
        ]
      )
    )
    environment.declare(variable: "response", type: .object("response"), slot: table.response)
    environment.declare(variable: "previous", type: .dyn, slot: table.previous)
    withResponse = environment
  }

  /// Compiles one formula; nil when it is wrong, which the collector then holds.
  ///
  /// - Parameter expected: the type that the result must have; nil for any.
  func compile(
    _ text: FormulaText,
    scope: Scope = .form,
    expecting expected: CELType? = nil,
    isArgument: Bool = false,
    _ collector: inout DiagnosticCollector
  ) -> Formula? {
    let program: Program
    do throws(ExpressionError) {
      program = try environment(for: scope).compile(text.source, expecting: expected)
    } catch {
      for fault in error.faults {
        collector.report(
          "expression",
          at: text.pointer,
          spot: .codePoint(fault.offset),
          fault.message,
          remedy:
            "\(fault.sourceLine)\n    \(String(repeating: " ", count: max(0, fault.place.column - 1)))^"
        )
      }
      return nil
    }
    checkCost(of: program, text, &collector)
    var reads: Set<Int> = []
    var readFields: Set<Int> = []
    var readsSecret = false
    for dependency in program.dependencies where dependency.slot < slots.count {
      let cell = cells[cellOfSlot[dependency.slot]]
      reads.insert(dependency.slot)
      readNames.insert(cell.name)
      if cell.isSecret { readsSecret = true }
      if let field = valueField(ofSlot: dependency.slot) { readFields.insert(field) }
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
      program: program,
      reads: reads.sorted(),
      readFields: readFields.sorted(),
      readsSecret: readsSecret
    )
  }

  private func environment(for scope: Scope) -> Environment {
    switch scope {
    case .form: return base
    case .outcome: return withResponse
    case .field(let field):
      // In a rule, `self` is another name of the same cell.
      guard let position = cellOfName["values.\(fieldNames[field])"] else { return base }
      let cell = cells[position]
      withSelf.declare(
        variable: "self",
        type: cell.type,
        slot: Int(slots[keyPath: cell.address]),
        size: cell.size
      )
      return withSelf
    }
  }

  private func valueField(ofSlot slot: Int) -> Int? {
    slots.values.firstIndex(of: Int32(slot))
  }

  private func checkCost(of program: Program, _ text: FormulaText, _ collector: inout DiagnosticCollector) {
    switch program.cost {
    case .bounded(let steps) where steps <= Self.costMax:
      break
    case .bounded(let steps):
      collector.report(
        "cost",
        at: text.pointer,
        "this formula may take \(steps) steps, and \(Self.costMax) are allowed",
        remedy: "give the fields that it reads a smaller \"maxLength\" or \"maxItems\""
      )
    case .unbounded(let reason):
      collector.report("cost", at: text.pointer, "the cost of this formula has no bound: \(reason)")
    }
  }
}
