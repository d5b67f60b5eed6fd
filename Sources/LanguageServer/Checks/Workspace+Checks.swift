internal import DataLanguages
internal import FormProtocol
internal import Forms
internal import JSON
internal import SessionCalls
internal import SourceTexts

extension Workspace {
  /// Queues the checks of a document that was opened or saved, if the settings ask for checks.
  mutating func wantChecks(of key: String) {
    guard settings.runsChecks, texts.isOpen(key) else { return }
    checks.want(key)
  }

  /// The next request for a daemon; nil when there is none.
  mutating func nextCheckRequest() -> CheckRequest? {
    while let key = checks.takeWanted() {
      guard let data = data(at: key), data.scanned.problems.isEmpty, let formKey = formKey(ofData: key),
        let form = form(at: formKey)?.compilation.form, !form.checks.isEmpty,
        let text = String(validating: data.scanned.source.bytes, as: UTF8.self)
      else { continue }
      var params = TextValidateParams()
      params.form = form.name
      params.text = text
      params.language = TextLanguage(data.language)
      params.encoding = .utf8
      params.locale = settings.locale
      params.checks = true
      params.errorsMax = TextValidateParams.errorsMaxAllowed
      return checks.ask(params, of: key, stamp: data.stamp)
    }
    return nil
  }

  /// Takes the outcome of a request. Returns a message for the user, if there is one.
  mutating func take(_ answer: CheckAnswer, of number: Int) -> String? {
    var text: (scanned: ScannedText, stamp: Int)?
    if let key = checks.subject(of: number), let data = data(at: key) { text = (data.scanned, data.stamp) }
    let words = checks.take(answer, of: number, text: text)
    invalidateDiagnostics()
    return words
  }
}
