internal import JSON
internal import SourceTexts

/// Makes a form of SurveyJS.
///
/// The importer reads the survey twice: first the questions with their types, then the expressions, because an
/// expression may name any question. Source: the API reference of SurveyJS Form Library, and its JSON schema.
enum SurveyImport {
  /// The form of the input.
  static func form(of input: ImportInput, _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    let text = try input.scanned([.survey], "a survey")
    guard case .object(let survey) = text.value else {
      throw UnreadableInput(input, "a survey is an object", remedy: "export the survey's JSON from SurveyJS Creator")
    }
    guard ["pages", "elements", "questions"].contains(where: { survey[$0]?.arrayValue != nil }) else {
      throw UnreadableInput(
        input,
        "this is not a survey: it has neither a list of pages nor a list of elements",
        remedy: "export the survey's JSON from SurveyJS Creator"
      )
    }
    var losses = LossCollector(input, text: text)
    losses.noteLargeIntegers()
    var reader = SurveyReader(losses, name: options.name ?? input.formName)
    return reader.form(of: survey)
  }
}
