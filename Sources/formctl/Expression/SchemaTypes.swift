internal import CEL
internal import JSON
internal import JSONSchema

/// What a schema says about the types of its values, as expressions see them: a misspelt member of an object is found when the expression
/// is checked.
///
/// What is absent reads as in formulas: a text, a bool, a list or an object as empty, a number as nothing.
struct SchemaTypes {
  /// The type of the whole value.
  private(set) var root = CELType.dyn
  /// The types of objects.
  private(set) var records: [RecordDeclaration] = []

  /// What that schema says; what it does not say is of any type.
  init(_ schema: Schema) {
    guard let tree = schema.objectTree(budget: CompileBudget()) else { return }
    // No expression can write a name with a slash.
    func name(_ object: Int) -> String { "/\(object)" }
    func type(_ member: ObjectTree.Member) -> CELType {
      if let element = member.element { return .list(type(tree.members[element])) }
      if let object = member.object { return nullable(.object(name(object)), member.facts) }
      return Self.type(of: member.facts)
    }
    for (index, object) in tree.objects.enumerated() {
      let members = tree.members.filter { $0.owner == index && $0.name != ObjectTree.elementName }
      guard !members.isEmpty else { continue }
      records.append(
        RecordDeclaration(
          name: name(index),
          fields: Dictionary(members.map { ($0.name, RecordDeclaration.Field(type: type($0))) }) { first, _ in first },
          admittingOthers: { object.others.admits($0) }
        )
      )
    }
    if records.contains(where: { $0.name == name(0) }) { root = .object(name(0)) }
  }

  private static func type(of facts: PropertyFacts) -> CELType {
    let types = facts.types.filter { $0 != "null" }
    guard types.count == 1, let type = types.first else { return .dyn }
    switch type {
    case "string": return nullable(.string, facts)
    case "boolean": return nullable(.bool, facts)
    case "integer": return .wrapper(.int)
    case "number": return .wrapper(.double)
    case "array": return nullable(.list(facts.items.first.map(self.type) ?? .dyn), facts)
    case "object": return nullable(.map(.string, .dyn), facts)
    default: return .dyn
    }
  }

  private static func nullable(_ type: CELType, _ facts: PropertyFacts) -> CELType {
    facts.admitsNull ? .wrapper(type) : type
  }

  private func nullable(_ type: CELType, _ facts: PropertyFacts) -> CELType { Self.nullable(type, facts) }
}
