package import JSON
internal import JSONSchema
internal import Texts

extension Form {
  /// The form's schema with the texts of its fields, for tools that know nothing but JSON Schema: labels as `title`,
  /// help as `description`, and options as a `oneOf` of `const` and `title`. The same values are valid.
  ///
  /// If a form has secrets, only fields that hold none have `default`, and no field has `examples`.
  ///
  /// - Parameter locale: the language of the texts; nil: the form's default.
  package func annotatedSchema(locale: String?) -> JSONObject {
    let hasSecrets = fields.contains(where: \.holdsSecret)
    var annotator = SchemaAnnotator(schema, tellsExamples: !hasSecrets)
    var texts = ValueTexts()
    texts.title = text(title, locale)
    texts.members = memberTexts(of: nil, locale, tellsInitial: hasSecrets)
    let annotated = annotator.annotated(texts)
    if annotated["$schema"] != nil { return annotated }
    return JSONObject(
      uncheckedMembers: [.init(name: "$schema", value: "https://json-schema.org/draft/2020-12/schema")] + annotated
    )
  }

  private func text(_ text: Text?, _ locale: String?) -> String? {
    text?.resolved(for: locale ?? "", default: self.locale)
  }

  private func memberTexts(
    of field: Int?,
    _ locale: String?,
    tellsInitial: Bool
  ) -> [(name: String, texts: ValueTexts)] {
    children(of: field).map { (fields[$0].name, texts(of: $0, locale, tellsInitial: tellsInitial)) }
  }

  /// - Parameter tellsInitial: whether the schema has lost its defaults.
  private func texts(of number: Int, _ locale: String?, tellsInitial: Bool) -> ValueTexts {
    let field = fields[number]
    var texts = ValueTexts()
    texts.title = text(field.label, locale)
    texts.description = text(field.help, locale)
    if tellsInitial && !field.holdsSecret { texts.default = field.initial }
    for option in field.options { texts.choices[option.value] = text(option.label, locale) }
    texts.members = memberTexts(of: number, locale, tellsInitial: tellsInitial)
    texts.element = field.element.map { [self.texts(of: $0, locale, tellsInitial: tellsInitial)] } ?? []
    return texts
  }
}
