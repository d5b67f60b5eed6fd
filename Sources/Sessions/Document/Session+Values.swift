internal import Forms
public import JSON
internal import Texts

extension Session {
  /// The values as one object, without absent ones. Hidden fields are included: they keep their values.
  ///
  /// - Parameter includingSecrets: whether secrets are included.
  public func values(includingSecrets: Bool = false) -> JSON { .object(rootValue(includingSecrets ? .all : .told)) }
}

extension DocumentLayout {
  /// Which cells one of those places of the document contains, or is inside of.
  func cells(under pointers: [JSONPointer], of form: Form) -> [Bool] {
    (0..<count).map { number in
      let path = path(of: number, in: form)
      return pointers.contains { pointer in
        zip(pointer.tokens, path).allSatisfy { $0.hasSameUTF8(as: $1) }
      }
    }
  }

  /// By raw value. Describing a case looks it up in the metadata of its type, a hundred times slower.
  private static let fieldCellNames = FieldCell.allCases.map { String(describing: $0) }
  private static let stepCellNames = StepCell.allCases.map { String(describing: $0) }
  private static let actionCellNames = ActionCell.allCases.map { String(describing: $0) }

  private func path(of number: Int, in form: Form) -> [String] {
    switch cell(number) {
    case .isValid: ["isValid"]
    case .isPending: ["isPending"]
    case .isDirty: ["isDirty"]
    case .errors: ["errors"]
    case .currentStep: ["step"]
    case .message(let field): ["messages", form.fields[field].address]
    case .field(let field, let cell):
      form.fields[field].path.flatMap { ["fields", $0] } + [Self.fieldCellNames[cell.rawValue]]
    case .step(let step, let cell): ["steps", form.steps[step].id, Self.stepCellNames[cell.rawValue]]
    case .action(let action, let cell): ["actions", form.actions[action].name, Self.actionCellNames[cell.rawValue]]
    case .output(let output): ["outputs", form.outputs[output].name]
    }
  }
}
