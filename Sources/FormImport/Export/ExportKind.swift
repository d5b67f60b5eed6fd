internal import Forms
internal import JSON
internal import SourceTexts

/// The languages in which formd can write a form.
package enum ExportKind: String, CaseIterable, Sendable {
  /// A schema of zod 4, in TypeScript.
  case zod
  /// A model of pydantic 2, in Python.
  case pydantic
  /// A page's form, in HTML.
  case html

  /// Writes a form in the language.
  ///
  /// - Parameter input: the definition.
  /// - Returns: the text, and everything of the form that the text does not have, or has in another way.
  /// - Throws: ``UnreadableInput`` if formd does not accept the definition.
  package func text(of input: ImportInput) throws(UnreadableInput) -> ExportedText {
    let text = try input.scanned([.form], "a form of formd")
    let compilation = Form.compile(text, file: input.file, followsFiles: input.file != "-")
    guard let form = compilation.form else {
      throw UnreadableInput(file: input.file, compilation.diagnostics.filter { $0.severity == .error })
    }
    var definition = text.value.objectValue ?? [:]
    // The form's schema has the schemas of the files that it refers to.
    definition["schema"] = form.schema
    var reader = ExportReader(LossCollector(input, text: text), definition: .object(definition), kind: self)
    let model = reader.model(name: form.name)
    let written =
      switch self {
      case .zod: ZodWriter.text(of: model)
      case .pydantic: PydanticWriter.text(of: model)
      case .html: HTMLWriter.text(of: model)
      }
    return ExportedText(text: written, losses: reader.collector.sorted)
  }
}

/// A form in another language.
package struct ExportedText: Sendable {
  package let text: String
  /// The parts of the form that the text does not have, or has in another way, in the order of the form's lines.
  package let losses: [Loss]
}
