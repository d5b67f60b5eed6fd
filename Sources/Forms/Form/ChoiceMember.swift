package import JSON

/// A member of a choice that has one type. A label can have any type and becomes a text. Clients get all further
/// members unchanged.
package enum ChoiceMember: String, CaseIterable {
  case group, help, disabled

  /// Whether a value is of the member's type.
  package func admits(_ value: JSON) -> Bool { self == .disabled ? value.boolValue != nil : value.stringValue != nil }

  /// The rule in words.
  package var requirement: String {
    "\"\(rawValue)\" of a choice must be \(self == .disabled ? "a boolean" : "a text")"
  }
}
