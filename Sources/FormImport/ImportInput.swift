internal import DataLanguages
internal import JSON
package import SourceTexts

/// A file that is imported.
package struct ImportInput: Sendable {
  /// The file's name, for messages.
  package let file: String
  /// The file's text.
  package let source: SourceText

  /// A file with those bytes, in UTF-8.
  package init(_ bytes: [UInt8], file: String) {
    self.file = file
    source = SourceText(bytes)
  }

  /// Reads the text as YAML if the file's name says so, else as JSON. An integer of more than 64 bits is read as the
  /// nearest number with a fraction.
  ///
  /// - Parameters:
  ///   - expected: the looks that the text may have; a text whose looks nobody knows is read, too.
  ///   - noun: a word for people about the expected text, with an article.
  /// - Throws: ``UnreadableInput`` if the text is not valid, or is something else.
  func scanned(_ expected: [RecognizedInput], _ noun: String) throws(UnreadableInput) -> ScannedText {
    let text = ScannedText(source, language: DataLanguage(fileName: file) == .yaml ? .yaml : .json)
    let hasOnlyLargeIntegers =
      !text.hasLosses && text.problemCount == text.problems.count
      && text.problems.allSatisfy { $0.code == .integerRange }
    let found = hasOnlyLargeIntegers ? RecognizedInput(text.value) : RecognizedInput(self)
    if let found, !expected.contains(found) { throw found.error(self, expected: noun) }
    guard hasOnlyLargeIntegers else {
      throw UnreadableInput(file: file, text.problems.map { Diagnostic($0, of: source, file: file) })
    }
    return text
  }

  /// The name that the file gives to a form: its own, without folders and endings.
  var formName: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let stem = name.prefix { $0 != "." }
    return stem.isEmpty || name == "-" ? "form" : String(stem)
  }
}

/// Why an input gives no form.
package struct UnreadableInput: Error {
  /// The file's name.
  package let file: String
  /// The problems, with their positions; at least one.
  package let diagnostics: [Diagnostic]

  init(file: String, _ diagnostics: [Diagnostic]) {
    self.file = file
    self.diagnostics = diagnostics
  }

  init(_ input: ImportInput, at pointer: JSONPointer = .root, _ message: String, remedy: String? = nil) {
    self.init(
      file: input.file,
      [
        Diagnostic(
          file: input.file,
          pointer: pointer,
          code: "noForm",
          message: message,
          remedy: remedy.map { Remedy($0) }
        )
      ]
    )
  }
}
