internal import Budgets
internal import Formats
internal import JSON

/// Turns schema documents into a ``Program``.
///
/// Schemas are compiled one at a time from a queue, so a document's depth costs no stack here.
struct SchemaCompiler {
  var registry: SchemaRegistry
  var tables = ProgramTables()
  let options: CompileOptions
  let budget: CompileBudget
  private var schemaByLocation: [Int: Int32] = [:]
  /// The locations of the schemas, by number.
  private(set) var locations: [Int] = []
  private var next = 0
  /// The names of `tables.dynamicAnchors`, and the number of each.
  private var dynamicNames: [String] = []
  private var dynamicNumbers: [String: Int32] = [:]

  init(options: CompileOptions, budget: CompileBudget) {
    self.options = options
    self.budget = budget
    registry = SchemaRegistry(options: options)
  }

  /// Compiles a document; nil when the budget is spent.
  static func compile(
    _ document: JSON,
    options: CompileOptions,
    budget: CompileBudget
  ) throws(SchemaCompileError) -> Program? {
    var compiler = SchemaCompiler(options: options, budget: budget)
    let location = compiler.registry.add(document: document, uri: options.baseURI)
    let root = compiler.schema(at: location)
    compiler.compileQueue()
    compiler.settleDynamicReferences()
    if compiler.registry.problems.isEmpty { compiler.refuseReferenceLoops(from: Int(root)) }
    guard compiler.registry.problems.isEmpty else { throw SchemaCompileError(problems: compiler.registry.problems) }
    guard budget.mayGoOn else { return nil }
    compiler.tables.locations = compiler.registry.locationTable
    return Program(compiler.tables, root: root, limits: options.limits)
  }

  // MARK: The queue

  /// The number of the schema at that location; it is compiled later if it has not been.
  mutating func schema(at location: Int) -> Int32 {
    if let known = schemaByLocation[location] { return known }
    let index = Int32(tables.schemas.count)
    schemaByLocation[location] = index
    locations.append(location)
    let resource = registry.locations[location].resource
    tables.schemas.append(SchemaRecord(resource: Int32(resource)))
    tables.sources.append(
      SchemaSource(
        value: registry.locations[location].value,
        uri: registry.resources[resource].uriText,
        location: Int32(location),
        resourceLocation: Int32(registry.resources[resource].location),
        dialect: registry.resources[resource].dialect
      )
    )
    return index
  }

  /// The location of a schema.
  func firstLocation(of schema: Int) -> Int { locations[schema] }

  /// The schema under a keyword of the schema in hand.
  mutating func child(_ work: SchemaInProgress, _ tokens: String...) -> Int32 {
    var location = work.location
    for token in tokens {
      guard let next = registry.child(of: location, token) else { return schema(at: location) }
      location = next
    }
    return schema(at: location)
  }

  mutating func compileQueue() {
    while next < locations.count, budget.mayGoOn {
      guard next < options.limits.schemasMax else {
        registry.report(.tooLarge, at: locations[0], nil, "there are more than \(options.limits.schemasMax) schemas")
        return
      }
      compile(Int32(next), at: locations[next])
      next += 1
    }
  }

  private mutating func compile(_ index: Int32, at location: Int) {
    let value = registry.locations[location].value
    guard budget.spend(Self.work(of: value)) else { return }
    switch value {
    case .bool(true):
      break
    case .bool(false):
      tables.schemas[Int(index)].typeMask = []
    case .object(let members):
      let dialect = tables.sources[Int(index)].dialect
      tables.sources[Int(index)].extensions = JSONObject(
        uncheckedMembers: members.filter { $0.name.utf8.starts(with: "x-".utf8) }
      )
      var work = SchemaInProgress(location: location, members: members, dialect: dialect)
      if dialect.draft.hidesSiblingsOfReferences, let reference = members["$ref"] {
        compileKeyword("$ref", reference, &work)
      } else {
        for member in members { compileKeyword(member.name, member.value, &work) }
      }
      finish(&work, index)
    case let value:
      registry.report(
        .badValue,
        at: location,
        nil,
        "a schema must be an object, true or false; this is of type \(value.typeName)"
      )
    }
  }

  /// The units that compiling a schema takes, without the schemas inside it: one for the schema, one for each keyword,
  /// and one for each value or name in a keyword's list or object.
  private static func work(of schema: JSON) -> Int {
    guard case .object(let members) = schema else { return 1 }
    return members.reduce(1) { work, member in
      switch member.value {
      case .array(let elements): work + 1 + elements.count
      case .object(let entries): work + 1 + entries.count
      default: work + 1
      }
    }
  }

  private mutating func compileKeyword(_ name: String, _ value: JSON, _ work: inout SchemaInProgress) {
    guard let rule = KeywordRule.named[name] else { return compileCore(name, value, &work) }
    guard rule.drafts.contains(work.dialect.draft), work.has(rule.vocabulary) else { return }
    rule.read(&self, rule.keyword, value, &work)
  }

  /// The shapes of the identifiers of the core vocabulary; the registry has already read their meaning.
  private mutating func compileCore(_ name: String, _ value: JSON, _ work: inout SchemaInProgress) {
    let draft = work.dialect.draft
    let wantsText: Bool
    let wantsObject: Bool
    switch name {
    case "$schema", draft.identifierKeyword: (wantsText, wantsObject) = (true, false)
    case "$comment": (wantsText, wantsObject) = (draft >= .draft7, false)
    case "$anchor": (wantsText, wantsObject) = (draft >= .draft2019, false)
    case "$dynamicAnchor": (wantsText, wantsObject) = (draft == .draft2020, false)
    case "definitions": (wantsText, wantsObject) = (false, true)
    case "$defs", "$vocabulary": (wantsText, wantsObject) = (false, draft >= .draft2019)
    default: return
    }
    if wantsText, value.stringValue == nil { report(work, name, "\(name) must be a string") }
    if wantsObject, value.objectValue == nil { report(work, name, "\(name) must be an object") }
  }

  /// Notes a value of the wrong shape.
  mutating func report(
    _ work: SchemaInProgress,
    _ keyword: String,
    _ text: String,
    kind: SchemaCompileError.Problem.Kind = .badValue
  ) {
    registry.report(kind, at: work.location, keyword, text)
  }

  // MARK: Finishing a schema

  private mutating func finish(_ work: inout SchemaInProgress, _ index: Int32) {
    finishMembers(&work)
    let written = work.instructions + work.last
    let record = Int(index)
    tables.sources[record].written = Self.append(written, to: &tables.written)
    var fast = written.filter { instruction in
      switch instruction.operation {
      case .type, .properties, .patternProperties, .additionalProperties, .required: false
      default: true
      }
    }
    if let plan = work.plan { fast.insert(Instruction(operation: .members, keyword: .properties, a: plan), at: 0) }
    // Instructions that look at the value alone come first: they are cheap, and may spare the rest.
    fast = [Instruction.Reach.value, .inside, .inPlace, .unevaluated].flatMap { reach in
      fast.filter { $0.reach == reach }
    }
    tables.schemas[record].typeMask = work.typeMask
    tables.schemas[record].tracks = !work.last.isEmpty
    tables.schemas[record].hasLeavesOnly = !fast.contains { $0.isInPlace && $0.appliesTo.contains(.strings) }
    tables.schemas[record].scalars = Self.append(fast.filter { $0.appliesTo.contains(.scalars) }, to: &tables.fast)
    tables.schemas[record].numbers = Self.append(fast.filter { $0.appliesTo.contains(.numbers) }, to: &tables.fast)
    tables.schemas[record].strings = Self.append(fast.filter { $0.appliesTo.contains(.strings) }, to: &tables.fast)
    tables.schemas[record].arrays = Self.append(fast.filter { $0.appliesTo.contains(.arrays) }, to: &tables.fast)
    tables.schemas[record].objects = Self.append(fast.filter { $0.appliesTo.contains(.objects) }, to: &tables.fast)
  }

  /// Appends to a table; returns the range of the instructions in it.
  private static func append(_ instructions: [Instruction], to table: inout [Instruction]) -> SchemaRecord.Span {
    let start = Int32(table.count)
    table += instructions
    return SchemaRecord.Span(start: start, end: start + Int32(instructions.count))
  }

  // MARK: Dynamic references

  /// A reference whose target is looked for at run time; settled when every document is known.
  mutating func addDynamicReference(named name: String, initial: Int32) -> Int32 {
    let anchor = dynamicNumbers[name] ?? Int32(dynamicNames.count)
    if dynamicNumbers.updateValue(anchor, forKey: name) == nil { dynamicNames.append(name) }
    tables.dynamicReferences.append(DynamicReference(initial: initial, anchor: anchor))
    return Int32(tables.dynamicReferences.count - 1)
  }

  mutating func settleDynamicReferences() {
    // A candidate may bring documents with further candidates.
    var settled = -1
    while settled != locations.count {
      settled = locations.count
      tables.dynamicAnchors = []
      var index = 0
      while index < dynamicNames.count {
        var anchors = DynamicAnchors()
        let found = registry.dynamicAnchors(dynamicNames[index])
        guard budget.spend(1 + found.count) else { return }
        for anchor in found {
          anchors[Int32(anchor.resource)] = schema(at: anchor.location)
        }
        tables.dynamicAnchors.append(anchors)
        index += 1
      }
      compileQueue()
      guard registry.problems.isEmpty, budget.mayGoOn else { return }
    }
    for index in tables.written.indices where tables.written[index].operation == .dynamicReference {
      tables.written[index] = self.settled(tables.written[index])
    }
    for index in tables.fast.indices where tables.fast[index].operation == .dynamicReference {
      tables.fast[index] = self.settled(tables.fast[index])
    }
  }

  /// A dynamic reference; a plain one if there is one candidate only, because no search is needed then.
  private func settled(_ instruction: Instruction) -> Instruction {
    let reference = tables.dynamicReferences[Int(instruction.a)]
    let anchors = tables.dynamicAnchors[Int(reference.anchor)]
    guard anchors.count == 1, anchors.first?.value == reference.initial else { return instruction }
    return Instruction(operation: .reference, keyword: instruction.keyword, a: reference.initial)
  }
}

/// A schema object while its keywords are read.
struct SchemaInProgress {
  let location: Int
  let members: JSONObject
  let dialect: Dialect
  var instructions: [Instruction] = []
  /// `unevaluated...`: evaluated when everything else has been.
  var last: [Instruction] = []
  var typeMask = TypeMask.all
  /// `properties`, in the order written.
  var properties: [(name: String, schema: Int32)] = []
  var patterns: [(pattern: Int32, schema: Int32)] = []
  var additional: Int32 = -1
  var required: [String] = []
  /// The member plan, when one was needed.
  var plan: Int32?

  init(location: Int, members: JSONObject, dialect: Dialect) {
    self.location = location
    self.members = members
    self.dialect = dialect
  }

  func has(_ vocabulary: Dialect.Vocabularies) -> Bool { dialect.vocabularies.contains(vocabulary) }

  mutating func emit(
    _ operation: Instruction.Operation,
    _ keyword: Keyword,
    _ a: Int32 = 0,
    _ b: Int32 = 0,
    _ c: Int32 = 0
  ) {
    instructions.append(Instruction(operation: operation, keyword: keyword, a: a, b: b, c: c))
  }
}

extension Instruction {
  /// The parts of a value that an instruction has to look at, in the order of their cost.
  fileprivate enum Reach {
    /// The value alone.
    case value
    /// Members or elements, or all of their names.
    case inside
    /// The value, by further schemas.
    case inPlace
    /// The members and elements that all other instructions have left.
    case unevaluated
  }

  fileprivate var reach: Reach {
    if isUnevaluated { return .unevaluated }
    if isInPlace { return .inPlace }
    return switch operation {
    case .members, .propertyNames, .prefixItems, .items, .contains, .uniqueItems: .inside
    default: .value
    }
  }

  var isUnevaluated: Bool { operation == .unevaluatedItems || operation == .unevaluatedProperties }
}
