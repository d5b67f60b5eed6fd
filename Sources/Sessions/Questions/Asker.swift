internal import Forms

/// What asks a question: a check or a lookup, by its address. In rows each row asks for itself, and what is known is known to all.
enum Asker: Hashable {
  case check(Int)
  case lookup(Int)

  var isLookup: Bool { if case .lookup = self { true } else { false } }
}

extension Form {
  /// How long nothing must change before it asks, how long it waits for an answer, and how many answers of a session are used again.
  func terms(of asker: Asker) -> (debounce: Duration?, timeout: Duration, cacheCount: Int) {
    switch asker {
    case .check(let index): (checks[index].debounce, checks[index].timeout, checks[index].cacheCount)
    case .lookup(let index): (lookups[index].debounce, lookups[index].timeout, lookups[index].cacheCount)
    }
  }
}
