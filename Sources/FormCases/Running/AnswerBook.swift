internal import JSON

/// The answers that a case promises, and how often each was used.
struct AnswerBook {
  /// One promised answer.
  struct Entry {
    let answer: PromisedAnswer
    let pattern: JSON
    /// The number of requests that it answered.
    var used = 0

    var isUsedUp: Bool {
      switch answer.times ?? .exactly(1) {
      case .exactly(let count): used >= count
      case .any: false
      }
    }

    /// The number of requests that it still waits for.
    var missing: Int {
      switch answer.times ?? .exactly(1) {
      case .exactly(let count): max(count - used, 0)
      case .any: 0
      }
    }
  }

  /// In the order of the file.
  private(set) var entries: [Entry]

  init(_ answers: [PromisedAnswer]) {
    entries = answers.map { Entry(answer: $0, pattern: $0.pattern) }
  }

  /// The answer to a request: the first matching answer that is not used up; nil if there is none.
  mutating func take(for request: JSON) -> PromisedAnswer? {
    let position = entries.firstIndex { !$0.isUsedUp && PartialComparison.agrees(expected: $0.pattern, got: request) }
    guard let position else { return nil }
    entries[position].used += 1
    return entries[position].answer
  }

  /// Explains why no answer matches a request.
  func whyNone(for request: JSON) -> String {
    if entries.isEmpty { return "the case has no answers" }
    if let used = entries.firstIndex(where: { PartialComparison.agrees(expected: $0.pattern, got: request) }) {
      return "answer \(used) matches, but is used up; set \"times\" to the number of requests that it answers"
    }
    // The nearest answer differs in the fewest values.
    let nearest = entries.enumerated().map { position, entry in
      (position, PartialComparison.differences(expected: entry.pattern, got: request))
    }.min { $0.1.count < $1.1.count }
    guard let (position, differences) = nearest, let first = differences.first else { return "no answer matches" }
    let there = first.got.map(\.description) ?? "nothing"
    return
      "the closest is answer \(position): it expects \(first.expected) at \(first.pointer.description), not \(there)"
  }
}
