internal import Client
internal import ErrorTexts
internal import Testing
internal import Texts

@testable internal import TerminalForms

struct WordsTests {
  /// The texts of a language by name, and the names in braces of each.
  private func texts(_ words: Words) -> [String: (text: String, names: Set<String>)] {
    var texts: [String: (String, Set<String>)] = [:]
    for child in Mirror(reflecting: words).children {
      guard let name = child.label, let text = child.value as? String else { continue }
      var names: Set<String> = []
      _ = text.filled { name in
        names.insert(name)
        return ""
      }
      texts[name] = (text, names)
    }
    return texts
  }

  @Test func `there are words in each language of the errors`() {
    #expect(Words.all.map(\.locale) == ErrorLanguage.all.map(\.locale))
  }

  @Test(arguments: Words.all.map(\.locale))
  func `each language has the parameters of the English words`(_ locale: String) {
    let english = texts(.english)
    for (name, (text, names)) in texts(.of(locale)) {
      #expect(!text.isEmpty && names == english[name]?.names, "\(name)")
    }
  }

  @Test(
    arguments: [
      (["de-AT"], "de"), (["nl", "FR_ch"], "fr"), ([nil, "pt-BR"], "pt"), (["nl"], "en"), ([nil, nil], "en"),
      (["ko", "de"], "ko"),
    ] as [([String?], String)]
  )
  func `the first locale that has words decides`(_ locales: [String?], _ found: String) {
    #expect(Words.of(locales.first ?? nil, locales.count > 1 ? locales[1] : nil).locale == found)
  }

  @Test(
    arguments: [
      ("de", "j", true), ("de", "Nein", false), ("de", "y", true), ("fr", "O", true), ("ja", "はい", true),
      ("en", "j", nil),
    ] as [(String, String, Bool?)]
  )
  func `yes and no are typed in the language`(_ locale: String, _ text: String, _ truth: Bool?) {
    #expect(TypedText.boolean(text, .of(locale)) == truth)
  }

  @Test func `an interview speaks the language of its session`() {
    var agreed = InterviewTests.field("agreed", .boolean)
    agreed.label = "Einverstanden"
    let document: JSON = ["isValid": true, "fields": ["agreed": InterviewTests.state()]]
    var asked = Asked([agreed], document, locale: "de-CH")
    #expect(asked.prompt == "Einverstanden [j/n]: ")
    asked.press(.text("vielleicht"), .enter)
    #expect(asked.below == ["  Antworten Sie mit j oder n."])
    asked.press(.text("j"), .enter)
    #expect(asked.values == ["agreed": true])
    #expect(asked.interview.takeNotes().last?.line.text == "Einverstanden: ja")
    #expect(Asked([agreed], document, locale: "fr", formLocale: "ko").interview.words.locale == "fr")
    #expect(Asked([agreed], document, locale: "nl", formLocale: "ko").interview.words.locale == "ko")
  }
}
