internal import JSON
internal import SourceTexts
internal import Texts

/// A form definition that was read, but not compiled: formulas are texts, names are unresolved.
struct FormDefinition {
  var name: String
  var locale: String?
  var title: Text?
  /// The edition of the form.
  var version = 0
  /// The whole definition.
  var json = JSON.null
  /// How often `now` ticks.
  var clock: Duration?
  /// The schema block, unchanged.
  var schema: JSON
  /// The schema of the context; nil if the form has none.
  var context: JSON?
  /// Whether fields read texts as the type that their schema asks for, by default.
  var coerces = false
  /// How fields read what people type, by default.
  var reads: [ReadDefinition] = []
  /// The texts of errors of all fields, and of the form.
  var messages = MessageDefinitions()
  /// The texts of errors of the form as a whole: the entry `""` of `fields`.
  var formMessages = MessageDefinitions()
  /// Whether users can take their edits back.
  var hasUndo = false
  /// Whether values of hidden fields stay, by default.
  var whenHidden = HiddenPolicy.keep
  /// In the order written, by address as written.
  var fields: [(address: String, definition: FieldDefinition)] = []
  var rules: [RuleDefinition] = []
  var checks: [CheckDefinition] = []
  var lookups: [LookupDefinition] = []
  var steps: [StepDefinition] = []
  var actions: [ActionDefinition] = []
  var outputs: [(name: String, formula: FormulaDefinition)] = []
  /// Formulas that formulas call.
  var functions: [FunctionDefinition] = []
  /// Texts that formulas name.
  var texts: [(name: String, text: Text)] = []
}

extension FormDefinition {
  /// The keys of a definition, each with its schema.
  static let keys: JSONObject = [
    "form": [
      "type": "string",
      "description":
        "The form's name. The default is from the file's name: login for login.form.json or login.form.yaml. For a definition that a client sends, it is definition.",
    ],
    "version": [
      "type": "integer", "minimum": 0, "maximum": .integer(versionMax),
      "description": "The version of the form. A kept session is not migrated to a form of a lower version.",
      "default": 0,
    ],
    "title": ["$ref": "#/$defs/text", "description": "The form's title for users."],
    "locale": [
      "type": "string", "description": "The form's default locale, such as \"ko\".", "examples": ["en", "ko", "pt-BR"],
    ],
    "description": ["description": "A note for readers of the definition."],
    "texts": [
      "type": "object",
      "description":
        "Texts for formulas: text('left', {'count': 3}) is the text left in the session's language, with 3 in place of {count}.",
      "examples": [["left": ["en": "{count} are left.", "ko": "{count}개 남았습니다."]]],
      "additionalProperties": ["$ref": "#/$defs/text"],
    ],
    "clock": [
      "description":
        "How often 'now' changes: \"1s\", \"1m\"; at least a second. Without it, 'now' changes only at taps; before the first tap, it is the time of the opening.",
      "$ref": "#/$defs/duration",
    ],
    "schema": [
      "description":
        "JSON Schema (draft 2020-12) of the values. The form's fields are its properties, at every depth, and the elements of lists (\"items\"), which are the rows. \"format\" is checked; \"writeOnly\" makes a field secret. A reference may name a JSON file in the form's folder or below: {\"$ref\": \"settings.schema.json\"}, \"parts/address.schema.json#/$defs/city\". A definition that a client sends cannot refer to files.",
      "type": ["object", "boolean"],
    ],
    "context": [
      "description":
        "JSON Schema of the context: values that the program gives when it opens a session, and that formulas read as context.NAME. They are no fields, are in no document, and no user can change them. \"writeOnly\" makes a part a secret. References lead only within this schema.",
      "type": "object",
      "examples": [
        [
          "type": "object", "required": ["role"],
          "properties": [
            "role": ["enum": ["clerk", "manager"]], "token": ["type": "string", "maxLength": 200, "writeOnly": true],
          ],
        ]
      ],
    ],
    "coerce": [
      "type": "boolean",
      "description":
        "The default for \"coerce\" of the fields: whether a text is read as the integer, number or boolean that the schema asks for. If the schema asks for another type, the field keeps its texts.",
      "default": false,
    ],
    "read": [
      "description":
        "The default for \"read\" of the fields, for each kind of value that it names. Numbers are read in one way, so it names at most one of number, percent and currency.",
      "anyOf": [["$ref": "#/$defs/read"], ["type": "array", "items": ["$ref": "#/$defs/read"]]],
      "examples": ["number", ["number", "date"], [["currency": ["code": "EUR"]], "date"]],
    ],
    "messages": [
      "$ref": "#/$defs/messages",
      "description":
        "The texts of errors for all fields and for the form as a whole, by code: for every error of this code that has no text at its field, in its rule or in its check.",
      "examples": [
        [
          "required": ["en": "{label} is missing.", "de": "{label} fehlt."],
          "minLength": "{label} needs {limit} letters.",
        ]
      ],
    ],
    "undo": [
      "type": "boolean", "default": false,
      "description":
        "Whether the users of a session can take back their edits, and repeat them. The document then has canUndo and canRedo.",
    ],
    "whenHidden": [
      "enum": .array(HiddenPolicy.allCases.map { .string($0.rawValue) }), "default": "keep",
      "description":
        "The default for \"whenHidden\" of the fields: whether a value stays or goes when its field is hidden.",
    ],
    "fields": [
      "type": "object",
      "description":
        "Additions to the schema of a field, by the field's address: the name of a top-level property (\"email\"), or a JSON Pointer (\"/address/city\"). In a pointer, * stands for each row of a list (\"/items/*/sku\", \"/tags/*\"). The address \"\" is the form as a whole: its only key is messages, for the form's own errors.",
      "propertyNames": ["$ref": "#/$defs/address"],
      "patternProperties": ["^$": DefinitionSchema.object(wholeKeys, about: "The form as a whole.")],
      "additionalProperties": ["$ref": "#/$defs/field"],
    ],
    "rules": [
      "type": "array", "maxItems": .integer(Int64(partsMax)),
      "description": "Synchronous conditions, in the order of their errors.", "items": ["$ref": "#/$defs/rule"],
    ],
    "checks": [
      "type": "array", "maxItems": .integer(Int64(partsMax)),
      "description": "Asynchronous conditions: they ask a service, a database or a provider.",
      "items": ["$ref": "#/$defs/check"],
    ],
    "lookups": [
      "type": "object", "maxProperties": .integer(Int64(lookupsMax)),
      "description":
        "Values from a service, a database or a provider, by name: the choices of a field, a price, an address. Formulas read lookups.NAME.value, isLoading and error. A name with the address of a row, such as /items/*/price, makes a lookup for each row. Formulas of that row read it as lookups['/items/*/price'].value.",
      "additionalProperties": ["$ref": "#/$defs/lookup"],
    ],
    "steps": [
      "type": "array", "maxItems": .integer(Int64(stepsMax)),
      "description": "The parts that are shown one at a time, such as the pages of a wizard, in their order.",
      "items": ["$ref": "#/$defs/step"],
    ],
    "actions": [
      "type": "object", "description": "The actions that the user can tap, by name.",
      "additionalProperties": ["$ref": "#/$defs/action"],
    ],
    "outputs": [
      "type": "object",
      "description":
        "Named formulas. The document has their values. An output with the address of a row in its name (\"/items/*/net\") is computed for each row, and the row has its value.",
      "examples": [["/items/*/net": "double(row.quantity) * row.unitPrice", "total": "outputs['/items/*/net'].sum()"]],
      "additionalProperties": ["$ref": "#/$defs/expression"],
    ],
    "functions": [
      "type": "object",
      "description":
        "Formulas with a name, which other formulas call: amount(values.price). A call stands for the formula, with the arguments in place of the parameters.",
      "examples": [["net": ["parameters": ["gross", "rate"], "is": "round(gross / (1.0 + rate), 2)"]]],
      "propertyNames": ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"],
      "maxProperties": .integer(Int64(FunctionDefinition.countMax)),
      "additionalProperties": ["$ref": "#/$defs/function"],
    ],
  ]

  /// The keys of the entry `""` of `fields`.
  private static let wholeKeys: JSONObject = [
    "messages": ["$ref": "#/$defs/messages"]
  ]
}

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
        keys: Self.keys,
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
    texts = reader.texts(members, "texts", by: "name", at: top, "the definition")
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
        guard let members = reader.object(entry.value, at: pointer, keys: Self.wholeKeys, what: what) else { continue }
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
