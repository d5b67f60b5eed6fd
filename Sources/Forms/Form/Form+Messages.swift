internal import ErrorTexts
package import JSON
internal import Texts

/// The definition's texts for errors that get their text when a value is judged.
extension Form {
  /// The text that the definition has for an error; nil if it has none.
  ///
  /// - Parameters:
  ///   - field: the field of the error; nil: the form as a whole.
  ///   - isInside: whether the error is about a value inside the field's value, or inside a member of the form that is
  ///     no field. The texts for all fields are not about a value inside a field: it has no label.
  package func message(_ code: String, of field: Int?, isInside: Bool) -> Text? {
    let key = UTF8Key(text: code)
    return (field.map { fields[$0].messages } ?? formMessages)[key] ?? (isInside && field != nil ? nil : messages[key])
  }

  /// A text of an error in one of the form's locales, with the error's parameters and the label.
  ///
  /// - Parameters:
  ///   - field: the field whose label `{label}` is; nil: the form as a whole, with its title.
  ///   - locale: a position in ``locales``.
  package func filled(_ text: Text, from parameters: JSONObject, of field: Int?, locale: Int) -> String {
    let template = resolved(text, locale)
    guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
    var parameters = parameters
    parameters["label"] = .string(resolved(field.map(label) ?? title ?? Text(name), locale))
    return fillPlaceholders(template, from: parameters)
  }

  /// The label of a field; a row or an element without one has the label of its list.
  private func label(of field: Int) -> Text {
    fields[field].label ?? fields[field].list.map(label) ?? Text(fields[field].name)
  }

  /// The locale of the built-in texts in a session of one of the form's locales: that locale, else the form's default,
  /// else English.
  ///
  /// - Parameter locale: a position in ``locales``.
  package func builtInLocale(_ locale: Int) -> String {
    [locales[locale], self.locale].compactMap(\.self).first { ErrorLanguage.known($0) != nil } ?? "en"
  }

  private func resolved(_ text: Text, _ locale: Int) -> String {
    text.resolved(for: locales[locale], default: self.locale)
  }
}
