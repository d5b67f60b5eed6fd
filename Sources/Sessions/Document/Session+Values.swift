internal import DocumentProperties
internal import Forms
public import JSON
internal import Texts

extension Session {
  /// The values as one object, without absent ones. Hidden fields are included, because they keep their values.
  ///
  /// - Parameter includingSecrets: whether secrets are included.
  public func values(includingSecrets: Bool = false) -> JSON { .object(rootValue(includingSecrets ? .all : .told)) }

  /// The values of the fields that are shown, without absent ones and without secrets.
  public func shownValues() -> JSONObject { rootValue(.shownAndTold) }

  /// All values, with the top-level members that are not fields.
  func rootValue(_ view: ValueView) -> JSONObject {
    let isSecret = (view == .told || view == .shownAndTold) && form.units[0].areOthersSecret
    return members(of: nil, isSecret ? nil : extras?.otherMembers.now, view)
  }
}

extension DocumentLayout {
  /// For each cell, whether a watched part of the document contains the cell or is inside it.
  func cells(under pointers: [JSONPointer], of form: Form) -> [Bool] {
    (0..<count).map { number in
      let path = path(of: number, in: form)
      if cell(number) == .rowMessages {
        // A client that watches all messages, or the messages of one row, gets the messages of all rows.
        return pointers.contains { pointer in
          pointer.tokens.first.map { $0 == "messages" } ?? true
            && pointer.tokens.dropFirst().first.map { $0.utf8.contains(UInt8(ascii: "#")) } ?? true
        }
      }
      return pointers.contains { pointer in
        zip(pointer.tokens, path).allSatisfy { $0.hasSameUTF8(as: $1) }
      }
    }
  }

  private func path(of number: Int, in form: Form) -> [String] {
    switch cell(number) {
    case .form(let property): [property.name]
    case .message(let field): ["messages", form.fields[field].address]
    case .rowMessages: ["messages"]
    // A client that watches all of `rows` watches each part of it.
    case .field(let field, .order): form.fields[field].path.flatMap { ["fields", $0] }
    case .field(let field, let property): form.fields[field].path.flatMap { ["fields", $0] } + [property.name]
    case .step(let step, let property): ["steps", form.steps[step].id, property.name]
    case .lookup(let lookup, let property): ["lookups", form.lookups[lookup].name, property.name]
    case .action(let action, let property): ["actions", form.actions[action].name, property.name]
    case .output(let output): ["outputs", form.outputs[output].name]
    }
  }
}
