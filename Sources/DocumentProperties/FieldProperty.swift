/// The properties of a field. The shown message is none of them: the document and formulas have it under `messages`.
@frozen public enum FieldProperty: UInt8, PropertyList {
  /// In the document.
  case isVisible, isEnabled, isRequired, isValid, isPending, isDirty, isTouched, isEmpty, errors, options, order
  /// Only in formulas.
  case isEdited, isFocused

  /// How many properties there are.
  @inlinable public static var count: Int { isFocused.position + 1 }
  /// How many of them are in the document.
  @inlinable public static var cellCount: Int { order.position + 1 }

  /// What formd knows about it.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isVisible: .truth("isVisible", bit: 0, usual: true, formula: .bool, "Whether the field is shown.")
    case .isEnabled: .truth("isEnabled", bit: 1, usual: true, formula: nil, "Whether the field can be changed.")
    case .isRequired: .truth("isRequired", bit: 2, usual: false, formula: nil, "Whether the field must have a value.")
    case .isValid:
      .truth(
        "isValid",
        bit: 3,
        usual: true,
        formula: .bool,
        "Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid."
      )
    case .isPending:
      .truth(
        "isPending",
        bit: 4,
        usual: false,
        formula: .bool,
        "Whether a check of the field is in progress, or a lookup for its options."
      )
    case .isDirty:
      .truth("isDirty", bit: 5, usual: false, formula: .bool, "Whether the value differs from the initial value.")
    case .isTouched:
      .truth("isTouched", bit: 6, usual: false, formula: .bool, kept: true, "Whether the user has left the field once.")
    case .isEmpty:
      .truth("isEmpty", bit: 11, usual: false, formula: .bool, "Whether the field has no value, or is hidden.")
    case .errors: Property("errors", .errors, formula: nil, "All errors of the field.")
    case .options: Property("options", .value, formula: nil, "The choices that a formula gives.")
    case .order: Property("order", .rows, formula: nil, "The identities of a list's rows, in order.")
    case .isEdited:
      .truth(
        "isEdited",
        bit: 7,
        usual: false,
        formula: .bool,
        inDocument: false,
        kept: true,
        "Whether the user has changed the value once."
      )
    case .isFocused:
      .truth(
        "isFocused",
        bit: 8,
        usual: false,
        formula: .bool,
        inDocument: false,
        kept: true,
        "Whether the user is in the field."
      )
    }
  }
}
