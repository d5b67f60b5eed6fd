internal import Forms
public import JSON
internal import Texts

extension Session {
  /// The values by field name, without absent ones. Hidden fields are included: they keep their values.
  ///
  /// - Parameter includingSecrets: whether secret fields are included.
  public func values(includingSecrets: Bool = false) -> JSON {
    var values: [JSONObject.Member] = []
    for (index, field) in form.fields.enumerated() where includingSecrets || !field.isSecret {
      if let value = fields[index].value { values.append(JSONObject.Member(name: field.name, value: value)) }
    }
    return .object(JSONObject(uncheckedMembers: values))
  }

  /// The values of those of the fields that have one and are visible.
  func visibleValues(of wanted: [Int]) -> JSONObject {
    var values: [JSONObject.Member] = []
    values.reserveCapacity(wanted.count)
    for field in wanted where fields[field].flags.contains(.isVisible) {
      guard let value = fields[field].value else { continue }
      values.append(JSONObject.Member(name: form.fields[field].name, value: value))
    }
    return JSONObject(uncheckedMembers: values)
  }
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
  private static let actionCellNames = ActionCell.allCases.map { String(describing: $0) }

  private func path(of number: Int, in form: Form) -> [String] {
    switch cell(number) {
    case .isValid: ["isValid"]
    case .isPending: ["isPending"]
    case .isDirty: ["isDirty"]
    case .errors: ["errors"]
    case .message(let field): ["messages", form.fields[field].name]
    case .field(let field, let cell): ["fields", form.fields[field].name, Self.fieldCellNames[cell.rawValue]]
    case .action(let action, let cell): ["actions", form.actions[action].name, Self.actionCellNames[cell.rawValue]]
    case .output(let output): ["outputs", form.outputs[output].name]
    }
  }
}
