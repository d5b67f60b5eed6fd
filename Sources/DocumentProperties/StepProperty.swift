/// The properties of a step.
@frozen public enum StepProperty: UInt8, PropertyList {
  /// In the document and in formulas.
  case isVisible, isValid, isPending, isTouched

  /// The number of properties. All are in the document.
  @inlinable public static var count: Int { isTouched.position + 1 }

  /// The entry of the property in this list.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isVisible: .flag("isVisible", bit: 0, usual: true, by: .visible, "Whether the step is shown.")
    case .isValid: .flag("isValid", bit: 1, usual: true, by: .status, "Whether all fields of the step are valid.")
    case .isPending: .flag("isPending", bit: 2, by: .status, "Whether a check of one of its fields is in progress.")
    case .isTouched: .flag("isTouched", bit: 3, "Whether the user has left one of its fields once.")
    }
  }
}
