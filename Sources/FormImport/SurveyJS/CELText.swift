internal import JSON

/// Parts of formulas for an importer that has texts and numbers in place of JSON.
enum CELText {
  /// A text constant.
  static func quoted(_ text: String) -> String { FormulaText.literal(.string(text)) ?? "''" }

  /// A number constant of the type double.
  static func number(_ number: Double) -> String { FormulaText.literal(.real(number)) ?? "0.0" }

  /// A number without a needless `.0`, as JavaScript writes it.
  static func plain(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return "\(number)"
  }

  /// A member of an object.
  static func member(_ name: String, of object: String) -> String { object + FormulaText.member(name) }
}
