internal import JSON

/// The result of a check after an answer.
struct CheckAnswer: InquiryAnswer {
  enum Verdict {
    case valid
    case invalid(FieldError)
    /// The service failed. The value is the error that `onFailure` leaves, if any. The next tap tries again.
    case failed(FieldError?)
  }

  let verdict: Verdict
  /// The value that formulas read of it.
  var result: JSON?

  var isGiven: Bool { if case .failed = verdict { false } else { true } }

  /// The error that it leaves at the check's field.
  var error: FieldError? {
    switch verdict {
    case .valid: nil
    case .invalid(let error): error
    case .failed(let error): error
    }
  }
}

/// A check of a session, or of a row.
struct CheckState {
  var machine = InquiryMachine<CheckAnswer>()
  /// A tap has asked for it, so it runs even if its field is untouched. It stays set until a reset.
  var isWanted = false
  /// The user has left a field, or a tap has asked for it: it asks about the values as they are. The next computation
  /// of the check uses it up. Checks that ask at every change do not need it.
  var isDue = false

  /// The value that formulas read of its answer.
  var result: JSON? { machine.answer?.result }

  /// The error that it leaves at its field.
  var error: FieldError? { machine.answer?.error }

  /// The error that the failure of its service has left.
  var failure: FieldError? { machine.hasFailed ? error : nil }

  /// Its share of ``Session/computedBytes``.
  var bytes: Int { result.bytes }
}
