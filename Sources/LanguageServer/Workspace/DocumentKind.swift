internal import DataLanguages
internal import Forms

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

  /// The kind of a document by its name and by the editor's language; nil if it is not a form, a test or data.
  init?(key: String, language: String?) {
    let name = DocumentURI.name(of: key)
    if AuthoredFile.form.stem(of: name) != nil {
      self = .form
    } else if AuthoredFile.test.stem(of: name) != nil {
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
