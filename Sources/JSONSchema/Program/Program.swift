internal import Formats
internal import JSON

/// A compiled schema with everything that it refers to: flat tables, never changed after it is made.
final class Program: Sendable {
  let schemas: [SchemaRecord]
  let sources: [SchemaSource]
  /// In the order in which the keywords were written.
  let written: [Instruction]
  let lists: [Int32]
  let names: [String]
  let constants: [JSON]
  let enumerations: [Enumeration]
  let plans: [MemberPlan]
  let patterns: [Pattern]
  let formats: [FormatRule]
  let dynamicReferences: [DynamicReference]
  let dynamicAnchors: [DynamicAnchors]
  /// Whether the targets of some references depend on the way to them, so that evaluation keeps the dynamic scope.
  let keepsScope: Bool
  let locations: LocationTable
  let root: Int32
  let limits: SchemaLimits
  /// The memory that evaluation reads.
  let memory: EvaluationMemory

  init(_ source: ProgramTables, root: Int32, limits: SchemaLimits) {
    var tables = source
    tables.markSharedSchemas(root: root)
    schemas = tables.schemas
    sources = tables.sources
    written = tables.written
    lists = tables.lists
    names = tables.names
    constants = tables.constants
    enumerations = tables.enumerations
    plans = tables.plans
    patterns = tables.patterns
    formats = tables.formats
    dynamicReferences = tables.dynamicReferences
    dynamicAnchors = tables.dynamicAnchors
    keepsScope = tables.written.contains { $0.operation == .dynamicReference }
    locations = tables.locations
    self.root = root
    self.limits = limits
    memory = EvaluationMemory(tables, keepsScope: keepsScope)
  }

  /// The bound that an evaluation reached; nil if it reached none.
  func bound(of evaluator: Evaluator) -> EvaluationBound? {
    switch evaluator.givenUp {
    case nil: nil
    case .tooCostly: .steps(limits.evaluationStepsMax)
    case .tooDeep: .depth(limits.evaluationDepthMax)
    case .patternTooCostly: .pattern(patterns[Int(evaluator.runawayPattern)].source)
    }
  }

  /// The elements of a list operand.
  func list(_ start: Int32, _ count: Int32) -> ArraySlice<Int32> {
    lists[Int(start)..<Int(start + count)]
  }
}

/// The tables of a ``Program`` while they grow.
struct ProgramTables {
  var schemas: [SchemaRecord] = []
  var sources: [SchemaSource] = []
  var written: [Instruction] = []
  var fast: [Instruction] = []
  var lists: [Int32] = []
  var names: [String] = []
  var constants: [JSON] = []
  var enumerations: [Enumeration] = []
  var plans: [MemberPlan] = []
  var patterns: [Pattern] = []
  var formats: [FormatRule] = []
  var dynamicReferences: [DynamicReference] = []
  var dynamicAnchors: [DynamicAnchors] = []
  var locations = LocationTable()

  /// Appends a list; returns its start.
  mutating func addList(_ elements: [Int32]) -> Int32 {
    lists += elements
    return Int32(lists.count - elements.count)
  }

  mutating func addName(_ name: String) -> Int32 {
    names.append(name)
    return Int32(names.count - 1)
  }

  mutating func addConstant(_ value: JSON) -> Int32 {
    constants.append(value)
    return Int32(constants.count - 1)
  }
}

/// A format that asserts.
struct FormatRule: Sendable {
  var name: String
  var format: TextFormat
}
