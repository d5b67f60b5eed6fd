/// The properties of a lookup. All follow from the state of its request, so no flag stores `isLoading`.
@frozen public enum LookupProperty: UInt8, PropertyList {
  /// In the document and in formulas.
  case isLoading, value, error

  /// The number of properties. All are in the document.
  @inlinable public static var count: Int { error.position + 1 }

  /// The entry of the property in this list.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isLoading:
      Property("isLoading", .bool, formula: .bool, by: .status, "Whether the lookup waits for an answer.")
    case .value: Property("value", .value, formula: .dyn, by: .status, "The value that the lookup has found.")
    case .error: Property("error", .text, formula: .string(bytesMax: 16), by: .status, "Why the lookup has failed.")
    }
  }
}
