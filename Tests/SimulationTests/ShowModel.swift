import Forms
import JSON
import Sessions
import TextFormats

/// When messages are to be shown, found out from the inputs alone and without the engine's own flags.
///
/// Fields that delay their values are left out, and so are those around them: when an edit of theirs takes effect is the engine's own
/// business.
struct ShowModel {
  private var edited: Set<Int> = []
  private var touched: Set<Int> = []
  private var editing: Set<Int> = []
  private var composing: Set<Int> = []
  private var revealed: Set<Int> = []

  /// An input, before the session has it. The changes of one input are of fields of which none stands inside of another.
  mutating func saw(_ input: Input, _ session: Session, _ plan: RandomForm) {
    let form = session.form
    switch input {
    case .set(let field, let value): saw(.change([FieldChange(field: field, value: value)]), session, plan)
    case .change(let changes, let origin, let isComposing, let commit):
      for change in changes where change.field != FieldChange.root && change.row == 0 {
        if origin == .user {
          for field in Self.edits(of: change, session) { edit(field, form) }
        }
        let isLeaf = form.fields[change.field].unit == nil
        if isLeaf || change.path.isEmpty {
          for field in change.field..<form.fields[change.field].end { composing.remove(field) }
        }
        if isComposing, isLeaf { composing.insert(change.field) }
        if commit { left(change.field, form) }
      }
    case .focus(let field, 0): begin(field, form)
    case .blur(let field, 0): left(field, form)
    case .tap(let action):
      let document = session.document
      for field in plan.scopes[action] ?? Array(form.fields.indices)
      where document.state(of: form.fields[field])?["isVisible"] == true {
        revealed.insert(field)
      }
    case .reset: self = ShowModel()
    case .focus, .blur, .insert, .remove, .move, .fail, .show, .setLocale, .flush, .timer, .effect: break
    }
  }

  // MARK: Edits

  /// The fields that a change gives another value, of those at and below its own.
  private static func edits(of change: FieldChange, _ session: Session) -> [Int] {
    let form = session.form
    let old = session.value(of: change.field)
    let new: JSON?
    if change.path.isEmpty {
      new = normalized(change.value, change.field, session)
    } else {
      new = normalized(part(change, of: old, session), change.field, session)
    }
    let depth = form.fields[change.field].path.count
    return (change.field..<form.fields[change.field].end).filter { field in
      let way = form.fields[field].path[depth...]
      switch (old?.value(at: way), new?.value(at: way)) {
      case (nil, nil): return false
      case (let old?, let new?): return !old.isIdentical(to: new)
      default: return true
      }
    }
  }

  /// A field's value after a change of a part of it.
  private static func part(_ change: FieldChange, of old: JSON?, _ session: Session) -> JSON? {
    guard session.form.fields[change.field].unit != nil else {
      var new = session.whole(of: change.field, from: old)
      _ = new?.set(change.value, at: change.path[...])
      return new
    }
    var new = old == .null ? .object([:]) : old ?? .object([:])
    _ = new.set(change.value == .null && change.path.count == 1 ? nil : change.value, at: change.path[...])
    return new.objectValue?.isEmpty ?? false ? nil : new
  }

  /// A value as the session will hold it.
  private static func normalized(_ value: JSON?, _ field: Int, _ session: Session) -> JSON? {
    let form = session.form
    guard form.fields[field].unit != nil else {
      var budget = WorkBudget(units: Engine.turnBudget)
      return session.normalized(value, for: field, budget: &budget)
    }
    switch value {
    case .object(let members)?:
      var kept = JSONObject()
      let children = Array(form.children(of: field))
      for child in children {
        kept[form.fields[child].name] = normalized(members[form.fields[child].name], child, session)
      }
      for member in members where !children.contains(where: { form.fields[$0].name == member.name }) {
        kept[member.name] = member.value
      }
      return .object(kept)
    case .null?: return form.fields[field].admitsNull ? .null : nil
    case .string("")?: return nil
    default: return value
    }
  }

  private mutating func edit(_ field: Int, _ form: Form) {
    begin(field, form)
    for place in Self.around(field, form) { edited.insert(place) }
  }

  private mutating func begin(_ field: Int, _ form: Form) {
    for place in Self.around(field, form) { editing.insert(place) }
  }

  private mutating func left(_ field: Int, _ form: Form) {
    for below in (field..<form.fields[field].end).reversed() where below == field || editing.contains(below) {
      composing.remove(below)
      // What is around a field is edited as long as anything in it is.
      for place in Self.around(below, form) {
        guard editing.contains(place), !form.children(of: place).contains(where: { editing.contains($0) }) else {
          break
        }
        editing.remove(place)
      }
      for place in Self.around(below, form) { touched.insert(place) }
    }
  }

  /// A field and those that it stands inside of, inmost first.
  private static func around(_ field: Int, _ form: Form) -> some Sequence<Int> {
    sequence(first: field) { form.fields[$0].parent }
  }

  // MARK: Messages

  /// What is wrong with the messages of a document, if anything.
  func problem(in document: JSON, of form: Form, _ plan: RandomForm) -> String? {
    // A tap flushes what is held back, and only then decides what is shown.
    if plan.isDelayed(in: 0..<form.fields.count), plan.hasFormulasOfVisibility { return nil }
    for (index, field) in form.fields.enumerated()
    where !plan.isDelayed(in: index..<field.end) && !plan.concernsRows(index) {
      let errors = document.state(of: field)?["errors"]?.arrayValue ?? []
      let message = document["messages"]?[field.address]
      if errors.isEmpty {
        if message != nil { return "\(field.address) shows a message without an error" }
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
      if !isTime && !revealed.contains(index) {
        if message != nil { return "\(field.address) shows a message too early" }
      } else if !composing.contains(index), !(editing.contains(index) && field.show == .blur) {
        if message != errors[0]["message"] {
          return "\(field.address) shows \(message ?? "nothing") and not the first of its errors"
        }
      }
    }
    return nil
  }
}

extension JSON {
  /// What a document says of a field.
  func state(of field: Field) -> JSON? { value(at: field.path.flatMap { ["fields", $0] }[...]) }
}
