internal import Forms
internal import JSON

/// A lookup of a session, or of a row.
struct LookupState {
  var machine = LookupMachine()
  /// The answer from a snapshot, a failure too. The first question uses it up.
  private var restored: (key: JSON, answer: LookupMachine.Answer)?

  /// A snapshot has this value, and this answer.
  mutating func restore(_ value: JSON?, _ answer: (key: JSON, answer: LookupMachine.Answer)?) {
    machine.restored(value)
    restored = answer
  }

  /// What a snapshot has of the answer to a question.
  mutating func restoredAnswer(to question: EffectQuestion) -> LookupMachine.Answer? {
    restored.take().flatMap { $0.key == question.key ? $0.answer : nil }
  }
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
