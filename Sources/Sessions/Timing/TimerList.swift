internal import Times

/// The deadlines of one session. There are few at a time, so a linear search is enough.
struct TimerList {
  enum Kind: Hashable {
    /// The throttle or debounce of a field of the form (row 0), or of a row.
    case field(row: Int, field: Int)
    /// The debounce of a check or a lookup of the form (row 0), or of a row.
    case debounce(row: Int, of: Inquirer)
    /// The pause before a check or a lookup of the form (row 0), or of a row, asks again.
    case pause(row: Int, of: Inquirer)
    /// The throttle or debounce of an action.
    case actionDelay(Int)
    /// The longest wait of a tap that waits for checks once more.
    case heldTap(action: Int, token: UInt64)
    /// The timeout of an effect.
    case effect(EffectID)
    /// The pause before a run is tried again.
    case retry(action: Int, token: UInt64)
  }

  /// At most one per kind.
  private var entries: [(deadline: Instant, kind: Kind)] = []

  /// The earliest deadline.
  var deadline: Instant? { entries.lazy.map(\.deadline).min() }

  /// The entry that is due first. If deadlines are equal, it is the one that was set first.
  var next: (deadline: Instant, kind: Kind)? { entries.min { $0.deadline < $1.deadline } }

  /// Whether a field's throttle or debounce has a deadline.
  var hasFields: Bool {
    entries.contains {
      if case .field = $0.kind { true } else { false }
    }
  }

  /// Sets, moves or (with nil) removes a deadline.
  mutating func set(_ kind: Kind, to deadline: Instant?) {
    entries.removeAll { $0.kind == kind }
    if let deadline { entries.append((deadline, kind)) }
  }

  /// Takes out the earliest deadline that is due. If deadlines are equal, it is the one that was set first.
  mutating func popDue(at now: Instant) -> Kind? {
    guard let first = entries.indices.min(by: { entries[$0].deadline < entries[$1].deadline }),
      entries[first].deadline <= now
    else { return nil }
    return entries.remove(at: first).kind
  }

  /// The kinds with a deadline, in the order set.
  var kinds: [Kind] { entries.map(\.kind) }

  /// The deadline of that kind, if it has one.
  func deadline(of kind: Kind) -> Instant? { entries.first { $0.kind == kind }?.deadline }

  /// Removes all deadlines except the deadlines of lookups, and of effects that are under way.
  mutating func removeAll(but effects: EffectsUnderWay) {
    entries.removeAll { entry in
      switch entry.kind {
      case .debounce(_, let inquirer), .pause(_, let inquirer): !inquirer.isLookup
      case .effect(let id): !effects.contains(id)
      case .field, .actionDelay, .heldTap, .retry: true
      }
    }
  }
}
