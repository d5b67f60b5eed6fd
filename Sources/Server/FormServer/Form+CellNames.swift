internal import Forms

extension Form {
  /// The name of a cell of the document for the log: its location in the document, such as `fields/email/isValid`.
  func name(ofCell number: Int) -> String {
    switch layout.cell(number) {
    case .isValid: "isValid"
    case .isPending: "isPending"
    case .isDirty: "isDirty"
    case .errors: "errors"
    case .currentStep: "currentStep"
    case .message(let field): "messages/\(fields[field].address)"
    case .rowMessages: "messages"
    case .field(let field, let cell): "fields/\(fields[field].address)/\(cell)"
    case .step(let step, let cell): "steps/\(steps[step].id)/\(cell)"
    case .lookup(let lookup, let cell): "lookups/\(lookups[lookup].address)/\(cell)"
    case .action(let action, let cell): "actions/\(actions[action].name)/\(cell)"
    case .output(let output): "outputs/\(outputs[output].name)"
    }
  }
}
