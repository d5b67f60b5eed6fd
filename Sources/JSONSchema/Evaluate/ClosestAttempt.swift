internal import JSON

/// What several schemas say of one value that meets none of them, or one schema of several values; and which of them comes closest: the
/// one that fails deepest inside of the value, of those the one that fails in the fewest ways, of those the first.
struct ClosestAttempt {
  /// By attempt, in the order in which they were made.
  private let attempts: [[Failure]]
  private let depths: [Int]
  /// Positions of attempts, the closest first.
  let ranking: [Int]

  /// Among so many failures of each attempt those are looked for that all have.
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

  /// The same, for attempts at one value. Where every attempt asks the same place for another type, or for other constants, that is all there
  /// is to say, and the failure has what all of them would take.
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

  /// How deep in the instance lies what would have to be mended. An object that lacks a member, or has one too many, is that itself.
  fileprivate var depth: Int {
    let own = instanceLocation.tokens.count
    switch (keyword, parameters) {
    case (.anyOf, _), (.oneOf, _): return causes.map(\.depth).max() ?? own
    case (.propertyNames, _): return own
    case (_, .property), (_, .item): return own - 1
    default: return own
    }
  }

  /// The failure that asks for what either of two asks for; nil if they ask different places, or in different ways.
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
