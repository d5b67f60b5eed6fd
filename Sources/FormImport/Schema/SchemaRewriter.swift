internal import JSON

/// Writes a schema in draft 2020-12, as a form needs it: labels are readable, optional values do not admit null, and
/// alternatives with a tag have the tag as a choice.
struct SchemaRewriter {
  /// The value that a schema describes.
  enum Role {
    /// A member of an object.
    case property(name: String, isRequired: Bool)
    /// The elements of a list, or the whole value.
    case value
    /// More about the value of the schema around it.
    case applied
    /// A value that is not a field.
    case other

    var isField: Bool {
      switch self {
      case .property, .value: true
      case .applied, .other: false
      }
    }
  }

  let document: SchemaDocument
  var losses: LossCollector
  /// The names of the output's `$defs`, by the locations in the input.
  private var names: [JSONPointer: String] = [:]
  /// Schemas that references name and that are not written yet.
  private var waiting: [JSONPointer] = []
  /// The schemas of values that are not fields: see ``FieldWalk/schemasOfPlainValues``.
  private let schemasOfPlainValues: Set<JSONPointer>
  /// Whether the current schema is of a value that is not a field.
  private var isInPlainValue = false
  /// The locations of members that are tags.
  var tagPlaces: Set<JSONPointer> = []
  /// The locations in the input, by locations in the output's schema.
  private(set) var origins: [JSONPointer: JSONPointer] = [:]

  init(_ document: SchemaDocument, losses: LossCollector, schemasOfPlainValues: Set<JSONPointer>) {
    self.document = document
    self.losses = losses
    self.schemasOfPlainValues = schemasOfPlainValues
  }

  /// The schema of the form.
  mutating func schema() -> JSON {
    collectTags(document.root, at: .root)
    isInPlainValue = schemasOfPlainValues.contains(document.top)
    let top = rewrite(document.schema, at: document.top, .value)
    guard case .object(var members) = top else { return top }
    var definitions = JSONObject()
    while let pointer = waiting.popLast() {
      guard let name = names[pointer], let target = document.root.value(at: pointer) else { continue }
      isInPlainValue = schemasOfPlainValues.contains(pointer)
      definitions[name] = rewrite(target, at: pointer, .value)
      origins[JSONPointer(tokens: ["$defs", name])] = pointer
    }
    if !definitions.isEmpty {
      members["$defs"] = .object(
        JSONObject(definitions.map { ($0.name, $0.value) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
      )
    }
    return .object(members)
  }

  /// The place of a part of the output in the input.
  func origin(of output: JSONPointer) -> JSONPointer {
    guard output.tokens.first == "$defs", output.tokens.count > 1,
      let place = origins[JSONPointer(tokens: Array(output.tokens.prefix(2)))]
    else { return JSONPointer(tokens: document.top.tokens + output.tokens) }
    return JSONPointer(tokens: place.tokens + output.tokens.dropFirst(2))
  }

  private mutating func collectTags(_ value: JSON, at pointer: JSONPointer) {
    switch value {
    case .object(let members):
      for keyword in ["oneOf", "anyOf"] {
        let union = TaggedUnion(members, at: pointer, keyword, in: document)
        for alternative in union?.alternatives ?? [] {
          tagPlaces.insert(alternative.pointer.appending("properties").appending(union?.tag ?? ""))
        }
      }
      for member in members { collectTags(member.value, at: pointer.appending(member.name)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { collectTags(element, at: pointer.appending(index)) }
    default: break
    }
  }

  // MARK: One schema

  /// Rewrites a schema of the input.
  ///
  /// - Parameters:
  ///   - declared: the members of the object that schemas around this one name.
  ///   - hint: the member on which alternatives in it probably depend.
  private mutating func rewrite(
    _ value: JSON,
    at pointer: JSONPointer,
    _ role: Role,
    declared: Set<String> = [],
    hint: String? = nil
  ) -> JSON {
    guard case .object(let members) = value else {
      if case .bool = value { return value }
      losses.note(
        .wrongType,
        at: pointer,
        "a schema is an object, not \(value.typeName); the form accepts every value here",
        remedy: "write a schema: an object, true or false"
      )
      return true
    }
    var node = SchemaNode(members, at: pointer)
    node.modernize(for: document.dialect, &losses)
    let isAroundPlainValue = isInPlainValue
    defer { isInPlainValue = isAroundPlainValue }
    if case .other = role { isInPlainValue = true }
    // In a form an empty field is absent. A value that is not a field keeps its nulls.
    if case .property(_, let isRequired) = role, !isRequired, !isInPlainValue { node.dropNull(in: document) }
    rewriteReference(&node)
    rewriteDecimal(&node)
    let union = tagged(node, declared, hint)
    if union == nil, role.isField { noteUnions(node) }
    noteDiscriminator(of: node, union)
    if role.isField { noteOpenParts(node) }
    rewriteTexts(&node, role)
    rewriteSchemas(&node, declared.union(node.members["properties"]?.objectValue?.names ?? []))
    if let union { addTag(union, to: &node, declared) }
    dropReadOnlyRequirements(&node, declared)
    if case .property(let name, _) = role { addTitle(to: &node, name) }
    if case .property(_, true) = role { addConstant(to: &node) }
    return .object(node.ordered)
  }

  private mutating func rewriteReference(_ node: inout SchemaNode) {
    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
      guard let value = node.members[keyword] else { continue }
      node.members[keyword] = nil
      guard let reference = value.stringValue, let target = document.target(of: reference) else {
        losses.note(
          .reference,
          at: node.place(keyword),
          "\(value.stringValue ?? "this") is not in this document, and formd loads no schemas from other places",
          remedy: "put the schema into \"$defs\", and refer to it by \"#/$defs/NAME\""
        )
        continue
      }
      node.members["$ref"] = .string(
        target.pointer == document.top ? "#" : "#/$defs/" + escaped(name(of: target.pointer))
      )
    }
  }

  private func escaped(_ name: String) -> String {
    JSONPointer.escape(name).utf8.map { byte in
      // The characters of a fragment (RFC 3986).
      byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The name of a schema in the output's `$defs`; its own name if no other schema has it.
  private mutating func name(of pointer: JSONPointer) -> String {
    if let name = names[pointer] { return name }
    let own = pointer.tokens.last ?? "root"
    let taken = Set(names.values)
    var name = own
    var number = 2
    while taken.contains(name) {
      name = "\(own)\(number)"
      number += 1
    }
    names[pointer] = name
    waiting.append(pointer)
    return name
  }

  // MARK: Alternatives

  private mutating func rewriteDecimal(_ node: inout SchemaNode) {
    guard let number = node.decimalAlternative else { return }
    let place = node.place("anyOf")
    let isNullable = node.members["anyOf"]?.arrayValue?.contains { $0["type"] == "null" } == true
    node.members["anyOf"] = nil
    for member in number where node.members[member.name] == nil { node.members[member.name] = member.value }
    if isNullable { node.members["type"] = ["number", "null"] }
    losses.note(
      .decimalAsNumber,
      at: place,
      "the value is a number or a text of digits; the form has a number, and reads such a text as one",
      remedy:
        "if more than 15 digits matter, write \"type\": \"string\" in the schema, and remove \"coerce\" from the field"
    )
  }

  private func tagged(_ node: SchemaNode, _ declared: Set<String>, _ hint: String?) -> TaggedUnion? {
    for keyword in ["oneOf", "anyOf"] {
      let union = TaggedUnion(node.members, at: node.pointer, keyword, in: document, declared: declared, hint: hint)
      if let union { return union }
    }
    return nil
  }

  /// The tag becomes a member of the object itself, so that it is one choice of all tags.
  private mutating func addTag(_ union: TaggedUnion, to node: inout SchemaNode, _ declared: Set<String>) {
    node.members["discriminator"] = nil
    let own = node.members["properties"]?.objectValue ?? JSONObject()
    guard own[union.tag] == nil, !declared.contains(union.tag) else { return }
    let alternatives = node.members["oneOf"]?.arrayValue ?? node.members["anyOf"]?.arrayValue ?? []
    let admitsNull = alternatives.contains { $0["type"] == "null" }
    if node.members["type"] == nil { node.members["type"] = admitsNull ? ["object", "null"] : "object" }
    let first = union.alternatives[0]
    let title = first.schema["properties"]?[union.tag]?["title"]?.stringValue
    let label = title.flatMap { ReadableName.isMachineMade($0, of: union.tag) ? nil : $0 }
    var properties: JSONObject = [
      union.tag: [
        "title": .string(label ?? ReadableName.label(union.tag)), "enum": .array(union.tags),
      ]
    ]
    for member in own { properties[member.name] = member.value }
    node.members["properties"] = .object(properties)
    var required = node.members["required"]?.arrayValue ?? []
    if !required.contains(.string(union.tag)) { required.append(.string(union.tag)) }
    node.members["required"] = .array(required)
    if !union.isTagRequired {
      losses.note(
        .tagRequired,
        at: node.pointer,
        "the schema does not require \(union.tag), which says which alternative is meant; the form requires it",
        remedy: "require \(union.tag) in each alternative, or leave it as it is"
      )
    }
  }

  /// A discriminator that gives the form no choice of alternatives is a loss.
  private mutating func noteDiscriminator(of node: SchemaNode, _ union: TaggedUnion?) {
    guard let tag = node.source["discriminator"]?["propertyName"]?.stringValue, union?.tag != tag,
      node.source["oneOf"] != nil || node.source["anyOf"] != nil || node.pointer == document.top
    else { return }
    losses.note(
      .untaggedUnion,
      at: node.pointer.appending("discriminator"),
      "the alternatives of the discriminator \(tag) cannot be told apart here; the form does not choose one by it",
      remedy: "refer to each alternative in \"oneOf\", and give it a constant of its own in \(tag)"
    )
  }

  private mutating func noteUnions(_ node: SchemaNode) {
    if let types = node.members["type"]?.arrayValue, types.filter({ $0 != "null" }).count > 1 {
      noteSeveralTypes(at: node.place("type"))
    }
    for keyword in ["oneOf", "anyOf"] {
      let alternatives = (node.members[keyword]?.arrayValue ?? []).map {
        document.resolved($0, at: node.pointer).schema
      }
      .filter { $0["type"] != "null" }
      guard alternatives.count > 1, !alternatives.contains(where: { !Self.saysAnything($0) }) else { continue }
      if alternatives.allSatisfy({ $0["const"] != nil || $0["enum"] != nil }) { continue }
      let types = Set(alternatives.map { Self.type(of: $0) })
      if types.count > 1 {
        noteSeveralTypes(at: node.place(keyword))
      } else if types == ["object"], alternatives.contains(where: { $0["properties"] != nil }) {
        losses.note(
          .untaggedUnion,
          at: node.place(keyword),
          "no member says which alternative is meant, so the form shows the fields of all alternatives",
          remedy: "give each alternative a required member with a constant of its own, such as {\"const\": \"card\"}"
        )
      }
    }
    let keywords = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "properties", "items", "if"]
    if !keywords.contains(where: { node.members[$0] != nil }) {
      losses.note(
        .severalTypes,
        at: node.pointer,
        "the schema admits values of every type; clients draw a field for a text",
        remedy: "write \"type\""
      )
    }
  }

  private mutating func noteSeveralTypes(at pointer: JSONPointer) {
    losses.note(
      .severalTypes,
      at: pointer,
      "the value can have several types; clients draw one field for a text, and send the value as they read it",
      remedy: "write one type"
    )
  }

  /// Whether an alternative says more than which members there must be.
  private static func saysAnything(_ schema: JSON) -> Bool {
    ["type", "enum", "const", "properties", "items", "anyOf", "oneOf", "allOf", "format", "pattern"]
      .contains { schema[$0] != nil }
  }

  private static func type(of schema: JSON) -> String {
    if let type = schema["type"]?.stringValue { return type == "integer" ? "number" : type }
    if schema["properties"] != nil { return "object" }
    if let constant = schema["const"] ?? schema["enum"]?.arrayValue?.first {
      return constant.typeName == "integer" ? "number" : constant.typeName
    }
    return "any"
  }

  // MARK: Places that are not fields

  private mutating func noteOpenParts(_ node: SchemaNode) {
    for keyword in ["additionalProperties", "patternProperties"] {
      guard let value = node.members[keyword], case .object(let schemas) = value else { continue }
      if keyword == "patternProperties", schemas.isEmpty { continue }
      noteOpenObject(at: node.place(keyword))
    }
    let hasMembers = !TaggedUnion.members(of: .object(node.source), in: document).isEmpty
    if node.members["type"] == "object", !hasMembers, node.members["additionalProperties"]?.objectValue == nil,
      node.members["patternProperties"] == nil, node.members["$ref"] == nil,
      node.members["additionalProperties"] != false
    {
      noteOpenObject(at: node.pointer)
    }
    if node.members["prefixItems"] != nil {
      losses.note(
        .tuple,
        at: node.place("prefixItems"),
        "each place of this list has a schema of its own; in a form the list is one value without fields",
        remedy: "use an object with a member for each place"
      )
    }
    if node.members["type"] == "array", node.members["items"] == nil, node.members["prefixItems"] == nil {
      losses.note(
        .untypedList,
        at: node.pointer,
        "the schema does not describe the elements of the list, so the list has no rows",
        remedy: "write \"items\""
      )
    }
  }

  private mutating func noteOpenObject(at pointer: JSONPointer) {
    losses.note(
      .openObject,
      at: pointer,
      "the names of the members are open; a form has fields only for members with names",
      remedy: "name the members in \"properties\", or use a list of objects with a name and a value"
    )
  }

  // MARK: Schemas inside

  private mutating func rewriteSchemas(_ node: inout SchemaNode, _ declared: Set<String>) {
    let required = Set((node.members["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    let places = node
    for member in node.members {
      let place = places.place(member.name)
      switch (member.name, member.value) {
      case ("properties", .object(let schemas)):
        node.members["properties"] = map(schemas) { name, schema, rewriter in
          let role = Role.property(name: name, isRequired: required.contains(name))
          return rewriter.rewrite(schema, at: place.appending(name), role)
        }
      case ("patternProperties", .object(let schemas)):
        var patterns = JSONObject()
        for schema in schemas {
          let pattern = PatternRepair.ecma(schema.name)
          guard case .same(let name) = pattern else {
            patterns[schema.name] = schema.value
            continue
          }
          patterns[name] = rewrite(schema.value, at: place.appending(schema.name), .other)
        }
        node.members["patternProperties"] = .object(patterns)
      case ("dependentSchemas", .object(let schemas)):
        node.members["dependentSchemas"] = map(schemas) { name, schema, rewriter in
          rewriter.rewrite(schema, at: places.place(ofDependency: name), .applied, declared: declared, hint: name)
        }
      case ("allOf", .array(let schemas)), ("anyOf", .array(let schemas)), ("oneOf", .array(let schemas)),
        ("prefixItems", .array(let schemas)):
        let role: Role = member.name == "prefixItems" ? .other : .applied
        let names = member.name == "prefixItems" ? [] : declared
        var list: [JSON] = []
        for (index, schema) in schemas.enumerated() {
          list.append(rewrite(schema, at: places.place(member.name, index), role, declared: names))
        }
        node.members[member.name] = .array(list)
      case ("items", let schema):
        let role: Role = node.members["prefixItems"] == nil ? .value : .other
        node.members["items"] = rewrite(schema, at: place, role)
      case ("if", let schema), ("then", let schema), ("else", let schema):
        node.members[member.name] = rewrite(schema, at: place, .applied, declared: declared)
      case ("not", let schema):
        node.members["not"] = rewrite(schema, at: place, .other, declared: declared)
      case ("additionalProperties", let schema), ("unevaluatedProperties", let schema),
        ("unevaluatedItems", let schema), ("contains", let schema), ("propertyNames", let schema):
        node.members[member.name] = rewrite(schema, at: place, .other)
      default: break
      }
    }
  }

  mutating func map(
    _ schemas: JSONObject,
    _ rewrite: (String, JSON, inout SchemaRewriter) -> JSON
  ) -> JSON {
    var result = JSONObject()
    for schema in schemas { result[schema.name] = rewrite(schema.name, schema.value, &self) }
    return .object(result)
  }
}
