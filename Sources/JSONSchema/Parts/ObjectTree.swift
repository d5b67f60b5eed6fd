package import JSON
internal import TextFormats
internal import Texts

/// The objects that a schema describes, one inside the other, and their members: every place of the values that the schema names.
///
/// Members are those of `properties`, reached from the root through `$ref`, `allOf`, `anyOf`, `oneOf`, `if`, `then`, `else` and
/// `dependentSchemas`. A definition that refers to itself is gone through once on each way.
public struct ObjectTree: Sendable {
  /// A member of an object.
  public struct Member: Sendable {
    /// Its name.
    public let name: String
    /// The member whose value holds it, by its position in ``members``; nil: it is a member of the root.
    public let parent: Int?
    /// The object that has it, by its position in ``objects``.
    public let owner: Int
    /// Its place in ``ObjectParts/properties`` of that object; nil when only branches name it.
    public let property: Int?
    /// What the schema says about it. Of a member that only branches name there is no default, and what they agree on.
    public let facts: PropertyFacts
    /// Whether its value as a whole is a secret.
    public let isSecret: Bool
    /// Whether anything in its value is a secret.
    public let holdsSecret: Bool
    /// Its value as an object, by its position in ``objects``; nil when the schema names no member of it.
    public internal(set) var object: Int?
    /// The first position in ``members`` behind those that stand inside of it.
    public internal(set) var end: Int
  }

  /// An object.
  public struct Object: Sendable {
    /// What the schema says about it unconditionally, taken apart.
    public let parts: ObjectParts
    /// Which members may be there beside the named ones.
    public let others: OtherMembers
    /// Whether such a member may be a secret, or hold one.
    public let areOthersSecret: Bool
  }

  /// Each behind the member that holds it; otherwise in the order written, those that only branches name behind the others.
  public internal(set) var members: [Member] = []
  /// The root first.
  public internal(set) var objects: [Object] = []
}

/// Which members an object may have beside those that `properties` names: by `patternProperties`, or because `additionalProperties` or
/// `unevaluatedProperties` is written and not `false`.
public struct OtherMembers: Sendable {
  let program: Program
  /// The patterns of `patternProperties`, wherever they may apply.
  let patterns: [Int32]
  /// Whether any name is admitted.
  let admitsAll: Bool

  /// Whether a member of that name may be there.
  public func admits(_ name: String) -> Bool {
    // A pattern that is too costly to know may match.
    admitsAll || patterns.contains { program.patterns[Int($0)].matches(name) != .noMatch }
  }
}

extension Schema {
  /// Finds every place that the schema names.
  ///
  /// - Parameter budget: what the work is spent from.
  /// - Returns: nil when the budget is spent.
  package func objectTree(budget: CompileBudget) -> ObjectTree? {
    var builder = ObjectTreeBuilder(program: program, budget: budget)
    return builder.build()
  }
}

/// Walks from the root inwards. What the schema says about an object is found out once; an object that stands in several places is
/// copied to each.
private struct ObjectTreeBuilder {
  let program: Program
  let budget: CompileBudget
  private let secrets: SecretMembers
  private var tree = ObjectTree()
  /// By the schemas that apply to an object.
  private var templates: [TemplateKey: Template] = [:]
  /// The schemas of the objects on the way to the one that is looked at, as far as they have `properties`.
  private var way: Set<Int32> = []

  /// So deep objects are gone into. What lies deeper is a part of its field's value.
  private static let depthMax = 32
  /// Inside of a member, members are found while there are so few: a definition that refers to others that refer to others has more
  /// places than characters.
  private static let membersMax = 10_000

  /// The schemas that apply to an object whatever it is, and those that branches may apply.
  private struct TemplateKey: Hashable {
    let always: [Int32]
    let branches: [Int32]
  }

  /// What the schema says about an object, wherever it stands.
  private struct Template {
    let object: ObjectTree.Object
    /// Those of its schemas that have `properties`.
    let naming: [Int32]
    let members: [TemplateMember]
  }

  /// A member of such an object.
  private struct TemplateMember {
    let name: String
    let property: Int?
    let uses: [SchemaUse]
    let branches: [Int32]
    let facts: PropertyFacts
    /// Those of its schemas that have `properties`.
    let naming: [Int32]
    /// Whether it is a secret because of what is said of its object, or of members by a rule.
    let isSecret: Bool
    /// Whether it is a secret, or anything in it is.
    let holdsSecret: Bool
    /// Whether a secret in it makes a secret of the whole, even where its members are fields.
    let spreadsSecret: Bool
  }

  init(program: Program, budget: CompileBudget) {
    self.program = program
    self.budget = budget
    secrets = SecretMembers(program: program, budget: budget)
  }

  mutating func build() -> ObjectTree? {
    let root = SchemaUse(schema: program.root, path: [], scope: [])
    if let template = template([root], []) { enter(template, of: nil, isSecret: false, depth: 0) }
    return budget.mayGoOn ? tree : nil
  }

  /// Adds an object and its members.
  ///
  /// - Parameters:
  ///   - parent: the member whose value it is.
  ///   - isSecret: whether it is a secret as a whole, and so everything inside.
  private mutating func enter(_ template: Template, of parent: Int?, isSecret: Bool, depth: Int) {
    let position = tree.objects.count
    tree.objects.append(template.object)
    if let parent { tree.members[parent].object = position }
    let entered = template.naming.filter { way.insert($0).inserted }
    defer { way.subtract(entered) }
    for member in template.members {
      guard budget.spend() else { return }
      add(member, isInSecret: isSecret, to: position, parent, depth: depth)
    }
  }

  private mutating func add(
    _ member: TemplateMember,
    isInSecret: Bool,
    to owner: Int,
    _ parent: Int?,
    depth: Int
  ) {
    // A schema that was gone through on the way would have no end.
    let hasMembers =
      depth < Self.depthMax && tree.members.count < Self.membersMax && !member.naming.isEmpty
      && !member.naming.contains(where: way.contains)
    let holdsSecret = isInSecret || member.holdsSecret
    // A secret inside of a value that is a leaf, or under a name that the schema does not say, makes a secret of the whole.
    let isWhole = isInSecret || member.isSecret || holdsSecret && (!hasMembers || member.spreadsSecret)
    let position = tree.members.count
    tree.members.append(
      ObjectTree.Member(
        name: member.name,
        parent: parent,
        owner: owner,
        property: member.property,
        facts: member.facts,
        isSecret: isWhole,
        holdsSecret: holdsSecret,
        object: nil,
        end: position + 1
      )
    )
    guard hasMembers, let template = template(member.uses, member.branches) else { return }
    enter(template, of: position, isSecret: isWhole, depth: depth + 1)
    tree.members[position].end = tree.members.count
  }

  private func hasProperties(_ schema: Int32) -> Bool {
    program.written[program.sources[Int(schema)].written.range].contains { $0.operation == .properties }
  }

  // MARK: An object

  /// What the schema says about an object; nil when the budget is spent.
  ///
  /// - Parameters:
  ///   - uses: the schemas that apply to it whatever it is.
  ///   - branches: those that may apply besides.
  private mutating func template(_ uses: [SchemaUse], _ branches: [Int32]) -> Template? {
    let key = TemplateKey(always: uses.map(\.schema), branches: branches)
    if let known = templates[key] { return known }
    let schemas = key.always + branches
    let closure = inPlaceClosure(of: schemas)
    // Places inside a definition are told from the definition, whichever way led there.
    let roots = uses.map { SchemaUse(schema: $0.schema, path: documentPath(of: $0), scope: $0.scope) }
    var builder = ObjectPartsBuilder(program: program, secrets: secrets, budget: budget, factsNestingMax: 0)
    guard let parts = builder.build(from: roots) else { return nil }
    let found = members(of: parts, closure)
    let secret = secrets.members(among: found.map(\.name), of: schemas.map(Int.init))
    let template = Template(
      object: ObjectTree.Object(parts: parts, others: others(closure), areOthersSecret: secret.holdsOthers),
      naming: closure.filter(hasProperties),
      members: found.enumerated().map { index, member in
        self.member(
          member,
          parts,
          isSecret: secret.whole.contains(index),
          holdsSecret: secret.holding.contains(index)
        )
      }
    )
    // The scope of dynamic references is that of the way, so that such an object is another one in each place.
    if !program.keepsScope { templates[key] = template }
    return template
  }

  private func member(_ found: Found, _ parts: ObjectParts, isSecret: Bool, holdsSecret: Bool) -> TemplateMember {
    let schemas = found.uses.map(\.schema) + found.branches
    return TemplateMember(
      name: found.name,
      property: found.property,
      uses: found.uses,
      branches: found.branches,
      facts: found.property.map { parts.properties[$0].facts } ?? facts(of: found.branches),
      naming: inPlaceClosure(of: schemas).filter(hasProperties),
      isSecret: isSecret,
      holdsSecret: holdsSecret,
      spreadsSecret: holdsSecret && (secrets.isWhole(schemas.map(Int.init)) || holdsOtherSecrets(schemas))
    )
  }

  private func holdsOtherSecrets(_ schemas: [Int32]) -> Bool {
    secrets.members(among: [], of: schemas.map(Int.init)).holdsOthers
  }

  /// A member while it is looked for: the schemas that apply to it whatever its object is, and those that branches apply.
  private struct Found {
    let name: String
    let property: Int?
    var uses: [SchemaUse] = []
    var branches: [Int32] = []
  }

  private func documentPath(of use: SchemaUse) -> [String] {
    use.schema == program.root ? [] : program.documentPointer(of: use.schema).tokens
  }

  /// The members that an object's parts name, and behind them those that only branches name.
  private func members(of parts: ObjectParts, _ closure: [Int32]) -> [Found] {
    var found = parts.properties.enumerated().map { Found(name: $1.name, property: $0, uses: $1.uses) }
    var positions = Dictionary(
      found.enumerated().map { (UTF8Key(text: $1.name), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let unconditional = Set(parts.properties.flatMap { $0.uses.map(\.schema) })
    for schema in closure {
      for instruction in program.written[program.sources[Int(schema)].written.range]
      where instruction.operation == .properties {
        for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 && budget.spend() {
          if unconditional.contains(entry.schema) { continue }
          let key = UTF8Key(text: entry.name)
          if let position = positions[key] {
            found[position].branches.append(entry.schema)
          } else {
            positions[key] = found.count
            found.append(Found(name: entry.name, property: nil, branches: [entry.schema]))
          }
        }
      }
    }
    return found
  }

  /// All schemas that apply, or may apply, to the value that some apply to; in the order written.
  private func inPlaceClosure(of schemas: [Int32]) -> [Int32] {
    var closure: [Int32] = []
    var visited: Set<Int32> = []
    var waiting = Array(schemas.reversed())
    while let schema = waiting.popLast() {
      guard visited.insert(schema).inserted, budget.spend() else { continue }
      closure.append(schema)
      var inner: [Int32] = []
      for instruction in program.written[program.sources[Int(schema)].written.range] {
        switch instruction.operation {
        case .allOf, .anyOf, .oneOf, .conditional, .reference, .dependentSchemas:
          inner += instruction.inPlaceSchemas(lists: program.lists)
        case .dynamicReference: inner.append(program.dynamicReferences[Int(instruction.a)].initial)
        default: break
        }
      }
      waiting += inner.reversed()
    }
    return closure
  }

  private func others(_ closure: [Int32]) -> OtherMembers {
    var patterns: [Int32] = []
    var admitsAll = false
    for schema in closure {
      for instruction in program.written[program.sources[Int(schema)].written.range] {
        switch instruction.operation {
        case .patternProperties: patterns += program.plans[Int(instruction.a)].patterns.map(\.pattern)
        case .additionalProperties: admitsAll = admitsAll || admits(program.plans[Int(instruction.a)].additional)
        case .unevaluatedProperties: admitsAll = admitsAll || admits(instruction.a)
        default: break
        }
      }
    }
    return OtherMembers(program: program, patterns: patterns, admitsAll: admitsAll)
  }

  /// Whether a schema is there, and is not `false`.
  private func admits(_ schema: Int32) -> Bool { schema >= 0 && !program.schemas[Int(schema)].typeMask.isEmpty }

  // MARK: Facts

  /// What branches agree on about a member that only they name.
  private func facts(of branches: [Int32]) -> PropertyFacts {
    let all = branches.map { PropertyFacts(of: [$0], in: program, visits: 50, nestingMax: 0, budget: budget) }
    var facts = all[0]
    // A branch that does not hold gives nothing.
    facts.default = nil
    for other in all.dropFirst() {
      // The types that any of them admits, in their fixed order.
      let types = (TypeMask(names: facts.types).union(TypeMask(names: other.types))).names
      facts.types = types
      facts.choices = facts.choices.flatMap { own in
        other.choices.map { own + $0.filter { choice in !own.contains { $0.value == choice.value } } }
      }
      facts.maxLength = facts.maxLength.flatMap { own in other.maxLength.map { max(own, $0) } }
      facts.maxItems = facts.maxItems.flatMap { own in other.maxItems.map { max(own, $0) } }
    }
    return facts
  }
}

extension TypeMask {
  /// The types of those names.
  fileprivate init(names: [String]) {
    self = names.reduce(into: TypeMask([])) { $0.formUnion(TypeMask(name: $1) ?? []) }
    if contains(.number) { formUnion(.integer) }
  }
}
