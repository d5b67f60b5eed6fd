package import Forms
package import JSON
internal import LocaleFormats

/// Texts are read as numbers and Booleans if the form has `coerce`, because HTML forms, terminals and settings
/// files have only texts. The locale has no effect, and no other value becomes a text.
extension Field {
  /// The value that a text is read as. It is the text itself when it cannot be read, and nil when the text is empty.
  /// White space at its ends does not count.
  package func coerced(_ text: String) -> JSON? {
    let trimmed = Normalization.trimmed(text)
    if trimmed.isEmpty { return keepsEmpty ? .string(text) : nil }
    let value: JSON? = type == .bool ? JSON(boolean: trimmed) : JSON(number: trimmed.withASCIIDigits)
    return value ?? .string(text)
  }

  /// The value that a text is read as by `read`. It is the text itself when it cannot be read, and nil when the text is
  /// empty.
  func read(_ text: String, by format: TypedFormat, _ conventions: LocaleConventions) -> JSON? {
    if Normalization.trimmed(text).isEmpty { return keepsEmpty ? .string(text) : nil }
    switch format.read(text, conventions) {
    case .number(let number)?: return JSON(number: number) ?? .string(text)
    case .text(let text)?: return .string(text)
    case nil: return .string(text)
    }
  }

  /// The text that this field has for an error with that code, in place of the schema's own text. It is only the text
  /// for an input that could not be read.
  func text(_ code: String) -> Text? {
    guard code == "type" else { return nil }
    if let read { return BuiltInTexts.unread(read.kind, type) }
    return coerces ? BuiltInTexts.unread(type) : nil
  }
}

extension String {
  /// The text with ASCII in place of full-width digits, signs and letters, as Japanese and Chinese input methods write
  /// them.
  fileprivate var withASCIIDigits: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let scalars = unicodeScalars.map { scalar in
      (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension JSON {
  /// The Boolean that a text means. `on` and `off` are the words of HTML's check boxes.
  fileprivate init?(boolean text: String) {
    switch text {
    case "true", "on": self = .bool(true)
    case "false", "off": self = .bool(false)
    default: return nil
    }
  }

  /// The number in a text, by the rules of HTML ("valid floating-point number", section 2.3.4.3). They are the rules of
  /// JSON with `.5` and `007`. A whole number that fits in 64 bits is an integer, however it is written (`5.0`, `1e3`).
  ///
  /// It is also nil when the number is not finite, or when a `Double` would change it. A `Double` changes a whole
  /// number if it does not keep all its digits, and a fraction if it becomes a whole number.
  fileprivate init?(number text: String) {
    guard let decimal = DecimalText(text) else { return nil }
    if let integer = decimal.integer {
      self = .integer(integer)
      return
    }
    guard let real = Double(text), real.isFinite else { return nil }
    let isKept =
      decimal.isWhole
      ? decimal.digits.utf8.count <= DecimalText.exactDigitsMax : real != real.rounded()
    guard isKept else { return nil }
    self = .real(real)
  }
}
