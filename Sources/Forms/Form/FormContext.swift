package import CEL
package import JSON
package import JSONSchema

/// The context of a form's sessions: values that the client gives, and that only formulas read. The definition
/// describes it with a JSON Schema of its own.
package struct FormContext: Sendable {
  /// A member that formulas read.
  package struct Member: Sendable {
    /// Its path in the context.
    package let path: [String]
    /// Its type in formulas.
    package let type: FieldType
    /// The slot under which formulas read it.
    package let slot: Int32
  }

  /// The schema, as the definition has it.
  package let definition: JSON
  /// The schema, compiled.
  package let schema: Schema
  /// The members that the schema names. A member follows the member that contains it.
  let shapes: [FieldShape]
  /// The objects that the schema describes, the root first.
  private let objects: [ObjectTree.Object]
  /// Finds the members by their addresses.
  let index: FieldIndex
  /// The members that formulas read. A session keeps a slot for each.
  package private(set) var members: [Member] = []

  init(definition: JSON, schema: Schema, shapes: [FieldShape], objects: [ObjectTree.Object]) {
    self.definition = definition
    self.schema = schema
    self.shapes = shapes
    self.objects = objects
    index = FieldIndex(addresses: shapes.map(\.address))
  }

  /// The context, when the slots are known that formulas read.
  func reading(_ slots: SlotTable) -> FormContext {
    var context = self
    context.members = shapes.indices.filter { slots.context[$0] >= 0 }.map {
      Member(path: shapes[$0].position.path, type: shapes[$0].type, slot: slots.context[$0])
    }
    return context
  }

  /// By object: the members that it may have in addition to the named ones.
  var others: [OtherMembers] { objects.map(\.others) }

  /// Why a value cannot be the context; empty if it can. No failure contains a value.
  package func failures(of value: JSONObject) -> [Failure] { schema.failures(of: .object(value)) }

  private func unit(at path: [String]) -> Int {
    path.isEmpty ? 0 : index.field(on: path).flatMap { shapes[$0].position.unit } ?? 0
  }

  /// The context without its secrets: only these parts may be stored.
  package func withoutSecrets(_ context: JSONObject) -> JSONObject { mappingSecrets(of: context) { _ in nil } }

  /// The context with other values in place of its secrets.
  ///
  /// - Parameter other: gives the value in place of a secret; nil if the secret is left out.
  package func mappingSecrets(of context: JSONObject, _ other: (JSON) -> JSON?) -> JSONObject {
    mapping(.object(context), at: [], other).objectValue ?? [:]
  }

  private func mapping(_ value: JSON, at path: [String], _ other: (JSON) -> JSON?) -> JSON {
    switch value {
    case .object(let members):
      let areOthersSecret = objects[unit(at: path)].areOthersSecret
      var told = JSONObject()
      for member in members {
        let inner = index.field(on: path + [member.name])
        if inner.map({ shapes[$0].isSecret }) ?? areOthersSecret {
          told[member.name] = other(member.value)
        } else if let inner, shapes[inner].holdsSecret {
          told[member.name] = mapping(member.value, at: path + [member.name], other)
        } else {
          told[member.name] = member.value
        }
      }
      return .object(told)
    case .array(let elements):
      guard let element = index.field(on: path + ["*"]) else { return value }
      if shapes[element].isSecret { return .array(elements.compactMap(other)) }
      return .array(elements.map { mapping($0, at: path + ["*"], other) })
    case .null, .bool, .integer, .real, .decimal, .string: return value
    }
  }

  /// The part of an earlier context that this schema admits: its members without a failure.
  package func admitted(_ context: JSONObject) -> JSONObject {
    var refused: Set<String> = []
    for failure in failures(of: context) {
      if let name = failure.instanceLocation.tokens.first { refused.insert(name) }
    }
    var kept = JSONObject()
    for member in context where !refused.contains(member.name) {
      if index.field(on: [member.name]) != nil || objects[0].others.admits(member.name) {
        kept[member.name] = member.value
      }
    }
    return kept
  }
}

/// The formula cells of a context.
final class ContextCells {
  private let context: FormContext
  /// The formula cells that a form would have whose values the context's schema describes.
  private let cells: FormulaCells
  /// The maximum number of names of a formula cell.
  let namesMax: Int

  init(_ context: FormContext) {
    self.context = context
    let form = FormTemplate(
      list: nil,
      parent: nil,
      depth: 0,
      fields: context.shapes.indices,
      rules: 0..<0,
      checks: 0..<0,
      lookups: 0..<0,
      outputs: 0..<0
    )
    cells = FormulaCells(
      shapes: context.shapes,
      templates: [form],
      others: context.others,
      recordPrefix: "context ",
      checks: [],
      steps: [],
      lookups: [],
      actions: [],
      outputs: [],
      context: nil,
      fieldIndex: context.index
    )
    namesMax = 1 + (context.shapes.lazy.map(\.position.path.count).max() ?? 0)
  }

  /// The formula cell of the member that those names lead to from the context, if there is one.
  func cell(on names: [String]) -> FormulaCell? {
    guard let cell = cells.cell(named: ["values"] + names, in: 0), let member = cell.field else { return nil }
    let facts = context.shapes[member].facts
    return FormulaCell(
      type: cell.type,
      // The advice about costs names only fields of the form.
      size: cell.size.withoutSources,
      contextMember: member,
      isSecret: cell.isSecret,
      meaning: facts.description ?? facts.title,
      slotKey: .element(\.context, member)
    )
  }

  /// The names of all formula cells.
  var names: [String] {
    context.shapes.filter { $0.position.template == 0 }.map { Printer.print(chain: ["context"] + $0.position.path) }
  }

  /// The texts that a member can be, if the schema lists them.
  func choices(of member: Int) -> [String]? { cells.choices(of: member) }

  /// The members whose values are objects, of that member and its elements.
  func objects(in member: Int) -> [Int] { cells.objects(in: member) }

  /// The record of a member whose value is an object, and the members inside it.
  func record(of member: Int) -> (shape: RecordShape, members: [Int]) { cells.record(of: member) }
}

extension Form {
  /// Why the form does not admit a context, in a sentence for people; nil if it does.
  package func problem(ofContext given: JSONObject?) -> String? {
    guard let context else {
      return given == nil ? nil : "the form describes no context: leave it out, or add \"context\" to the definition"
    }
    return context.failures(of: given ?? [:]).first.map { failure in
      let location = failure.instanceLocation.tokens.isEmpty ? "" : "\(failure.instanceLocation): "
      return "the form does not admit this context: \(location)\(failure.message(locale: "en"))"
    }
  }
}

extension FormContext.Member {
  /// Its value for formulas; null if the context lacks it.
  package func value(in context: JSONObject?) -> Value {
    var value = context.map { JSON.object($0) }
    for name in path { value = value?[name] }
    switch (type, value) {
    case (_, nil): return .null
    case (.number, .integer(let number)?): return .double(Double(number))
    case (.integer, .real(let number)?): return Int64(exactly: number).map { .int($0) } ?? .double(number)
    case (_, let value?): return Value(value)
    }
  }
}
