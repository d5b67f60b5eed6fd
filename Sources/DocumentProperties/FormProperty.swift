/// The properties of the form as a whole: members of the document itself, and of `form` in formulas.
@frozen public enum FormProperty: UInt8, PropertyList {
  /// In the document. A form without steps has no `step`, and only a form with `undo` has `canUndo` and `canRedo`.
  case isValid, isPending, isDirty, errors, step, canUndo, canRedo
  /// Only in formulas.
  case locale, zone

  /// The number of properties.
  @inlinable public static var count: Int { zone.position + 1 }

  /// The entry of the property in this list.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isValid:
      .flag(
        "isValid",
        bit: 0,
        usual: true,
        by: .status,
        "Whether no error blocks the form, and no check is in progress."
      )
    case .isPending: .flag("isPending", bit: 1, by: .status, "Whether a check is in progress.")
    case .isDirty: .flag("isDirty", bit: 2, "Whether a value differs from its initial value.")
    case .errors: Property("errors", .errors, by: .errors, "The errors that belong to no field.")
    case .step: Property("step", .text, "The id of the step that is shown.")
    case .canUndo: .flag("canUndo", bit: 11, formula: nil, "Whether a user can take an edit back.")
    case .canRedo: .flag("canRedo", bit: 12, formula: nil, "Whether a user can repeat an edit that was taken back.")
    case .locale:
      Property("locale", .text, formula: .string(bytesMax: 64), inDocument: false, "The locale of the session.")
    case .zone:
      Property("zone", .text, formula: .string(bytesMax: 64), inDocument: false, "The time zone of the session.")
    }
  }
}
