internal import Forms
internal import JSON

/// One field of a session.
struct FieldState {
  /// The normalized value; nil when absent. Changes that are held back are not in it yet.
  ///
  /// Of a field with fields below it: what its value has beside theirs. An object holds the members that are no fields; it is there, maybe
  /// empty, when the object was given as a whole. Anything else is a value that is no object. Nil: the field has a value while a field
  /// below it has one. Of a list with rows: an empty list where there is one, with rows or without.
  var value: JSON?
  // They lie in the bytes that the value's alignment leaves over.
  var flags: FieldFlags = [.isVisible, .isEnabled, .isValid]
  /// The errors of the property's own schema; empty while the field is absent or hidden.
  var schemaErrors = ErrorList.none
  /// The errors as they stand in the document: schema, rules, checks, server.
  var errors = ErrorList.none
  /// The error whose message stands in the document.
  var displayed: FieldError?
}

extension Borrowed<FieldState> {
  /// Whether the schema has found errors in the value.
  @inline(__always)
  borrowing func hasSchemaErrors() -> Bool {
    switch content.schemaErrors {
    case .none: false
    default: true
    }
  }

  /// Whether these are the errors in the document.
  @inline(__always)
  borrowing func hasErrors(_ errors: ErrorList) -> Bool {
    // Most fields have none, or one that was prepared: these are compared where they are.
    switch content.errors {
    case .none: errors.isEmpty
    case .one(.prepared(let reference)): errors.isOnly(reference)
    default: content.errors == errors
    }
  }
}

extension UnsafeMutablePointer<FieldState> {
  /// Gives the field other errors in the document. Returns those that it had.
  @inline(__always)
  func exchangeErrors(_ errors: consuming ErrorList) -> ErrorList {
    swap(&pointee.errors, &errors)
    return errors
  }
}

/// Sums over the fields right below one field; of a list, over its rows.
struct GroupState {
  /// Always the number of those with the flag `isAbsent`; of a list 0.
  var absent: Int32 = 0
  /// Always the number of those without the flag `isValid`.
  var invalid: Int32 = 0
  /// Always the number of those with the flag `isPending`.
  var pending: Int32 = 0
  /// Always the number of those with the flag `isDirty`.
  var dirty: Int32 = 0
  /// Always the number of those with the flag `isEditing`.
  var editing: Int32 = 0
}

/// The flags of a field; some of them stand in the document. Of a field with fields below it, `isValid`, `isPending`, `isDirty`,
/// `isTouched`, `isEdited` and `isEditing` speak of the whole.
struct FieldFlags: OptionSet {
  let rawValue: UInt32

  /// It is shown: neither its own formula nor that of a field around it says no.
  static let isVisible = FieldFlags(rawValue: 1 << 0)
  static let isEnabled = FieldFlags(rawValue: 1 << 1)
  static let isRequired = FieldFlags(rawValue: 1 << 2)
  /// No error blocks and no check is pending; a hidden field is valid.
  static let isValid = FieldFlags(rawValue: 1 << 3)
  static let isPending = FieldFlags(rawValue: 1 << 4)
  /// The value differs from the initial one.
  static let isDirty = FieldFlags(rawValue: 1 << 5)
  /// The user has left the field once. Stays until reset.
  static let isTouched = FieldFlags(rawValue: 1 << 6)
  /// The user has changed the value once: an input that left the value as it was did not. Stays until reset.
  static let isEdited = FieldFlags(rawValue: 1 << 7)
  /// Between focus or a change and blur or commit.
  static let isEditing = FieldFlags(rawValue: 1 << 8)
  /// An input method is composing.
  static let isComposing = FieldFlags(rawValue: 1 << 9)
  /// The value reads as absent to formulas: there is none, it is hidden, or it is of a wrong type.
  static let readsAsAbsent = FieldFlags(rawValue: 1 << 10)
  /// There is no value (or it is hidden), so only `required` applies.
  static let isAbsent = FieldFlags(rawValue: 1 << 11)
  /// A message that the policy shows appears although the field is being edited: a tap or an outcome asks for that. Goes when the
  /// field is computed next.
  static let revealsNow = FieldFlags(rawValue: 1 << 12)
  /// Of a field with fields below it: it is an object for the schema to judge, because it has a value, or must have one.
  static let isJudged = FieldFlags(rawValue: 1 << 13)
  /// The field's own formula says that it must have a value.
  static let isRequiredByFormula = FieldFlags(rawValue: 1 << 14)
  /// Of a field with fields below it: its value differs from the initial one in what is no field.
  static let isDirtyItself = FieldFlags(rawValue: 1 << 15)
  /// A tap has revealed its messages, whatever its policy. Stays until reset.
  static let isRevealed = FieldFlags(rawValue: 1 << 16)
  /// Its value has moved by itself, and no input has changed it since. The next change is told to its sender, too, who may have sent it
  /// before hearing of the move.
  static let hasMoved = FieldFlags(rawValue: 1 << 17)
  /// A row before has the same value, and the values must differ.
  static let isDuplicate = FieldFlags(rawValue: 1 << 18)
  /// A formula says what can be chosen, and the value is not among that.
  static let isNotOffered = FieldFlags(rawValue: 1 << 19)
  /// The value is that of the field's formula: always of a computed field, of a suggested one until an input gives it another.
  static let follows = FieldFlags(rawValue: 1 << 20)
  /// It followed its formula in the beginning, and does again after a reset. Never without a formula; always of a computed field.
  static let beganFollowing = FieldFlags(rawValue: 1 << 21)
}

/// One action of a session, as the document shows it.
struct ActionState {
  var isEnabled = false
  var isLoading = false
  var attempts: Int32 = 0
  /// The result, error and message of the last outcomes; nil until there was one.
  var outcome: ActionOutcomeState?
}

/// What outcomes leave in the document. It is replaced as a whole: the old values of a turn may still refer to it.
final class ActionOutcomeState: Sendable {
  /// The result of the last success.
  let result: JSON?
  /// The error of the last failure; nil from the next start on.
  let error: JSON?
  /// The message of the last outcome, success or failure.
  let message: String?

  /// The message in every language, where the form has it.
  let texts: LocalizedText?

  var isEmpty: Bool { result == nil && error == nil && message == nil }

  /// What it counts for in ``Session/computedBytes``.
  var bytes: Int { result.bytes + error.bytes + (message?.utf8.count ?? 0) }

  init(result: JSON?, error: JSON?, message: String?, texts: LocalizedText? = nil) {
    self.result = result
    self.error = error
    self.message = message
    self.texts = texts
  }
}
