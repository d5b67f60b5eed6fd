internal import JSON
internal import TextFormats

/// Finds out whether an instance is valid, and nothing else; one evaluation's state.
///
/// Nothing is allocated unless an `unevaluated...` keyword, a dynamic reference, `uniqueItems` on a long array or a fraction
/// under `multipleOf` needs it.
struct Evaluator {
  let program: Program
  private var stepsLeft: Int
  private var depthLeft: Int
  /// The evaluation was given up: whatever it says, the instance is not valid.
  private(set) var givenUp: GivenUp?
  /// The resources entered, outermost first (core, section 7.1); kept only if the program has dynamic references.
  var scope: [Int32] = []
  let keepsScope: Bool
  /// Marks of evaluated members and elements: a stack of regions, one byte per member or element.
  var marks: [Bool] = []

  /// Why an evaluation was given up.
  enum GivenUp {
    /// Bounds on time were reached: by a regular expression, or by the number of schemas applied.
    case tooCostly
    case tooDeep
  }

  /// No region of marks is kept.
  static let untracked = -1

  init(_ program: Program) {
    self.program = program
    stepsLeft = program.limits.evaluationStepsMax
    depthLeft = program.limits.evaluationDepthMax
    keepsScope = !program.dynamicReferences.isEmpty
  }

  /// Notes that the evaluation cannot be finished.
  mutating func giveUp(_ reason: GivenUp) {
    if givenUp == nil { givenUp = reason }
  }

  /// Whether the schema holds for the value. `track` is the region that takes the marks of evaluated members or elements.
  mutating func isValid(_ index: Int32, _ value: JSON, track: Int = untracked) -> Bool {
    let schema = program.schemas[Int(index)]
    guard schema.typeMask.admits(value) else { return false }
    let span: SchemaRecord.Span
    switch value {
    case .null, .bool: span = schema.scalars
    case .integer, .real: span = schema.numbers
    case .string: span = schema.strings
    case .array: span = schema.arrays
    case .object: span = schema.objects
    }
    if span.isEmpty { return true }
    guard enter() else { return false }
    defer { leave() }
    let entersScope = keepsScope && scope.last != schema.resource
    if entersScope { scope.append(schema.resource) }
    defer { if entersScope { scope.removeLast() } }
    guard schema.tracks else { return run(span, value, track) }
    guard let region = openRegion(for: value) else { return run(span, value, track) }
    let isValid = run(span, value, region.start)
    closeRegion(region, mergingInto: isValid ? track : Self.untracked)
    return isValid
  }

  private mutating func run(_ span: SchemaRecord.Span, _ value: JSON, _ track: Int) -> Bool {
    for position in span.range {
      guard holds(program.fast[position], value, track) else { return false }
    }
    return true
  }

  // MARK: Bounds

  /// Counts a schema; false when the evaluation has to be given up.
  mutating func enter() -> Bool {
    stepsLeft -= 1
    depthLeft -= 1
    if stepsLeft > 0 && depthLeft > 0 && givenUp == nil { return true }
    giveUp(depthLeft <= 0 ? .tooDeep : .tooCostly)
    depthLeft += 1
    return false
  }

  mutating func leave() {
    depthLeft += 1
  }

  // MARK: One instruction

  /// Whether one instruction holds for a value of a type that it applies to.
  mutating func holds(_ instruction: Instruction, _ value: JSON, _ track: Int) -> Bool {
    switch value {
    case .string(let text):
      switch instruction.operation {
      case .maxLength: return text.hasCodePoints(atMost: Int(instruction.a))
      case .minLength: return text.hasCodePoints(atLeast: Int(instruction.a))
      case .pattern: return matches(instruction.a, text)
      case .format: return program.formats[Int(instruction.a)].format.accepts(text)
      default: break
      }
    case .integer, .real:
      switch instruction.operation {
      case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
        return instruction.passes(number: value, limit: program.constants[Int(instruction.a)])
      default: break
      }
    case .array(let elements):
      if let answer = holds(instruction, elements: elements, track) { return answer }
    case .object(let members):
      if let answer = holds(instruction, members: members, value, track) { return answer }
    default:
      break
    }
    switch instruction.operation {
    case .type: return TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a)).admits(value)
    case .const: return program.constants[Int(instruction.a)] == value
    case .enumeration: return program.enumerations[Int(instruction.a)].contains(value)
    case .reference: return isValid(instruction.a, value, track: track)
    case .dynamicReference: return isValid(dynamicTarget(instruction.a), value, track: track)
    case .allOf, .anyOf, .oneOf, .not, .conditional: return holds(inPlace: instruction, value, track)
    default: return true
    }
  }

  /// Whether a pattern is found in a text; one that is too costly is not, and ends the evaluation.
  mutating func matches(_ pattern: Int32, _ text: String) -> Bool {
    switch program.patterns[Int(pattern)].matches(text) {
    case .match: return true
    case .noMatch: return false
    case .tooCostly:
      giveUp(.tooCostly)
      return false
    }
  }

  /// Where a dynamic reference leads from here: to the anchor of the outermost resource that has one, else to its own.
  func dynamicTarget(_ reference: Int32) -> Int32 {
    let reference = program.dynamicReferences[Int(reference)]
    for resource in scope {
      for candidate in reference.candidates where candidate.resource == resource { return candidate.schema }
    }
    return reference.initial
  }
}
