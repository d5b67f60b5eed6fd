internal import JSON
internal import SourceTexts
internal import Texts

extension FormDefinition {
  /// The timeout of a run whose definition has none.
  static let timeoutDefault = Duration.seconds(10)
  /// The shortest interval of `now`: people read the values that it changes.
  static let clockMin = Duration.seconds(1)
  /// The largest version: clients that keep numbers as reals can still distinguish it from others (RFC 8259, section
  /// 6).
  private static let versionMax: Int64 = 1 << 53 - 1
  /// How many rules, checks, actions and outputs there may be, each. A definition may come from a stranger.
  static let partsMax = 10_000
  /// The maximum number of lookups: a session sends all lookups when it is opened.
  static let lookupsMax = 100

  /// Reads a definition; nil when its top is not even an object with a schema. The reader's collector has the errors.
  init?(reading root: JSON, with reader: inout DefinitionReader, fallbackName: String?) {
    let top = JSONPointer.root
    if root["schema"] == nil, root["properties"] != nil || root["$ref"] != nil {
      reader.collector.report(
        "isSchema",
        at: top,
        "this is a JSON Schema, not a form definition",
        remedy: """
          formctl schema check checks schemas; a form contains one: {"form": "NAME", "schema": {"$ref": "FILE"}}
          """
      )
      return nil
    }
    guard
      let members = reader.object(
        root,
        at: top,
        known: [
          "form", "version", "title", "locale", "description", "schema", "context", "coerce", "read", "messages",
          "undo", "whenHidden", "fields", "rules", "checks", "lookups", "steps", "actions", "outputs", "functions",
          "texts",
          "clock",
        ],
        what: "a form definition"
      )
    else { return nil }
    if members["form"] == nil, fallbackName == nil {
      reader.missing("form", at: top, what: "the definition", remedy: "add \"form\": \"NAME\"")
    }
    name = reader.string(members, "form", at: top, what: "the definition") ?? fallbackName ?? ""
    locale = reader.string(members, "locale", at: top, what: "the definition")
    version = Self.version(members, &reader)
    title = reader.text(members, "title", at: top, what: "the definition")
    json = root
    clock = Self.clock(members, &reader)
    guard let schema = members["schema"] else {
      reader.missing(
        "schema",
        at: top,
        what: "the definition",
        remedy: "add \"schema\": {\"type\": \"object\", \"properties\": {...}}; its properties are the form's fields"
      )
      return nil
    }
    self.schema = schema
    context = members["context"]
    coerces = reader.bool(members, "coerce", at: top, what: "the definition") ?? false
    reads = ReadDefinition.defaults(members, with: &reader)
    messages = MessageDefinitions(members, at: top, "the definition", &reader)
    hasUndo = reader.bool(members, "undo", at: top, what: "the definition") ?? false
    whenHidden =
      reader.choice(members, "whenHidden", at: top, what: "the definition", of: HiddenPolicy.self) ?? .keep
    readFields(members, &reader)
    readRules(members, &reader)
    readChecks(members, &reader)
    readLookups(members, &reader)
    readSteps(members, &reader)
    readActions(members, &reader)
    outputs = reader.formulas(members, "outputs", at: top, what: "the definition")
    functions = FunctionDefinition.all(members, &reader)
    texts = FieldDefinition.texts(members, "texts", by: "name", at: top, "the definition", &reader)
  }

  private static func version(_ members: JSONObject, _ reader: inout DefinitionReader) -> Int {
    guard let version = members["version"] else { return 0 }
    guard let number = version.integerValue, (0...versionMax).contains(number) else {
      reader.wrongType(
        version,
        at: JSONPointer(tokens: ["version"]),
        expected: "a whole number from 0 to \(versionMax)",
        what: "\"version\""
      )
      return 0
    }
    return Int(number)
  }

  private static func clock(_ members: JSONObject, _ reader: inout DefinitionReader) -> Duration? {
    guard let clock = reader.duration(members, "clock", at: .root, what: "the definition") else { return nil }
    guard clock >= clockMin else {
      reader.collector.report(
        "clock",
        at: JSONPointer(tokens: ["clock"]),
        "'now' cannot tick more often than once a second: every tick is an update for every session",
        remedy: "write \"1s\", or more"
      )
      return nil
    }
    return clock
  }

  private mutating func readFields(_ members: JSONObject, _ reader: inout DefinitionReader) {
    guard let block = members["fields"] else { return }
    let pointer = JSONPointer(tokens: ["fields"])
    guard case .object(let entries) = block else {
      return reader.wrongType(block, at: pointer, expected: "an object", what: "\"fields\"")
    }
    for entry in entries {
      let pointer = pointer.appending(entry.name)
      if entry.name.isEmpty {
        let what = "the form's own entry in \"fields\""
        guard let members = reader.object(entry.value, at: pointer, known: ["messages"], what: what) else { continue }
        formMessages = MessageDefinitions(members, at: pointer, what, &reader)
      } else if let field = FieldDefinition(reading: entry.value, name: entry.name, at: pointer, with: &reader) {
        fields.append((entry.name, field))
      }
    }
  }

  /// The elements of a top-level list of objects.
  private static func elements(
    _ members: JSONObject,
    _ key: String,
    _ reader: inout DefinitionReader
  ) -> [(pointer: JSONPointer, value: JSON)] {
    guard let block = members[key] else { return [] }
    let pointer = JSONPointer(tokens: [key])
    guard case .array(let elements) = block, elements.count <= partsMax else {
      reader.wrongCount(block, at: pointer, expected: "an array", max: partsMax, "elements", what: "\"\(key)\"")
      return []
    }
    return elements.enumerated().map { (pointer.appending($0.offset), $0.element) }
  }

  private mutating func readRules(_ members: JSONObject, _ reader: inout DefinitionReader) {
    for (pointer, value) in Self.elements(members, "rules", &reader) {
      if let rule = RuleDefinition(reading: value, at: pointer, with: &reader) { rules.append(rule) }
    }
  }

  private mutating func readChecks(_ members: JSONObject, _ reader: inout DefinitionReader) {
    for (pointer, value) in Self.elements(members, "checks", &reader) {
      if let check = CheckDefinition(reading: value, at: pointer, with: &reader) { checks.append(check) }
    }
  }

  private mutating func readLookups(_ members: JSONObject, _ reader: inout DefinitionReader) {
    guard let block = members["lookups"] else { return }
    let pointer = JSONPointer(tokens: ["lookups"])
    guard case .object(let entries) = block, entries.count <= Self.lookupsMax else {
      return reader.wrongCount(
        block,
        at: pointer,
        expected: "an object",
        max: Self.lookupsMax,
        "members",
        what: "\"lookups\""
      )
    }
    for entry in entries {
      if let lookup = LookupDefinition(
        reading: entry.value,
        name: entry.name,
        at: pointer.appending(entry.name),
        with: &reader
      ) {
        lookups.append(lookup)
      }
    }
  }

  private mutating func readActions(_ members: JSONObject, _ reader: inout DefinitionReader) {
    guard let block = members["actions"] else { return }
    let pointer = JSONPointer(tokens: ["actions"])
    guard case .object(let entries) = block else {
      return reader.wrongType(block, at: pointer, expected: "an object", what: "\"actions\"")
    }
    for entry in entries {
      if let action = ActionDefinition(
        reading: entry.value,
        name: entry.name,
        at: pointer.appending(entry.name),
        with: &reader
      ) {
        actions.append(action)
      }
    }
  }
}

extension DefinitionReader {
  mutating func severity(_ members: JSONObject, at pointer: JSONPointer, what: String) -> Severity {
    choice(members, "severity", at: pointer, what: what, among: ["error", "warning"]) == "warning" ? .warning : .error
  }
}

extension FieldDefinition {
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "field \"\(name)\""
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: [
          "label", "placeholder", "help", "widget", "normalize", "coerce", "read", "show", "throttle", "debounce",
          "emptyAs", "messages", "options", "secret", "visible", "enabled", "required", "computed", "suggested", "key",
          "unique", "unordered", "blankRows", "trustInitial", "renamedFrom", "resetWhen", "resetOn", "whenHidden",
          "other",
        ] + Self.hintNames,
        what: what
      )
    else { return nil }
    self.init(pointer: pointer)
    renamedFrom = reader.string(members, "renamedFrom", at: pointer, what: what)
    label = reader.text(members, "label", at: pointer, what: what)
    placeholder = reader.text(members, "placeholder", at: pointer, what: what)
    help = reader.text(members, "help", at: pointer, what: what)
    widget = reader.string(members, "widget", at: pointer, what: what)
    readHints(members, what, &reader)
    show = reader.choice(members, "show", at: pointer, what: what, of: ShowPolicy.self) ?? .blur
    throttle = reader.duration(members, "throttle", at: pointer, what: what)
    debounce = reader.duration(members, "debounce", at: pointer, what: what)
    if throttle != nil && debounce != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("debounce"),
        spot: .name,
        "\(what) has both \"throttle\" and \"debounce\"",
        remedy: "keep one of them"
      )
    }
    keepsEmpty = reader.choice(members, "emptyAs", at: pointer, what: what, among: ["absent", "keep"]) == "keep"
    isSecret = reader.bool(members, "secret", at: pointer, what: what) ?? false
    key = reader.string(members, "key", at: pointer, what: what)
    readUnique(members, what, &reader)
    isUnordered = reader.bool(members, "unordered", at: pointer, what: what) ?? false
    ignoresBlankRows =
      reader.choice(members, "blankRows", at: pointer, what: what, among: ["count", "ignore"]) == "ignore"
    trustsInitial = reader.bool(members, "trustInitial", at: pointer, what: what) ?? false
    visible = reader.formula(members, "visible", at: pointer, what: what)
    enabled = reader.formula(members, "enabled", at: pointer, what: what)
    required = reader.formula(members, "required", at: pointer, what: what)
    computed = reader.formula(members, "computed", at: pointer, what: what)
    suggested = reader.formula(members, "suggested", at: pointer, what: what)
    if computed != nil && suggested != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("suggested"),
        spot: .name,
        "\(what) has both \"computed\" and \"suggested\"",
        remedy: "keep one of them: a computed value takes no input; a suggested value stays until there is input"
      )
    }
    whenHidden = reader.choice(members, "whenHidden", at: pointer, what: what, of: HiddenPolicy.self)
    readTrigger(members, what, &reader)
    readNormalize(members, what, &reader)
    coerces = reader.bool(members, "coerce", at: pointer, what: what)
    read = ReadDefinition.ofField(members, at: pointer, what, with: &reader)
    messages = MessageDefinitions(members, at: pointer, what, &reader)
    admitsOther = reader.bool(members, "other", at: pointer, what: what) ?? false
    if case .string? = members["options"] {
      optionsFormula = reader.formula(members, "options", at: pointer, what: what)
    } else {
      options = OptionDefinition.all(members, at: pointer, what, &reader)
    }
  }

  /// The hints, in the order in which clients are told them.
  private static let hintNames = ["autocomplete", "inputMode", "accept", "maxBytes", "mediaTypes", "group", "ui"]
  /// HTML, section 6.8.9, "Input modalities: the inputmode attribute".
  private static let inputModes = ["none", "text", "tel", "url", "email", "numeric", "decimal", "search"]

  private mutating func readHints(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    for name in Self.hintNames {
      guard let value = members[name] else { continue }
      let isRead: Bool
      switch name {
      case "inputMode":
        isRead = reader.choice(members, name, at: pointer, what: what, among: Self.inputModes) != nil
      case "maxBytes": isRead = reader.count(members, name, in: 1...Int(Int32.max), at: pointer, what: what) != nil
      case "accept", "mediaTypes":
        isRead = value.arrayValue?.allSatisfy { $0.stringValue != nil } ?? false
        if !isRead {
          let whole = "\"\(name)\" of \(what)"
          reader.wrongType(value, at: pointer.appending(name), expected: "a list of texts", what: whole)
        }
      case "ui":
        isRead = value.objectValue != nil
        if !isRead {
          reader.wrongType(value, at: pointer.appending(name), expected: "an object", what: "\"ui\" of \(what)")
        }
      default: isRead = reader.string(members, name, at: pointer, what: what) != nil
      }
      if isRead { hints[name] = value }
    }
  }

  /// `unique`: true, false, or an object with the severity of the error.
  private mutating func readUnique(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard case .object? = members["unique"] else {
      isUnique = reader.bool(members, "unique", at: pointer, what: what) ?? false
      return
    }
    let inner = pointer.appending("unique")
    let what = "\"unique\" of \(what)"
    guard let options = reader.object(members["unique"] ?? .null, at: inner, known: ["severity"], what: what) else {
      return
    }
    isUnique = true
    duplicateSeverity = reader.severity(options, at: inner, what: what)
  }

  private mutating func readTrigger(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    resetWhen = reader.formula(members, "resetWhen", at: pointer, what: what)
    resetOn = reader.addresses(members, "resetOn", at: pointer, what: what)
    if resetWhen != nil, members["resetOn"] != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("resetOn"),
        spot: .name,
        "\(what) has both \"resetWhen\" and \"resetOn\"",
        remedy: "keep one of them: a formula may be a list of all values that count"
      )
    }
  }

  private mutating func readNormalize(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let block = members["normalize"] else { return }
    let inner = pointer.appending("normalize")
    guard case .array(let steps) = block else {
      return reader.wrongType(block, at: inner, expected: "an array of steps", what: "\"normalize\" of \(what)")
    }
    let names = Normalization.words.map(\.name)
    for (index, step) in steps.enumerated() {
      if let text = step.stringValue, let known = names.firstIndex(where: { $0.hasSameUTF8(as: text) }) {
        normalize.append(.word(Normalization.words[known]))
      } else if case .object = step {
        let inner = inner.appending(index)
        readReplacement(step, at: inner, &reader)
      } else {
        reader.collector.report(
          "unknownValue",
          at: inner.appending(index),
          "there is no such normalization",
          remedy:
            "it is one of: \(names.joined(separator: ", ")), {\"remove\": PATTERN} or {\"replace\": [PATTERN, TEXT]}"
        )
      }
    }
  }

  /// A step that removes or replaces what a pattern matches.
  private mutating func readReplacement(_ step: JSON, at pointer: JSONPointer, _ reader: inout DefinitionReader) {
    let what = "a step of \"normalize\""
    guard let members = reader.object(step, at: pointer, known: ["remove", "replace"], what: what) else { return }
    guard let replace = members["replace"] else {
      if let pattern = reader.requiredString(members, "remove", at: pointer, what: "the step") {
        normalize.append(.replace(pattern: pattern, text: "", pointer: pointer.appending("remove")))
      }
      return
    }
    let inner = pointer.appending("replace")
    if members["remove"] != nil {
      return reader.collector.report(
        "conflict",
        at: inner,
        spot: .name,
        "\(what) has both \"remove\" and \"replace\"",
        remedy: "write two steps, in the order in which they apply"
      )
    }
    guard let parts = replace.arrayValue, parts.count == 2, case .string(let pattern) = parts[0],
      case .string(let text) = parts[1]
    else {
      return reader.wrongType(replace, at: inner, expected: "[PATTERN, TEXT]", what: "\"replace\" of the step")
    }
    normalize.append(.replace(pattern: pattern, text: text, pointer: inner.appending(0)))
  }

  /// The texts of a member that is an object from some name to text.
  fileprivate static func texts(
    _ members: JSONObject,
    _ key: String,
    by nameKind: String,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> [(name: String, text: Text)] {
    guard let block = members[key] else { return [] }
    let inner = pointer.appending(key)
    guard case .object(let entries) = block else {
      reader.wrongType(
        block,
        at: inner,
        expected: "an object from \(nameKind) to text",
        what: "\"\(key)\" of \(what)"
      )
      return []
    }
    return entries.compactMap { entry in
      let text = reader.text(entry.value, at: inner.appending(entry.name), what: "the text for \"\(entry.name)\"")
      return text.map { (entry.name, $0) }
    }
  }
}

extension MessageDefinitions {
  /// The `messages` of a part of the definition; empty if it has none.
  fileprivate init(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) {
    self.pointer = pointer.appending("messages")
    for (code, text) in FieldDefinition.texts(members, "messages", by: "error code", at: pointer, what, &reader) {
      add(text, for: code)
    }
  }
}
