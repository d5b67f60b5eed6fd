/// The properties of a field. The shown message is none of them: the document and formulas have it under `messages`.
@frozen public enum FieldProperty: UInt8, PropertyList {
  /// In the document.
  case isVisible, isEnabled, isRequired, isValid, isPending, isDirty, isTouched, isEmpty, errors, options, text, reason,
    order
  /// Only in formulas.
  case isEdited, isFocused

  /// The number of properties.
  @inlinable public static var count: Int { isFocused.position + 1 }
  /// The number of properties in the document.
  @inlinable public static var cellCount: Int { order.position + 1 }

  /// The entry of the property in this list.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isVisible: .flag("isVisible", bit: 0, usual: true, by: .visible, "Whether the field is shown.")
    case .isEnabled:
      .flag("isEnabled", bit: 1, usual: true, formula: nil, by: .enabled, "Whether the field can be changed.")
    case .isRequired:
      .flag(
        "isRequired",
        bit: 2,
        formula: nil,
        by: .required,
        "Whether the field must have a value, if the object around it has one."
      )
    case .isValid:
      .flag(
        "isValid",
        bit: 3,
        usual: true,
        by: .status,
        "Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid."
      )
    case .isPending:
      .flag(
        "isPending",
        bit: 4,
        by: .status,
        "Whether a check of the field is in progress, or a lookup for its options."
      )
    case .isDirty: .flag("isDirty", bit: 5, "Whether the value differs from the initial value.")
    case .isTouched: .flag("isTouched", bit: 6, inSnapshot: true, "Whether the user has left the field once.")
    case .isEmpty: .flag("isEmpty", bit: 11, by: .value, "Whether the field has no value, or is hidden.")
    case .errors: Property("errors", .errors, by: .status, "All errors of the field.")
    case .options: Property("options", .value, by: .options, "The choices that a formula gives.")
    case .text: Property("text", .text, by: .value, "What the input shows, if the field reads what people type.")
    case .reason: Property("reason", .text, by: .enabled, "Why the field cannot be changed, if its form says it.")
    case .order: Property("order", .rows, "The identities of a list's rows, in order.")
    case .isEdited:
      .flag("isEdited", bit: 7, inDocument: false, inSnapshot: true, "Whether the user has changed the value once.")
    case .isFocused:
      .flag("isFocused", bit: 8, inDocument: false, inSnapshot: true, "Whether the user is in the field.")
    }
  }
}
