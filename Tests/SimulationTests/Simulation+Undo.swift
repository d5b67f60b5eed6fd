import Forms
import JSON
import Sessions

/// Edits that are taken back and repeated.
extension Simulation {
  /// What an edit can change: the values, and the identities of the rows of each list.
  struct Contents: Equatable {
    let values: JSON
    let rows: [String: [Int]]
  }

  /// The contents before a step of a user whose edit is taken back at once, to see that they come back. Nil for other
  /// steps.
  mutating func contentsBefore(_ next: RandomStep) -> Contents? {
    // A field that a program changes, or that reads time or answers, may move by itself.
    guard plan.hasUndo, plan.lookups.isEmpty, plan.checks.isEmpty, plan.time == nil, !plan.hasSecrets,
      !plan.fields.contains(where: \.isDelayed), turns % 3 == 0
    else { return nil }
    switch next {
    case .change(_, let origin, _, _) where origin == .user || origin == .autofill: break
    case .insert, .remove, .move, .toggle, .resetField, .reset(keepValues: false): break
    default: return nil
    }
    // The step does not continue an earlier edit.
    apply(.setContext(context ?? [:]))
    return contents
  }

  private var contents: Contents {
    var rows: [String: [Int]] = [:]
    for target in session.targets where session.isList(target) {
      rows[session.address(of: target)] = session.rows(of: target)
    }
    return Contents(values: session.values(includingSecrets: true), rows: rows)
  }

  /// The step is taken back, and repeated.
  mutating func checkUndo(of step: RandomStep, from before: Contents) {
    guard finding == nil else { return }
    let after = contents
    if after == before { return }
    if kept["canUndo"] != true { return found("\(step) cannot be taken back") }
    if kept["canRedo"] != false { return found("\(step) has left something to be repeated") }
    apply(.undo)
    guard finding == nil else { return }
    if contents != before { return found("taken back, \(step) leaves \(contents), and it was \(before)") }
    if kept["canRedo"] != true { return found("\(step) cannot be repeated") }
    apply(.redo)
    if finding == nil, contents != after { found("repeated, \(step) gives \(contents), and it gave \(after)") }
  }
}

extension Input {
  /// Whether it takes an edit back, or repeats one.
  var takesBack: Bool {
    switch self {
    case .undo, .redo: true
    default: false
    }
  }
}

extension JSON {
  /// A document without what can be taken back: a session that was migrated has no edits.
  var withoutUndo: JSON {
    var members = objectValue ?? [:]
    members["canUndo"] = nil
    members["canRedo"] = nil
    return .object(members)
  }
}
