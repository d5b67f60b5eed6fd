internal import Budgets
internal import CEL
internal import JSON
internal import JSONSchema

/// The types of a schema's values, as expressions use them, so that the type check finds a misspelt member.
///
/// Absent values read as in formulas: a text, a bool, a list or an object as empty. A number stays absent.
struct SchemaTypes {
  /// The type of the whole value.
  private(set) var root = CELType.dyn
  /// The types of objects.
  private(set) var records: [RecordDeclaration] = []

  /// Reads the types of a schema. A value that the schema does not describe has any type.
  init(_ schema: Schema) {
    guard let tree = schema.objectTree(budget: CompileBudget()) else { return }
    // No expression can contain a name with a slash.
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
