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
      return reader.wrongType(
        block,
        at: pointer,
        expected: "an array of at most \(Self.stepsMax) elements",
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
    fields = Self.addresses(members, at: pointer, with: &reader)
    visible = reader.formula(members, "visible", at: pointer, what: what)
  }

  /// The addresses in `fields`, each with its position.
  private static func addresses(
    _ members: JSONObject,
    at pointer: JSONPointer,
    with reader: inout DefinitionReader
  ) -> [(address: String, pointer: JSONPointer)] {
    guard let block = members["fields"] else { return [] }
    let inner = pointer.appending("fields")
    guard case .array(let elements) = block else {
      reader.wrongType(block, at: inner, expected: "a list of addresses", what: "\"fields\" of the step")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      if case .string(let address) = element { return (address, inner.appending(index)) }
      reader.wrongType(
        element,
        at: inner.appending(index),
        expected: "a field's address",
        what: "an element of \"fields\""
      )
      return nil
    }
  }
}
