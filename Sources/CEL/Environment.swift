internal import Texts

/// The names that expressions may use: variables, functions, records; and the limits on reading them.
///
/// An environment is built once; from it come expressions that are read, checked and planned, and can then be evaluated
/// any number of times and from any thread. See the article "Embedding".
public struct Environment: Sendable {
  /// The namespace that names are looked up in first (langdef.md, "Name Resolution"): in `a.b`, the name `c` may mean
  /// `a.b.c`, `a.c` or `c`, in this order.
  public var container: String
  /// How sources are read.
  public var parserOptions = ParserOptions()

  /// Whether null means that something is absent, and spreads: see ``spreadAbsence()``.
  public private(set) var spreadsAbsence = false

  /// Whether messages about unknown names suggest the name that was probably meant; a search through all names.
  package var suggests = true
  /// The suggestions for a name that does not exist, in the order of preference among equally close ones; nil for the
  /// declared variables.
  package var suggestedNames: [String]?
  /// By name that does not exist: the text to write instead, in place of a suggestion.
  package var advice: [String: String] = [:]

  private(set) var variables: [UTF8Key: VariableDeclaration] = [:]
  private(set) var functions: [String: [Overload]] = [:]
  /// The functions that were declared with their descriptions, without macros.
  private(set) var describedFunctions: [Function] = []
  private(set) var records: [String: RecordDeclaration] = [:]
  private(set) var constants: [String: (type: CELType, value: Value)] = [:]
  /// No declared name has more parts.
  private(set) var segmentsMax = 1
  /// Beyond the largest slot in use.
  public private(set) var slotCount = 0

  /// An environment with the functions of every library and no variables.
  public init(container: String = "") {
    self = Self.complete
    self.container = container
  }

  /// An environment with the functions of those libraries and no variables.
  public init(libraries: [Library]) {
    container = ""
    for library in libraries {
      for overload in library.operators { declare(overload) }
      for function in library.functions { declare(function) }
      for (name, type) in library.types { declare(typeName: name, type) }
    }
    for (name, type) in Self.typeNames { declare(typeName: name, type) }
  }

  /// Built once: a host may want an environment for every form.
  private static let complete = Environment(libraries: Library.all)

  private static let typeNames: [(String, CELType)] = [
    ("null_type", .null), ("bool", .bool), ("int", .int), ("uint", .uint), ("double", .double), ("string", .string),
    ("bytes", .bytes), ("list", .list(.dyn)), ("map", .map(.dyn, .dyn)), ("type", .type(.dyn)),
    ("google.protobuf.Timestamp", .timestamp), ("google.protobuf.Duration", .duration),
    ("optional_type", .optional(.dyn)),
  ]

  private mutating func declare(typeName name: String, _ type: CELType) {
    if let value = type.runtimeType { constants[name] = (.type(type), .type(value)) }
    noteSegments(of: name)
  }

  private mutating func noteSegments(of name: String) {
    segmentsMax = max(segmentsMax, 1 + name.utf8.count { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") })
  }

  /// Declares a variable. Its value is read from `slot`, or from the next free one.
  /// - Returns: the slot.
  @discardableResult
  public mutating func declare(
    variable name: String,
    type: CELType,
    slot: Int? = nil,
    size: SizeBounds = .unknown
  ) -> Int {
    let slot = slot ?? slotCount
    precondition(slot >= 0, "slots are counted from 0; '\(name)' was given \(slot)")
    variables[UTF8Key(text: name)] = VariableDeclaration(name: name, type: type, slot: slot, size: size)
    slotCount = max(slotCount, slot + 1)
    noteSegments(of: name)
    return slot
  }

  /// Declares a function with its overloads.
  public mutating func declare(_ function: Function) {
    for overload in function.overloads { declare(overload) }
    describedFunctions.append(function)
  }

  /// Declares one overload of a function. One of the same id replaces the earlier one.
  public mutating func declare(_ overload: Overload) {
    functions[overload.name, default: []].removeAll { $0.id == overload.id }
    functions[overload.name, default: []].append(overload)
  }

  /// Declares a record type; `CELType.object` with its name refers to it.
  public mutating func declare(_ record: RecordDeclaration) {
    records[record.name] = record
    noteSegments(of: record.name)
  }

  /// Takes back the variable and the record type of that name; their slots stay in use.
  package mutating func remove(_ name: String) {
    variables[UTF8Key(text: name)] = nil
    records[name] = nil
  }

  /// From now on null means that something is absent, and absence spreads instead of being an error.
  ///
  /// An absent value reads as the empty value of its type: a text as `''`, a bool as false, a list as `[]`, a map as
  /// `{}`. All other types have no empty value. For them, arithmetic, an order, and every call with an absent operand
  /// are absent; `&&` and `||` take the side that decides, and a filter leaves the element out. `==` and `!=` are never
  /// absent, and an absent value equals null. `has(x)` is false for an absent value, even of a declared variable, and
  /// `x.orValue(y)` is `y`. A member that a value lacks is absent. A member or an element of another type than the
  /// declared one is absent too. An element that a list lacks is still an error, and so is a key that a map lacks that
  /// is written in the expression. A conversion of an empty text is absent. An optional of an absent value is
  /// none.
  public mutating func spreadAbsence() {
    spreadsAbsence = true
    declare(.absentOrValue)
  }

  // MARK: From source to program

  /// Reads an expression. No name is resolved yet.
  /// - Throws: everything that is wrong with the source.
  public func parse(_ source: String) throws(ExpressionError) -> ParsedExpression {
    try Parser.parse(source, options: parserOptions)
  }

  /// Resolves the names of an expression and infers its types.
  /// - Parameters:
  ///   - expected: the type the result must have; nil for any.
  ///   - orReason: whether the result is true or false, or a text: the reason why it is not true. Then the sides of the
  ///     conditionals that give the result may differ.
  /// - Throws: everything that does not fit.
  public func check(
    _ expression: ParsedExpression,
    expecting expected: CELType? = nil,
    orReason: Bool = false
  ) throws(ExpressionError) -> CheckedExpression {
    try Checker.check(expression, in: self, expecting: expected, orReason: orReason)
  }

  /// Resolves names and infers types as far as possible, for an editor that asks about a part of an expression.
  ///
  /// - Returns: the types. A part that is wrong has the type ``CELType/error``.
  package func inferTypes(of expression: ParsedExpression) -> CheckedExpression {
    Checker.infer(expression, in: self)
  }

  /// Resolves names and leaves every type to the evaluation, as the language allows.
  ///
  /// An unknown name is not an error here: its evaluation fails.
  public func resolveWithoutChecking(_ expression: ParsedExpression) -> CheckedExpression {
    Checker.resolve(expression, in: self)
  }

  /// Makes a checked expression ready to be evaluated.
  /// - Throws: errors that only constants can have, such as a regular expression that does not compile.
  public func plan(_ expression: CheckedExpression) throws(ExpressionError) -> Program {
    try Planner.plan(expression, in: self)
  }

  /// Reads, checks and plans an expression.
  /// - Parameter expected: the type the result must have; nil for any.
  /// - Throws: everything that is wrong with it.
  public func compile(_ source: String, expecting expected: CELType? = nil) throws(ExpressionError) -> Program {
    try plan(check(parse(source), expecting: expected))
  }

  /// The cost of an expression.
  /// - Parameter caps: by the sources of declared sizes: bounds to assume if the declared ones are wider.
  package func cost(of expression: CheckedExpression, capping caps: [Int: Int]) -> CostEstimate {
    CostEstimator.estimate(expression, in: self, capping: caps)
  }

  // MARK: Names

  /// The names that `name` may mean, the first to be tried first (langdef.md, "Name Resolution").
  func candidates(for name: String) -> [String] {
    if name.hasPrefix(".") { return [String(name.dropFirst())] }
    guard !container.isEmpty else { return [name] }
    var prefix = container[...]
    var candidates = ["\(prefix).\(name)"]
    while let dot = prefix.lastIndex(of: ".") {
      prefix = prefix[..<dot]
      candidates.append("\(prefix).\(name)")
    }
    candidates.append(name)
    return candidates
  }

  func variable(named name: String) -> VariableDeclaration? { resolve(name) { variables[UTF8Key(text: $0)] } }
  func record(named name: String) -> RecordDeclaration? { resolve(name) { records[$0] } }
  func constant(named name: String) -> (type: CELType, value: Value)? { resolve(name) { constants[$0] } }
  func overloads(named name: String) -> [Overload]? { resolve(name) { functions[$0] } }

  /// Whether expressions have a function or a macro of that name.
  package func calls(_ name: String) -> Bool {
    functions[name] != nil || Function.macros.contains { $0.name == name }
      || ["exists_one", "existsOne"].contains(name)
  }

  private func resolve<Declared>(_ name: String, in table: (String) -> Declared?) -> Declared? {
    if container.isEmpty, name.utf8.first != UInt8(ascii: ".") { return table(name) }
    return candidates(for: name).lazy.compactMap(table).first
  }
}
