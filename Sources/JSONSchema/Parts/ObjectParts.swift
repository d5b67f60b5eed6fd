public import Budgets
internal import Formats
public import JSON

/// A schema for objects, taken apart for evaluation after a change: the schemas of each single member, the required
/// members, and the keywords that look at the object, each with the members that it reads.
///
/// In an ``ObjectTree``, a schema for lists is taken apart in the same way. The schemas of one single element are its
/// only property, named `*`. All other keywords about the array look at it as a whole, and read everything.
///
/// A root `$ref` and `allOf` are seen through. All failures of ``properties``, ``required`` and ``keywords`` together
/// are the failures of the schema, in another order.
public struct ObjectParts: Sendable {
  /// A member that `properties` names, here or in several locations; or the element of a list, which `items` describes.
  public struct Property: Sendable {
    /// The member's name; `*` for the element of a list.
    public let name: String
    let container: Container
    /// The facts about the member, as far as the schema alone gives them, without an instance.
    public let facts: PropertyFacts
    /// Whether any schema that can apply to the member, or to a value inside it, is `writeOnly`: at any location in the
    /// schema and under any condition.
    public let holdsSecret: Bool
    /// The locations of its schemas in the document.
    public let pointers: [JSONPointer]
    let uses: [SchemaUse]

    /// The way from the object's or the list's schema to its own.
    var keywordTokens: [String] { container == .object ? ["properties", name] : ["items"] }

    /// The keyword of a failure of the schema `false`. The caller knows which element it is about.
    var falseKeyword: (Keyword, FailureParameters) {
      container == .object ? (.properties, .property(name)) : (.items, .none)
    }
  }

  /// A required member.
  public struct Requirement: Sendable {
    /// The member's name.
    public let name: String
    /// The location of the keyword in the document.
    public let pointer: JSONPointer
    let use: SchemaUse
  }

  /// A keyword that looks at the object or the list as a whole, or at members or elements by a rule.
  public struct ObjectKeyword: Sendable {
    public let keyword: Keyword
    /// The way to it from the schema.
    public let keywordLocation: JSONPointer
    /// A change of any other member changes nothing here.
    public let reads: ReadSet
    let instruction: Instruction
    let use: SchemaUse

    /// Whether its failures may be at deeper locations than the object's own members.
    public var reachesInside: Bool {
      switch keyword {
      case .required, .dependentRequired, .minProperties, .maxProperties, .propertyNames, .minItems, .maxItems,
        .uniqueItems, .const, .enum, .not, .type, .falseSchema:
        false
      default: true
      }
    }

    /// Whether the result of the keyword depends only on which members exist, and not on their values.
    public var readsPresenceAlone: Bool {
      switch instruction.operation {
      case .required, .dependentRequired, .minProperties, .maxProperties, .propertyNames: true
      default: false
      }
    }

    /// Whether the result of the keyword depends at most on the number of elements, and not on their values.
    public var readsCountAlone: Bool {
      switch instruction.operation {
      case .minItems, .maxItems, .type: true
      default: false
      }
    }
  }

  /// In the order written.
  public let properties: [Property]
  /// In the order written; a name may occur twice if several locations ask for it.
  public let required: [Requirement]
  /// In the order written.
  public let keywords: [ObjectKeyword]
  let program: Program
  /// The schemas of the property at `index` are at `bounds[index]..<bounds[index + 1]`: each keystroke finds them
  /// without touching ``properties``.
  private let schemas: [Int32]
  private let bounds: [Int]
  /// By property: every text of at most that many bytes is valid; -1 when that cannot be known without looking at the
  /// text. Most schemas of texts only bound their length, and most texts are far from the bound.
  private let unconditionalBytes: [Int]

  init(properties: [Property], required: [Requirement], keywords: [ObjectKeyword], program: Program) {
    self.properties = properties
    self.required = required
    self.keywords = keywords
    self.program = program
    schemas = properties.flatMap { $0.uses.map(\.schema) }
    bounds = properties.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.uses.count) }
    unconditionalBytes = properties.map { property in
      property.uses.map { program.unconditionalBytes(ofSchema: $0.schema) }.min() ?? -1
    }
  }
}

extension Program {
  /// Every text of at most that many bytes is valid against that schema; -1 when that cannot be known.
  fileprivate func unconditionalBytes(ofSchema index: Int32) -> Int {
    let tables = memory.tables
    let schema = tables.schemas + Int(index)
    guard schema.pointee.typeMask.contains(.string) else { return -1 }
    return schema.pointee.strings.range.reduce(Int.max) { bound, position in
      let instruction = tables.instructions[position]
      // A text has no more code points than bytes.
      return instruction.operation == .maxLength ? min(bound, Int(instruction.a)) : -1
    }
  }
}

/// A schema in use at a location of another one.
struct SchemaUse: Sendable {
  var schema: Int32
  /// The way to it.
  var path: [String]
  /// The resources entered on the way.
  var scope: [Int32]
}

extension Schema {
  /// Takes the schema apart; its instances are taken to be objects.
  public func objectParts() -> ObjectParts {
    let budget = CompileBudget()
    var builder = ObjectPartsBuilder(
      program: program,
      of: .object,
      secrets: SecretMembers(program: program, budget: budget),
      budget: budget,
      factsNestingMax: PropertyFacts.nestingMax
    )
    guard let parts = builder.build() else { preconditionFailure("a budget without an end was spent") }
    return parts
  }
}

extension ObjectParts {
  // MARK: Properties

  /// Every text of at most that many bytes of UTF-8 is valid as that member; -1 when that cannot be known.
  public func textBytesMax(property index: Int) -> Int { unconditionalBytes[index] }

  /// Whether a value is valid as that member, by everything that is said about the member alone. Not when the budget is
  /// spent before that is known.
  public func isValid(_ value: JSON, property index: Int, budget: inout WorkBudget) -> Bool {
    isValid(value, property: index, &budget)
  }

  @inline(__always)
  private func isValid(_ value: JSON, property index: Int, _ budget: UnsafeMutablePointer<WorkBudget>) -> Bool {
    var evaluator = Evaluator(program, budget)
    guard !evaluator.keepsScope else { return isValidInScope(value, property: index, budget) }
    for position in bounds[index]..<bounds[index + 1] {
      guard evaluator.isValid(schemas[position], value), evaluator.givenUp == nil else { return false }
    }
    return true
  }

  /// The same if dynamic references depend on the way to the property.
  private func isValidInScope(
    _ value: JSON,
    property index: Int,
    _ budget: UnsafeMutablePointer<WorkBudget>
  ) -> Bool {
    for use in properties[index].uses {
      var evaluator = Evaluator(program, budget)
      evaluator.scope = use.scope
      guard evaluator.isValid(use.schema, value), evaluator.givenUp == nil else { return false }
    }
    return true
  }

  /// Appends the failures of a value as that member. Instance locations begin with the member's name (`*` for the
  /// element of a list). When the budget is spent before the result is known, the last failure says so.
  ///
  /// - Parameters:
  ///   - value: the member's or the element's value.
  ///   - index: position in ``properties``.
  ///   - failures: takes them.
  ///   - limit: no more are appended, causes included.
  ///   - budget: the budget for the work.
  public func failures(
    of value: JSON,
    property index: Int,
    into failures: inout [Failure],
    limit: Int = 100,
    budget: inout WorkBudget
  ) {
    withUnsafeMutablePointer(to: &budget) { budget in
      guard !isValid(value, property: index, budget) else { return }
      let property = properties[index]
      let count = failures.count
      for use in property.uses where failures.count < limit {
        var collector = FailureCollector(program, budget, limit: limit - failures.count, keywordPath: use.path)
        collector.evaluator.scope = use.scope
        _ = collector.check(
          use.schema,
          value,
          via: property.keywordTokens,
          at: .name(property.name),
          falseKeyword: property.falseKeyword
        )
        failures += collector.failures
      }
      guard failures.count == count, limit > count, let use = property.uses.first else { return }
      var collector = FailureCollector(
        program,
        budget,
        limit: 1,
        instancePath: [.name(property.name)],
        keywordPath: use.path + property.keywordTokens
      )
      collector.explainGivingUp(use.schema)
      failures += collector.failures
    }
  }

  // MARK: Required members

  /// The failure of a required member that is missing.
  public func failure(missing index: Int) -> Failure {
    let requirement = required[index]
    // Nothing is evaluated.
    var budget = WorkBudget(units: 0)
    return withUnsafeMutablePointer(to: &budget) { budget in
      var collector = FailureCollector(program, budget, limit: 1, keywordPath: requirement.use.path)
      collector.fail(requirement.use.schema, .required, .missing(property: requirement.name))
      return collector.failures[0]
    }
  }

  // MARK: Keywords

  /// Whether a value, an object or an array, meets one of ``keywords``. Not when the budget is spent before that is
  /// known.
  public func isValid(_ value: JSON, keyword index: Int, budget: inout WorkBudget) -> Bool {
    isValid(value, keyword: index, &budget)
  }

  private func isValid(_ value: JSON, keyword index: Int, _ budget: UnsafeMutablePointer<WorkBudget>) -> Bool {
    let instruction = keywords[index].instruction
    var evaluator = Evaluator(program, budget)
    if evaluator.keepsScope { evaluator.scope = keywords[index].use.scope }
    let holds: Bool
    if instruction.isUnevaluated {
      // Only the whole schema around the keyword can say which parts are unevaluated. If that does not hold, another
      // keyword may be why.
      holds = evaluator.isValid(keywords[index].use.schema, value)
      if !holds { return collect(value, keyword: index, limit: 1, budget).failures.isEmpty }
    } else if instruction.runsAlone {
      holds = evaluator.holds(written: instruction, value)
    } else {
      return collect(value, keyword: index, limit: 1, budget).failures.isEmpty
    }
    return holds && evaluator.givenUp == nil
  }

  /// In which ways a value, an object or an array, does not meet one of ``keywords``. When the budget is spent before
  /// that is known, the last failure says so.
  public func failures(
    of value: JSON,
    keyword index: Int,
    limit: Int = 100,
    budget: inout WorkBudget
  ) -> [Failure] {
    withUnsafeMutablePointer(to: &budget) { budget in
      var collector = collect(value, keyword: index, limit: limit, budget)
      if collector.failures.isEmpty, !isValid(value, keyword: index, budget) {
        collector.explainGivingUp(keywords[index].use.schema)
      }
      return collector.failures
    }
  }

  private func collect(
    _ value: JSON,
    keyword index: Int,
    limit: Int,
    _ budget: UnsafeMutablePointer<WorkBudget>
  ) -> FailureCollector {
    let keyword = keywords[index]
    var collector = FailureCollector(program, budget, limit: limit, keywordPath: keyword.use.path)
    collector.evaluator.scope = keyword.use.scope
    collector.checkAlone(keyword.instruction, of: keyword.use.schema, value)
    return collector
  }
}

extension Instruction {
  /// Whether ``Evaluator`` can run it by itself; some exist there only joined in a plan.
  var runsAlone: Bool {
    switch operation {
    case .properties, .patternProperties, .additionalProperties: false
    default: true
    }
  }
}

extension FailureCollector {
  /// Evaluates one keyword as if its schema had no other keywords, except that `unevaluated...` knows what the other
  /// keywords have evaluated.
  mutating func checkAlone(_ instruction: Instruction, of schema: Int32, _ value: JSON) {
    guard instruction.isUnevaluated else {
      _ = check(instruction, of: schema, value, Evaluator.untracked)
      return
    }
    let region = evaluator.openRegion(for: value)
    let track = region?.start ?? Evaluator.untracked
    forgettingFailures { collector in
      for position in collector.program.sources[Int(schema)].written.range {
        let other = collector.program.written[position]
        if !other.isUnevaluated { _ = collector.check(other, of: schema, value, track) }
      }
    }
    if !recordGivenUp(schema, instruction.keyword) { _ = check(instruction, of: schema, value, track) }
    if let region { evaluator.closeRegion(region, mergingInto: Evaluator.untracked) }
  }
}
