internal import JSON
internal import SourceTexts

/// Groups of fields: a condition says how many of the fields must have a value.
extension FormAssembler {
  /// The group of fields that a keyword is about, if each branch of it requires one of them, and says nothing else.
  mutating func group(of object: ObjectKeyword, in unit: Int?) -> FieldGroup? {
    guard let keyword = object.location.tokens.last, keyword == "anyOf" || keyword == "oneOf",
      !object.readsOtherMembers, object.fields.count > 1, object.fields.count <= GroupKind.fieldsMax,
      let branches = definition.schema.value(at: object.location)?.arrayValue, branches.count == object.fields.count,
      branches.allSatisfy({ $0.objectValue?.count == 1 && $0["required"]?.arrayValue?.count == 1 })
    else { return nil }
    let kind: GroupKind = keyword == "oneOf" ? .exactlyOne : .atLeastOne
    return FieldGroup(
      kind: kind,
      fields: object.fields,
      errors: object.fields.map { schemaError(keyword, of: fieldTable.shapes[$0], else: BuiltInTexts.group(kind)) },
      whole: schemaError(keyword, of: unit.map { fieldTable.shapes[$0] }, else: BuiltInTexts.group(kind))
    )
  }

  /// Warns of a group whose fields are in several steps: all these steps have its error, so the first cannot be left.
  mutating func checkGroups(of rules: [Rule], _ objectKeywords: [ObjectKeyword], _ stepOfField: [Int?]) {
    let isStepped = definition.actions.contains { if case .step? = $0.scope { true } else { false } }
    guard isStepped else { return }
    let shapes = fieldTable.shapes
    func step(of field: Int) -> Int? {
      stepOfField[field] ?? shapes[field].position.around.flatMap(step)
    }
    let groups =
      rules.compactMap { rule in rule.group.map { ($0, rule.pointer) } }
      + objectKeywords.compactMap { keyword in keyword.group.map { ($0, "/schema\(keyword.location)") } }
    for (group, pointer) in groups where group.kind != .atMostOne {
      let steps = Set(group.fields.compactMap(step)).sorted().map { definition.steps[$0].id }
      guard let first = steps.first, let last = steps.last, first != last else { continue }
      collector.report(
        "stepsOfGroup",
        at: JSONPointer(pointer) ?? .root,
        "the fields are in several steps, and the step \"\(first)\" cannot be left before \"\(last)\" is filled in",
        remedy: "name fields of one step, or write a rule with a \"check\" at a field of the step \"\(last)\"",
        severity: .warning
      )
    }
  }

  /// By field: the groups that contain the field, and the groups inside its value, because it has their errors, too.
  func groups(of rules: [Rule], _ objectKeywords: [ObjectKeyword], _ units: [SchemaUnit]) -> [Int: [FieldGroup]] {
    let ofRules = rules.compactMap { rule in rule.group.map { ($0, rule.field) } }
    let ofSchema = objectKeywords.compactMap { keyword in keyword.group.map { ($0, units[keyword.unit].field) } }
    var groups: [Int: [FieldGroup]] = [:]
    for (group, around) in ofRules + ofSchema {
      for field in group.fields + [around].compactMap(\.self) { groups[field, default: []].append(group) }
    }
    return groups
  }
}
