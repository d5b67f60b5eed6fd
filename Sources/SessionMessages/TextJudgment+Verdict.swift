package import DataTexts
package import FormProtocol
package import JSON
package import TextValidation

extension TextJudgment {
  /// The message of what a form says of a text.
  ///
  /// - Parameters:
  ///   - source: the text.
  ///   - encoding: what the characters of ranges are.
  package init(_ verdict: TextVerdict, of source: SourceText, in encoding: PositionEncoding) {
    self.init()
    isValid = verdict.isValid
    isTruncated = verdict.isTruncated
    errors = verdict.errors.map { TextProblem($0, of: source, encoding) }
  }
}

extension TextProblem {
  fileprivate init(_ error: TextError, of source: SourceText, _ encoding: PositionEncoding) {
    self.init()
    path = error.pointer.description
    code = error.code
    severity = error.isWarning ? .warning : .error
    message = error.message
    params = error.parameters.isEmpty ? nil : error.parameters
    range = source.range(error.range, in: encoding)
    keyRange = error.keyRange.map { source.range($0, in: encoding) }
    fix = error.fix.map { TextReplacement(range: source.range($0.range, in: encoding), text: $0.text) }
    causes = error.causes.map { cause in
      var told = TextCause()
      told.path = cause.pointer.description
      told.code = cause.code
      told.range = source.range(cause.range, in: encoding)
      told.keyRange = cause.keyRange.map { source.range($0, in: encoding) }
      return told
    }
  }
}

extension DataLanguage {
  /// The language that a message names.
  package init(_ language: TextLanguage) {
    self =
      switch language {
      case .json: .json
      case .jsonc: .jsonc
      case .yaml: .yaml
      case .env: .env
      }
  }
}

extension TextLanguage {
  /// The language as a message names it.
  package init(_ language: DataLanguage) {
    self =
      switch language {
      case .json: .json
      case .jsonc: .jsonc
      case .yaml: .yaml
      case .env: .env
      }
  }
}
