internal import Budgets
internal import Formats
internal import JSON
internal import Texts

/// Finds out why an instance is not valid, and collects the annotations of the schemas that hold.
///
/// It walks the keywords in the order in which they were written and allocates freely; whether schemas hold that may
/// fail without harm is left to ``Evaluator``.
struct FailureCollector {
  let program: Program
  var evaluator: Evaluator
  private(set) var failures: [Failure] = []
  /// The cost of a failure that is a reason for another failure. If all alternatives are reported, each level of a
  /// recursive schema multiplies such failures.
  private static let stepsOfCause = 100
  /// Annotations of the schemas that hold, when they were asked for.
  var annotations: [Annotation] = []
  let collectsAnnotations: Bool
  /// Whether every alternative is reported if none holds, and not only the closest.
  let tellsAll: Bool
  /// The names whose values are not reported; nil if values are never reported.
  private let secrets: SecretNames?
  private var found = FoundFailures()
  /// How many failures, causes included, may still be collected.
  private var failuresLeft: Int
  /// The location in the instance.
  private var instancePath: [PathToken]
  /// The way through the keywords.
  private var keywordPath: [String]

  /// A step into the instance.
  enum PathToken {
    case name(String)
    case position(Int)

    var text: String {
      switch self {
      case .name(let name): name
      case .position(let position): String(position)
      }
    }
  }

  init(
    _ program: Program,
    _ budget: UnsafeMutablePointer<WorkBudget>,
    limit: Int,
    collectsAnnotations: Bool = false,
    telling details: EvaluationDetails = [],
    instancePath: [PathToken] = [],
    keywordPath: [String] = []
  ) {
    self.program = program
    evaluator = Evaluator(program, budget)
    failuresLeft = max(1, limit)
    self.collectsAnnotations = collectsAnnotations
    tellsAll = details.contains(.allAlternatives)
    secrets = details.contains(.foundValues) ? SecretNames(program) : nil
    self.instancePath = instancePath
    self.keywordPath = keywordPath
  }

  var instanceLocation: JSONPointer { JSONPointer(tokens: instancePath.map(\.text)) }
  var isFull: Bool { failuresLeft <= 0 }

  // MARK: Recording

  /// Records that a keyword of a schema is not met.
  mutating func fail(
    _ schema: Int32,
    _ keyword: Keyword,
    _ parameters: FailureParameters,
    of value: JSON? = nil,
    causes: [Failure] = [],
    kind: Failure.Kind = .invalid,
    tokens: [String]? = nil,
    instance: PathToken? = nil
  ) {
    if isFull { return }
    let tokens = tokens ?? [keyword.rawValue]
    let location = (instancePath + (instance.map { [$0] } ?? [])).map(\.text)
    record([
      Failure(
        kind: kind,
        keyword: keyword,
        instanceLocation: JSONPointer(tokens: location),
        keywordLocation: JSONPointer(tokens: keywordPath + tokens),
        absoluteKeywordLocation: program.absoluteLocation(of: schema, tokens),
        parameters: parameters,
        found: found(value, at: location),
        causes: causes
      )
    ])
  }

  /// The report of a value.
  private func found(_ value: JSON?, at location: [String]) -> FoundValue? {
    guard let value, let secrets, !secrets.holds(location) else { return nil }
    return FoundValue(value)
  }

  /// Records that the evaluation was given up, once, if it was.
  mutating func recordGivenUp(_ schema: Int32, _ keyword: Keyword, tokens: [String]? = nil) -> Bool {
    guard let bound = program.bound(of: evaluator) else { return false }
    let kind: Failure.Kind = if case .depth = bound { .tooDeep } else { .tooCostly }
    if !failures.contains(where: { $0.kind == kind }) {
      failuresLeft = max(failuresLeft, 1)
      fail(schema, keyword, .bound(bound), kind: kind, tokens: tokens)
    }
    // Nothing that follows could be trusted.
    failuresLeft = 0
    return true
  }

  /// To be called after the evaluator said no. If the collection found no failure, the evaluator gave up: it reaches
  /// its bounds earlier.
  mutating func explainGivingUp(_ schema: Int32) {
    guard failures.isEmpty else { return }
    evaluator.giveUp(.tooCostly)
    _ = recordGivenUp(schema, .falseSchema, tokens: [])
  }

  mutating func annotate(_ schema: Int32, _ keyword: String, _ value: JSON) {
    guard collectsAnnotations else { return }
    annotations.append(
      Annotation(
        keyword: keyword,
        instanceLocation: instanceLocation,
        keywordLocation: JSONPointer(tokens: keywordPath + [keyword]),
        absoluteKeywordLocation: program.absoluteLocation(of: schema, [keyword]),
        documentLocation: program.documentPointer(of: schema).appending(keyword),
        value: value
      )
    )
  }

  // MARK: Walking

  /// Evaluates a schema that may fail without harm, such as a branch of `anyOf`; returns its failures instead of
  /// recording them.
  mutating func causes(_ body: (inout FailureCollector) -> Void) -> [Failure] {
    let (before, left) = (failures, failuresLeft)
    failures = []
    // The failure that the causes are for must find room too.
    failuresLeft -= 1
    body(&self)
    failuresLeft = left
    let found = failures
    failures = before
    if tellsAll { evaluator.charge(found.total * Self.stepsOfCause) }
    return found
  }

  /// Evaluates several schemas that may fail without harm, or one for several values; each has the room for failures
  /// that is left.
  mutating func attempt(_ positions: [Int], _ check: (inout FailureCollector, Int) -> Void) -> ClosestAttempt {
    var attempts: [[Failure]] = []
    for position in positions where evaluator.givenUp == nil { attempts.append(causes { check(&$0, position) }) }
    return ClosestAttempt(attempts)
  }

  /// Records failures that were collected apart, as many as there is room for.
  mutating func record(_ found: [Failure]) {
    for failure in found where failuresLeft > 0 {
      failures.append(failure.cut(to: failuresLeft))
      failuresLeft -= 1 + failures[failures.count - 1].causes.total
    }
  }

  /// Runs an evaluation for its marks only.
  mutating func forgettingFailures(_ body: (inout FailureCollector) -> Void) {
    let left = failuresLeft
    failuresLeft = .max
    _ = causes(body)
    failuresLeft = left
  }

  /// Evaluates a schema one step of the way further; returns whether it holds.
  mutating func check(
    _ schema: Int32,
    _ value: JSON,
    via tokens: [String],
    at instance: PathToken? = nil,
    track: Int = Evaluator.untracked,
    falseKeyword: (Keyword, FailureParameters)? = nil
  ) -> Bool {
    // A value may have very many members that are not allowed. Further failures are not recorded, so they need no path.
    if isFull { return false }
    if let falseKeyword, program.schemas[Int(schema)].typeMask.isEmpty {
      // A schema `false`: the keyword that applied it says more than "false" does.
      record([
        Failure(
          kind: .invalid,
          keyword: falseKeyword.0,
          instanceLocation: JSONPointer(tokens: (instancePath + (instance.map { [$0] } ?? [])).map(\.text)),
          keywordLocation: JSONPointer(tokens: keywordPath + tokens),
          absoluteKeywordLocation: program.absoluteLocation(of: schema, []),
          parameters: falseKeyword.1,
          causes: []
        )
      ])
      return false
    }
    let keywordCount = keywordPath.count
    keywordPath += tokens
    if let instance { instancePath.append(instance) }
    let holds = check(schema, value, track: track)
    if instance != nil { instancePath.removeLast() }
    keywordPath.removeSubrange(keywordCount...)
    return holds
  }

  /// Evaluates a schema at the current location; returns whether it holds.
  mutating func check(_ schema: Int32, _ value: JSON, track: Int = Evaluator.untracked) -> Bool {
    guard !isFull else { return false }
    let record = program.schemas[Int(schema)]
    if record.typeMask.isEmpty {
      fail(schema, .falseSchema, .none, tokens: [])
      return false
    }
    guard evaluator.enter() else {
      _ = recordGivenUp(schema, .falseSchema, tokens: [])
      return false
    }
    defer { evaluator.leave() }
    let entersScope = evaluator.keepsScope && evaluator.scope.last != record.resource
    if entersScope { evaluator.scope.append(record.resource) }
    defer { if entersScope { evaluator.scope.removeLast() } }
    if record.isShared, !evaluator.keepsScope, !collectsAnnotations, track == Evaluator.untracked,
      let address = value.containerAddress
    {
      return checkOnce(schema, value, address)
    }

    let annotationCount = annotations.count
    let region = record.tracks ? evaluator.openRegion(for: value) : nil
    let holds = run(schema, value, region?.start ?? track)
    // The parts that a failing schema has evaluated count as evaluated too, so that they are not also reported as
    // unevaluated.
    if let region { evaluator.closeRegion(region, mergingInto: track) }
    if holds {
      annotateMetaData(schema, value)
    } else {
      annotations.removeSubrange(min(annotationCount, annotations.count)...)
    }
    return holds
  }

  /// Evaluates a schema to which more than one way may lead for the same value.
  private mutating func checkOnce(_ schema: Int32, _ value: JSON, _ address: UInt) -> Bool {
    if evaluator.isValid(schema, value) { return true }
    let path = instancePath.map(\.text)
    if let known = found.failures(of: schema, at: address, instancePath: path, keywordPath: keywordPath) {
      evaluator.charge(known.total)
      record(known)
      return false
    }
    let count = failures.count
    let region = program.schemas[Int(schema)].tracks ? evaluator.openRegion(for: value) : nil
    _ = run(schema, value, region?.start ?? Evaluator.untracked)
    if let region { evaluator.closeRegion(region, mergingInto: Evaluator.untracked) }
    guard !isFull, evaluator.givenUp == nil else { return false }
    found.keep(
      Array(failures[count...]),
      of: schema,
      at: address,
      instanceDepth: path.count,
      keywordDepth: keywordPath.count
    )
    return false
  }

  private mutating func run(_ schema: Int32, _ value: JSON, _ track: Int) -> Bool {
    var holds = true
    for position in program.sources[Int(schema)].written.range {
      if !check(program.written[position], of: schema, value, track) { holds = false }
      if isFull { return false }
    }
    return holds
  }

  /// Evaluates one keyword; returns whether it is met.
  mutating func check(_ instruction: Instruction, of schema: Int32, _ value: JSON, _ track: Int) -> Bool {
    switch instruction.operation {
    case .reference:
      return check(instruction.a, value, via: [instruction.keyword.rawValue], track: track)
    case .dynamicReference:
      return check(
        evaluator.dynamicTarget(instruction.a),
        value,
        via: [instruction.keyword.rawValue],
        track: track
      )
    case .allOf, .anyOf, .oneOf, .not, .conditional:
      return checkInPlace(instruction, of: schema, value, track)
    default:
      break
    }
    switch value {
    case .object(let members):
      if let answer = checkMembers(instruction, of: schema, members, value, track) { return answer }
    case .array(let elements):
      if let answer = checkElements(instruction, of: schema, elements, track) { return answer }
    default:
      break
    }
    // The rest looks at the value alone.
    guard !evaluator.holds(written: instruction, value) else { return true }
    if recordGivenUp(schema, instruction.keyword) { return false }
    fail(
      schema,
      instruction.keyword,
      parameters(of: instruction, value),
      of: value,
      tokens: instruction.keyword == .falseSchema ? [] : nil
    )
    return false
  }

  /// The parameters of a failed assertion about the value alone.
  private func parameters(of instruction: Instruction, _ value: JSON) -> FailureParameters {
    switch instruction.appliesTo {
    case .numbers: .limit(program.constants[Int(instruction.a)])
    case .strings: program.parameters(ofText: instruction, value)
    case .arrays: program.parameters(ofArray: instruction, value)
    case .objects: program.parameters(ofObject: instruction, value)
    default: program.parameters(ofAnyType: instruction, value)
    }
  }
}
