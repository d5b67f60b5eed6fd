internal import DocumentProperties
internal import Forms
internal import JSON

/// One action of a session, as the document shows it.
struct ActionState {
  var flags = ActionFlags.usual
  var attempts: Int32 = 0
  /// The result, error and message of the last outcomes, or nil before the first outcome.
  var outcome: ActionOutcomeState?

  var isEnabled: Bool { flags.contains(ActionFlags(.isEnabled)) }
  var isLoading: Bool { flags.contains(ActionFlags(.isLoading)) }
}

struct ActionFlags: PropertyFlags {
  typealias Property = ActionProperty
  let rawValue: UInt8

  /// The flags in the beginning.
  static let usual = ActionFlags(where: \.isUsuallyTrue)
}

/// The content that outcomes leave in the document. It is replaced as a whole, because the old values of a turn may
/// still refer to it.
final class ActionOutcomeState: Sendable {
  /// The result of the last success.
  let result: JSON?
  /// The error of the last failure. It is nil from the next start on.
  let error: JSON?
  /// The message of the last outcome, success or failure.
  let message: String?

  /// The message in every language, if it comes from the form.
  let texts: LocalizedText?

  var isEmpty: Bool { result == nil && error == nil && message == nil }

  /// Its share of ``Session/computedBytes``.
  var bytes: Int { result.bytes + error.bytes + (message?.utf8.count ?? 0) }

  init(result: JSON?, error: JSON?, message: String?, texts: LocalizedText? = nil) {
    self.result = result
    self.error = error
    self.message = message
    self.texts = texts
  }
}
