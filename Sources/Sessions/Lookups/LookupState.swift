internal import Forms
internal import JSON

/// What an answer to a lookup comes to.
enum LookupAnswer: QuestionAnswer {
  case value(JSON?)
  /// The lookup has failed, for that reason.
  case failed(String)

  var isGiven: Bool { if case .failed = self { false } else { true } }
}

/// A lookup of a session, or of a row.
///
/// Always true:
/// - While it asks, the value is the one before.
/// - There is an error only while it asks nothing, and then there is no value.
/// - One that has nothing to ask has no value, but between a restore and the first question.
struct LookupState {
  private(set) var machine = QuestionMachine<LookupAnswer>()
  /// What it has found.
  private(set) var value: JSON?

  /// Why it has found nothing.
  var error: String? { if case .failed(let reason)? = machine.answer { reason } else { nil } }

  /// Whether it will have another answer.
  var isLoading: Bool { machine.isPending }

  /// Whether the value is the answer to what is asked now.
  var isReliable: Bool { !isLoading && error == nil }

  /// What value and error count for in ``Session/computedBytes``.
  var bytes: Int { value.bytes + (error?.utf8.count ?? 0) }

  /// A snapshot has this value, which stands until there is an answer, and this answer.
  mutating func restore(_ value: JSON?, _ answer: (key: JSON, answer: LookupAnswer)?) {
    self.value = value
    if let answer { machine.restore(answer.answer, to: answer.key) }
  }

  /// What a snapshot has of the answer to a question.
  mutating func restoredAnswer(to question: EffectQuestion) -> LookupAnswer? { machine.restoredAnswer(to: question) }

  /// Tells its machine what has happened.
  mutating func tell(_ event: (inout QuestionMachine<LookupAnswer>) -> QuestionSteps?) -> QuestionSteps? {
    let steps = event(&machine)
    if !isLoading { value = if case .value(let value)? = machine.answer { value } else { nil } }
    return steps
  }
}

extension Instance {
  /// Where a lookup of this instance, or of one around it, stands; nil where it has never asked.
  func lookup(_ index: Int) -> LookupState? {
    instance(of: form.lookups[index].template).own?.lookups[index]
  }

  /// What the document says of a lookup of this instance.
  func documentValue(ofLookup index: Int, _ cell: DocumentLayout.LookupCell) -> DocumentValue {
    let state = own?.lookups[index]
    return switch cell {
    case .isLoading: .bool(state?.isLoading ?? false)
    case .value: DocumentValue(state?.value)
    case .error: state?.error.map { .text($0) } ?? .absent
    }
  }
}
