internal import DataLanguages

/// The kind of a document.
enum DocumentKind: Hashable, Sendable {
  /// A form definition.
  case form
  /// The tests of a form.
  case test
  /// The configuration of a daemon.
  case configuration
  /// Data, if it names its form.
  case data(DataLanguage)

  /// The end of the names of definitions.
  static let formSuffix = ".form.json"
  /// The end of the names of test files.
  static let testSuffix = ".test.json"

  /// The kind of a document by its name and by the editor's language; nil if it is not a form, a test or data.
  init?(key: String, language: String?) {
    let name = DocumentURI.name(of: key)
    if name.hasSuffix(Self.formSuffix) {
      self = .form
    } else if name.hasSuffix(Self.testSuffix) {
      self = .test
    } else if name == ConfigurationText.fileName {
      self = .configuration
    } else if let language = DataLanguage(fileName: name) ?? language.flatMap(DataLanguage.init(editorName:)) {
      self = .data(language)
    } else {
      return nil
    }
  }
}
