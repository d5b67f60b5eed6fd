package import FormProtocol
package import Forms
internal import JSON
internal import JSONSchema
internal import Sessions

extension FormDescription {
  /// The description that a client needs to draw that form, with texts in that language, or in the form's own.
  package init(_ described: Form, locale wanted: String?) {
    self.init()
    func text(_ text: Text?) -> String? { text?.resolved(for: wanted ?? "", default: described.locale) }
    form = described.name
    requestedLocale = wanted
    locale = described.textLocale(for: wanted)
    title = text(described.title)
    func describe(_ index: Int) -> FieldDescription {
      let field = described.fields[index]
      var entry = FieldDescription(field)
      entry.fields = described.children(of: index).map(describe)
      entry.items = field.element.map(describe)
      entry.label = text(field.label)
      entry.placeholder = text(field.placeholder)
      entry.help = text(field.help)
      // The possible values of a secret are not sent to any client.
      if !field.holdsSecret {
        entry.options = field.options.map { option in
          var choice = Choice(value: option.value, label: text(option.label))
          choice.group = text(option.group)
          choice.help = text(option.help)
          choice.isDisabled = option.isDisabled
          choice.others = option.others
          return choice
        }
      }
      entry.initialText = field.initialText(locale: wanted, of: described)
      entry.hasLiveOptions = field.computedOptions != nil
      entry.isMultipleChoice = field.element.map { described.isChoice($0) } ?? false
      entry.admitsOther = field.admitsOther
      entry.key = field.key.map { described.fields[$0].name }
      return entry
    }
    fields = described.children(of: nil).map(describe)
    steps = described.steps.map { step in
      StepDescription(id: step.id, label: text(step.label), fields: step.fields.map { described.fields[$0].address })
    }
    let stepIDs = described.steps.map(\.id)
    let actionSteps = described.actions.map { described.step(of: $0)?.id }
    actions = zip(described.actions, actionSteps).map { action, step in
      // If a page has several actions of its own, only the user knows which of them ends the page.
      let isAlone = step != nil && actionSteps.filter { $0 == step }.count == 1
      return ActionDescription(
        name: action.name,
        label: text(action.label),
        step: step,
        leadsTo: isAlone ? stepIDs.drop { $0 != step }.dropFirst().first : nil
      )
    }
    outputs = described.outputs.map(\.address)
  }
}

extension FieldDescription {
  /// A field, without its texts and its inner fields.
  fileprivate init(_ field: Field) {
    self.init()
    name = field.name
    address = field.address
    type = FieldKind(field)
    read = field.readName.flatMap { TextReading(wireName: $0) }
    widget = field.widget
    hints = field.hints.isEmpty ? nil : field.hints
    show = Showing(field.show)
    isSecret = field.isSecret
    isRequired = field.isRequiredBySchema
    isReadOnly = field.isReadOnly
    isComputed = field.isComputed
    isSuggested = field.isSuggested
    ignoresBlankRows = field.ignoresBlankRows
    initial = field.holdsSecret ? nil : field.schemaDefault
    extensions = Self.extensions(of: field)
    if field.property != nil { setBounds(field.facts) }
  }

  /// The `x-` members of a field's schema. For a secret only members that cannot be schemas, because a schema could
  /// reveal the value.
  private static func extensions(of field: Field) -> JSONObject? {
    let members = field.facts.extensions.filter { member in
      !field.holdsSecret || member.value.objectValue == nil && member.value.arrayValue == nil
    }
    return members.isEmpty ? nil : JSONObject(uncheckedMembers: members)
  }

  /// Takes over the bounds that the schema sets for every value.
  private mutating func setBounds(_ facts: PropertyFacts) {
    format = facts.format
    minLength = facts.minLength
    maxLength = facts.maxLength
    pattern = facts.pattern
    minimum = facts.minimum
    maximum = facts.maximum
    exclusiveMinimum = facts.exclusiveMinimum
    exclusiveMaximum = facts.exclusiveMaximum
    multipleOf = facts.multipleOf
    minItems = facts.minItems
    maxItems = facts.maxItems
    uniqueItems = facts.uniqueItems
  }
}

extension Showing {
  fileprivate init(_ policy: ShowPolicy) {
    self =
      switch policy {
      case .always: .always
      case .edit: .edit
      case .blur: .blur
      case .submit: .submit
      }
  }
}

extension FieldKind {
  fileprivate init(_ field: Field) {
    self =
      switch field.type {
      case .string: .string
      case .integer: .integer
      case .number: .number
      case .bool: .boolean
      case .list: .array
      case .dynamic where field.unit != nil: .object
      case .dynamic:
        switch field.types.filter({ $0 != "null" }) {
        case ["object"]: .object
        case ["array"]: .array
        default: .any
        }
      }
  }
}
