internal import Budgets
internal import Formats
internal import JSON

/// Finds out whether an instance is valid, and nothing else; one evaluation's state.
///
/// Nothing is allocated unless an `unevaluated...` keyword, a dynamic reference, `uniqueItems` on a long array or a
/// fraction under `multipleOf` needs it. Values are passed on as ``BorrowedValue``, so that no references are counted.
struct Evaluator {
  let program: Program
  let tables: EvaluationTables
  /// The budget for evaluating a schema and for other work. The entry point of the module that made the evaluator keeps
  /// it in place until it returns, and no evaluator outlives that.
  let budget: UnsafeMutablePointer<WorkBudget>
  private var depthLeft: Int
  /// The evaluation was given up: the instance is not valid, regardless of the result.
  private(set) var givenUp: GivenUp?
  private(set) var runawayPattern: Int32 = 0
  let keepsScope: Bool
  /// The resources entered, outermost first (core, section 7.1); kept only if the program has dynamic references.
  var scope: [Int32] = []
  /// Marks of evaluated members and elements: a stack of regions, one byte per member or element.
  var marks: [Bool] = []
  /// The results of the schemas that more than one way leads to; nil while they are not worth the memory.
  private var judged: JudgmentCache?
  /// This many answers of these schemas are given before any is kept: most instances are judged by then, and pay
  /// nothing.
  private var freeAnswersLeft: Int32 = 256

  /// Why an evaluation was given up.
  enum GivenUp {
    /// The budget is spent.
    case tooCostly
    /// A regular expression, ``runawayPattern``, reached the limit for one match.
    case patternTooCostly
    case tooDeep
  }

  /// No region of marks is kept.
  static let untracked = -1

  @inline(__always)
  init(_ program: Program, _ budget: UnsafeMutablePointer<WorkBudget>) {
    self.program = program
    self.budget = budget
    tables = program.memory.tables
    depthLeft = program.limits.evaluationDepthMax
    keepsScope = program.keepsScope
  }

  /// Notes that the evaluation cannot be finished.
  mutating func giveUp(_ reason: GivenUp) {
    if givenUp == nil { givenUp = reason }
  }

  /// Notes that a match of a pattern cannot be finished.
  private mutating func giveUp(on pattern: Int32) {
    if givenUp == nil { runawayPattern = pattern }
    giveUp(budget.pointee.isSpent ? .tooCostly : .patternTooCostly)
  }

  /// Whether the schema holds for the value. `track` is the region that takes the marks of evaluated members or
  /// elements.
  @inline(__always)
  mutating func isValid(_ index: Int32, _ value: JSON, track: Int = untracked) -> Bool {
    value.withBorrowed { isValid(index, $0, track) }
  }

  /// Whether the schema holds for the value.
  mutating func isValid(_ index: Int32, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    let schema = tables.schemas + Int(index)
    let span: SchemaRecord.Span
    switch value.content {
    case .array:
      guard schema.pointee.typeMask.contains(.array) else { return false }
      span = schema.pointee.arrays
    case .object:
      guard schema.pointee.typeMask.contains(.object) else { return false }
      span = schema.pointee.objects
    default:
      guard let leafSpan = leafSpan(schema, value) else { return false }
      if schema.pointee.hasLeavesOnly { return runLeaf(leafSpan, value, track) }
      span = leafSpan
    }
    if span.isEmpty { return true }
    guard enter() else { return false }
    let isValid =
      schema.pointee.isPlain && !keepsScope
      ? run(span, value, track) : runWithCare(index, schema, span, value, track)
    leave()
    return isValid
  }

  /// The same for a value that is neither an array nor an object. Most values are judged here, in the walk over the
  /// members.
  @inline(__always)
  mutating func isLeafValid(_ index: Int32, _ leaf: borrowing BorrowedValue, _ track: Int) -> Bool {
    let schema = tables.schemas + Int(index)
    guard schema.pointee.hasLeavesOnly else { return isValid(index, leaf, track) }
    guard let span = leafSpan(schema, leaf) else { return false }
    return runLeaf(span, leaf, track)
  }

  /// The instructions for a value that is neither an array nor an object; nil if the schema refuses its type.
  @inline(__always)
  private func leafSpan(
    _ schema: UnsafePointer<SchemaRecord>,
    _ leaf: borrowing BorrowedValue
  ) -> SchemaRecord.Span? {
    let mask = schema.pointee.typeMask
    switch leaf.content {
    case .string:
      return mask.contains(.string) ? schema.pointee.strings : nil
    case .integer:
      return mask.isDisjoint(with: [.integer, .number]) ? nil : schema.pointee.numbers
    case .real(let number):
      let isAdmitted =
        mask.contains(.number) || (mask.contains(.integralReal) && number.rounded(.towardZero) == number)
      return isAdmitted ? schema.pointee.numbers : nil
    case .decimal(let number):
      return mask.admits(number) ? schema.pointee.numbers : nil
    case .bool:
      return mask.contains(.boolean) ? schema.pointee.scalars : nil
    case .null:
      return mask.contains(.null) ? schema.pointee.scalars : nil
    case .array, .object:
      return nil
    }
  }

  /// Runs a schema that needs a region of marks or an entry in the dynamic scope, or whose answers are kept.
  @inline(never)
  private mutating func runWithCare(
    _ index: Int32,
    _ schema: UnsafePointer<SchemaRecord>,
    _ span: SchemaRecord.Span,
    _ value: borrowing BorrowedValue,
    _ track: Int
  ) -> Bool {
    // The result of such a schema depends on the scope, and a kept answer does not contain marks.
    guard schema.pointee.isShared, !keepsScope, track == Self.untracked, let address = value.content.containerAddress
    else {
      return runInScope(schema, span, value, track)
    }
    if let known = judged?.answer(of: index, at: address) { return known }
    let isValid = runInScope(schema, span, value, track)
    guard givenUp == nil else { return isValid }
    if freeAnswersLeft > 0 {
      freeAnswersLeft -= 1
      return isValid
    }
    let judged = judged ?? JudgmentCache()
    self.judged = judged
    judged.note(isValid, of: index, at: address)
    return isValid
  }

  private mutating func runInScope(
    _ schema: UnsafePointer<SchemaRecord>,
    _ span: SchemaRecord.Span,
    _ value: borrowing BorrowedValue,
    _ track: Int
  ) -> Bool {
    let resource = schema.pointee.resource
    let entersScope = keepsScope && scope.last != resource
    if entersScope { scope.append(resource) }
    defer { if entersScope { scope.removeLast() } }
    guard schema.pointee.tracks, let region = openRegion(for: value.content) else { return run(span, value, track) }
    let isValid = run(span, value, region.start)
    closeRegion(region, mergingInto: isValid ? track : Self.untracked)
    return isValid
  }

  @inline(__always)
  private mutating func run(_ span: SchemaRecord.Span, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    guard case .object(let members) = value.content else { return runLeaf(span, value, track) }
    var instruction = tables.instructions + Int(span.start)
    let end = tables.instructions + Int(span.end)
    while instruction != end {
      if instruction.pointee.operation == .members {
        guard holds(plan: Int(instruction.pointee.a), members, track) else { return false }
      } else {
        guard holds(instruction.pointee, value, track) else { return false }
      }
      instruction += 1
    }
    return true
  }

  /// Runs the instructions for a value that is not an object.
  private mutating func runLeaf(_ span: SchemaRecord.Span, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    var instruction = tables.instructions + Int(span.start)
    let end = tables.instructions + Int(span.end)
    guard case .string(let text) = value.content else {
      while instruction != end {
        guard holds(instruction.pointee, value, track) else { return false }
        instruction += 1
      }
      return true
    }
    while instruction != end {
      switch instruction.pointee.operation {
      case .maxLength:
        guard text.hasCodePoints(atMost: Int(instruction.pointee.a)) else { return false }
      case .minLength:
        guard text.hasCodePoints(atLeast: Int(instruction.pointee.a)) else { return false }
      case .pattern:
        guard matches(instruction.pointee.a, text) else { return false }
      default:
        guard holds(instruction.pointee, value, track) else { return false }
      }
      instruction += 1
    }
    return true
  }

  // MARK: Bounds

  /// Counts a schema; false when the evaluation has to be given up.
  @inline(__always)
  mutating func enter() -> Bool {
    depthLeft &-= 1
    if _fastPath(budget.pointee.spend(1) && depthLeft > 0 && givenUp == nil) { return true }
    giveUp(depthLeft <= 0 ? .tooDeep : .tooCostly)
    depthLeft &+= 1
    return false
  }

  /// Counts work that is not a schema, so that lists multiplied by lists are bounded too. The next schema, or the end
  /// of the evaluation, notices that the budget is spent.
  @inline(__always)
  mutating func charge(_ units: Int) {
    if !budget.pointee.spend(units) { giveUp(.tooCostly) }
  }

  @inline(__always)
  mutating func leave() {
    depthLeft &+= 1
  }

  // MARK: One instruction

  /// Whether one instruction holds for a value. It may be one of ``Program/written``, which the tables do not have.
  mutating func holds(written instruction: Instruction, _ value: JSON) -> Bool {
    switch instruction.operation {
    case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
      return value.doubleValue == nil || passesExactly(instruction, value)
    default:
      return value.withBorrowed { holds(instruction, $0, Self.untracked) }
    }
  }

  /// Whether one instruction holds for a value.
  mutating func holds(_ instruction: Instruction, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    switch instruction.operation {
    case .type: return TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a)).admits(value.content)
    case .const: return program.constants[Int(instruction.a)] == value.content
    case .enumeration: return isListed(Int(instruction.a), value)
    case .maxLength, .minLength, .pattern, .format:
      guard case .string(let text) = value.content else { return true }
      return holds(instruction, text: text)
    case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
      return instruction.passes(number: value.content, limit: tables.limits + Int(instruction.b))
        ?? passesExactly(instruction, value.content)
    case .reference: return isValid(instruction.a, value, track)
    case .dynamicReference: return isValid(dynamicTarget(instruction.a), value, track)
    case .allOf, .anyOf, .oneOf, .not, .conditional: return holds(inPlace: instruction, value, track)
    case .maxItems, .minItems, .uniqueItems, .prefixItems, .items, .contains, .unevaluatedItems:
      guard case .array(let elements) = value.content else { return true }
      return holds(instruction, elements: elements, track)
    case .members:
      guard case .object(let members) = value.content else { return true }
      return holds(plan: Int(instruction.a), members, track)
    case .maxProperties, .minProperties, .unevaluatedProperties, .required, .propertyNames, .dependentRequired,
      .dependentSchemas:
      guard case .object(let members) = value.content else { return true }
      return holds(instruction, members: members, value, track)
    case .properties, .patternProperties, .additionalProperties:
      // They run joined in a plan.
      return true
    }
  }

  /// Whether a number passes an assertion whose operands are not compared as machines compare numbers.
  @inline(never)
  private mutating func passesExactly(_ instruction: Instruction, _ number: JSON) -> Bool {
    let limit = program.constants[Int(instruction.a)]
    if case .decimal = number { return passes(instruction, long: number, limit) }
    if case .decimal = limit { return passes(instruction, long: number, limit) }
    return instruction.passes(number: number, limit: limit)
  }

  /// The same if one of the numbers may be of any length.
  private mutating func passes(_ instruction: Instruction, long number: JSON, _ limit: JSON) -> Bool {
    guard let digits = DecimalDigits(number), let limitDigits = DecimalDigits(limit) else { return false }
    charge((digits.digits.count + limitDigits.digits.count) >> 4)
    switch instruction.operation {
    case .maximum: return digits <= limitDigits
    case .exclusiveMaximum: return digits < limitDigits
    case .minimum: return digits >= limitDigits
    case .exclusiveMinimum: return digits > limitDigits
    case .multipleOf:
      charge(digits.multipleWork(of: limitDigits))
      return givenUp == nil && digits.isMultiple(of: limitDigits)
    default: instruction.operation.failAsMisplaced()
    }
  }

  /// Whether `enum` has the value.
  private func isListed(_ index: Int, _ value: borrowing BorrowedValue) -> Bool {
    guard case .string(let text) = value.content else { return program.enumerations[index].contains(value.content) }
    return tables.position(in: tables.enumerations[index].names, of: text, hint: 0) >= 0
  }

  /// Whether a pattern is found in a text. A match that is too costly counts as not found, and ends the evaluation.
  @inline(__always)
  mutating func matches(_ pattern: Int32, _ text: borrowing String) -> Bool {
    var text = copy text
    if let quick = tables.quickPatterns[Int(pattern)] {
      charge(text.utf8.count >> 6)
      return text.withUTF8 { quick.matches($0) }
    }
    let outcome = text.withUTF8 { bytes in
      tables.patterns[Int(pattern)].pattern.matches(validUTF8: bytes, budget: &budget.pointee)
    }
    switch outcome {
    case .match: return true
    case .noMatch: return false
    case .tooCostly:
      giveUp(on: pattern)
      return false
    }
  }

  /// The target of a dynamic reference from here: the anchor of the outermost resource that has one, else its own.
  mutating func dynamicTarget(_ reference: Int32) -> Int32 {
    let reference = program.dynamicReferences[Int(reference)]
    let anchors = program.dynamicAnchors[Int(reference.anchor)]
    charge(scope.count)
    for resource in scope {
      if let schema = anchors[resource] { return schema }
    }
    return reference.initial
  }
}
