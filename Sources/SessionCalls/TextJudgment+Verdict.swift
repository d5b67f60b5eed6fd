package import DataLanguages
package import FormProtocol
internal import Forms
internal import JSON
package import SourceTexts
package import TextValidation

extension TextJudgment {
  /// The message for a form's verdict on a text.
  ///
  /// - Parameters:
  ///   - source: the text.
  ///   - encoding: the unit of the positions in ranges.
  package init(_ verdict: TextVerdict, of source: SourceText, in encoding: PositionEncoding) {
    self.init()
    isValid = verdict.isValid
    isTruncated = verdict.isTruncated
    errors = verdict.errors.map { TextProblem($0, of: source, encoding) }
  }
}

extension TextProblem {
  fileprivate init(_ error: TextError, of text: SourceText, _ encoding: PositionEncoding) {
    self.init()
    path = error.pointer.description
    code = error.code
    source = error.source.map { Source($0) }
    severity = error.isWarning ? .warning : .error
    message = error.message
    params = error.parameters.isEmpty ? nil : error.parameters
    range = text.range(error.range, in: encoding)
    keyRange = error.keyRange.map { text.range($0, in: encoding) }
    fix = error.fix.map { TextReplacement(range: text.range($0.range, in: encoding), text: $0.text) }
    causes = error.causes.map { cause in
      var told = TextCause()
      told.path = cause.pointer.description
      told.code = cause.code
      told.range = text.range(cause.range, in: encoding)
      told.keyRange = cause.keyRange.map { text.range($0, in: encoding) }
      return told
    }
  }
}

extension TextProblem.Source {
  fileprivate init(_ source: ErrorSource) {
    self =
      switch source {
      case .schema: .schema
      case .rule: .rule
      case .check: .check
      case .server: .server
      case .fault: .fault
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
