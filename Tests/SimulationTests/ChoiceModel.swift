import JSON

/// The choices of a text field, and the values that they refuse.
struct ChoiceModel {
  enum Source { case schema, list, formula }

  /// Where the choices are listed: in the schema's `enum`, or in `options` as a list or as a formula.
  let source: Source
  /// The choice that is disabled; nil: none.
  let disabled: String?
  /// The text field of the form that disables the choice while it is `abc`; nil: the choice is always disabled.
  let disabler: Int?
  /// Whether the user may give a text that is not among the choices.
  let admitsOther: Bool

  static let values = ["abc", "ok", "x"]
  static let lengthMax = 8

  /// Whether a value has the error `options`. A value that the schema refuses has only the schema's error.
  ///
  /// - Parameters:
  ///   - isDisabling: whether ``disabler`` is `abc`.
  ///   - initial: the field's initial value, or the elements of the initial list.
  func refuses(_ value: JSON?, isDisabling: Bool, initial: [JSON]) -> Bool {
    guard case .string(let text)? = value else { return false }
    if Self.values.contains(text) { return text == disabled && isDisabling && !initial.contains(.string(text)) }
    return source != .schema && !admitsOther && text.unicodeScalars.count <= Self.lengthMax
  }
}
