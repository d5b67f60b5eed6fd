internal import JSON
internal import Texts

// `properties`, `patternProperties`, `additionalProperties`, `propertyNames` (core, section 10.3.2), `dependentSchemas`
// (10.2.2.4), and the assertions about objects (validation, section 6.5).

extension SchemaCompiler {
  mutating func compileMembers(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let name = keyword.rawValue
    switch keyword {
    case .additionalProperties:
      work.additional = child(work, name)
      work.emit(.additionalProperties, keyword)
      return
    case .propertyNames:
      work.emit(.propertyNames, keyword, child(work, name))
      return
    default:
      break
    }
    guard let entries = value.objectValue else {
      report(work, name, "\(name) must be an object")
      return
    }
    switch keyword {
    case .properties:
      work.properties = entries.names.map { ($0, child(work, name, $0)) }
      work.emit(.properties, keyword)
    case .patternProperties:
      for entry in entries {
        let schema = child(work, name, entry.name)
        if let pattern = addPattern(entry.name, work, name) { work.patterns.append((pattern, schema)) }
      }
      work.emit(.patternProperties, keyword)
    case .dependentSchemas:
      emitDependentSchemas(entries.names, keyword, &work)
    default:
      // `dependencies`: an array asks for members, anything else is a schema.
      var schemas: [String] = []
      var names = JSONObject()
      for entry in entries {
        if case .array = entry.value { names[entry.name] = entry.value } else { schemas.append(entry.name) }
      }
      if !names.isEmpty { emitDependentRequired(names, keyword, &work) }
      if !schemas.isEmpty { emitDependentSchemas(schemas, keyword, &work) }
    }
  }

  private mutating func emitDependentSchemas(
    _ triggers: [String],
    _ keyword: Keyword,
    _ work: inout SchemaInProgress
  ) {
    var list: [Int32] = []
    for trigger in triggers {
      list.append(tables.addName(trigger))
      list.append(child(work, keyword.rawValue, trigger))
    }
    work.emit(.dependentSchemas, keyword, tables.addList(list), Int32(list.count))
  }

  private mutating func emitDependentRequired(
    _ entries: JSONObject,
    _ keyword: Keyword,
    _ work: inout SchemaInProgress
  ) {
    var list: [Int32] = []
    for entry in entries {
      guard let names = strings(entry.value) else {
        report(work, keyword.rawValue, "each member of \(keyword.rawValue) must be an array of names")
        return
      }
      list.append(tables.addName(entry.name))
      list.append(Int32(names.count))
      list += names.map { tables.addName($0) }
    }
    work.emit(.dependentRequired, keyword, tables.addList(list), Int32(list.count))
  }

  private func strings(_ value: JSON) -> [String]? {
    guard let elements = value.arrayValue else { return nil }
    let names = elements.compactMap(\.stringValue)
    return names.count == elements.count ? names : nil
  }

  mutating func compileObjectAssertion(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .maxProperties:
      if let limit = count(keyword, value, work) { work.emit(.maxProperties, keyword, limit) }
    case .minProperties:
      if let limit = count(keyword, value, work) { work.emit(.minProperties, keyword, limit) }
    case .required:
      guard let names = strings(value) else {
        report(work, "required", "required must be an array of names")
        return
      }
      work.required = names
      let list = tables.addList(names.map { tables.addName($0) })
      work.emit(.required, keyword, list, Int32(names.count))
    default:
      guard let entries = value.objectValue else {
        report(work, "dependentRequired", "dependentRequired must be an object")
        return
      }
      emitDependentRequired(entries, keyword, &work)
    }
  }

  /// Joins the keywords that speak of members by name into one plan, for one walk over the members.
  mutating func finishMembers(_ work: inout SchemaInProgress) {
    guard
      !work.properties.isEmpty || !work.patterns.isEmpty || work.additional >= 0 || !work.required.isEmpty
        || work.instructions.contains(where: { $0.operation == .properties || $0.operation == .patternProperties })
    else { return }
    var entries: [(name: String, schema: Int32, isRequired: Bool)] = []
    let required = Set(work.required.map { UTF8Key(text: $0) })
    var known: Set<UTF8Key> = []
    for property in work.properties {
      let key = UTF8Key(text: property.name)
      known.insert(key)
      entries.append((property.name, property.schema, required.contains(key)))
    }
    for name in work.required where known.insert(UTF8Key(text: name)).inserted { entries.append((name, -1, true)) }
    let plan = Int32(tables.plans.count)
    tables.plans.append(
      MemberPlan(names: NameTable(entries), patterns: work.patterns, additional: work.additional)
    )
    work.plan = plan
    for index in work.instructions.indices {
      switch work.instructions[index].operation {
      case .properties, .patternProperties, .additionalProperties: work.instructions[index].a = plan
      default: break
      }
    }
  }
}
