internal import Forms
internal import JSON

/// A lookup of a session: where it stands, and what it remembers.
struct LookupState {
  var machine = LookupMachine()
  var answers = LookupAnswers()

  /// What it counts for in ``Session/computedBytes``.
  var bytes: Int { machine.bytes + answers.bytes }
}

extension Instance {
  /// Where a lookup of this instance, or of one around it, stands; nil where it has never asked.
  func lookup(_ index: Int) -> LookupMachine? {
    instance(of: form.lookups[index].template).own?.lookups[index].machine
  }

  /// What the document says of a lookup of this instance.
  func documentValue(ofLookup index: Int, _ cell: DocumentLayout.LookupCell) -> DocumentValue {
    let machine = own?.lookups[index].machine
    return switch cell {
    case .isLoading: .bool(machine?.isLoading ?? false)
    case .value: DocumentValue(machine?.value)
    case .error: machine?.error.map { .text($0) } ?? .absent
    }
  }
}

/// Answers that are used again when their question comes again. Never failures, but for the one of a snapshot.
struct LookupAnswers {
  private struct Kept {
    let key: JSON
    let value: JSON?

    var bytes: Int { key.approximateBytes + value.bytes }
  }

  /// A question and its answer are not kept when they are larger than this.
  static let bytesMax = 65_536

  /// The answer from a snapshot. The first question uses it up.
  var restored: (key: JSON, answer: LookupMachine.Answer)?
  /// Oldest first.
  private var kept: [Kept] = []

  /// How many are kept.
  var count: Int { kept.count }

  /// What they count for in ``Session/computedBytes``.
  var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

  /// The answer to a question, if it is known.
  mutating func answer(to question: EffectQuestion) -> LookupMachine.Answer? {
    if let restored = restored.take(), restored.key == question.key { return restored.answer }
    return kept(to: question)
  }

  /// The same of those that are kept, which none uses up.
  func kept(to question: EffectQuestion) -> LookupMachine.Answer? {
    kept.first { $0.key == question.key }.map { .value($0.value) }
  }

  /// Keeps an answer, and forgets the oldest where there are more than `countMax` of them.
  mutating func keep(_ answer: LookupMachine.Answer, to question: EffectQuestion, countMax: Int) {
    guard case .value(let value) = answer, !kept.contains(where: { $0.key == question.key }) else { return }
    let new = Kept(key: question.key, value: value)
    guard countMax > 0, new.bytes <= Self.bytesMax else { return }
    if kept.count >= countMax { kept.removeFirst() }
    kept.append(new)
  }
}
