import ErrorTexts
import JSONSchema
import Testing
internal import Texts

/// The built-in texts of errors, with those of keywords.
@Suite struct `The languages of failures` {
  private static let english = Keyword.languages[0]

  /// The names in braces of a text, without the nouns of counts.
  private func names(in text: String?) -> Set<String> {
    var names: Set<String> = []
    _ = text?.filled { name in
      names.insert(String(name.split(separator: " ")[0]))
      return ""
    }
    return names
  }

  @Test(arguments: Keyword.languages.map(\.locale))
  func `have all texts, with the parameters of the English text`(_ locale: String) throws {
    let language = try #require(Keyword.languages.first { $0.locale == locale })
    func common(_ keys: [String]) -> [String] { keys.filter { !$0.hasPrefix("phrase.") && $0 != "list.comma" } }
    #expect(common(language.keys) == common(Self.english.keys))
    let additional: Set = ["this", "not"]
    for key in common(language.keys) {
      let text = language[key]
      #expect(names(in: text).subtracting(additional) == names(in: Self.english[key]).subtracting(additional), "\(key)")
      #expect(key == "type.null" || locale == "en" || text != Self.english[key], "\(key) is not translated")
    }
  }

  @Test func `have nouns for one and for several`() {
    let german = Keyword.languages[2]
    #expect(german.text("minItems", ["limit": "1"]) == "Mindestens 1 Eintrag ist nötig.")
    #expect(german.text("minItems", ["limit": "2"]) == "Mindestens 2 Einträge sind nötig.")
    #expect(german.text("minItems", [:]) == german["minItems"] && german.text("nonsense", [:]) == nil)
  }
}
