internal import Forms
internal import JSON

/// The request that a tap sends. It is fixed when the tap has passed the form, even if its run begins later.
struct Submission {
  /// The receiver of the run's request.
  enum Request {
    /// The action has no `run`, so its outcome is known at once.
    case nothing
    /// A formula of the request went wrong, so nothing is sent.
    case faulted(RequestError)
    case effect(EffectRequest)
  }

  let request: Request
  /// The values at the tap of the fields that an outcome may give errors to.
  let values: [Int: JSON?]
  /// All values, if an outcome may give errors to any value.
  let sent: SentValues?
  /// About the bytes of all that.
  let bytes: Int

  init(request: Request, values: [Int: JSON?], sent: SentValues? = nil) {
    self.request = request
    self.values = values
    self.sent = sent
    var bytes = (sent?.bytes ?? 0) + values.values.reduce(0) { $0 + $1.bytes }
    if case .effect(let request) = request { bytes += request.comparable.approximateBytes }
    self.bytes = bytes
  }

  /// Distinguishes its request from other requests of its action. Nil if the request has no idempotency key, or has a
  /// secret: a guess of the secret could be compared with the fingerprint.
  func fingerprint(for action: Action) -> String? {
    guard action.isIdempotent, let plan = action.request, !plan.readsSecret, case .effect(let request) = request else {
      return nil
    }
    return JSONFingerprint(request.comparable).text
  }
}

struct ActionRun {
  let submission: Submission
  /// Its number in the session.
  let number: Int
  /// The number in its request's idempotency key: its own, or the number of an interrupted run with the same request.
  let keyNumber: Int
  /// Tries that have ended and were followed by another try.
  var retries = 0
}

/// A run with an idempotency key that was interrupted: its service may have executed it. The next run of the action has
/// the same key if its request is the same.
struct InterruptedRun {
  /// The number in its request's key.
  let keyNumber: Int
  /// The fingerprint of its request.
  let request: String
}
