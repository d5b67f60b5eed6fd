internal import Forms
internal import JSON
internal import SourceTexts

/// Completion at a caret in a file of data.
struct DataCompletion {
  private let data: DataText
  private let form: FormText?
  /// The names of all known forms.
  private let names: [String]
  private let locale: String?
  private let caret: Caret
  private let offset: Int

  init(of data: DataText, by form: FormText?, names: [String], locale: String?, at offset: Int) {
    self.data = data
    self.form = form
    self.names = names
    self.locale = locale
    self.offset = offset
    caret = Caret(at: offset, in: data.scanned, language: data.language)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: data.scanned, caret: caret, language: data.language)
    if case .value = caret.spot, caret.tokens == ["$form"] {
      return members.texts(names.map { ($0, "form") }, kind: .value)
    }
    if let range = nameInComment {
      return names.map {
        Suggestion(label: $0, kind: .value, detail: "form", documentation: nil, range: range, text: $0)
      }
    }
    guard let guide = form?.dataGuide(locale: locale) else { return [] }
    switch caret.spot {
    case .name: return members.members(guide.members(of: guide.parts(at: caret.tokens)))
    case .value: return members.values(guide.parts(at: caret.tokens))
    case .nothing: return []
    }
  }

  /// The range of the form's name in a comment that names the form: `# formd: NAME`.
  private var nameInComment: Range<Int>? {
    let source = data.scanned.source
    let line = source.line(source.line(of: offset))
    let text = String(decoding: source.bytes[line.lowerBound..<offset], as: UTF8.self)
    guard let mark = ["# formd:", "// formd:"].first(where: text.hasPrefix) else { return nil }
    let start = line.lowerBound + mark.utf8.count + text.dropFirst(mark.count).prefix { $0 == " " }.utf8.count
    return start..<max(start, source.bytes[..<line.upperBound].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start)
  }
}
