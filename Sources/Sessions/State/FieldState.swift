internal import DocumentProperties
internal import Forms
internal import JSON

/// One field of a session.
struct FieldState {
  /// The normalized value. It is nil when absent. It does not contain delayed changes yet.
  ///
  /// For a field with fields below it, the part of its value that is not in these fields. An object has the members
  /// that are not fields. It exists, maybe empty, when the object was given as a whole. Any other value is a value that
  /// is not an object. Nil: the field has a value while a field below it has one. A list with rows has an empty list
  /// here while the list exists, with rows or without.
  var value: JSON?
  // The flags use the bytes that the value's alignment leaves unused.
  var flags = FieldFlags.usual
  /// The errors of the property's own schema. It is empty while the field is absent or hidden.
  var schemaErrors = ErrorList.none
  /// The errors in the document, in the order schema, rules, checks, server. Warnings come after all errors.
  var errors = ErrorList.none
  /// The error whose message is in the document.
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
    // Most fields have none, or one prepared error, which are compared in place.
    switch content.errors {
    case .none: errors.isEmpty
    case .one(.prepared(let reference)): errors.isOnly(reference)
    default: content.errors == errors
    }
  }
}

extension Place<FieldState> {
  /// Gives the field other errors in the document. Returns its old errors.
  @inline(__always)
  func exchangeErrors(_ errors: consuming ErrorList) -> ErrorList {
    swap(&pointee.errors, &errors)
    return errors
  }
}

/// Sums over the fields right below one field. For a list, they are sums over its rows.
struct FieldSums {
  /// Always the number of fields with the flag `isEmpty`. For a list it is 0.
  var empty: Int32 = 0
  /// Always the number of fields without the flag `isValid`.
  var invalid: Int32 = 0
  /// Always the number of fields with the flag `isPending`.
  var pending: Int32 = 0
  /// Always the number of fields with the flag `isDirty`.
  var dirty: Int32 = 0
  /// Always the number of fields with the flag `isFocused`.
  var focused: Int32 = 0
}

extension Reference<FormTables.FieldEntry> {
  /// Whether fields are directly below the field: members, or the elements of its rows. Then it has ``FieldSums``.
  @inline(__always)
  var hasFieldsBelow: Bool { pointee.sums >= 0 }
}

/// The flags of a field. The document shows some of them. For a field with fields below it, `isValid`, `isPending`,
/// `isDirty`, `isTouched`, `isEdited` and `isFocused` apply to the whole.
struct FieldFlags: PropertyFlags {
  typealias Property = FieldProperty
  let rawValue: UInt32

  /// The flags in the beginning.
  static let usual = FieldFlags(where: \.isUsuallyTrue)

  // The flags of ``FieldProperty``, whose list says what each means. `isTouched` and `isEdited` stay until a reset. An
  // input of the current value does not set `isEdited`. `isFocused` begins with a focus or a change, and ends with a
  // blur or a commit.
  static var isVisible: FieldFlags { FieldFlags(.isVisible) }
  static var isEnabled: FieldFlags { FieldFlags(.isEnabled) }
  static var isRequired: FieldFlags { FieldFlags(.isRequired) }
  static var isValid: FieldFlags { FieldFlags(.isValid) }
  static var isPending: FieldFlags { FieldFlags(.isPending) }
  static var isDirty: FieldFlags { FieldFlags(.isDirty) }
  static var isTouched: FieldFlags { FieldFlags(.isTouched) }
  static var isEdited: FieldFlags { FieldFlags(.isEdited) }
  static var isFocused: FieldFlags { FieldFlags(.isFocused) }
  static var isEmpty: FieldFlags { FieldFlags(.isEmpty) }

  // The other flags. Snapshots have some of them, so their bits never change.
  /// An input method is composing.
  static let isComposing = FieldFlags(rawValue: 1 << 9)
  /// The value reads as absent to formulas: there is none, it is hidden, or it is of a wrong type.
  static let readsAsAbsent = FieldFlags(rawValue: 1 << 10)
  /// A message that the policy shows appears although the field is being edited: a tap or an outcome asks for that, or
  /// rows of the field have come, gone or moved. It is removed when the field is computed next.
  static let revealsNow = FieldFlags(rawValue: 1 << 12)
  /// For a field with fields below it: it is an object for the schema to judge, because it has a value, or must have
  /// one.
  static let isJudged = FieldFlags(rawValue: 1 << 13)
  /// The field's own formula requires a value.
  static let isRequiredByFormula = FieldFlags(rawValue: 1 << 14)
  /// For a field with fields below it: the part of its value that is not in fields differs from the initial value.
  static let isDirtyItself = FieldFlags(rawValue: 1 << 15)
  /// A tap has revealed its messages, whatever its policy. Stays until reset.
  static let isRevealed = FieldFlags(rawValue: 1 << 16)
  /// Its value has changed by itself, and no input has changed it since. The next input's sender also gets the new
  /// value, because it may have sent the input before it heard of the change.
  static let hasMoved = FieldFlags(rawValue: 1 << 17)
  /// An earlier row has the same value, and the values must differ.
  static let isDuplicate = FieldFlags(rawValue: 1 << 18)
  /// A formula or the definition's choices (``Field/choiceLimit``) say which values are offered, and the value is none
  /// of them.
  static let isNotOffered = FieldFlags(rawValue: 1 << 19)
  /// The value comes from the field's formula: always for a computed field, and for a suggested field until an input
  /// gives another value.
  static let follows = FieldFlags(rawValue: 1 << 20)
  /// It followed its formula in the beginning, and follows it again after a reset. A field without a formula never has
  /// this flag. A computed field always has it.
  static let beganFollowing = FieldFlags(rawValue: 1 << 21)
  /// For an object: an input has set it to null, or removed it. Until an input gives it a value, or gives one to a
  /// field inside it, defaults in branches of the schema do not fill it.
  static let isRemoved = FieldFlags(rawValue: 1 << 22)
  /// It was null in the beginning, and is removed again after a reset.
  static let beganRemoved = FieldFlags(rawValue: 1 << 23)
  /// Of a computed field: the value has changed since the beginning. No user leaves such a field, so its messages show
  /// from then on. Stays until reset.
  static let hasBeenRecomputed = FieldFlags(rawValue: 1 << 24)
}
