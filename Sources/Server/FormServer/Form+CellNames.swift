internal import DocumentProperties
internal import Forms

extension Form {
  /// The name of a cell of the document for the log: its location in the document, such as `fields/email/isValid`.
  func name(ofCell number: Int) -> String {
    switch layout.cell(number) {
    case .form(let property): property.name
    case .message(let field): "messages/\(fields[field].address)"
    case .rowMessages: "messages"
    case .field(let field, let property): "fields/\(fields[field].address)/\(property.name)"
    case .step(let step, let property): "steps/\(steps[step].id)/\(property.name)"
    case .lookup(let lookup, let property): "lookups/\(lookups[lookup].address)/\(property.name)"
    case .action(let action, let property): "actions/\(actions[action].name)/\(property.name)"
    case .output(let output): "outputs/\(outputs[output].name)"
    }
  }
}
