internal import JSON

/// A schema while it is rewritten: its members, and where they come from.
struct SchemaNode {
  /// The members in the input, after ``modernize(for:_:)``.
  private(set) var source: JSONObject
  /// The members for the output.
  var members: JSONObject
  /// The schema's location in the input.
  let pointer: JSONPointer
  /// The locations of members that do not stand under their names in the schema itself.
  private(set) var origins: [String: JSONPointer] = [:]

  init(_ members: JSONObject, at pointer: JSONPointer) {
    source = members
    self.members = members
    self.pointer = pointer
  }

  /// The location of a member in the input.
  func place(_ name: String) -> JSONPointer { origins[name] ?? pointer.appending(name) }

  /// The location of an element of a member in the input.
  func place(_ name: String, _ index: Int) -> JSONPointer {
    origins["\(name)/\(index)"] ?? place(name).appending(index)
  }

  /// The location of the schema that depends on a member.
  func place(ofDependency name: String) -> JSONPointer {
    origins["dependentSchemas/" + name] ?? place("dependentSchemas").appending(name)
  }

  /// The members, the texts first.
  var ordered: JSONObject {
    var ordered = JSONObject()
    for name in ["$ref", "title", "description", "type"] { ordered[name] = members[name] }
    for member in members where ordered[member.name] == nil { ordered[member.name] = member.value }
    return ordered
  }

  // MARK: Earlier drafts

  /// Members that say something about a value without restricting it.
  private static let annotations: Set<String> = [
    "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$schema", "$id",
    "id", "definitions", "$defs", "$comment",
  ]

  /// The keywords by which null is a value, the first one that counts first.
  private static let nullables = ["nullable", "x-nullable"]

  /// Writes the keywords of earlier drafts in draft 2020-12.
  mutating func modernize(for dialect: SchemaDocument.Dialect, _ losses: inout LossCollector) {
    guard dialect != .modern else { return }
    if dialect != .rjsf, members["$ref"] != nil {
      for member in source where member.name != "$ref" && !Self.annotations.contains(member.name) {
        members[member.name] = nil
      }
    }
    if case .array(let schemas)? = members["items"] {
      members["items"] = members["additionalItems"]
      origins["items"] = pointer.appending("additionalItems")
      members["prefixItems"] = .array(schemas)
      origins["prefixItems"] = pointer.appending("items")
    }
    members["additionalItems"] = nil
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
      guard case .bool(let isExclusive)? = members[exclusive] else { continue }
      members[exclusive] = isExclusive ? members[bound] : nil
      if isExclusive { members[bound] = nil }
    }
    // ajv, which rjsf uses, knows the keyword of OpenAPI 3.0.
    let nullables = dialect == .openAPI30 || dialect == .rjsf ? Self.nullables : []
    if let nullable = nullables.first(where: { members[$0] != nil }), members[nullable] == true {
      if let type = members["type"]?.stringValue {
        members["type"] = [.string(type), "null"]
        if case .array(let values)? = members["enum"], !values.contains(.null) {
          members["enum"] = .array(values + [.null])
        }
      } else {
        var inner = JSONObject()
        for member in members where !Self.annotations.contains(member.name) && !Self.nullables.contains(member.name) {
          inner[member.name] = member.value
          members[member.name] = nil
        }
        members["anyOf"] = [.object(inner), ["type": "null"]]
        origins["anyOf/0"] = pointer
        origins["anyOf/1"] = pointer.appending(nullable)
      }
    }
    for name in nullables { members[name] = nil }
    modernizeDependencies()
    source = members
  }

  private mutating func modernizeDependencies() {
    guard case .object(let dependencies)? = members["dependencies"] else { return }
    members["dependencies"] = nil
    var required = members["dependentRequired"]?.objectValue ?? JSONObject()
    var schemas = members["dependentSchemas"]?.objectValue ?? JSONObject()
    for dependency in dependencies {
      if case .array = dependency.value {
        required[dependency.name] = dependency.value
      } else {
        schemas[dependency.name] = dependency.value
        origins["dependentSchemas/" + dependency.name] = pointer.appending("dependencies").appending(dependency.name)
      }
    }
    origins["dependentRequired"] = pointer.appending("dependencies")
    if !required.isEmpty { members["dependentRequired"] = .object(required) }
    if !schemas.isEmpty { members["dependentSchemas"] = .object(schemas) }
  }

  // MARK: Null

  /// Leaves out null: a member that has no value is absent.
  mutating func dropNull(in document: SchemaDocument) {
    guard members["default"] == nil || members["default"] == .null else { return }
    var isDropped = false
    if case .array(let types)? = members["type"], types.contains("null"), types.count > 1 {
      let rest = types.filter { $0 != "null" }
      members["type"] = rest.count == 1 ? rest[0] : .array(rest)
      isDropped = true
    }
    if case .array(let values)? = members["enum"], values.contains(.null), values.count > 1 {
      members["enum"] = .array(values.filter { $0 != .null })
      isDropped = true
    }
    for keyword in ["anyOf", "oneOf"] {
      guard case .array(let schemas)? = members[keyword] else { continue }
      let rest = schemas.enumerated().filter { $0.element["type"] != "null" && $0.element["const"] != .null }
      guard rest.count < schemas.count, let first = rest.first else { continue }
      isDropped = true
      if rest.count == 1, case .object(let inner) = first.element {
        merge(inner, of: keyword, at: first.offset, in: document)
      } else {
        for (index, element) in rest.enumerated() {
          origins["\(keyword)/\(index)"] = pointer.appending(keyword).appending(element.offset)
        }
        members[keyword] = .array(rest.map(\.element))
      }
    }
    if isDropped { members["default"] = nil }
    source = members
  }

  /// Puts the members of the only alternative that is left into the schema. The schema's own members count.
  private mutating func merge(_ inner: JSONObject, of keyword: String, at index: Int, in document: SchemaDocument) {
    let place = pointer.appending(keyword).appending(index)
    members[keyword] = nil
    let isClash = inner.contains { members[$0.name] != nil && !Self.annotations.contains($0.name) }
    guard !isClash, inner["$ref"] == nil || document.hasSiblingsOfReferences || inner.count == 1 else {
      members["allOf"] = .array((members["allOf"]?.arrayValue ?? []) + [.object(inner)])
      origins["allOf/\((members["allOf"]?.arrayValue?.count ?? 1) - 1)"] = place
      return
    }
    for member in inner where members[member.name] == nil {
      members[member.name] = member.value
      origins[member.name] = place.appending(member.name)
    }
  }

  // MARK: Decimal numbers

  /// The alternative that is a number, if the other one is a text of its digits, as pydantic writes `Decimal`.
  var decimalAlternative: JSONObject? {
    guard let alternatives = members["anyOf"]?.arrayValue?.filter({ $0["type"] != "null" }), alternatives.count == 2,
      let number = alternatives.first(where: { $0["type"] == "number" || $0["type"] == "integer" })?.objectValue,
      let text = alternatives.first(where: { $0["type"] == "string" })?.objectValue
    else { return nil }
    if let pattern = text["pattern"]?.stringValue {
      return PatternRepair.isOfDigits(pattern) ? number : nil
    }
    // pydantic 2.14 writes no pattern.
    return text.count == 1 && number["type"] == "number" ? number : nil
  }
}
