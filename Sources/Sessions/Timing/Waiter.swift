internal import Forms

/// The part of a form that waits for an effect or a timer.
package enum Waiter: Hashable, Sendable {
  /// The throttle or debounce of a field of the form (row 0), or of a row.
  case field(row: Int, field: Int)
  case check(Int)
  case lookup(Int)
  case action(Int)

  fileprivate init(_ inquirer: Inquirer) {
    switch inquirer {
    case .check(let index): self = .check(index)
    case .lookup(let index): self = .lookup(index)
    }
  }
}

extension Session {
  /// The part that waits for an effect, or nil if none does any more.
  package func waiter(for effect: EffectID) -> Waiter? {
    guard let extras, let owner = extras.effects.owner(of: effect) else { return nil }
    return switch owner {
    case .inquiry(let inquirer): Waiter(inquirer)
    case .rows: (extras.sharedInquiries.byEffect[effect]?.inquirer).map { Waiter($0) }
    case .run(let action, _): .action(action)
    }
  }

  /// The part that waits for the timer that is due first. Nil if it is the session's clock, or if no timer is set.
  package var timerWaiter: Waiter? {
    guard let extras, let next = extras.timers.next, next.deadline == deadline else { return nil }
    return switch next.kind {
    case .field(let row, let field): .field(row: row, field: field)
    case .debounce(_, let inquirer), .pause(_, let inquirer): Waiter(inquirer)
    case .actionDelay(let action), .heldTap(let action, _), .retry(let action, _): .action(action)
    case .effect(let id): waiter(for: id)
    }
  }

  /// Its name in a definition: a field's address, the id of a check, or the name of a lookup or an action.
  package func name(of waiter: Waiter) -> String {
    switch waiter {
    case .field(let row, let field): address(of: ResolvedAddress(row: row, field: field, rest: []))
    case .check(let index): form.checks[index].id
    case .lookup(let index): form.lookups[index].address
    case .action(let index): form.actions[index].name
    }
  }
}
