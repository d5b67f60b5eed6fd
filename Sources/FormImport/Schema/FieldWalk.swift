internal import JSON

/// Finds the fields of a schema, and says about each what a schema cannot say: placeholders, widgets, the names of
/// choices, and the conditions under which the fields of alternatives are there.
struct FieldWalk {
  let document: SchemaDocument
  var losses: LossCollector
  var draft: FormDraft
  /// The references on the way to the current schema.
  private var path: Set<JSONPointer> = []
  /// How many schemas were looked at: references can double at each level.
  private var visits = 0
  private static let visitsMax = 20_000

  init(_ document: SchemaDocument, losses: LossCollector, draft: FormDraft) {
    self.document = document
    self.losses = losses
    self.draft = draft
  }

  /// The place at which a schema is used.
  struct Use {
    /// The address of the field.
    var field: JSONPointer
    /// The condition under which the members that the schema adds are there; nil for always.
    var condition: String?
    /// The members that do not depend on the condition.
    var declared: Set<String> = []
    /// The member on which alternatives probably depend.
    var hint: String?
    /// Whether the value is a secret.
    var isSecret = false
    /// Whether the value is an optional member, or inside one.
    var isOptional = false
  }

  /// The schemas of values that are no fields, by the locations behind references: of values in open objects and
  /// tuples, and of schemas that contain themselves. In such a value a null is not an empty field.
  private(set) var schemasOfPlainValues: Set<JSONPointer> = []

  /// Looks at the schema that is imported.
  ///
  /// - Parameter field: the address of the value.
  mutating func walk(from field: JSONPointer = .root) {
    walk(document.schema, at: document.top, Use(field: field))
  }

  private mutating func walk(_ schema: JSON, at pointer: JSONPointer, _ use: Use) {
    visits += 1
    guard case .object(let source) = schema, visits < Self.visitsMax else { return }
    var node = SchemaNode(source, at: pointer)
    // The rewriter reports what it finds.
    var unheard = LossCollector(losses.input, text: losses.text, base: losses.base)
    node.modernize(for: document.dialect, &unheard)
    let members = node.members
    var use = use
    use.isSecret = use.isSecret || members["writeOnly"] == true || members["format"] == "password"
    let own = Set(members["properties"]?.objectValue?.names ?? [])
    if !use.field.tokens.isEmpty { describe(node, use) }
    let required = members["required"]?.arrayValue ?? []
    for member in members["properties"]?.objectValue ?? JSONObject() {
      let isOptional = use.isOptional || !required.contains(.string(member.name))
      let place = node.place("properties").appending(member.name)
      walkMember(member.name, member.value, at: place, use, isOptional: isOptional)
    }
    if use.isOptional { describeGivenValues(of: node, use) }
    for keyword in ["additionalProperties", "patternProperties", "prefixItems"] {
      if let value = members[keyword] { notePlainValues(value) }
    }
    use.declared.formUnion(own)
    if let items = members["items"], members["prefixItems"] == nil, !use.field.tokens.isEmpty {
      let row = use.field.appending("*")
      // An emptied row keeps its place, and its value is null.
      if !document.admitsNull(items) { add("required", of: row, true, from: node.place("items")) }
      walk(items, at: node.place("items"), Use(field: row, isSecret: use.isSecret))
    }
    walkReference(members, at: pointer, use)
    for (index, inner) in (members["allOf"]?.arrayValue ?? []).enumerated() {
      walk(inner, at: node.place("allOf", index), use)
    }
    for keyword in ["oneOf", "anyOf"] { walkAlternatives(keyword, of: node, use) }
    walkConditions(node, use)
  }

  private mutating func walkReference(_ members: JSONObject, at pointer: JSONPointer, _ use: Use) {
    guard let reference = members["$ref"]?.stringValue, let target = document.target(of: reference) else { return }
    guard path.insert(target.pointer).inserted else {
      notePlainValues(.object(members))
      losses.note(
        .recursion,
        at: pointer.appending("$ref"),
        "the schema contains itself; in a form, the inner value is one value without fields",
        remedy: "use a list of rows that name their parents, or write out as many levels as people need"
      )
      return
    }
    walk(target.schema, at: target.pointer, use)
    path.remove(target.pointer)
  }

  /// Notes all schemas that a schema of a value without fields refers to.
  private mutating func notePlainValues(_ schema: JSON) {
    switch schema {
    case .object(let members):
      if let reference = members["$ref"]?.stringValue, let target = document.target(of: reference),
        schemasOfPlainValues.insert(target.pointer).inserted
      {
        notePlainValues(target.schema)
      }
      for member in members { notePlainValues(member.value) }
    case .array(let elements): for element in elements { notePlainValues(element) }
    default: break
    }
  }

  private mutating func walkMember(
    _ name: String,
    _ schema: JSON,
    at pointer: JSONPointer,
    _ use: Use,
    isOptional: Bool
  ) {
    let field = use.field.appending(name)
    if let condition = use.condition, !use.declared.contains(name) {
      add("visible", of: field, .string(condition), from: pointer)
      if !isOptional { markRequired(field, schema, from: pointer) }
    }
    walk(schema, at: pointer, Use(field: field, isSecret: use.isSecret, isOptional: isOptional))
  }

  /// Says at a field that it is required while it is there: clients know only what the schema requires always.
  private mutating func markRequired(_ field: JSONPointer, _ schema: JSON, from pointer: JSONPointer) {
    let target = document.resolved(schema, at: pointer).schema
    guard let type = target["type"]?.stringValue, type != "object", type != "array", target["default"] == nil else {
      return
    }
    add("required", of: field, true, from: pointer)
  }

  // MARK: Alternatives and conditions

  private mutating func walkAlternatives(_ keyword: String, of node: SchemaNode, _ use: Use) {
    guard let alternatives = node.members[keyword]?.arrayValue else { return }
    let union = TaggedUnion(
      node.members,
      at: node.pointer,
      keyword,
      in: document,
      declared: use.declared,
      hint: use.hint
    )
    guard let union else {
      for (index, inner) in alternatives.enumerated() { walk(inner, at: node.place(keyword, index), use) }
      return
    }
    let tag = use.field.appending(union.tag)
    if union.alternatives.allSatisfy({ $0.tags.count == 1 && $0.tags[0].stringValue != nil }),
      !use.declared.contains(union.tag)
    {
      let names = JSONObject(
        union.alternatives.map { ($0.tags[0].stringValue ?? "", JSON.string($0.label)) }
      )
      add("options", of: tag, .object(names), from: node.pointer)
    }
    let members = union.alternatives.map { Set(TaggedUnion.members(of: $0.schema, in: document)) }
    for (alternative, names) in zip(union.alternatives, members) {
      var inner = use
      inner.hint = nil
      // The tag has a value before the members of an alternative are there.
      inner.isOptional = false
      inner.declared.insert(union.tag)
      // A member of every alternative is always there.
      for name in names where members.allSatisfy({ $0.contains(name) }) { inner.declared.insert(name) }
      for name in names where !inner.declared.contains(name) {
        let tags = zip(union.alternatives, members).filter { $0.1.contains(name) }.flatMap(\.0.tags)
        guard let condition = FormulaText.comparison(FormulaText.value(tag), tags) else { continue }
        add(
          "visible",
          of: use.field.appending(name),
          .string(both(use.condition, condition)),
          from: alternative.pointer
        )
        let requiring = union.alternatives.filter {
          TaggedUnion.requires(name, $0.schema, at: $0.pointer, in: document)
        }
        if requiring.flatMap(\.tags) == tags, let schema = alternative.schema["properties"]?[name] {
          markRequired(use.field.appending(name), schema, from: alternative.pointer)
        }
        inner.declared.insert(name)
      }
      guard path.insert(alternative.pointer).inserted else {
        notePlainValues(.array(alternatives))
        losses.note(
          .recursion,
          at: node.place(keyword),
          "the schema contains itself; in a form, the inner value is one value without fields",
          remedy: "use a list of rows that name their parents, or write out as many levels as people need"
        )
        continue
      }
      walk(alternative.schema, at: alternative.pointer, inner)
      path.remove(alternative.pointer)
    }
  }

  private mutating func walkConditions(_ node: SchemaNode, _ use: Use) {
    for dependency in node.members["dependentSchemas"]?.objectValue ?? JSONObject() {
      let name = dependency.name
      var inner = use
      let isGiven = "!" + FormulaText.property("isEmpty", of: use.field.appending(name))
      inner.condition = both(use.condition, isGiven)
      inner.hint = name
      walk(dependency.value, at: node.place(ofDependency: name), inner)
    }
    guard let test = node.members["if"] else { return }
    let condition = condition(of: test, use.field)
    for keyword in ["then", "else"] {
      guard let schema = node.members[keyword] else { continue }
      let names = TaggedUnion.members(of: schema, in: document)
      if condition == nil, names.contains(where: { !use.declared.contains($0) }) {
        losses.note(
          .condition,
          at: node.place(keyword),
          "the importer makes no formula of this condition, so the fields in it are always shown",
          remedy: "write \"visible\" at the fields \(names.prefix(5).joined(separator: ", "))."
        )
      }
      var inner = use
      if let condition {
        inner.condition = both(use.condition, keyword == "then" ? condition : "!(\(condition))")
      }
      walk(schema, at: node.place(keyword), inner)
    }
  }

  /// A formula for the condition of an `if`: members that have certain constants. nil if it says more.
  private func condition(of test: JSON, _ field: JSONPointer) -> String? {
    guard case .object(let members) = test,
      members.allSatisfy({ ["properties", "required", "type", "title", "description"].contains($0.name) })
    else { return nil }
    let required = Set((members["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    var parts: [String] = []
    for property in members["properties"]?.objectValue ?? JSONObject() {
      let member = field.appending(property.name)
      guard let schema = property.value.objectValue, let first = schema.first, schema.count == 1 else { return nil }
      let values = first.name == "const" ? [first.value] : first.name == "enum" ? first.value.arrayValue : nil
      guard let values, let part = FormulaText.comparison(FormulaText.value(member), values) else { return nil }
      // A schema says nothing about a member that is absent.
      let isAbsent = required.contains(property.name) ? "" : FormulaText.property("isEmpty", of: member) + " || "
      parts.append(isAbsent.isEmpty ? part : "(\(isAbsent)\(part))")
    }
    for name in members["required"]?.arrayValue ?? [] {
      guard let name = name.stringValue else { return nil }
      parts.append("!" + FormulaText.property("isEmpty", of: field.appending(name)))
    }
    return parts.isEmpty ? nil : parts.joined(separator: " && ")
  }

  private func both(_ first: String?, _ second: String) -> String {
    first.map { "\($0) && \(second)" } ?? second
  }

  // MARK: One field

  private mutating func describe(_ node: SchemaNode, _ use: Use) {
    let members = node.members
    if members["deprecated"] == true {
      losses.note(
        .deprecated,
        at: node.place("deprecated"),
        "the member is deprecated; the form shows it like others",
        remedy: "remove the member from the schema of the form, or write \"visible\": \"false\" at the field"
      )
    }
    if node.decimalAlternative != nil { add("coerce", of: use.field, true, from: node.place("anyOf")) }
    let media = members["contentMediaType"]?.stringValue
    let isLong = media.map { $0.hasPrefix("text/") || $0.hasSuffix("json") || $0.hasSuffix("xml") } ?? false
    if isLong || members["format"] == "textarea" {
      add("widget", of: use.field, "textarea", from: node.place(media == nil ? "format" : "contentMediaType"))
    }
    describeExample(node, use)
    describeChoices(node, use)
  }

  /// The values that members of an optional object have from the beginning. A default would create the object, and its
  /// required members would need values. So these values follow the first value that the user gives.
  private mutating func describeGivenValues(of node: SchemaNode, _ use: Use) {
    // rjsf gives such an object its defaults.
    guard document.dialect != .rjsf, let properties = node.members["properties"]?.objectValue else { return }
    let required = node.members["required"]?.arrayValue ?? []
    var given: [(field: JSONPointer, value: JSON)] = []
    var others: [JSONPointer] = []
    for property in properties {
      let target = document.resolved(property.value, at: node.pointer).schema
      let constant = required.contains(.string(property.name)) ? target["const"] : nil
      let value = property.value["default"] ?? target["default"] ?? constant
      let field = use.field.appending(property.name)
      if let value, value != .null { given.append((field, value)) } else { others.append(field) }
    }
    guard !given.isEmpty else { return }
    let literals = given.compactMap { FormulaText.literal($0.value) }
    guard !others.isEmpty, literals.count == given.count else {
      losses.note(
        .optionalObject,
        at: node.place("properties"),
        "members of this optional object have defaults, so the form always sends the object",
        remedy: "take the defaults out of the form if the object can be absent"
      )
      return
    }
    let isThere = others.map { "!" + FormulaText.property("isEmpty", of: $0) }.joined(separator: " || ")
    for ((field, _), literal) in zip(given, literals) {
      let formula = "\(isThere) ? \(literal) : null"
      let place = node.place("properties").appending(field.tokens.last ?? "")
      add("suggested", of: field, .string(formula), from: place)
    }
  }

  private mutating func describeExample(_ node: SchemaNode, _ use: Use) {
    let members = node.members
    let isChoice = members["enum"] != nil || members["const"] != nil || members["type"] == "boolean"
    guard !use.isSecret, !isChoice, let example = members["examples"]?.arrayValue?.first ?? members["example"] else {
      return
    }
    let text: String?
    switch example {
    case .string(let example): text = example.isEmpty ? nil : example
    case .integer, .real: text = example.description
    default: text = nil
    }
    if let text {
      add(
        "placeholder",
        of: use.field,
        .string(text),
        from: node.place(members["examples"] == nil ? "example" : "examples")
      )
    }
  }

  private mutating func describeChoices(_ node: SchemaNode, _ use: Use) {
    guard let values = node.members["enum"]?.arrayValue else { return }
    for keyword in ["enumNames", "x-enumNames", "x-enum-varnames"] {
      guard let names = node.members[keyword]?.arrayValue, names.count == values.count else { continue }
      var labels = JSONObject()
      for (value, name) in zip(values, names) {
        guard let text = name.stringValue, value != .null else { continue }
        labels[value.stringValue ?? value.description] =
          .string(keyword == "x-enum-varnames" ? ReadableName.label(text) : text)
      }
      if !labels.isEmpty { add("options", of: use.field, .object(labels), from: node.place(keyword)) }
      return
    }
  }

  /// The first value for a key of a field counts.
  private mutating func add(_ key: String, of field: JSONPointer, _ value: JSON, from origin: JSONPointer) {
    if draft.value(of: key, field) == nil { draft.set(key, of: field, to: value, from: origin) }
  }
}
