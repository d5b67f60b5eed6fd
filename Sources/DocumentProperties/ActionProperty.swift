/// The properties of an action.
@frozen public enum ActionProperty: UInt8, PropertyList {
  /// In the document and in formulas.
  case isEnabled, isLoading, attempts, result, error, message
  /// Only in the document.
  case reason

  /// The number of properties. All are in the document.
  @inlinable public static var count: Int { reason.position + 1 }

  /// The entry of the property in this list.
  @inlinable @inline(__always)
  public var about: Property {
    switch self {
    case .isEnabled: .flag("isEnabled", bit: 0, by: .status, "Whether the action can be tapped.")
    case .isLoading: .flag("isLoading", bit: 1, "Whether a run is in progress.")
    case .attempts: Property("attempts", .number, formula: .int, "How often the action has run.")
    case .result: Property("result", .value, formula: .dyn, "The result of the last success.")
    case .error: Property("error", .value, formula: .dyn, "The error of the last failure.")
    case .message: Property("message", .text, formula: .string(bytesMax: 1024), "The message of the last outcome.")
    case .reason: Property("reason", .text, by: .status, "Why the action cannot be tapped, if its form says it.")
    }
  }
}
