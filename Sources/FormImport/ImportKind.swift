/// The kinds of descriptions of forms that formd can read.
package enum ImportKind: String, CaseIterable, Sendable {
  /// JSON Schema, as pydantic, zod, TypeBox and OpenAPI 3.1 write it.
  case schema
  /// A schema and a uiSchema of react-jsonschema-form.
  case rjsf
  /// A survey of SurveyJS.
  case surveyjs
  /// The form of an HTML page.
  case html

  /// Reads a description of a form, and writes a form of formd.
  ///
  /// - Parameters:
  ///   - inputs: the files, in the order of the kind: at least one.
  ///   - options: the form's name, and the part that is imported.
  /// - Returns: a form that formd accepts, and everything that the form does not have from the inputs.
  /// - Throws: ``UnreadableInput`` if an input is not valid in its language, or has no form in it. Nothing else is an
  ///   error: a part that the importer does not know is a loss.
  package func form(of inputs: [ImportInput], options: ImportOptions = ImportOptions()) throws(UnreadableInput)
    -> ImportedForm
  {
    guard let first = inputs.first else { preconditionFailure("an import without an input") }
    guard inputs.count <= filesMax else {
      throw UnreadableInput(inputs[filesMax], "an import of the kind \(rawValue) has at most \(filesMax) file(s)")
    }
    return switch self {
    case .schema: try SchemaImport.form(of: first, options)
    case .rjsf: try RJSFImport.form(of: inputs, options)
    case .surveyjs: try SurveyImport.form(of: first, options)
    case .html: try HTMLImport.form(of: first, options)
    }
  }

  /// Whether a file can have several forms, of which ``ImportOptions/component`` names one.
  package var hasComponents: Bool { self == .schema || self == .html }

  /// The largest number of files.
  var filesMax: Int { self == .rjsf ? 2 : 1 }
}

/// The choices of the person who imports.
package struct ImportOptions: Sendable {
  /// The form's name; nil for the name of the first file.
  package var name: String?
  /// The part that is imported: a schema of `components/schemas` or `$defs`; the `operationId`, or the method and path,
  /// of a request with a body; the id or the name of a form in a page. nil for the whole, or for the first form.
  package var component: String?

  /// Options.
  package init(name: String? = nil, component: String? = nil) {
    self.name = name
    self.component = component
  }
}
