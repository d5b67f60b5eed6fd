internal import JSON

/// Makes a form of react-jsonschema-form.
enum RJSFImport {
  /// The form of the input.
  static func form(of inputs: [ImportInput], _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    throw UnreadableInput(inputs[0], "this kind is not there yet")
  }
}
