package import Budgets
internal import Formats
internal import JSON
internal import Texts

/// The objects and lists that a schema describes, one inside the other, with their members and elements: every address
/// of the values that the schema names.
///
/// The members are named by `properties`, and the elements described by `items`. They are reached from the root through
/// `$ref`, `allOf`, `anyOf`, `oneOf`, `if`, `then`, `else` and `dependentSchemas`. A definition that refers to itself
/// is gone through once on each way.
///
/// A value with members is an object. A value without members is a list if `items` applies an object schema to all its
/// elements. All its elements have one entry, and begin a *template*: the parts of every row of the list. The root is
/// template 0.
public struct ObjectTree: Sendable {
  /// A member of an object, or the element of a list.
  public struct Member: Sendable {
    /// Its name; ``elementName`` for the element of a list.
    public let name: String
    /// The member whose value holds it, by its position in ``members``; nil: it is a member of the root, or the element
    /// of a list.
    public let parent: Int?
    /// For the element of a list: the list, by its position in ``members``.
    public let list: Int?
    /// The template that it belongs to: 0, or the template of the innermost element around it. An element belongs to
    /// its own template.
    public let template: Int
    /// The object or list that has it, by its position in ``objects``.
    public let owner: Int
    /// Its index in ``ObjectParts/properties`` of that object; nil when only branches name it.
    public let property: Int?
    /// The facts about the member. A member that only branches name has no default, and only the facts on which they
    /// agree.
    public let facts: PropertyFacts
    /// Whether its value as a whole is a secret.
    public let isSecret: Bool
    /// Whether anything in its value is a secret.
    public let holdsSecret: Bool
    /// Its value as an object or a list, by its position in ``objects``; nil when the schema names no member or element
    /// of it.
    public internal(set) var object: Int?
    /// For a list: its element, by its position in ``members``.
    public internal(set) var element: Int?
    /// The first position in ``members`` behind the members of its template that are inside it.
    public internal(set) var end: Int
  }

  /// An object, or a list.
  public struct Object: Sendable {
    /// The unconditional keywords of the schema for it, taken apart.
    public let parts: ObjectParts
    /// Which members may be there beside the named ones.
    public let others: OtherMembers
    /// Whether such a member may be a secret, or hold one.
    public let areOthersSecret: Bool
  }

  /// Template by template, in the order of their lists in this array. In a template, each member is behind the member
  /// that holds it; otherwise in the order written. Members that only branches name are last.
  public internal(set) var members: [Member] = []
  /// The root first.
  public internal(set) var objects: [Object] = []

  /// The name of the element of a list.
  public static let elementName = "*"
}

/// The members that an object may have beside the members in `properties`: by `patternProperties`, or because
/// `additionalProperties` or `unevaluatedProperties` is written and not `false`.
public struct OtherMembers: Sendable {
  let program: Program
  /// The patterns of `patternProperties`, at every object to which they may apply.
  let patterns: [Int32]
  /// Whether any name is admitted.
  let admitsAll: Bool

  /// Whether a member of that name may be there.
  public func admits(_ name: String) -> Bool {
    // A pattern that is too costly to know may match.
    admitsAll || patterns.contains { program.patterns[Int($0)].matches(name) != .noMatch }
  }
}

extension OtherMembers: Equatable {
  /// Whether both admit the same members by the same patterns; they may be of different schemas.
  public static func == (left: OtherMembers, right: OtherMembers) -> Bool {
    left.admitsAll == right.admitsAll
      && left.sources.elementsEqual(right.sources) { $0.hasSameUTF8(as: $1) }
  }

  private var sources: some Sequence<String> { patterns.lazy.map { program.patterns[Int($0)].source } }
}

extension Schema {
  /// Finds every value that the schema names.
  ///
  /// - Parameter budget: the budget for the work.
  /// - Returns: nil when the budget is spent.
  package func objectTree(budget: CompileBudget) -> ObjectTree? {
    var builder = ObjectTreeBuilder(program: program, budget: budget)
    return builder.build()
  }
}

/// Walks from the root inwards. The shape of a value is determined once; a value at several addresses is copied to each
/// of them.
private struct ObjectTreeBuilder {
  let program: Program
  let budget: CompileBudget
  private let secrets: SecretMembers
  private var tree = ObjectTree()
  /// By the schemas that apply to a value.
  private var shapes: [ShapeKey: Shape] = [:]
  /// The lists that were found; the one at `index` begins template `index + 1`.
  private var lists: [List] = []

  /// The largest depth of objects and lists in the tree. A deeper value is a part of its field's value.
  private static let depthMax = 32
  /// Members inside a member are added up to this number: a definition that refers to others that refer to others has
  /// more values than characters.
  private static let membersMax = 10_000

  /// The schemas on the way to a value, for each object and list around it, as far as they name members or elements.
  private typealias Way = [Set<Int32>]

  /// The schemas that always apply to a value, and the schemas that branches may apply.
  private struct ShapeKey: Hashable {
    let container: Container
    let always: [Int32]
    let branches: [Int32]
  }

  /// The shape of an object or a list, at every address.
  private struct Shape {
    let object: ObjectTree.Object
    /// Its schemas that name its members or elements.
    let naming: Set<Int32>
    let members: [ShapeMember]
  }

  /// A member of such an object, or the element of such a list.
  private struct ShapeMember {
    let name: String
    let property: Int?
    let uses: [SchemaUse]
    let branches: [Int32]
    let facts: PropertyFacts
    let container: Container
    /// Its schemas that name its members or elements.
    let naming: [Int32]
    /// Whether it is a secret because of a schema of its object, or because of a rule for members.
    let isSecret: Bool
    /// Whether it is a secret, or anything in it is.
    let holdsSecret: Bool
    /// Whether a secret in it makes the whole a secret, even if its members are fields.
    let spreadsSecret: Bool
  }

  /// A list whose element is still to be added.
  private struct List {
    let member: Int
    let element: ShapeMember
    let way: Way
  }

  /// What a member inherits from the object around it.
  private struct Context {
    let owner: Int
    var parent: Int?
    var list: Int?
    let template: Int
    /// Whether the value that contains it is a secret as a whole.
    let isInSecret: Bool
  }

  init(program: Program, budget: CompileBudget) {
    self.program = program
    self.budget = budget
    secrets = SecretMembers(program: program, budget: budget)
  }

  mutating func build() -> ObjectTree? {
    let root = SchemaUse(schema: program.root, path: [], scope: [])
    if let shape = shape(of: .object, [root], []) {
      tree.objects.append(shape.object)
      add(shape.members, at: Context(owner: 0, template: 0, isInSecret: false), way: [shape.naming])
    }
    // The elements' own lists are found on the way.
    var next = 0
    while next < lists.count {
      let list = lists[next]
      next += 1
      let member = tree.members[list.member]
      guard let owner = member.object, budget.mayGoOn else { break }
      tree.members[list.member].element = tree.members.count
      let context = Context(owner: owner, list: list.member, template: next, isInSecret: member.isSecret)
      add([list.element], at: context, way: list.way)
    }
    return budget.mayGoOn ? tree : nil
  }

  /// Adds members, and the members inside them.
  private mutating func add(_ members: [ShapeMember], at context: Context, way: Way) {
    for member in members {
      guard budget.spend() else { return }
      add(member, at: context, way: way)
    }
  }

  private mutating func add(_ member: ShapeMember, at context: Context, way: Way) {
    // A schema that was gone through on the way would have no end.
    let hasMembers =
      way.count <= Self.depthMax && tree.members.count < Self.membersMax && !member.naming.isEmpty
      && !member.naming.contains { schema in way.contains { $0.contains(schema) } }
    let holdsSecret = context.isInSecret || member.holdsSecret
    // A secret inside of a value that is a leaf, or under a name that the schema does not say, makes a secret of the
    // whole.
    let isWhole = context.isInSecret || member.isSecret || holdsSecret && (!hasMembers || member.spreadsSecret)
    let position = tree.members.count
    tree.members.append(
      ObjectTree.Member(
        name: member.name,
        parent: context.parent,
        list: context.list,
        template: context.template,
        owner: context.owner,
        property: member.property,
        facts: member.facts,
        isSecret: isWhole,
        holdsSecret: holdsSecret,
        object: nil,
        element: nil,
        end: position + 1
      )
    )
    guard hasMembers, let shape = shape(of: member.container, member.uses, member.branches) else { return }
    let object = tree.objects.count
    tree.objects.append(shape.object)
    tree.members[position].object = object
    let way = way + [shape.naming]
    if member.container == .list {
      // Its element begins a template, which follows the templates that began earlier.
      lists += shape.members.map { List(member: position, element: $0, way: way) }
    } else {
      let inside = Context(owner: object, parent: position, template: context.template, isInSecret: isWhole)
      add(shape.members, at: inside, way: way)
      tree.members[position].end = tree.members.count
    }
  }

  /// The kind of a value, by the schemas that may apply to it, and the schemas among them that name its members or
  /// elements.
  private func container(_ closure: [Int32]) -> (container: Container, naming: [Int32]) {
    let naming = closure.filter { instructions(of: $0).contains { $0.operation == .properties } }
    guard naming.isEmpty else { return (.object, naming) }
    let listing = closure.filter { instructions(of: $0).contains(where: describesElements) }
    return listing.isEmpty ? (.object, []) : (.list, listing)
  }

  private func describesElements(_ instruction: Instruction) -> Bool {
    instruction.isForAllElements && program.sources[Int(instruction.a)].value.boolValue == nil
  }

  private func instructions(of schema: Int32) -> ArraySlice<Instruction> {
    program.written[program.sources[Int(schema)].written.range]
  }

  // MARK: An object or a list

  /// The shape of an object or a list; nil when the budget is spent.
  ///
  /// - Parameters:
  ///   - container: the kind of the value.
  ///   - uses: the schemas that always apply to it.
  ///   - branches: the schemas that may also apply.
  private mutating func shape(of container: Container, _ uses: [SchemaUse], _ branches: [Int32]) -> Shape? {
    let key = ShapeKey(container: container, always: uses.map(\.schema), branches: branches)
    if let known = shapes[key] { return known }
    let schemas = key.always + branches
    let closure = inPlaceClosure(of: schemas)
    // Locations inside a definition are counted from the definition, on every way to it.
    let roots = uses.map { SchemaUse(schema: $0.schema, path: documentPath(of: $0), scope: $0.scope) }
    var builder = ObjectPartsBuilder(
      program: program,
      of: container,
      secrets: secrets,
      budget: budget,
      factsNestingMax: 0
    )
    guard let parts = builder.build(from: roots) else { return nil }
    let found = members(of: parts, container, closure)
    let secret = secrets.members(among: found.map(\.name), of: container, with: schemas.map(Int.init))
    let shape = Shape(
      object: ObjectTree.Object(
        parts: parts,
        others: others(container == .object ? closure : []),
        areOthersSecret: secret.holdsOthers
      ),
      naming: Set(self.container(closure).naming),
      members: found.enumerated().map { index, member in
        self.member(
          member,
          parts,
          isSecret: secret.whole.contains(index),
          holdsSecret: secret.holding.contains(index)
        )
      }
    )
    // The scope of dynamic references depends on the way, so such an object has another shape at each address.
    if !program.keepsScope { shapes[key] = shape }
    return shape
  }

  private func member(_ found: Found, _ parts: ObjectParts, isSecret: Bool, holdsSecret: Bool) -> ShapeMember {
    let schemas = found.uses.map(\.schema) + found.branches
    let (container, naming) = container(inPlaceClosure(of: schemas))
    return ShapeMember(
      name: found.name,
      property: found.property,
      uses: found.uses,
      branches: found.branches,
      facts: found.property.map { parts.properties[$0].facts } ?? facts(of: found.branches),
      container: container,
      naming: naming,
      isSecret: isSecret,
      holdsSecret: holdsSecret,
      spreadsSecret: holdsSecret && (secrets.isWhole(schemas.map(Int.init)) || holdsOtherSecrets(schemas, container))
    )
  }

  private func holdsOtherSecrets(_ schemas: [Int32], _ container: Container) -> Bool {
    secrets.members(among: [], of: container, with: schemas.map(Int.init)).holdsOthers
  }

  /// A member while it is looked for: the schemas that always apply to it, and the schemas that branches apply.
  private struct Found {
    let name: String
    let property: Int?
    var uses: [SchemaUse] = []
    var branches: [Int32] = []
  }

  private func documentPath(of use: SchemaUse) -> [String] {
    use.schema == program.root ? [] : program.documentPointer(of: use.schema).tokens
  }

  /// The members or elements that a value's parts name, and behind them the members that only branches name.
  private func members(of parts: ObjectParts, _ container: Container, _ closure: [Int32]) -> [Found] {
    var found = parts.properties.enumerated().map { Found(name: $1.name, property: $0, uses: $1.uses) }
    var positions = Dictionary(
      found.enumerated().map { (UTF8Key(text: $1.name), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let unconditional = Set(parts.properties.flatMap { $0.uses.map(\.schema) })
    for schema in closure {
      for instruction in instructions(of: schema) where instruction.appliesTo.contains(container.instances) {
        for entry in program.namedSchemas(instruction) ?? [] where budget.spend() {
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
      for instruction in instructions(of: schema) {
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
      for instruction in instructions(of: schema) {
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

  /// The facts on which branches agree about a member that only they name.
  private func facts(of branches: [Int32]) -> PropertyFacts {
    let all = branches.map { PropertyFacts(of: [$0], in: program, visits: 50, nestingMax: 0, budget: budget) }
    // A branch that does not hold gives no default and no bound; its texts still name the member.
    var facts = PropertyFacts()
    facts.types = all[0].types
    facts.choices = all[0].choices
    facts.maxLength = all[0].maxLength
    facts.maxItems = all[0].maxItems
    facts.readOnly = all.allSatisfy(\.readOnly)
    facts.title = all[0].title
    facts.description = all[0].description
    facts.extensions = all[0].extensions
    for other in all.dropFirst() {
      if facts.title != other.title { facts.title = nil }
      if facts.description != other.description { facts.description = nil }
      facts.extensions = JSONObject(
        uncheckedMembers: facts.extensions.filter { other.extensions[$0.name] == $0.value }
      )
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
  fileprivate init(names: [String]) {
    self = names.reduce(into: TypeMask([])) { $0.formUnion(TypeMask(name: $1) ?? []) }
    if contains(.number) { formUnion(.integer) }
  }
}
