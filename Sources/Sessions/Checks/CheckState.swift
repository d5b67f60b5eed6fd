internal import JSON

/// A check of a session, or of a row.
struct CheckState {
  var machine = CheckMachine()
  /// The answer from a snapshot. The first question uses it up.
  var restored: (key: JSON, answer: CheckMachine.Answer)?
  /// A tap has asked for it: it runs though nobody has touched its field. Until reset.
  var isWanted = false

  /// What a snapshot has of the answer to a question.
  mutating func restoredAnswer(to question: EffectQuestion) -> CheckMachine.Answer? {
    restored.take().flatMap { $0.key == question.key ? $0.answer : nil }
  }

  /// What it counts for in ``Session/computedBytes``.
  var bytes: Int { (machine.answer?.result).bytes }
}
