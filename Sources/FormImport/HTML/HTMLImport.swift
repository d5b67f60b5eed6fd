internal import JSON

/// Makes a form of HTML.
enum HTMLImport {
  /// The form of the input.
  static func form(of input: ImportInput, _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    throw UnreadableInput(input, "this kind is not there yet")
  }
}
