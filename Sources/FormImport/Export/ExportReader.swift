internal import JSON

/// Reads a definition for ``ExportKind``.
struct ExportReader {
  var collector: LossCollector
  let definition: JSON
  let kind: ExportKind
  private let locale: String?
  private var openReferences: [String] = []

  init(_ collector: LossCollector, definition: JSON, kind: ExportKind) {
    self.collector = collector
    self.definition = definition
    self.kind = kind
    locale = definition["locale"]?.stringValue
  }

  mutating func model(name: String) -> ExportModel {
    let root = value(of: definition["schema"] ?? [:], at: JSONPointer(tokens: ["schema"]), field: [], names: [name])
    parts()
    var steps: [(id: String, label: String?, fields: Set<String>)] = []
    for step in definition["steps"]?.arrayValue ?? [] {
      steps.append(
        (
          step["id"]?.stringValue ?? "", step["label"].flatMap { text($0) },
          Set(
            (step["fields"]?.arrayValue ?? []).compactMap {
              $0.stringValue.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
            }
          )
        )
      )
    }
    var actions: [(name: String, label: String)] = []
    for action in definition["actions"]?.objectValue ?? [:] {
      actions.append((action.name, action.value["label"].flatMap { text($0) } ?? ReadableName.label(action.name)))
    }
    return ExportModel(
      name: name,
      title: definition["title"].flatMap { text($0) },
      locale: locale,
      root: root,
      steps: steps,
      actions: actions
    )
  }

  /// A text in the form's language.
  private func text(_ value: JSON) -> String? {
    if let text = value.stringValue { return text }
    guard let texts = value.objectValue else { return nil }
    return (locale.flatMap { texts[$0] } ?? texts["en"] ?? texts.first?.value)?.stringValue
  }

  // MARK: Losses

  private var language: String {
    switch kind {
    case .zod: "a schema of zod"
    case .pydantic: "a model of pydantic"
    case .html: "a form in HTML"
    }
  }

  private mutating func lose(_ code: LossCode, _ pointer: JSONPointer, _ what: String, remedy: String) {
    collector.note(code, at: pointer, "\(language) has no \(what), so this is left out", remedy: remedy)
  }

  /// The parts of the definition that are not about one value.
  private mutating func parts() {
    let ask = "ask the daemon: it has the form as it is"
    for (key, what) in [("rules", "rules"), ("checks", "checks that ask a service")] {
      for index in (definition[key]?.arrayValue ?? []).indices {
        lose(.part, JSONPointer(tokens: [key, String(index)]), what, remedy: ask)
      }
    }
    if kind != .html {
      for index in (definition["steps"]?.arrayValue ?? []).indices {
        lose(.part, JSONPointer(tokens: ["steps", String(index)]), "steps", remedy: ask)
      }
    } else {
      for (index, step) in (definition["steps"]?.arrayValue ?? []).enumerated() where step["visible"] != nil {
        lose(.formula, JSONPointer(tokens: ["steps", String(index), "visible"]), "formulas", remedy: ask)
      }
    }
    for (key, what) in [
      ("lookups", "values that a service has"), ("outputs", "outputs"), ("texts", "texts for formulas"),
    ] {
      for name in definition[key]?.objectValue?.names ?? [] {
        lose(.part, JSONPointer(tokens: [key, name]), what, remedy: ask)
      }
    }
    for action in definition["actions"]?.objectValue ?? [:] {
      let pointer = JSONPointer(tokens: ["actions", action.name])
      if kind != .html {
        lose(.part, pointer, "actions", remedy: "write the action in the program that has the values")
      } else {
        for key in action.value.objectValue?.names ?? [] where key != "label" {
          lose(.part, pointer.appending(key), "effects of a tap", remedy: "handle the post in the back-end")
        }
      }
    }
    if definition["clock"] != nil { lose(.part, JSONPointer(tokens: ["clock"]), "clock", remedy: ask) }
    var texts: [(JSON, JSONPointer)] = [(definition["title"] ?? .null, JSONPointer(tokens: ["title"]))]
    for field in definition["fields"]?.objectValue ?? [:] {
      for key in ["label", "help"] {
        texts.append((field.value[key] ?? .null, JSONPointer(tokens: ["fields", field.name, key])))
      }
      for member in field.value.objectValue ?? [:] { fieldKey(member.name, member.value, field.name, ask) }
    }
    for (text, pointer) in texts where (text.objectValue?.count ?? 0) > 1 {
      lose(
        .otherLanguages,
        pointer,
        "texts in several languages",
        remedy: "translate the text in the program that shows it"
      )
    }
  }

  private mutating func fieldKey(_ key: String, _ value: JSON, _ field: String, _ ask: String) {
    let pointer = JSONPointer(tokens: ["fields", field, key])
    switch key {
    case "label", "help", "secret", "emptyAs": break
    case "placeholder", "widget":
      if kind != .html { lose(.presentation, pointer, key, remedy: "write it where the form is drawn") }
    case "options" where value.objectValue != nil:
      if kind != .html {
        lose(.presentation, pointer, "names of choices", remedy: "write them where the form is drawn")
      }
    case "visible", "enabled", "required", "computed", "suggested", "options":
      lose(.formula, pointer, "formulas", remedy: ask)
    case "coerce" where kind == .html: break
    case "show", "throttle", "debounce", "renamedFrom": lose(.presentation, pointer, key, remedy: ask)
    case _ where key.hasPrefix("x-") || key.hasPrefix("$"): break
    default: lose(.fieldKey, pointer, key, remedy: ask)
    }
  }

  // MARK: Values

  /// The keywords that every schema may have, and that need no counterpart.
  private static let annotations: Set<String> = [
    "title", "description", "default", "examples", "$comment", "$defs", "definitions", "$schema", "$id", "$anchor",
    "deprecated", "readOnly", "writeOnly", "contentMediaType", "contentEncoding", "contentSchema",
  ]

  private static let depthMax = 40

  private mutating func value(of schema: JSON, at pointer: JSONPointer, field: [String], names: [String]) -> ExportValue
  {
    guard field.count + openReferences.count < Self.depthMax, var members = schema.objectValue else {
      if schema == false { lose(.keyword, pointer, "value that nothing fits", remedy: "remove the field") }
      return ExportValue(type: .any)
    }
    if let reference = members["$ref"]?.stringValue,
      members.names.allSatisfy({ $0 == "$ref" || Self.annotations.contains($0) })
    {
      guard reference.hasPrefix("#"), let target = JSONPointer(String(reference.dropFirst())),
        let referred = (definition["schema"] ?? .null).value(at: target), !openReferences.contains(reference)
      else {
        noteRecursion(reference, at: pointer)
        return described(ExportValue(type: .any), members, field)
      }
      openReferences.append(reference)
      defer { openReferences.removeLast() }
      let place = JSONPointer(tokens: ["schema"] + target.tokens)
      let value = value(of: referred, at: place, field: field, names: [target.tokens.last ?? "Value"])
      return described(value, members, field)
    }
    var patterns: [String] = []
    let openCount = openReferences.count
    members = merged(members, at: pointer, &patterns)
    defer { openReferences.removeLast(openReferences.count - openCount) }
    var value = ExportValue(type: .any)
    var used: Set<String> = ["type"]
    value.type = type(
      of: &members,
      patterns,
      at: pointer,
      field: field,
      names: names,
      used: &used,
      isNullable: &value.isNullable
    )
    for key in members.names where !used.contains(key) && !Self.annotations.contains(key) && !key.hasPrefix("x-") {
      lose(
        .keyword,
        pointer.appending(key),
        "keyword \(key)",
        remedy: "validate the values with the daemon, or by hand"
      )
    }
    return described(value, members, field)
  }

  /// A schema with all keywords of the schemas in its `$ref` and `allOf`.
  ///
  /// The references that it follows are added to `openReferences`: the caller takes them out.
  private mutating func merged(
    _ schema: JSONObject,
    at pointer: JSONPointer,
    _ patterns: inout [String]
  ) -> JSONObject {
    var schema = schema
    var parts: [(schema: JSONObject, pointer: JSONPointer)] = []
    if let reference = schema["$ref"]?.stringValue {
      schema["$ref"] = nil
      if reference.hasPrefix("#"), let target = JSONPointer(String(reference.dropFirst())),
        let referred = (definition["schema"] ?? .null).value(at: target)?.objectValue,
        !openReferences.contains(reference)
      {
        openReferences.append(reference)
        let place = JSONPointer(tokens: ["schema"] + target.tokens)
        parts.append((merged(referred, at: place, &patterns), place))
      } else {
        noteRecursion(reference, at: pointer)
      }
    }
    for (index, part) in (schema["allOf"]?.arrayValue ?? []).enumerated() {
      guard let part = part.objectValue else { continue }
      let place = pointer.appending("allOf").appending(index)
      parts.append((merged(part, at: place, &patterns), place))
    }
    schema["allOf"] = nil
    for part in parts {
      for member in part.schema {
        let place = part.pointer.appending(member.name)
        switch (member.name, schema[member.name], member.value) {
        case ("pattern", .string(let own)?, .string(let pattern)):
          if own != pattern { patterns.append(pattern) }
        case ("required", .array(let own)?, .array(let required)):
          schema["required"] = .array(own + required.filter { !own.contains($0) })
        case ("properties", .object(var own)?, .object(let properties)):
          for property in properties {
            own[property.name] = both(own[property.name], property.value, at: place.appending(property.name))
          }
          schema["properties"] = .object(own)
        case (_, let own, _): schema[member.name] = chosen(own, member.value, at: place, name: member.name)
        }
      }
    }
    return schema
  }

  /// One schema for a member that two schemas describe.
  private mutating func both(_ own: JSON?, _ other: JSON, at pointer: JSONPointer) -> JSON {
    guard case .object(var members)? = own, case .object(let others) = other else { return own ?? other }
    for part in others {
      members[part.name] = chosen(members[part.name], part.value, at: pointer.appending(part.name), name: part.name)
    }
    return .object(members)
  }

  /// The value of a keyword that two schemas have.
  private mutating func chosen(_ own: JSON?, _ other: JSON, at pointer: JSONPointer, name: String) -> JSON {
    guard let own else { return other }
    if own != other, !Self.annotations.contains(name) {
      lose(.keyword, pointer, "second \(name)", remedy: "write one schema")
    }
    return own
  }

  private mutating func noteRecursion(_ reference: String, at pointer: JSONPointer) {
    collector.note(
      .keyword,
      at: pointer.appending("$ref"),
      "formctl does not follow \(reference) from inside itself, so any value is accepted here",
      remedy: "write the inner schema by hand"
    )
  }

  private func described(_ value: ExportValue, _ schema: JSONObject, _ field: [String]) -> ExportValue {
    var value = value
    value.label = schema["title"]?.stringValue ?? value.label
    value.help = schema["description"]?.stringValue ?? value.help
    value.initial = schema["default"] ?? value.initial
    value.isSecret = value.isSecret || schema["writeOnly"] == true || schema["format"] == "password"
    value.isReadOnly = value.isReadOnly || schema["readOnly"] == true
    guard !field.isEmpty else { return value }
    let pointer = JSONPointer(tokens: field)
    let fields = definition["fields"]?.objectValue
    guard let entry = fields?[FormDraft.address(of: pointer)] ?? fields?[pointer.description] else { return value }
    value.label = entry["label"].flatMap { text($0) } ?? value.label
    value.help = entry["help"].flatMap { text($0) } ?? value.help
    value.placeholder = entry["placeholder"].flatMap { text($0) }
    value.widget = entry["widget"]?.stringValue
    value.isSecret = value.isSecret || entry["secret"] == true
    value.keepsEmpty = entry["emptyAs"] == "keep"
    for option in entry["options"]?.objectValue ?? [:] { value.choiceLabels[option.name] = text(option.value) }
    return value
  }

  private mutating func type(
    of schema: inout JSONObject,
    _ patterns: [String],
    at pointer: JSONPointer,
    field: [String],
    names: [String],
    used: inout Set<String>,
    isNullable: inout Bool
  ) -> ExportType {
    for key in ["const", "enum"] {
      guard let found = schema[key] else { continue }
      used.formUnion(["const", "enum", "type"])
      let choices = key == "const" ? [found] : found.arrayValue ?? []
      isNullable = choices.contains(.null)
      return .choices(choices.filter { $0 != .null })
    }
    for key in ["oneOf", "anyOf"] {
      guard var branches = schema[key]?.arrayValue, !branches.isEmpty else { continue }
      let consts = branches.compactMap { $0["const"] }
      if consts.count == branches.count {
        used.insert(key)
        isNullable = consts.contains(.null)
        return .choices(consts.filter { $0 != .null })
      }
      let count = branches.count
      branches.removeAll { $0 == ["type": "null"] }
      if branches.count < count { isNullable = true }
      // An object with branches: each branch has the object's own members, too.
      let own = schema["properties"]?.objectValue
      var branchPatterns: [String] = []
      let openCount = openReferences.count
      defer { openReferences.removeLast(openReferences.count - openCount) }
      var branchReferences: [[String]] = Array(repeating: [], count: branches.count)
      if own != nil {
        for index in branches.indices {
          let place = pointer.appending(key).appending(index)
          branches[index] = .object(merged(branches[index].objectValue ?? [:], at: place, &branchPatterns))
          branchReferences[index] = Array(openReferences[openCount...])
          openReferences.removeLast(openReferences.count - openCount)
        }
      }
      if own != nil, !branches.allSatisfy({ $0["properties"] != nil || $0["required"] != nil }) { break }
      used.insert(key)
      if own != nil || schema["required"] != nil {
        used.formUnion(["properties", "required", "additionalProperties", "unevaluatedProperties"])
      }
      if branches.count == 1, own == nil {
        var rest = schema
        rest[key] = nil
        let inner = value(of: branches[0], at: pointer.appending(key).appending(0), field: field, names: names)
        isNullable = isNullable || inner.isNullable
        for (name, member) in (branches[0].objectValue ?? [:]).map({ ($0.name, $0.value) })
        where ["title", "description", "default", "writeOnly"].contains(name) && schema[name] == nil {
          schema[name] = member
        }
        return inner.type
      }
      var values: [ExportValue] = []
      for (index, branch) in branches.enumerated() {
        var branch = branch.objectValue ?? [:]
        if let own {
          var merged = own
          for member in branch["properties"]?.objectValue ?? [:] {
            if case .object(var old)? = merged[member.name], case .object(let new) = member.value {
              for part in new { old[part.name] = part.value }
              merged[member.name] = .object(old)
            } else {
              merged[member.name] = member.value
            }
          }
          branch["properties"] = .object(merged)
          branch["type"] = "object"
          branch["required"] = .array((schema["required"]?.arrayValue ?? []) + (branch["required"]?.arrayValue ?? []))
          if let closed = schema["additionalProperties"] ?? schema["unevaluatedProperties"] {
            branch["additionalProperties"] = closed
          }
        }
        let place = pointer.appending(key).appending(index)
        openReferences += branchReferences[index]
        values.append(value(of: .object(branch), at: place, field: field, names: names + [String(index + 1)]))
        openReferences.removeLast(branchReferences[index].count)
      }
      let tag = Self.tag(of: values)
      if key == "oneOf", tag == nil {
        collector.note(
          .alternatives,
          at: pointer.appending(key),
          "\(language) takes the first alternative that fits, and not exactly one",
          remedy: "give each alternative a member with a constant of its own"
        )
      }
      return .union(values, tag: tag)
    }
    var types =
      schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? (schema["type"]?.stringValue).map { [$0] } ?? []
    if types.count > 1, types.contains("null") {
      isNullable = true
      types.removeAll { $0 == "null" }
    }
    if types.isEmpty {
      if schema["properties"] != nil { types = ["object"] } else if schema["items"] != nil { types = ["array"] }
    }
    if types.count > 1 {
      return .union(
        types.map { type in
          var single = schema
          single["type"] = .string(type)
          var branchUsed: Set<String> = ["type"]
          var branchNull = false
          let result = self.type(
            of: &single,
            patterns,
            at: pointer,
            field: field,
            names: names,
            used: &branchUsed,
            isNullable: &branchNull
          )
          used.formUnion(branchUsed)
          return ExportValue(type: result)
        },
        tag: nil
      )
    }
    switch types.first {
    case "string":
      used.formUnion(["minLength", "maxLength", "pattern", "format"])
      var text = ExportText(
        minLength: schema["minLength"]?.integerValue.map { Int($0) },
        maxLength: schema["maxLength"]?.integerValue.map { Int($0) }
      )
      text.patterns = (schema["pattern"]?.stringValue).map { [$0] + patterns } ?? patterns
      if kind == .html, text.patterns.count > 1 {
        lose(.keyword, pointer, "second pattern", remedy: "write one pattern")
        text.patterns = [text.patterns[0]]
      }
      if kind == .pydantic, let pattern = text.patterns.first(where: { !PydanticWriter.canMatch($0) }) {
        lose(
          .pattern,
          pointer.appending("pattern"),
          "pattern like \(pattern)",
          remedy: "write a pattern without look-around"
        )
        text.patterns.removeAll { !PydanticWriter.canMatch($0) }
      }
      if let format = schema["format"]?.stringValue { self.format(format, &text, at: pointer.appending("format")) }
      return .text(text)
    case "integer", "number":
      let keys = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
      used.formUnion(keys)
      if kind == .html {
        for key in keys.dropFirst(2).prefix(2) where schema[key] != nil {
          lose(.keyword, pointer.appending(key), key, remedy: "write minimum or maximum")
        }
      }
      return .number(
        ExportNumber(
          isInteger: types.first == "integer",
          minimum: schema["minimum"],
          maximum: schema["maximum"],
          exclusiveMinimum: schema["exclusiveMinimum"],
          exclusiveMaximum: schema["exclusiveMaximum"],
          multipleOf: schema["multipleOf"]
        )
      )
    case "boolean": return .bool
    case "null": return .null
    case "array":
      used.formUnion(["items", "minItems", "maxItems", "uniqueItems"])
      let element = value(
        of: schema["items"] ?? [:],
        at: pointer.appending("items"),
        field: field + ["*"],
        names: names + ["item"]
      )
      if kind != .html, !element.isNullable {
        collector.note(
          .emptyRows,
          at: pointer,
          "a list of the form may have emptied elements, as null; \(language) refuses them",
          remedy: "leave the emptied elements out"
        )
      }
      if kind == .html {
        for key in ["minItems", "maxItems", "uniqueItems"] where schema[key] != nil {
          lose(.keyword, pointer.appending(key), key, remedy: "validate the list in the back-end")
        }
      }
      return .list(
        ExportList(
          element: element,
          minItems: schema["minItems"]?.integerValue.map { Int($0) },
          maxItems: schema["maxItems"]?.integerValue.map { Int($0) },
          isUnique: schema["uniqueItems"] == true
        )
      )
    case "object":
      used.formUnion(["properties", "required", "additionalProperties", "unevaluatedProperties"])
      var object = ExportObject(name: Self.typeName(names))
      let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
      for property in schema["properties"]?.objectValue ?? [:] {
        let value = value(
          of: property.value,
          at: pointer.appending("properties").appending(property.name),
          field: field + [property.name],
          names: names + [property.name]
        )
        object.members.append(
          ExportMember(name: property.name, value: value, isRequired: required.contains(property.name))
        )
      }
      object.isClosed = schema["additionalProperties"] == false || schema["unevaluatedProperties"] == false
      if let rest = schema["additionalProperties"], rest.boolValue == nil {
        collector.note(
          .keyword,
          at: pointer.appending("additionalProperties"),
          "formctl writes no schema for other members, so their values are not checked",
          remedy: "name the members"
        )
      }
      return .object(object)
    default: return .any
    }
  }

  private mutating func format(_ format: String, _ text: inout ExportText, at pointer: JSONPointer) {
    let known: Set<String>
    switch kind {
    case .zod: known = ["email", "date", "date-time", "time", "uuid", "uri", "ipv4", "ipv6"]
    case .pydantic: known = ["email", "date", "date-time", "uuid", "uri", "ipv4", "ipv6"]
    case .html: known = ["email", "date", "time", "uri"]
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

  /// `OrderItemsItem` of `order`, `items`, `item`.
  static func typeName(_ names: [String]) -> String {
    let words = names.flatMap { $0.split { !$0.isASCII || !($0.isLetter || $0.isNumber) } }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first, first.isLetter else { return "Form" + name }
    return name
  }
}
