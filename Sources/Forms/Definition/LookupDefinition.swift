internal import JSON
internal import SourceTexts

/// A lookup as a definition writes it.
struct LookupDefinition {
  var name: String
  var when: FormulaDefinition?
  var debounce: Duration?
  var run: RunDefinition
  /// nil: the body of the answer, or its rows.
  var value: FormulaDefinition?
  var timeout: Duration
  var retry: RetryDefinition?
  var cacheCount: Int
  /// Whether an answer is written nowhere.
  var isSecret: Bool
  /// Whether browsers get its value.
  var isPublic: Bool
}

extension LookupDefinition {
  /// The keys of a lookup, each with its schema.
  static let keys: JSONObject = [
    "when": [
      "$ref": "#/$defs/expression",
      "description": "The lookup asks only while this is true. Otherwise, it has no value.",
    ],
    "debounce": [
      "$ref": "#/$defs/duration",
      "description":
        "The lookup asks when nothing has changed for this time. Until then, it is loading. When a session opens, it asks at once.",
    ],
    "run": [
      "$ref": "#/$defs/run",
      "description":
        "The request of the lookup. The lookup asks again when the request changes. While an argument is absent, it does not ask, and has no value.",
    ],
    "value": [
      "$ref": "#/$defs/expression",
      "description":
        "The value in an answer, as a formula that reads response. Without it: the body, or the rows of a query. Only used for an answer with a status below 400.",
      "examples": ["response.body.cities"],
    ],
    "timeout": ["$ref": "#/$defs/duration", "description": "How long formd waits for the answer.", "default": "10s"],
    "retry": ["$ref": "#/$defs/retry"],
    "secret": [
      "type": "boolean",
      "description":
        "Whether the value is kept out of the store and the log. A kept session asks again when it is restored.",
      "default": false,
    ],
    "public": [
      "type": "boolean",
      "description":
        "Whether browsers get the value. Without it, they get only what the form makes of the value: options, messages, errors, values and outputs.",
      "default": false,
    ],
    "cache": [
      "description": "How many answers a session keeps: true (32), false, or a number. Failures are never kept.",
      "oneOf": [["type": "boolean"], ["type": "integer", "minimum": 0, "maximum": 1000]],
    ],
  ]

  static let schema = DefinitionSchema.object(keys, required: ["run"])
}

extension LookupDefinition {
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "lookup \"\(name)\""
    guard let members = reader.object(value, at: pointer, keys: Self.keys, what: what) else { return nil }
    if members["run"] == nil { reader.missing("run", at: pointer, what: what) }
    guard let run = RunDefinition(members, at: pointer, what: what, with: &reader) else { return nil }
    self.init(
      name: name,
      when: reader.formula(members, "when", at: pointer, what: what),
      debounce: reader.duration(members, "debounce", at: pointer, what: what),
      run: run,
      value: reader.formula(members, "value", at: pointer, what: what),
      timeout: reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault,
      retry: reader.retry(members, at: pointer),
      cacheCount: reader.cacheCount(members, at: pointer, what: what),
      isSecret: reader.bool(members, "secret", at: pointer, what: what) ?? false,
      isPublic: reader.bool(members, "public", at: pointer, what: what) ?? false
    )
  }
}

extension DefinitionReader {
  /// `cache` is true (as many answers as are useful while a user types), false, or a number of answers.
  mutating func cacheCount(_ members: JSONObject, at pointer: JSONPointer, what: String) -> Int {
    switch members["cache"] {
    case nil, .bool(false): 0
    case .bool(true): 32
    default: count(members, "cache", in: 0...1000, at: pointer, what: what) ?? 0
    }
  }
}
