internal import Forms
internal import JSON

/// What may stand at a caret in a file of data.
struct DataCompletion {
  private let data: DataText
  private let form: FormText?
  /// The names of the forms that there are.
  private let names: [String]
  private let locale: String?
  private let caret: Caret

  init(of data: DataText, by form: FormText?, names: [String], locale: String?, at offset: Int) {
    self.data = data
    self.form = form
    self.names = names
    self.locale = locale
    caret = Caret(at: offset, in: data.scanned, language: data.language)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: data.scanned, caret: caret, language: data.language)
    if case .value = caret.spot, caret.tokens == ["$form"] {
      return members.texts(names.map { ($0, "form") }, kind: .value)
    }
    guard let guide = form?.dataGuide(locale: locale) else { return [] }
    switch caret.spot {
    case .name: return members.members(guide.members(of: guide.parts(at: caret.tokens)))
    case .value: return members.values(guide.parts(at: caret.tokens))
    case .nothing: return []
    }
  }
}
