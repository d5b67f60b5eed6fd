internal import JSON

/// Pages for formd's client for browsers (`protocol/clients/web/README.md`): rows, steps and the client's buttons.
extension HTMLFormReader {
  /// A template with this attribute has a row. The value is the name of the row's list.
  static let rowAttribute = "data-formd-row"

  /// The lists whose rows have a template on the page.
  var listsWithTemplates: Set<JSONPointer> {
    Set(
      all.filter { $0.name == "template" && belongs($0) }.compactMap { $0[Self.rowAttribute] }
        .map { ControlName($0).field }
    )
  }

  /// Whether a control is in a row that the back-end has rendered, and the row's list has a template.
  func isInRenderedRow(_ control: HTMLElement, _ name: ControlName, _ lists: Set<JSONPointer>) -> Bool {
    guard !name.positions.isEmpty else { return false }
    return name.field.tokens.indices.contains { lists.contains(JSONPointer(tokens: Array(name.field.tokens[..<$0]))) }
  }

  /// Whether the client for browsers gives a button its effect, and not an action of the form.
  static func isOfClient(_ button: HTMLElement) -> Bool {
    ["data-formd-add", "data-formd-remove", "data-formd-move", "data-formd-show"].contains { button.has($0) }
  }

  mutating func readSteps() {
    for section in all where section.has("data-formd-step") && belongs(section) {
      guard let id = section["data-formd-step"], !id.isEmpty else { continue }
      var fields: [JSON] = []
      for control in section.descendants where isControl(control) && !Self.buttons.contains(Self.type(of: control)) {
        guard let first = control["name"].flatMap({ ControlName($0).field.tokens.first }) else { continue }
        let address = JSON.string(FormDraft.address(of: JSONPointer(tokens: [first])))
        if tree.schema(at: JSONPointer(tokens: [first])) != nil, !fields.contains(address) { fields.append(address) }
      }
      let heading = section.descendants.first { ["h1", "h2", "h3", "h4"].contains($0.name) && !$0.text.isEmpty }
      var step: JSONObject = ["id": .string(id)]
      step["label"] = (section["aria-label"] ?? heading?.text).map { .string($0) }
      step["fields"] = .array(fields)
      draft.steps.append(.object(step))
    }
  }
}
