internal import JSON

/// One field of a session.
struct FieldState {
  /// The normalised value; nil when absent. What throttle or debounce hold back is not here yet.
  var value: JSON?
  /// What the property's own schema says about the value; empty while the field is absent or hidden.
  var schemaErrors = ErrorList.none
  /// The errors as they stand in the document: schema, rules, checks, server.
  var errors = ErrorList.none
  /// The error whose message stands in the document.
  var displayed: FieldError?
  var flags: FieldFlags = [.isVisible, .isEnabled, .isValid]
}

/// The truths about a field; those of the document among them.
struct FieldFlags: OptionSet {
  let rawValue: UInt16

  static let isVisible = FieldFlags(rawValue: 1 << 0)
  static let isEnabled = FieldFlags(rawValue: 1 << 1)
  static let isRequired = FieldFlags(rawValue: 1 << 2)
  /// No error blocks and no check is pending; a hidden field is valid.
  static let isValid = FieldFlags(rawValue: 1 << 3)
  static let isPending = FieldFlags(rawValue: 1 << 4)
  /// The value differs from the initial one.
  static let isDirty = FieldFlags(rawValue: 1 << 5)
  /// An editing has ended. Sticks until reset.
  static let isTouched = FieldFlags(rawValue: 1 << 6)
  /// The user has changed the value. Sticks until reset.
  static let isEdited = FieldFlags(rawValue: 1 << 7)
  /// Between focus or a change and blur or commit.
  static let isEditing = FieldFlags(rawValue: 1 << 8)
  /// An input method is composing.
  static let isComposing = FieldFlags(rawValue: 1 << 9)
  /// The value reads as absent to formulas: there is none, it is hidden, or it is of a wrong type.
  static let readsAsAbsent = FieldFlags(rawValue: 1 << 10)
  /// There is no value (or it is hidden), so only `required` applies.
  static let isAbsent = FieldFlags(rawValue: 1 << 11)
  /// A tap wants the message shown whatever the policy; consumed when the field is next computed.
  static let revealsNow = FieldFlags(rawValue: 1 << 12)
}

/// One action of a session, as the document shows it.
struct ActionState {
  var isEnabled = false
  var isLoading = false
  var attempts: Int32 = 0
  /// What the last outcomes left; nil until there was one.
  var outcome: ActionOutcomeState?
}

/// What outcomes leave in the document. Replaced whole, never changed in place: earlier turns may still hold it.
final class ActionOutcomeState: Sendable {
  /// Of the last success.
  let result: JSON?
  /// Of the last failure; gone at the next start.
  let error: JSON?
  /// Of the last outcome; gone at the next start.
  let message: String?

  init(result: JSON?, error: JSON?, message: String?) {
    self.result = result
    self.error = error
    self.message = message
  }
}
