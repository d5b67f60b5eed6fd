import Forms
import JSON
import Sessions

/// When messages are to be shown, found out from the inputs alone and without the engine's own flags.
///
/// Fields that delay their values are left out: when an edit of theirs takes effect is the engine's own business.
struct ShowModel {
  private var values: [Int: JSON?] = [:]
  private var edited: Set<Int> = []
  private var touched: Set<Int> = []
  private var editing: Set<Int> = []
  private var composing: Set<Int> = []
  private var isSubmitted = false

  /// An input, before the session has it.
  mutating func saw(_ input: Input, _ session: Session, _ plan: RandomForm) {
    switch input {
    case .set(let field, let value): saw(.change([FieldChange(field: field, value: value)]), session, plan)
    case .change(let changes, let origin, let isComposing, let commit):
      // Other inputs change values, too, so only the changes of one input are followed here.
      values = [:]
      for change in changes {
        if isEdit(change, session), origin == .user {
          edited.insert(change.field)
          editing.insert(change.field)
        }
        if isComposing { composing.insert(change.field) } else { composing.remove(change.field) }
        if commit { left(change.field) }
      }
    case .focus(let field): editing.insert(field)
    case .blur(let field): left(field)
    case .tap(let action): if !plan.freeActions.contains(action) { isSubmitted = true }
    case .reset: self = ShowModel()
    case .flush, .timer, .effect: break
    }
  }

  /// Whether the change gives its field another value.
  private mutating func isEdit(_ change: FieldChange, _ session: Session) -> Bool {
    let old = values[change.field] ?? session.value(of: change.field)
    var new = change.value
    if !change.path.isEmpty {
      new = session.whole(of: change.field, from: old)
      _ = new?.set(change.value, at: change.path[...])
    }
    new = session.normalized(new, for: change.field)
    values[change.field] = .some(new)
    guard let old, let new else { return (old == nil) != (new == nil) }
    return !old.isIdentical(to: new)
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
