internal import DataTexts

/// What a document is to the server.
enum DocumentKind: Hashable, Sendable {
  /// A form definition.
  case form
  /// The tests of a form.
  case test
  /// Data, if it names its form.
  case data(DataLanguage)

  /// The end of the names of definitions.
  static let formSuffix = ".form.json"
  /// The end of the names of test files.
  static let testSuffix = ".test.json"

  /// What a document is by its name, and by what the editor takes it for; nil for what is neither form nor data.
  init?(key: String, language: String?) {
    let name = DocumentURI.name(of: key)
    if name.hasSuffix(Self.formSuffix) {
      self = .form
    } else if name.hasSuffix(Self.testSuffix) {
      self = .test
    } else if let language = DataLanguage(fileName: name) ?? language.flatMap(DataLanguage.init(editorName:)) {
      self = .data(language)
    } else {
      return nil
    }
  }
}
