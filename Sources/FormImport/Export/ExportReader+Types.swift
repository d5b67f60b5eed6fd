internal import JSON

/// A schema that is being read, and which of its keywords have a counterpart.
struct ExportSchema {
  /// The keywords, and the keywords of the schemas behind `$ref` and `allOf`.
  var members: JSONObject
  /// Patterns of `allOf`: a text has to match them, too.
  let patterns: [String]
  /// The schema's location in the definition.
  let pointer: JSONPointer
  /// The parts of the field's address.
  let field: [String]
  /// The words that make the name of an object's type.
  let names: [String]
  /// The keywords that have a counterpart.
  private(set) var used: Set<String> = ["type"]
  /// Whether null fits.
  var isNullable = false
  /// The titles of the choices, by value.
  var titles: [String: String] = [:]

  /// The keywords of an object that have a counterpart.
  static let objectKeywords = ["properties", "required", "additionalProperties", "unevaluatedProperties"]

  init(members: JSONObject, patterns: [String], pointer: JSONPointer, field: [String], names: [String]) {
    self.members = members
    self.patterns = patterns
    self.pointer = pointer
    self.field = field
    self.names = names
  }

  subscript(_ keyword: String) -> JSON? { members[keyword] }

  /// Keywords have a counterpart.
  mutating func use(_ keywords: some Sequence<String>) { used.formUnion(keywords) }

  /// The number of a keyword.
  func count(_ keyword: String) -> Int? { members[keyword]?.integerValue.map { Int($0) } }
}

/// The types of values.
extension ExportReader {
  mutating func type(of schema: inout ExportSchema) -> ExportType {
    if let choices = choices(of: &schema) { return choices }
    if let alternatives = alternatives(of: &schema) { return alternatives }
    var types =
      schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? (schema["type"]?.stringValue).map { [$0] } ?? []
    if types.count > 1, types.contains("null") {
      schema.isNullable = true
      types.removeAll { $0 == "null" }
    }
    if types.isEmpty {
      if schema["properties"] != nil { types = ["object"] } else if schema["items"] != nil { types = ["array"] }
    }
    if types.count > 1 { return union(of: types, &schema) }
    switch types.first {
    case "string": return text(of: &schema)
    case "integer", "number": return number(of: &schema, isInteger: types.first == "integer")
    case "boolean": return .bool
    case "null": return .null
    case "array": return list(of: &schema)
    case "object": return object(of: &schema)
    default: return .any
    }
  }

  private func choices(of schema: inout ExportSchema) -> ExportType? {
    for key in ["const", "enum"] {
      guard let found = schema[key] else { continue }
      schema.use(["const", "enum"])
      return choices(key == "const" ? [found] : found.arrayValue ?? [], of: &schema)
    }
    return nil
  }

  private func choices(_ choices: [JSON], of schema: inout ExportSchema) -> ExportType {
    if choices.contains(.null) { schema.isNullable = true }
    // Bounds that every choice keeps say nothing.
    let lengths = choices.compactMap(\.stringValue).map(\.unicodeScalars.count)
    if let most = schema.count("maxLength"), lengths.allSatisfy({ $0 <= most }) { schema.use(["maxLength"]) }
    if let least = schema.count("minLength"), lengths.allSatisfy({ $0 >= least }) { schema.use(["minLength"]) }
    return .choices(choices.filter { $0 != .null })
  }

  /// A schema of several types.
  private mutating func union(of types: [String], _ schema: inout ExportSchema) -> ExportType {
    var values: [ExportValue] = []
    for type in types {
      var single = schema
      single.members["type"] = .string(type)
      values.append(ExportValue(type: self.type(of: &single)))
      schema.use(single.used)
    }
    return .union(values, tag: nil)
  }

  // MARK: Alternatives

  private mutating func alternatives(of schema: inout ExportSchema) -> ExportType? {
    for key in ["oneOf", "anyOf"] {
      guard let branches = schema[key]?.arrayValue, !branches.isEmpty else { continue }
      let constants = branches.compactMap { $0["const"] }
      if constants.count == branches.count {
        schema.use([key])
        for branch in branches {
          if let value = branch["const"], let title = branch["title"]?.stringValue {
            schema.titles[value.stringValue ?? value.description] = title
          }
        }
        return choices(constants, of: &schema)
      }
      let inhabited = branches.filter { $0 != ["type": "null"] }
      if inhabited.count < branches.count { schema.isNullable = true }
      let own = schema["properties"]?.objectValue
      if own == nil, inhabited.count == 1 { return onlyAlternative(inhabited[0], key, of: &schema) }
      guard let values = own == nil ? values(inhabited, key, of: &schema) : objects(inhabited, key, of: &schema) else {
        return nil
      }
      let tag = Self.tag(of: values)
      if key == "oneOf", tag == nil {
        collector.note(
          .alternatives,
          at: schema.pointer.appending(key),
          "\(language) takes the first alternative that fits, and not exactly one",
          remedy: "give each alternative a member with a constant of its own"
        )
      }
      return .union(values, tag: tag)
    }
    return nil
  }

  /// The only alternative beside null; the schema takes over its texts.
  private mutating func onlyAlternative(
    _ branch: JSON,
    _ key: String,
    of schema: inout ExportSchema
  ) -> ExportType {
    useAlternatives(key, of: &schema)
    let inner = value(
      of: branch,
      at: schema.pointer.appending(key).appending(0),
      field: schema.field,
      names: schema.names
    )
    if inner.isNullable { schema.isNullable = true }
    schema.titles = inner.choices.compactMapValues(\.label)
    for member in branch.objectValue ?? [:]
    where ["title", "description", "default", "writeOnly"].contains(member.name) && schema[member.name] == nil {
      schema.members[member.name] = member.value
    }
    return inner.type
  }

  private mutating func values(_ branches: [JSON], _ key: String, of schema: inout ExportSchema) -> [ExportValue]? {
    useAlternatives(key, of: &schema)
    var values: [ExportValue] = []
    for (index, branch) in branches.enumerated() {
      values.append(value(.object(branch.objectValue ?? [:]), key, index, of: schema))
    }
    return values
  }

  /// The alternatives of an object: each has the object's own members, too.
  ///
  /// - Returns: nil if an alternative says nothing about members.
  private mutating func objects(_ branches: [JSON], _ key: String, of schema: inout ExportSchema) -> [ExportValue]? {
    let openCount = openReferences.count
    var alternatives: [(members: JSONObject, references: [String])] = []
    for (index, branch) in branches.enumerated() {
      var patterns: [String] = []
      let place = schema.pointer.appending(key).appending(index)
      let members = merged(branch.objectValue ?? [:], at: place, &patterns)
      alternatives.append((members, Array(openReferences[openCount...])))
      openReferences.removeLast(openReferences.count - openCount)
    }
    guard alternatives.allSatisfy({ $0.members["properties"] != nil || $0.members["required"] != nil }) else {
      return nil
    }
    useAlternatives(key, of: &schema)
    var values: [ExportValue] = []
    for (index, alternative) in alternatives.enumerated() {
      openReferences += alternative.references
      let joined = Self.object(schema.members, with: alternative.members)
      values.append(value(.object(joined), key, index, of: schema))
      openReferences.removeLast(alternative.references.count)
    }
    return values
  }

  private func useAlternatives(_ key: String, of schema: inout ExportSchema) {
    schema.use([key])
    if schema["properties"] != nil || schema["required"] != nil { schema.use(ExportSchema.objectKeywords) }
  }

  private mutating func value(_ branch: JSON, _ key: String, _ index: Int, of schema: ExportSchema) -> ExportValue {
    value(
      of: branch,
      at: schema.pointer.appending(key).appending(index),
      field: schema.field,
      names: schema.names + [String(index + 1)]
    )
  }

  /// An alternative with the members of the object around it.
  private static func object(_ own: JSONObject, with branch: JSONObject) -> JSONObject {
    var result = branch
    var members = own["properties"]?.objectValue ?? [:]
    for member in branch["properties"]?.objectValue ?? [:] {
      if case .object(var old)? = members[member.name], case .object(let new) = member.value {
        for part in new { old[part.name] = part.value }
        members[member.name] = .object(old)
      } else {
        members[member.name] = member.value
      }
    }
    result["properties"] = .object(members)
    result["type"] = "object"
    result["required"] = .array((own["required"]?.arrayValue ?? []) + (branch["required"]?.arrayValue ?? []))
    if let closed = own["additionalProperties"] ?? own["unevaluatedProperties"] {
      result["additionalProperties"] = closed
    }
    return result
  }

  /// The member that tells the alternatives apart: a required one with a different constant text in each.
  private static func tag(of values: [ExportValue]) -> String? {
    let objects = values.compactMap { value -> ExportObject? in
      if case .object(let object) = value.type { object } else { nil }
    }
    guard objects.count == values.count, let first = objects.first else { return nil }
    return first.members.map(\.name).first { name in
      var seen: Set<String> = []
      return objects.allSatisfy { object in
        guard let member = object.members.first(where: { $0.name == name }), member.isRequired,
          case .choices(let choices) = member.value.type, !choices.isEmpty
        else { return false }
        return choices.allSatisfy { choice in choice.stringValue.map { seen.insert($0).inserted } ?? false }
      }
    }
  }

  /// Makes the choices of a field the type of its value, or suggestions beside other values.
  ///
  /// - Parameters:
  ///   - options: the list of choices in the field's `options`.
  ///   - isOpen: whether the user may give another value, too.
  ///   - value: the value, with the type that its schema has.
  func offer(_ options: [JSON], isOpen: Bool, in value: inout ExportValue) {
    let values = options.compactMap { $0["value"] }
    switch value.type {
    case .choices, .list, .object: return
    // A page has a box for a Boolean.
    case .bool where kind == .html: return
    default: if isOpen { value.suggestions = values } else { value.type = .choices(values) }
    }
  }

  /// Reads what people see of choices.
  func choice(_ option: JSON) -> ExportChoice {
    ExportChoice(
      label: option["label"].flatMap { text($0) },
      group: option["group"].flatMap { text($0) },
      isDisabled: option["disabled"] == true
    )
  }

  /// Reports what the language does not have of a field's list of choices.
  mutating func noteChoices(_ options: [JSON], _ field: JSON, at pointer: JSONPointer) {
    let isInBoxes = pointer.tokens.dropLast().last?.hasSuffix("/*") == true && field["other"] != true
    for (index, option) in options.enumerated() {
      for member in option.objectValue ?? [:] where member.name != "value" {
        let place = pointer.appending(index).appending(member.name)
        switch member.name {
        case "label" where kind == .html, "disabled" where kind == .html || member.value == false: break
        case "group" where kind == .html && !isInBoxes && field["other"] != true: break
        case "disabled": lose(.fieldKey, place, "disabled choices", remedy: "ask the daemon: it has the form as it is")
        default: lose(.presentation, place, "\(member.name) of a choice", remedy: "write it where the form is drawn")
        }
        guard kind == .html, ["label", "group"].contains(member.name) else { continue }
        noteLanguages(member.value, at: place)
      }
    }
  }

  // MARK: Texts and numbers

  private mutating func text(of schema: inout ExportSchema) -> ExportType {
    schema.use(["minLength", "maxLength", "pattern", "format"])
    var text = ExportText(minLength: schema.count("minLength"), maxLength: schema.count("maxLength"))
    text.patterns = (schema["pattern"]?.stringValue).map { [$0] + schema.patterns } ?? schema.patterns
    if kind == .html, text.patterns.count > 1 {
      lose(.keyword, schema.pointer, "second pattern", remedy: "write one pattern")
      text.patterns = [text.patterns[0]]
    }
    if kind == .pydantic, let pattern = text.patterns.first(where: { !PydanticWriter.canMatch($0) }) {
      lose(
        .pattern,
        schema.pointer.appending("pattern"),
        "pattern like \(pattern)",
        remedy: "write a pattern without look-around"
      )
      text.patterns.removeAll { !PydanticWriter.canMatch($0) }
    }
    if let format = schema["format"]?.stringValue { self.format(format, &text, at: schema.pointer.appending("format")) }
    return .text(text)
  }

  private mutating func format(_ format: String, _ text: inout ExportText, at pointer: JSONPointer) {
    let known: Set<String>
    switch kind {
    case .zod: known = ["email", "date", "date-time", "time", "uuid", "uri", "ipv4", "ipv6"]
    case .pydantic: known = ["email", "date", "date-time", "uuid", "uri", "ipv4", "ipv6"]
    case .html: known = ["email", "date", "uri", "local-time", "local-date-time"]
    }
    // The value is written as a secret.
    if format == "password", kind != .zod { return }
    guard known.contains(format) else {
      lose(.keyword, pointer, "format \(format)", remedy: "write a pattern")
      return
    }
    text.format = format
    guard format != "date" else { return }
    collector.note(
      .otherFormat,
      at: pointer,
      "\(language) judges the format \(format) by other rules than formd",
      remedy: "validate the value with the daemon if the difference matters"
    )
  }

  private mutating func number(of schema: inout ExportSchema, isInteger: Bool) -> ExportType {
    schema.use(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
    if kind == .html {
      for key in ["exclusiveMinimum", "exclusiveMaximum"] where schema[key] != nil {
        lose(.keyword, schema.pointer.appending(key), key, remedy: "write minimum or maximum")
      }
    }
    return .number(
      ExportNumber(
        isInteger: isInteger,
        minimum: schema["minimum"],
        maximum: schema["maximum"],
        exclusiveMinimum: schema["exclusiveMinimum"],
        exclusiveMaximum: schema["exclusiveMaximum"],
        multipleOf: schema["multipleOf"]
      )
    )
  }

  // MARK: Lists and objects

  private mutating func list(of schema: inout ExportSchema) -> ExportType {
    schema.use(["items", "minItems", "maxItems", "uniqueItems"])
    let element = value(
      of: schema["items"] ?? [:],
      at: schema.pointer.appending("items"),
      field: schema.field + ["*"],
      names: schema.names + ["item"]
    )
    let isRequired = areElementsRequired(in: schema.field)
    if kind != .html, !element.isNullable, !isRequired {
      collector.note(
        .emptyRows,
        at: schema.pointer,
        "a list of the form may have emptied elements, as null; \(language) refuses them",
        remedy: "write \"required\": true at the elements, whose address ends in /*"
      )
    }
    if kind == .html {
      for key in ["minItems", "maxItems", "uniqueItems"] where schema[key] != nil {
        lose(.keyword, schema.pointer.appending(key), key, remedy: "validate the list in the back-end")
      }
    }
    return .list(
      ExportList(
        element: element,
        areElementsRequired: isRequired,
        minItems: schema.count("minItems"),
        maxItems: schema.count("maxItems"),
        isUnique: schema["uniqueItems"] == true
      )
    )
  }

  private mutating func object(of schema: inout ExportSchema) -> ExportType {
    schema.use(ExportSchema.objectKeywords)
    var object = ExportObject(name: Self.typeName(schema.names))
    let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    for name in required { requiredFields.insert(schema.field + [name]) }
    for property in schema["properties"]?.objectValue ?? [:] {
      let value = value(
        of: property.value,
        at: schema.pointer.appending("properties").appending(property.name),
        field: schema.field + [property.name],
        names: schema.names + [property.name]
      )
      object.members.append(
        ExportMember(name: property.name, value: value, isRequired: required.contains(property.name))
      )
    }
    object.isClosed = schema["additionalProperties"] == false || schema["unevaluatedProperties"] == false
    if let rest = schema["additionalProperties"], rest.boolValue == nil {
      collector.note(
        .keyword,
        at: schema.pointer.appending("additionalProperties"),
        "formctl writes no schema for other members, so their values are not checked",
        remedy: "name the members"
      )
    }
    return .object(object)
  }
}
