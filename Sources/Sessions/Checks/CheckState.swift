internal import JSON

/// A check of a session: where it stands, and what it remembers.
struct CheckState {
  var machine = CheckMachine()
  var answers = CheckAnswers()
  /// A tap has asked for it: it runs though nobody has touched its field. Until reset.
  var isWanted = false
}

extension CheckState {
  /// What it counts for in ``Session/computedBytes``.
  var bytes: Int { answers.bytes + (machine.answer?.result).bytes }
}

/// Answers that are used again when their question comes again. Never failures of the service.
struct CheckAnswers {
  private struct Kept {
    let key: JSON
    let answer: CheckMachine.Answer

    var bytes: Int {
      let bytes = key.approximateBytes + answer.result.bytes
      guard case .invalid(.detailed(let detail)) = answer.verdict else { return bytes }
      return bytes + detail.message.utf8.count + JSON.object(detail.parameters).approximateBytes
    }
  }

  /// A question and what its answer came to are not kept when they are larger than this.
  private static let bytesMax = 4_096

  /// The answer from a snapshot. The first question uses it up.
  var restored: (key: JSON, answer: CheckMachine.Answer)?
  /// Oldest first.
  private var kept: [Kept] = []

  /// How many are kept.
  var count: Int { kept.count }

  /// What the answers count for in ``Session/computedBytes``.
  var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

  /// The answer to a question, if it is known.
  mutating func answer(to question: EffectQuestion) -> CheckMachine.Answer? {
    if let restored = restored.take(), restored.key == question.key { return restored.answer }
    return kept(to: question)
  }

  /// The same of those that are kept, which none uses up.
  func kept(to question: EffectQuestion) -> CheckMachine.Answer? {
    kept.first { $0.key == question.key }?.answer
  }

  /// Keeps an answer, and forgets the oldest where there are more than `countMax` of them.
  mutating func keep(_ answer: CheckMachine.Answer, to question: EffectQuestion, countMax: Int) {
    let new = Kept(key: question.key, answer: answer)
    guard answer.isGiven, countMax > 0, new.bytes <= Self.bytesMax else { return }
    if kept.count >= countMax { kept.removeFirst() }
    kept.append(new)
  }
}
