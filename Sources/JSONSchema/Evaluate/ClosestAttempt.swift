internal import JSON

/// The failures of several schemas for one value that meets none of them, or of one schema for several values. It also
/// selects the closest attempt: the attempt that fails deepest inside the value. If several fail equally deep, it is
/// the one with the fewest failures; after that, the first.
struct ClosestAttempt {
  /// By attempt, in the order in which they were made.
  private let attempts: [[Failure]]
  private let depths: [Int]
  /// Positions of attempts, the closest first.
  let ranking: [Int]

  /// Only this many failures of each attempt are searched for the failures that all attempts have.
  private static let sharedMax = 20

  init(_ attempts: [[Failure]]) {
    self.attempts = attempts
    let depths = attempts.map { $0.map(\.depth).max() ?? 0 }
    self.depths = depths
    ranking = attempts.indices.sorted { left, right in
      (-depths[left], attempts[left].total, left) < (-depths[right], attempts[right].total, right)
    }
  }

  /// Whether no other fails as deep.
  var standsOut: Bool { ranking.count > 1 && depths[ranking[0]] > depths[ranking[1]] }

  /// Why the closest does not hold.
  var closest: [Failure] { ranking.first.map { attempts[$0] } ?? [] }

  /// The same, for attempts at one value. If every attempt asks the same value for another type, or for other
  /// constants, one failure is enough: it has the types or constants of all attempts.
  var failures: [Failure] {
    guard ranking.count > 1 else { return closest }
    let shared = closest.prefix(Self.sharedMax).compactMap { failure in
      ranking.dropFirst().reduce(Optional(failure)) { joined, attempt in
        guard let joined else { return nil }
        return attempts[attempt].prefix(Self.sharedMax).lazy.compactMap { joined.joined(with: $0) }.first
      }
    }
    return shared.isEmpty ? closest : shared
  }

  /// Why none holds, the closest first.
  var all: [Failure] { ranking.flatMap { attempts[$0] } }
}

extension [Failure] {
  /// How many there are, with their causes.
  var total: Int { reduce(0) { $0 + 1 + $1.causes.total } }
}

extension Failure {
  /// The failure with no more causes than that there are so many failures.
  func cut(to limit: Int) -> Failure {
    guard !causes.isEmpty, 1 + causes.total > limit else { return self }
    var cut = self
    var left = limit - 1
    cut.causes = []
    for cause in causes where left > 0 {
      cut.causes.append(cause.cut(to: left))
      left -= 1 + cut.causes[cut.causes.count - 1].causes.total
    }
    return cut
  }

  /// The depth in the instance of the value that has to be corrected. If an object lacks a member or has one too many,
  /// that is the object itself.
  fileprivate var depth: Int {
    let own = instanceLocation.tokens.count
    switch (keyword, parameters) {
    case (.anyOf, _), (.oneOf, _): return causes.map(\.depth).max() ?? own
    case (.propertyNames, _): return own
    case (_, .property), (_, .item): return own - 1
    default: return own
    }
  }

  /// The failure that asks for the values of either of two failures; nil if they ask different values, or in different
  /// ways.
  fileprivate func joined(with other: Failure) -> Failure? {
    guard instanceLocation == other.instanceLocation else { return nil }
    var joined = self
    switch (parameters, other.parameters) {
    case (.types(let types, let actual), .types(let more, _)):
      joined.parameters = .types(expected: types + more.filter { !types.contains($0) }, actual: actual)
    case (.allowed(let values), .allowed(let more)):
      joined.parameters = .allowed(values + more.filter { !values.contains($0) })
    default:
      return nil
    }
    return joined
  }
}
