/// The properties of a lookup. All follow from the state of its request, so no flag stores `isLoading`.
@frozen public enum LookupProperty: UInt8, PropertyList {
  /// In the document and in formulas.
  case isLoading, value, error

  /// How many there are, all of them in the document.
  @inlinable public static var count: Int { error.position + 1 }

  /// What formd knows about it.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isLoading: Property("isLoading", .truth, formula: .bool, "Whether the lookup waits for an answer.")
    case .value: Property("value", .value, formula: .dyn, "The value that the lookup has found.")
    case .error: Property("error", .text, formula: .string(bytesMax: 16), "Why the lookup has failed.")
    }
  }
}
