import Forms
import JSON
import Sessions

/// When messages are to be shown, found out from the inputs alone and without the engine's own flags.
///
/// Fields that delay their values are left out: when an edit of theirs takes effect is the engine's own business.
struct ShowModel {
  private var edited: Set<Int> = []
  private var touched: Set<Int> = []
  private var editing: Set<Int> = []
  private var composing: Set<Int> = []
  private var isSubmitted = false

  mutating func saw(_ input: Input) {
    switch input {
    case .set(let field, let value): saw(.change([FieldChange(field: field, value: value)]))
    case .change(let changes, let origin, let isComposing, let commit):
      for change in changes {
        if origin == .user {
          edited.insert(change.field)
          editing.insert(change.field)
        }
        if isComposing { composing.insert(change.field) } else { composing.remove(change.field) }
        if commit { left(change.field) }
      }
    case .focus(let field): editing.insert(field)
    case .blur(let field): left(field)
    case .tap: isSubmitted = true
    case .reset: self = ShowModel()
    case .flush, .timer, .effect: break
    }
  }

  private mutating func left(_ field: Int) {
    editing.remove(field)
    composing.remove(field)
    touched.insert(field)
  }

  /// What is wrong with the messages of a document, if anything.
  func problem(in document: JSON, of form: Form, _ plan: RandomForm) -> String? {
    for (index, field) in form.fields.enumerated() where !plan.fields[index].isDelayed {
      let errors = document["fields"]?[field.name]?["errors"]?.arrayValue ?? []
      let message = document["messages"]?[field.name]
      if errors.isEmpty {
        if message != nil { return "\(field.name) shows a message without an error" }
        continue
      }
      // What a server says is shown whatever the policy.
      if errors.contains(where: { $0["source"] == "server" }) { continue }
      let isTime =
        switch field.show {
        case .always: true
        case .edit: edited.contains(index)
        case .blur: touched.contains(index)
        case .submit: false
        }
      if !isTime && !isSubmitted {
        if message != nil { return "\(field.name) shows a message too early" }
      } else if !composing.contains(index), !(editing.contains(index) && field.show == .blur) {
        let first = errors.first { $0["severity"] == "error" } ?? errors[0]
        if message != first["message"] {
          return "\(field.name) shows \(message ?? "nothing") and not the first of its errors"
        }
      }
    }
    return nil
  }
}
