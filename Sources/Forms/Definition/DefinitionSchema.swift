package import JSON

/// The JSON Schema of form definitions: `protocol/schema/form.schema.json`. Editors complete from it, and the manual
/// page is made of it.
///
/// Each type of the definition lists its keys with their schemas. The reader knows no other key.
package enum DefinitionSchema {
  /// The schema's text, exactly as the repository has it.
  package static var text: String { json.indentedText + "\n" }

  /// The schema.
  package static let json: JSON = .object(members)

  private static let members: JSONObject = {
    var members: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A form definition of formd",
    ]
    let keys: JSONObject = ["$schema": ["type": "string", "description": "Where this schema is, for editors."]]
    let whole = object(
      JSONObject(uncheckedMembers: Array(keys) + Array(FormDefinition.keys)),
      required: ["schema"],
      about:
        "The schema, fields, rules, checks, lookups, steps, actions and outputs of one form. Texts of the kind \"expression\" are CEL; all other texts are literal."
    )
    for member in whole.objectValue ?? [:] { members[member.name] = member.value }
    members["$defs"] = .object(parts)
    return members
  }()

  /// The schemas that others refer to.
  private static let parts: JSONObject = [
    "address": [
      "description":
        "The address of a field: the name of a top-level property, or a JSON Pointer in which * stands for each row of a list.",
      "type": "string", "examples": ["email", "/address/city", "/items/*/sku", "/tags/*"],
    ],
    "option": OptionDefinition.schema,
    "function": FunctionDefinition.schema,
    "messages": [
      "description":
        "The text for each error code: a schema keyword, type, options, duplicate, more, fault (the formula of a rule or check has a fault), the id of a rule or check, or the code of a check's outcome. {label} becomes the field's label, and at the form the form's title. {name} becomes the error's parameter of that name, and stays as it is if there is none. protocol/forms.md lists the parameters.",
      "type": "object", "additionalProperties": ["$ref": "#/$defs/text"],
    ],
    "text": [
      "description": "A text for users: one text for all locales, or an object from locale to text.",
      "oneOf": [
        ["type": "string"], ["type": "object", "minProperties": 1, "additionalProperties": ["type": "string"]],
      ],
    ],
    "expression": [
      "description":
        "An expression of the Common Expression Language (CEL). A text constant needs its own quotes: \"'like this'\".",
      "type": ["string", "boolean"],
    ],
    "duration": [
      "description": "A number and a unit, at most 24h.", "type": "string",
      "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)(ms|s|m|h)$", "examples": ["300ms", "10s", "1.5s", "2m"],
    ],
    "unique": FieldDefinition.uniqueSchema,
    "severity": [
      "description":
        "Whether a message is an error, which blocks taps (\"error\", the default), or only a warning (\"warning\").",
      "enum": ["error", "warning"], "default": "error",
    ],
    "template": [
      "description": "JSON whose texts are expressions.",
      "anyOf": [
        ["type": ["string", "number", "boolean", "null"]], ["type": "array", "items": ["$ref": "#/$defs/template"]],
        ["type": "object", "additionalProperties": ["$ref": "#/$defs/template"]],
      ],
    ],
    "expressions": ["type": "object", "additionalProperties": ["$ref": "#/$defs/expression"]],
    "oneMessage": [
      "description": "A text or an expression, not both.", "not": ["required": ["message", "messageExpression"]],
    ],
    "field": FieldDefinition.schema,
    "read": ReadDefinition.schema,
    "separators": ReadDefinition.separatorsSchema,
    "separator": ReadDefinition.separatorSchema,
    "patterns": ReadDefinition.patternsSchema,
    "rule": RuleDefinition.schema,
    "group": RuleDefinition.groupSchema,
    "check": CheckDefinition.schema,
    "checkOutcome": CheckOutcomeDefinition.schema,
    "lookup": LookupDefinition.schema,
    "retry": RetryDefinition.schema,
    "step": StepDefinition.schema,
    "action": ActionDefinition.schema,
    "actionOutcome": ActionOutcomeDefinition.schema,
    "run": RunDefinition.schema,
  ]

  /// The schema of an object that has no other keys, except `$...` and `x-...`.
  ///
  /// - Parameters:
  ///   - keys: the keys, each with its schema.
  ///   - about: the description.
  ///   - more: further keywords.
  static func object(
    _ keys: JSONObject,
    required: [String] = [],
    about: String? = nil,
    also more: JSONObject = [:]
  ) -> JSON {
    var schema: JSONObject = ["type": "object"]
    if let about { schema["description"] = .string(about) }
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    schema["properties"] = .object(keys)
    schema["patternProperties"] = ["^(\\$|x-)": true]
    schema["additionalProperties"] = false
    for member in more { schema[member.name] = member.value }
    return .object(schema)
  }
}
