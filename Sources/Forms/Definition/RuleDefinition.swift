internal import JSON
internal import SourceTexts

/// A rule as a definition writes it.
struct RuleDefinition {
  var pointer: JSONPointer
  var id: String
  /// Its field. A rule about a group in rows gets the row.
  var field: String?
  var when: FormulaDefinition?
  /// The condition, or the group of fields that must have values.
  var condition: RuleCondition
  var message: MessageDefinition
  var severity: Severity = .error
}

/// The condition of a rule.
enum RuleCondition {
  case check(FormulaDefinition)
  case group(GroupDefinition)
}

/// A group of fields. Its kind says how many fields must have values.
struct GroupDefinition {
  var kind: GroupKind
  /// The location of the list.
  var pointer: JSONPointer
  var fields: [(address: String, pointer: JSONPointer)]
}

extension RuleDefinition {
  /// The keys of a rule, each with its schema.
  static let keys: JSONObject = [
    "id": ["type": "string", "description": "The error's code; unique among rules and checks."],
    "field": [
      "$ref": "#/$defs/address",
      "description":
        "The address of the rule's field. Without it, the rule belongs to the form: its error is in the document's errors, but never in messages. For a field of a row, the rule applies to each row, and its formulas can read row, index and outer.",
    ],
    "when": ["$ref": "#/$defs/expression", "description": "The rule only applies while this is true."],
    "check": [
      "$ref": "#/$defs/expression", "description": "The condition that must be true. \"self\" is the field's value.",
    ],
    "exactlyOne": [
      "$ref": "#/$defs/group", "description": "In place of check: exactly one of these fields must have a value.",
    ],
    "atLeastOne": [
      "$ref": "#/$defs/group", "description": "In place of check: at least one of these fields must have a value.",
    ],
    "atMostOne": [
      "$ref": "#/$defs/group", "description": "In place of check: at most one of these fields may have a value.",
    ],
    "allOrNone": [
      "$ref": "#/$defs/group",
      "description": "In place of check: either all of these fields must have a value, or none.",
    ],
    "message": [
      "$ref": "#/$defs/text",
      "description":
        "The message if the condition is false. In a row, {number} becomes the row's position counted from 1, and {index} its position counted from 0. {label} becomes the field's label.",
    ],
    "messageExpression": ["$ref": "#/$defs/expression", "description": "An expression whose result is the message."],
    "severity": ["$ref": "#/$defs/severity"],
  ]

  static let schema = DefinitionSchema.object(
    keys,
    required: ["id"],
    also: [
      "oneOf": [
        ["required": ["check"]], ["required": ["exactlyOne"], "not": ["required": ["field"]]],
        ["required": ["atLeastOne"], "not": ["required": ["field"]]],
        ["required": ["atMostOne"], "not": ["required": ["field"]]],
        ["required": ["allOrNone"], "not": ["required": ["field"]]],
      ], "allOf": [["$ref": "#/$defs/oneMessage"]],
    ]
  )

  /// The schema of the fields of a group.
  static let groupSchema: JSON = [
    "type": "array", "items": ["$ref": "#/$defs/address"], "minItems": 2,
    "maxItems": .integer(Int64(GroupKind.fieldsMax)), "examples": [["email", "phone"]],
  ]
}

extension RuleDefinition {
  init?(reading value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let groups = GroupKind.allCases.map(\.rawValue)
    guard
      let rule = reader.object(
        value,
        at: pointer,
        keys: Self.keys,
        what: "a rule"
      )
    else { return nil }
    let id = reader.requiredString(rule, "id", at: pointer, what: "the rule")
    let written = (["check"] + groups).filter { rule[$0] != nil }
    if written.isEmpty {
      reader.missing(
        "check",
        at: pointer,
        what: "the rule",
        remedy: "write a formula that must be true, or name fields: \"\(groups.joined(separator: "\", \""))\""
      )
    }
    for key in written.dropFirst() {
      reader.conflict(written[0], key, at: pointer, what: "the rule", remedy: "write two rules")
    }
    guard let id, let key = written.first, let condition = Self.condition(rule, key, at: pointer, &reader) else {
      return nil
    }
    self.init(
      pointer: pointer,
      id: id,
      field: reader.string(rule, "field", at: pointer, what: "the rule"),
      when: reader.formula(rule, "when", at: pointer, what: "the rule"),
      condition: condition,
      message: reader.message(rule, at: pointer, what: "the rule"),
      severity: reader.severity(rule, at: pointer, what: "the rule")
    )
  }

  private static func condition(
    _ rule: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    _ reader: inout DefinitionReader
  ) -> RuleCondition? {
    guard let kind = GroupKind(rawValue: key) else {
      return reader.formula(rule, key, at: pointer, what: "the rule").map { .check($0) }
    }
    let inner = pointer.appending(key)
    if rule["field"] != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("field"),
        spot: .name,
        "the rule has \"\(key)\", so its error stands at the fields of the list",
        remedy: "leave out \"field\""
      )
    }
    let fields = reader.addresses(rule, key, at: pointer, what: "the rule")
    if case .array(let elements)? = rule[key], elements.count < 2 || elements.count > GroupKind.fieldsMax {
      reader.collector.report(
        "wrongType",
        at: inner,
        "\"\(key)\" of the rule must name 2 to \(GroupKind.fieldsMax) fields"
      )
    }
    return fields.count < 2 ? nil : .group(GroupDefinition(kind: kind, pointer: inner, fields: fields))
  }
}
