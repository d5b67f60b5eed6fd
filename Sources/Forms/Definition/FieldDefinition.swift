internal import JSON
internal import SourceTexts
internal import Texts

/// When messages of a field are shown.
public enum ShowPolicy: String, Sendable, CaseIterable {
  /// From the beginning.
  case always
  /// From the first edit on.
  case edit
  /// From the end of the first editing on; during later editing, messages only disappear.
  case blur
  /// From the first tap on.
  case submit
}

/// Whether the value of a hidden field stays.
enum HiddenPolicy: String, CaseIterable {
  /// It stays, and is there again when the field is shown.
  case keep
  /// It goes.
  case clear
}

/// A step of `normalize` as a definition writes it.
enum NormalizationDefinition {
  case word(Normalization)
  /// Replaces each match of a regular expression with a text.
  case replace(pattern: String, text: String, pointer: JSONPointer)
}

/// The additions of a definition to the schema of a field. It does not change once it is read, and is large, so it is
/// shared and not copied.
final class FieldDefinition: Sendable {
  let pointer: JSONPointer
  /// The name of the field in earlier versions of the form.
  let renamedFrom: String?
  let label: Text?
  let placeholder: Text?
  let help: Text?
  let widget: String?
  /// Hints for clients about the control, by name: `autocomplete`, …
  let hints: JSONObject
  let normalize: [NormalizationDefinition]
  /// Whether a text is read as the type that the schema asks for; nil: by the form's default.
  let coerces: Bool?
  /// How the field reads what people type; nil: by the form's default.
  let read: ReadDefinition?
  let show: ShowPolicy
  let throttle: Duration?
  let debounce: Duration?
  let keepsEmpty: Bool
  let messages: MessageDefinitions
  /// The names, groups, helps and conditions of single choices.
  let options: [OptionDefinition]
  /// Whether the user may give a text that is not among the choices.
  let admitsOther: Bool
  /// The formula that gives the options; in place of the texts.
  let optionsFormula: FormulaDefinition?
  let isSecret: Bool
  /// Of a list: the name of the member that identifies its rows.
  let key: String?
  let isUnique: Bool
  /// Whether a value that is not unique blocks.
  let duplicateSeverity: Severity
  /// Whether errors of an initial value are warnings until the value is changed.
  let trustsInitial: Bool
  /// Of a list: whether its order does not count.
  let isUnordered: Bool
  /// Of a list: whether rows without a value do not count.
  let ignoresBlankRows: Bool
  let visible: FormulaDefinition?
  let enabled: FormulaDefinition?
  let required: FormulaDefinition?
  /// Gives the field its value, always.
  let computed: FormulaDefinition?
  /// Gives the field its value until an input does.
  let suggested: FormulaDefinition?
  /// Whether its value stays while it is hidden; nil: as around it.
  let whenHidden: HiddenPolicy?
  /// Resets the field when its result changes.
  let resetWhen: FormulaDefinition?
  /// Addresses of fields whose changes reset the field, each with its location.
  let resetOn: [(address: String, pointer: JSONPointer)]

  /// Reads an entry of `fields`; nil if it is not an object, which the reader then reports.
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "field \"\(name)\""
    guard let members = reader.object(value, at: pointer, keys: Self.keys, what: what) else { return nil }
    self.pointer = pointer
    renamedFrom = reader.string(members, "renamedFrom", at: pointer, what: what)
    label = reader.text(members, "label", at: pointer, what: what)
    placeholder = reader.text(members, "placeholder", at: pointer, what: what)
    help = reader.text(members, "help", at: pointer, what: what)
    widget = reader.string(members, "widget", at: pointer, what: what)
    hints = Self.hints(members, at: pointer, what, &reader)
    show = reader.choice(members, "show", at: pointer, what: what, of: ShowPolicy.self) ?? .blur
    throttle = reader.duration(members, "throttle", at: pointer, what: what)
    debounce = reader.duration(members, "debounce", at: pointer, what: what)
    if throttle != nil && debounce != nil {
      reader.conflict("throttle", "debounce", at: pointer, what: what, remedy: "keep one of them")
    }
    keepsEmpty = reader.choice(members, "emptyAs", at: pointer, what: what, among: ["absent", "keep"]) == "keep"
    isSecret = reader.bool(members, "secret", at: pointer, what: what) ?? false
    key = reader.string(members, "key", at: pointer, what: what)
    (isUnique, duplicateSeverity) = Self.unique(members, at: pointer, what, &reader)
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
      reader.conflict(
        "computed",
        "suggested",
        at: pointer,
        what: what,
        remedy: "keep one of them: a computed value takes no input; a suggested value stays until there is input"
      )
    }
    whenHidden = reader.choice(members, "whenHidden", at: pointer, what: what, of: HiddenPolicy.self)
    (resetWhen, resetOn) = Self.trigger(members, at: pointer, what, &reader)
    normalize = Self.steps(members, at: pointer, what, &reader)
    coerces = reader.bool(members, "coerce", at: pointer, what: what)
    read = ReadDefinition.ofField(members, at: pointer, what, with: &reader)
    messages = MessageDefinitions(members, at: pointer, what, &reader)
    admitsOther = reader.bool(members, "other", at: pointer, what: what) ?? false
    if case .string? = members["options"] {
      optionsFormula = reader.formula(members, "options", at: pointer, what: what)
      options = []
    } else {
      optionsFormula = nil
      options = OptionDefinition.all(members, at: pointer, what, &reader)
    }
  }
}

extension FieldDefinition {
  /// The keys of a field, each with its schema.
  static let keys: JSONObject = [
    "label": [
      "$ref": "#/$defs/text", "description": "The field's label for users. Without it, the `title` of its schema.",
    ],
    "placeholder": ["$ref": "#/$defs/text", "description": "The text in the empty field."],
    "help": [
      "$ref": "#/$defs/text", "description": "The text beside the field. Without it, the `description` of its schema.",
    ],
    "widget": [
      "type": "string",
      "description":
        "The control that clients should draw. formd only passes the name to the clients, which give it its meaning.",
      "examples": ["textarea", "slider"],
    ],
    "autocomplete": [
      "type": "string", "description": "For clients: what the browser may fill in, as in HTML.",
      "examples": ["email", "new-password", "street-address"],
    ],
    "inputMode": [
      "enum": .array(inputModes.map { .string($0) }),
      "description": "For clients: the keyboard of a touch screen, as in HTML.",
    ],
    "accept": [
      "type": "array", "items": ["type": "string"], "description": "For clients: the files to choose from, as in HTML.",
      "examples": [["image/*", ".pdf"]],
    ],
    "maxBytes": [
      "type": "integer", "minimum": 1, "maximum": .integer(Int64(Int32.max)),
      "description": "For clients: the largest size of a file.",
    ],
    "mediaTypes": [
      "type": "array", "items": ["type": "string"],
      "description": "For clients: the media types of files that the server takes.", "examples": [["application/pdf"]],
    ],
    "group": [
      "type": "string", "description": "For clients: fields of one group are drawn together. formd passes the name on.",
    ],
    "ui": [
      "type": "object", "description": "For clients: any object. formd passes it on.", "examples": [["columns": 2]],
    ],
    "normalize": [
      "type": "array",
      "description":
        "The steps that change a text before it becomes the value, in this order. A step is a word; {\"remove\": PATTERN}, which removes the matches of a regular expression (RE2), such as the spaces of an IBAN; or {\"replace\": [PATTERN, TEXT]}, which puts a text in their place. A step that would make a text more than 27 times as long is left out. All steps except `trim` skip a text of more than 256 KiB, and any text after the budget of the turn is used up. `nfc` also skips a text of more than 16 bytes for each code point of maxLength, because the schema refuses that text anyway.",
      "items": [
        "anyOf": [
          ["enum": .array(Normalization.words.map { .string($0.name) })],
          DefinitionSchema.object(stepKeys, also: ["oneOf": [["required": ["remove"]], ["required": ["replace"]]]]),
        ]
      ], "examples": [["trim", "nfc"], [["remove": "[ -]"], "upper"]],
    ],
    "coerce": [
      "type": "boolean",
      "description":
        "Whether a text is read as the integer, number or boolean that the schema asks for: \"5\", \"1e3\", \"-.5\"; \"true\" or \"on\", \"false\" or \"off\". A text that cannot be read stays a text, with the error type. The default is the form's \"coerce\". Only for a field whose schema asks for one of these types, or for one of them and null.",
    ],
    "read": [
      "description":
        "How the field reads the texts that people type; false: not at all, whatever the form says. The value is a number, or a text of ISO 8601. A text that cannot be read stays a text, with the error type, which has an example. The document has the text of the input in \"text\" of the field.",
      "anyOf": [["const": false], ["$ref": "#/$defs/read"]],
      "examples": ["number", "date", ["currency": ["code": "CHF"]], ["date": ["dd.MM.yyyy", "yyyy-MM-dd"]]],
    ],
    "show": [
      "description":
        "When messages are shown. always: at once. edit: from the first edit. blur (the default): when the user has left the field; no new message appears during the first or a later edit. submit: from the first tap. With every setting, a tap shows the messages of its scope. The complete rules: protocol/sessions.md, Messages.",
      "enum": .array(ShowPolicy.allCases.map { .string($0.rawValue) }), "default": "blur",
    ],
    "throttle": [
      "$ref": "#/$defs/duration",
      "description":
        "The value takes effect at once, and then at most once in this time. The last value is never lost.",
    ],
    "debounce": [
      "$ref": "#/$defs/duration", "description": "The value takes effect when nothing was typed for this time.",
    ],
    "emptyAs": [
      "description": "Whether \"\" counts as no value (\"absent\", the default), or is a value (\"keep\").",
      "enum": ["absent", "keep"], "default": "absent",
    ],
    "renamedFrom": [
      "type": "string",
      "description":
        "The name of this field in earlier versions of the form, in the same object. A kept session of such a version keeps the value and the state of the field when it migrates.",
      "examples": ["age"],
    ],
    "messages": ["$ref": "#/$defs/messages"],
    "options": [
      "description":
        "The labels of the choices in the schema (\"enum\", or \"oneOf\" of \"const\"), by value. Or a list of choices, which says more about the choices in the schema, or gives the choices if the schema lists none. Or a formula for the choices: a list of values, or of {value, label}.",
      "anyOf": [
        ["type": "object", "additionalProperties": ["$ref": "#/$defs/text"]],
        ["type": "array", "items": ["$ref": "#/$defs/option"]], ["$ref": "#/$defs/expression"],
      ],
    ],
    "other": [
      "type": "boolean",
      "description":
        "Whether the user may give a text that is not among the choices of \"options\". Not for choices that the schema lists.",
      "default": false,
    ],
    "secret": [
      "type": "boolean", "description": "The value never leaves the daemon, except as an argument of a run.",
      "default": false,
    ],
    "key": [
      "type": "string",
      "description":
        "For a list: the member that identifies its rows. When the whole list is replaced, rows whose key is in the new list keep their identity and state. Without a key, rows are matched by position. If two rows have the same key, the later row has the error duplicate.",
      "examples": ["sku"],
    ],
    "unique": [
      "description":
        "For a field of a row: no two rows of the list may have the same value. The later rows have the error duplicate. Absent values are never duplicates. {\"severity\": \"warning\"}: the error does not block.",
      "anyOf": [["type": "boolean"], ["$ref": "#/$defs/unique"]], "default": false,
    ],
    "unordered": ["type": "boolean", "description": "For a list: its order does not make it dirty.", "default": false],
    "blankRows": [
      "enum": ["count", "ignore"],
      "description":
        "For a list: whether a row without any value counts. \"ignore\": such a row stays in the document, and it is not judged, not sent and not counted; formulas do not see it either. A value that a formula or the schema's default gives does not count as a value.",
      "default": "count",
    ],
    "trustInitial": [
      "type": "boolean",
      "description":
        "Errors of an initial value are warnings until the value is changed. A missing value is not trusted.",
      "default": false,
    ],
    "visible": [
      "$ref": "#/$defs/expression",
      "description":
        "Whether the field is visible. A hidden field, with all fields inside it, does not count and is not sent.",
    ],
    "enabled": [
      "$ref": "#/$defs/expression",
      "description":
        "Whether clients let the user edit the field and the fields inside it. A text instead of false is the reason.",
    ],
    "required": [
      "$ref": "#/$defs/expression",
      "description":
        "Whether the field must have a value, in addition to the schema. The schema requires a member only if its object has a value; this formula does not depend on that.",
    ],
    "computed": [
      "$ref": "#/$defs/expression",
      "description":
        "Gives the field its value: the field takes no input. The value is normalized, validated and sent as any other, and is never dirty. Without a result, there is no value. Not for a field with fields inside it, and not for a whole row.",
    ],
    "suggested": [
      "$ref": "#/$defs/expression",
      "description":
        "Gives the field its value until an input, or the opening of the session, gives it another value. A field that the user has emptied stays empty. A reset brings the suggestion back. Allowed for the same fields as computed.",
    ],
    "whenHidden": [
      "enum": .array(HiddenPolicy.allCases.map { .string($0.rawValue) }),
      "description":
        "What happens to the value when the field is hidden: it stays (keep), or it goes (clear), as if nobody had given a value. It applies to all fields inside it that do not say otherwise. Without it, as around the field, else as the definition says.",
    ],
    "resetWhen": [
      "$ref": "#/$defs/expression",
      "description":
        "A formula of any type. When its result changes by the user's hand, the field is reset: it goes back to its initial, suggested or default value, and is neither touched nor edited. A value that the same input gives to the field stays. Changes by programs, answers and the time do not reset it.",
    ],
    "resetOn": [
      "type": "array", "items": ["$ref": "#/$defs/address"],
      "description":
        "The addresses of fields: when one of their values changes by the user's hand, the field is reset, as with resetWhen. For a field of a row also other fields of that row.",
      "examples": [["country"]],
    ],
  ]

  static let schema = DefinitionSchema.object(
    keys,
    also: [
      "not": [
        "anyOf": [
          ["required": ["throttle", "debounce"]], ["required": ["computed", "suggested"]],
          ["required": ["resetWhen", "resetOn"]],
        ]
      ]
    ]
  )

  /// The keys of an object for `unique`.
  private static let uniqueKeys: JSONObject = [
    "severity": ["$ref": "#/$defs/severity"]
  ]

  /// The schema of an object for `unique`.
  static let uniqueSchema = DefinitionSchema.object(uniqueKeys)

  /// The keys of a step of `normalize` that is an object.
  private static let stepKeys: JSONObject = [
    "remove": [
      "type": "string", "maxLength": 10000,
      "description": "A regular expression (RE2). If the text is too long, nothing is removed.",
    ],
    "replace": [
      "type": "array", "description": "What is replaced, and by what.",
      "prefixItems": [
        [
          "type": "string", "maxLength": 10000,
          "description": "A regular expression (RE2). If the text is too long, nothing is replaced.",
        ], ["type": "string", "description": "The text in place of each match, as it is written."],
      ], "minItems": 2, "items": false,
    ],
  ]
}

extension FieldDefinition {
  /// The hints, in the order in which clients get them.
  private static let hintNames = ["autocomplete", "inputMode", "accept", "maxBytes", "mediaTypes", "group", "ui"]
  /// HTML, section 6.8.9, "Input modalities: the inputmode attribute".
  private static let inputModes = ["none", "text", "tel", "url", "email", "numeric", "decimal", "search"]

  private static func hints(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> JSONObject {
    var hints = JSONObject()
    for name in hintNames {
      guard let value = members[name] else { continue }
      let isRead: Bool
      switch name {
      case "inputMode":
        isRead = reader.choice(members, name, at: pointer, what: what, among: inputModes) != nil
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
    return hints
  }

  /// `unique`: true, false, or an object with the severity of the error.
  private static func unique(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> (isUnique: Bool, duplicates: Severity) {
    guard case .object? = members["unique"] else {
      return (reader.bool(members, "unique", at: pointer, what: what) ?? false, .error)
    }
    let inner = pointer.appending("unique")
    let what = "\"unique\" of \(what)"
    guard let options = reader.object(members["unique"] ?? .null, at: inner, keys: uniqueKeys, what: what) else {
      return (false, .error)
    }
    return (true, reader.severity(options, at: inner, what: what))
  }

  /// `resetWhen` and `resetOn`.
  private static func trigger(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> (FormulaDefinition?, [(address: String, pointer: JSONPointer)]) {
    let resetWhen = reader.formula(members, "resetWhen", at: pointer, what: what)
    let resetOn = reader.addresses(members, "resetOn", at: pointer, what: what)
    if resetWhen != nil, members["resetOn"] != nil {
      reader.conflict(
        "resetWhen",
        "resetOn",
        at: pointer,
        what: what,
        remedy: "keep one of them: a formula may be a list of all values that count"
      )
    }
    return (resetWhen, resetOn)
  }

  /// The steps of `normalize`.
  private static func steps(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> [NormalizationDefinition] {
    guard let block = members["normalize"] else { return [] }
    let inner = pointer.appending("normalize")
    guard case .array(let written) = block else {
      reader.wrongType(block, at: inner, expected: "an array of steps", what: "\"normalize\" of \(what)")
      return []
    }
    var steps: [NormalizationDefinition] = []
    let names = Normalization.words.map(\.name)
    for (index, step) in written.enumerated() {
      if let text = step.stringValue, let known = names.firstIndex(where: { $0.hasSameUTF8(as: text) }) {
        steps.append(.word(Normalization.words[known]))
      } else if case .object = step {
        let inner = inner.appending(index)
        if let replacement = replacement(step, at: inner, &reader) { steps.append(replacement) }
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
    return steps
  }

  /// A step that removes or replaces what a pattern matches.
  private static func replacement(
    _ step: JSON,
    at pointer: JSONPointer,
    _ reader: inout DefinitionReader
  ) -> NormalizationDefinition? {
    let what = "a step of \"normalize\""
    guard let members = reader.object(step, at: pointer, keys: stepKeys, what: what) else { return nil }
    guard let replace = members["replace"] else {
      return reader.requiredString(members, "remove", at: pointer, what: "the step")
        .map { .replace(pattern: $0, text: "", pointer: pointer.appending("remove")) }
    }
    let inner = pointer.appending("replace")
    if members["remove"] != nil {
      reader.conflict(
        "remove",
        "replace",
        at: pointer,
        what: what,
        remedy: "write two steps, in the order in which they apply"
      )
      return nil
    }
    guard let parts = replace.arrayValue, parts.count == 2, case .string(let pattern) = parts[0],
      case .string(let text) = parts[1]
    else {
      reader.wrongType(replace, at: inner, expected: "[PATTERN, TEXT]", what: "\"replace\" of the step")
      return nil
    }
    return .replace(pattern: pattern, text: text, pointer: inner.appending(0))
  }
}
