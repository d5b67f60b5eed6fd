internal import JSON
internal import SourceTexts

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
      let members = reader.object(value, at: pointer, known: ["id", "label", "fields", "visible"], what: "a step"),
      let id = reader.requiredString(members, "id", at: pointer, what: what)
    else { return nil }
    if members["fields"] == nil { reader.missing("fields", at: pointer, what: what, remedy: "add \"fields\": [...]") }
    self.init(pointer: pointer, id: id)
    label = reader.text(members, "label", at: pointer, what: what)
    fields = reader.addresses(members, "fields", at: pointer, what: what)
    visible = reader.formula(members, "visible", at: pointer, what: what)
  }
}
