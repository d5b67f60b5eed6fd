internal import JSON

/// A check of a session: where it stands, and what it remembers.
struct CheckState {
  var machine = CheckMachine()
  var answers = CheckAnswers()
  /// A tap has asked for it: it runs though nobody has touched its field. Until reset.
  var isWanted = false
}

/// Answers that are used again when their question comes again. Never failures of the service.
struct CheckAnswers {
  struct Answer {
    let key: JSON
    let verdict: CheckMachine.Verdict

    /// What it counts for in ``Session/computedBytes``.
    var bytes: Int {
      guard case .invalid(.detailed(let detail)) = verdict else { return key.approximateBytes }
      return key.approximateBytes + detail.message.utf8.count + JSON.object(detail.parameters).approximateBytes
    }
  }

  /// A question and what its answer came to are not kept when they are larger than this.
  private static let bytesMax = 4_096

  /// The answer from a snapshot. The first question uses it up.
  var restored: Answer?
  /// Oldest first.
  private(set) var kept: [Answer] = []

  /// What the answers count for in ``Session/computedBytes``.
  var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

  /// The answer to a question, if it is known.
  mutating func verdict(on question: EffectQuestion) -> CheckMachine.Verdict? {
    if let restored = restored.take(), restored.key == question.key { return restored.verdict }
    return kept(on: question)
  }

  /// The same of those that are kept, which none uses up.
  func kept(on question: EffectQuestion) -> CheckMachine.Verdict? {
    kept.first { $0.key == question.key }?.verdict
  }

  /// Keeps an answer, and forgets the oldest where there are more than `countMax` of them.
  mutating func keep(_ verdict: CheckMachine.Verdict, on question: EffectQuestion, countMax: Int) {
    if case .failed = verdict { return }
    let answer = Answer(key: question.key, verdict: verdict)
    guard countMax > 0, answer.bytes <= Self.bytesMax else { return }
    if kept.count >= countMax { kept.removeFirst() }
    kept.append(answer)
  }
}
