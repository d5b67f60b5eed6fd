internal import DocumentProperties
internal import Forms
internal import JSON

/// What a lookup makes of a service's response.
enum LookupAnswer: InquiryAnswer {
  case value(JSON?)
  /// The lookup has failed. The text is the reason.
  case failed(String)

  var isGiven: Bool { if case .failed = self { false } else { true } }
}

/// A lookup of a session, or of a row.
///
/// Always true:
/// - While it asks, the value is the one before.
/// - There is an error only while no inquiry is open, and then the value is nil.
/// - A lookup without an inquiry has no value, except between a restore and the first inquiry.
struct LookupState {
  private(set) var machine = InquiryMachine<LookupAnswer>()
  /// While it asks again, the value that it found before.
  private(set) var value: JSON?

  /// The reason why it has found nothing.
  var error: String? { if case .failed(let reason)? = machine.answer { reason } else { nil } }

  /// Whether it will have another answer.
  var isLoading: Bool { machine.isPending }

  /// Whether the value is the answer to its current inquiry.
  var isReliable: Bool { !isLoading && error == nil }

  /// The share of the value and the error in ``Session/computedBytes``.
  var bytes: Int { value.bytes + (error?.utf8.count ?? 0) }

  /// A snapshot has this value, which stays until there is an answer, and this answer.
  mutating func restore(_ value: JSON?, _ answer: (key: JSON, answer: LookupAnswer)?) {
    self.value = value
    if let answer { machine.restore(answer.answer, to: answer.key) }
  }

  /// The snapshot's answer to an inquiry.
  mutating func restoredAnswer(to inquiry: Inquiry) -> LookupAnswer? { machine.restoredAnswer(to: inquiry) }

  /// Tells its machine what has happened.
  mutating func tell(_ event: (inout InquiryMachine<LookupAnswer>) -> InquirySteps?) -> InquirySteps? {
    let steps = event(&machine)
    if !isLoading { value = if case .value(let value)? = machine.answer { value } else { nil } }
    return steps
  }
}

extension Instance {
  /// The state of a lookup of this instance, or of an instance around it. It is nil if the lookup has never asked.
  func lookup(_ number: Int) -> LookupState? {
    instance(of: form.lookups[number].template).instanceExtras?.lookups[number]
  }

  /// The document's content for a lookup of this instance.
  func documentValue(ofLookup lookup: Int, _ property: LookupProperty) -> DocumentValue {
    let state = instanceExtras?.lookups[lookup]
    return switch property {
    case .isLoading: .bool(state?.isLoading ?? false)
    case .value: DocumentValue(state?.value)
    case .error: state?.error.map { .text($0) } ?? .absent
    }
  }
}
