internal import JSON

/// Reads a definition for ``ExportKind``.
struct ExportReader {
  var collector: LossCollector
  let definition: JSON
  let kind: ExportKind
  private let locale: String?
  /// The references that are being followed: a schema that leads back to such a reference is recursive.
  var openReferences: [String] = []

  /// The members that an object or an alternative requires by its schema.
  var requiredFields: Set<[String]> = []

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
  func text(_ value: JSON) -> String? {
    if let text = value.stringValue { return text }
    guard let texts = value.objectValue else { return nil }
    return (locale.flatMap { texts[$0] } ?? texts["en"] ?? texts.first?.value)?.stringValue
  }

  // MARK: Losses

  var language: String {
    switch kind {
    case .zod: "a schema of zod"
    case .pydantic: "a model of pydantic"
    case .html: "a form in HTML"
    }
  }

  mutating func lose(_ code: LossCode, _ pointer: JSONPointer, _ what: String, remedy: String) {
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
      ("messages", "texts of errors for all fields"),
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
    if let read = definition["read"], read != false {
      lose(.part, JSONPointer(tokens: ["read"]), "texts that are read by the language", remedy: ask)
    }
    if definition["whenHidden"] == "clear" {
      lose(.part, JSONPointer(tokens: ["whenHidden"]), "values that go when they are hidden", remedy: ask)
    }
    if definition["context"] != nil { lose(.part, JSONPointer(tokens: ["context"]), "context", remedy: ask) }
    if definition["clock"] != nil { lose(.part, JSONPointer(tokens: ["clock"]), "clock", remedy: ask) }
    var texts: [(JSON, JSONPointer)] = [(definition["title"] ?? .null, JSONPointer(tokens: ["title"]))]
    for field in definition["fields"]?.objectValue ?? [:] {
      for key in ["label", "help"] {
        texts.append((field.value[key] ?? .null, JSONPointer(tokens: ["fields", field.name, key])))
      }
      for member in field.value.objectValue ?? [:] { fieldKey(member.name, member.value, field, ask) }
    }
    for (text, pointer) in texts { noteLanguages(text, at: pointer) }
  }

  /// Reports a text in several languages.
  mutating func noteLanguages(_ text: JSON, at pointer: JSONPointer) {
    guard (text.objectValue?.count ?? 0) > 1 else { return }
    lose(
      .otherLanguages,
      pointer,
      "texts in several languages",
      remedy: "translate the text in the program that shows it"
    )
  }

  /// Whether the text already says that a field is required. In HTML a member of only some alternatives is not.
  private func isRequiredBySchema(_ field: String) -> Bool {
    let tokens = field.hasPrefix("/") ? JSONPointer(field)?.tokens : [field]
    return kind != .html && requiredFields.contains(tokens ?? [])
  }

  /// Whether the elements of a list must have a value.
  func areElementsRequired(in list: [String]) -> Bool {
    let row = definition["fields"]?[JSONPointer(tokens: list + ["*"]).description]
    return Self.isAlways(row?["required"] ?? false)
  }

  private static func isAlways(_ formula: JSON) -> Bool { formula == true || formula == "true" }

  private mutating func fieldKey(_ key: String, _ value: JSON, _ entry: JSONObject.Member, _ ask: String) {
    let field = entry.name
    let pointer = JSONPointer(tokens: ["fields", field, key])
    switch key {
    case "label", "help", "secret", "emptyAs": break
    case "required" where Self.isAlways(value) && (field.hasSuffix("/*") || isRequiredBySchema(field)): break
    case "placeholder", "widget":
      if kind != .html { lose(.presentation, pointer, key, remedy: "write it where the form is drawn") }
    case "options" where value.objectValue != nil:
      if kind != .html {
        lose(.presentation, pointer, "names of choices", remedy: "write them where the form is drawn")
      } else {
        for text in value.objectValue ?? [:] { noteLanguages(text.value, at: pointer.appending(text.name)) }
      }
    case "options" where value.arrayValue != nil: noteChoices(value.arrayValue ?? [], entry.value, at: pointer)
    case "other" where entry.value["options"]?.arrayValue != nil: break
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

  mutating func value(of schema: JSON, at pointer: JSONPointer, field: [String], names: [String]) -> ExportValue {
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
    var read = ExportSchema(members: members, patterns: patterns, pointer: pointer, field: field, names: names)
    var value = ExportValue(type: type(of: &read), isNullable: read.isNullable)
    value.choices = read.titles.mapValues { ExportChoice(label: $0) }
    members = read.members
    for key in members.names where !read.used.contains(key) && !Self.annotations.contains(key) && !key.hasPrefix("x-") {
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
  mutating func merged(
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
    for option in entry["options"]?.objectValue ?? [:] {
      value.choices[option.name] = ExportChoice(label: text(option.value))
    }
    if let options = entry["options"]?.arrayValue {
      for option in options {
        guard let own = option["value"] else { continue }
        let name = own.stringValue ?? own.description
        var shown = choice(option)
        shown.label = shown.label ?? value.choices[name]?.label
        value.choices[name] = shown
      }
      offer(options, isOpen: entry["other"] == true, in: &value)
    }
    return value
  }

  /// `OrderItemsItem` of `order`, `items`, `item`.
  static func typeName(_ names: [String]) -> String {
    let words = names.flatMap { $0.split { !$0.isASCII || !($0.isLetter || $0.isNumber) } }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first, first.isLetter else { return "Form" + name }
    return name
  }
}
