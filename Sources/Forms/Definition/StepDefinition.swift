internal import JSON
internal import SourceTexts

/// A step as a definition writes it.
struct StepDefinition {
  var pointer: JSONPointer
  var id: String
  var label: Text?
  /// Addresses of fields, each with its location.
  var fields: [(address: String, pointer: JSONPointer)] = []
  var visible: FormulaDefinition?
}

extension StepDefinition {
  /// The keys of a step, each with its schema.
  static let keys: JSONObject = [
    "id": [
      "type": "string",
      "description": "The step's name for formulas (steps.ID.isValid), scopes and clients; not form or none.",
      "not": ["enum": ["form", "none"]],
    ],
    "label": ["$ref": "#/$defs/text", "description": "The step's label for users."],
    "fields": [
      "type": "array",
      "description":
        "The addresses of the step's fields. A field includes all fields inside it, and a list includes its rows. A field is in one step at most. A field in no step is always there.",
      "items": ["$ref": "#/$defs/address"],
    ],
    "visible": [
      "$ref": "#/$defs/expression",
      "description": "While this is false, the step is skipped, and its fields are hidden.",
    ],
  ]

  static let schema = DefinitionSchema.object(keys, required: ["id", "fields"])
}

extension FormDefinition {
  /// How many steps there may be. A definition may come from a stranger.
  static let stepsMax = 1_000

  /// Reads the `steps` of a definition.
  mutating func readSteps(_ members: JSONObject, _ reader: inout DefinitionReader) {
    guard let block = members["steps"] else { return }
    let pointer = JSONPointer(tokens: ["steps"])
    guard case .array(let elements) = block, elements.count <= Self.stepsMax else {
      return reader.wrongCount(
        block,
        at: pointer,
        expected: "an array",
        max: Self.stepsMax,
        "elements",
        what: "\"steps\""
      )
    }
    for (index, value) in elements.enumerated() {
      if let step = StepDefinition(reading: value, at: pointer.appending(index), with: &reader) { steps.append(step) }
    }
  }
}

extension StepDefinition {
  init?(reading value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "the step"
    guard
      let members = reader.object(value, at: pointer, keys: Self.keys, what: "a step"),
      let id = reader.requiredString(members, "id", at: pointer, what: what)
    else { return nil }
    if members["fields"] == nil { reader.missing("fields", at: pointer, what: what, remedy: "add \"fields\": [...]") }
    self.init(pointer: pointer, id: id)
    label = reader.text(members, "label", at: pointer, what: what)
    fields = reader.addresses(members, "fields", at: pointer, what: what)
    visible = reader.formula(members, "visible", at: pointer, what: what)
  }
}
