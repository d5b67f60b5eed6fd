internal import Formats

/// Patterns of the values of browsers' inputs for dates, times and colors (HTML Standard, sections 2.3.5 and 4.10.5.1),
/// by the types of the inputs.
enum InputPattern {
  /// The pattern of an input; nil if its type has no pattern. An input of the type `date` has a format.
  static func of(_ type: String) -> String? { type == "date" ? nil : patterns[type] }

  /// Whether a browser takes a text for a value of an input. It ignores other texts.
  static func isValue(_ text: String, of type: String) -> Bool {
    guard let source = patterns[type], let pattern = try? Pattern(source, dialect: .ecma262) else { return true }
    return pattern.matches(text) == .match
  }

  /// Whether a text is a date, a time, or both.
  static func isMoment(_ text: String) -> Bool {
    patterns.keys.contains { $0 != "color" && isValue(text, of: $0) }
  }

  private static let time = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,3})?)?"
  /// A day that its month has. 29 February is a day of years that 4 divides, and of years with two zeros if 400 divides
  /// them.
  private static let date =
    "([0-9]{4,}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    + "|[0-9]*([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
  private static let patterns = [
    "date": "^\(date)$",
    "time": "^\(time)$",
    "datetime-local": "^\(date)[T ]\(time)$",
    "datetime": "^\(date)[T ]\(time)$",
    "month": "^[0-9]{4,}-(0[1-9]|1[0-2])$",
    "week": "^[0-9]{4,}-W(0[1-9]|[1-4][0-9]|5[0-3])$",
    "color": "^#[0-9a-fA-F]{6}$",
  ]
}
