package import Client

/// Texts that people type, and the values that they mean for a field.
package enum TypedText {
  /// The value that a text means for a field of that type. A text that is not such a value stays a text, so that the
  /// form reports the error.
  package static func value(_ text: String, of type: FieldKind, _ words: Words = .english) -> JSON {
    switch type {
    case .string: return .string(text)
    case .integer, .number:
      if let number = json(text), number.doubleValue != nil { return number }
      return .string(text)
    case .boolean: return boolean(text, words).map(JSON.bool) ?? .string(text)
    case .object, .array, .any: return json(text) ?? .string(text)
    }
  }

  /// The value that a text means for a field. If the field reads what people type, it gets the text itself.
  package static func value(_ text: String, for field: FieldDescription, _ words: Words = .english) -> JSON {
    field.read == nil ? value(text, of: field.type, words) : .string(text)
  }

  /// The boolean for yes or no, in English or in the language of the words; nil for another word.
  package static func boolean(_ text: String, _ words: Words = .english) -> Bool? {
    switch text.lowercased() {
    case "y", "yes", "true", "on", "1", words.yes, words.yesKey: true
    case "n", "no", "false", "off", "0", words.no, words.noKey: false
    default: nil
    }
  }

  /// A value as people read it: a choice by its label, a boolean as yes or no, a text unchanged.
  package static func text(of value: JSON, choices: [Choice] = [], in words: Words = .english) -> String {
    if let choice = choices.first(where: { $0.value == value }), let label = choice.label { return label }
    switch value {
    case .string(let text): return text
    case .bool(let isTrue): return isTrue ? words.yes : words.no
    case .null: return ""
    case .array(let elements): return elements.map { text(of: $0, choices: choices, in: words) }.joined(separator: ", ")
    case .object(let members):
      return members.compactMap { $0.value.isNull ? nil : text(of: $0.value, in: words) }.joined(separator: ", ")
    default: return value.description
    }
  }

  private static func json(_ text: String) -> JSON? {
    try? JSON(parsing: text)
  }
}
