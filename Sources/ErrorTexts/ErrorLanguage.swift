internal import Texts

/// The built-in texts of errors in one language.
///
/// A text has a key: a code, or a part of a sentence (`type.integer`, `list.or`). A key that
/// ends with `.named` has the text for a reader who does not see the value beside it. A name in braces is a parameter:
/// `{limit}`. A name with two words is a count with its noun in the singular and the plural: `{limit item/items}`.
package struct ErrorLanguage: Sendable {
  /// The language's code of ISO 639-1.
  package let locale: String
  private var texts: [String: String]

  /// - Parameter table: see ``texts(of:)``.
  init(_ locale: String, _ table: String) {
    self.locale = locale
    texts = Dictionary(uniqueKeysWithValues: Self.texts(of: table))
  }

  /// The texts of a table.
  ///
  /// - Parameter table: a line per text: its key, a bar, the text.
  package static func texts(of table: String) -> [(key: String, text: String)] {
    // Steps through an array of bytes take a third of the time of steps through a text.
    Array(table.utf8).split(separator: UInt8(ascii: "\n")).map { line in
      guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else {
        preconditionFailure("no bar in \(String(decoding: line, as: UTF8.self))")
      }
      return (String(decoding: line[..<bar], as: UTF8.self), String(decoding: line[(bar + 1)...], as: UTF8.self))
    }
  }

  /// The language with further texts, such as the texts of the keywords of schemas.
  package func adding(_ more: [(key: String, text: String)]) -> ErrorLanguage {
    var language = self
    for (key, text) in more {
      precondition(language.texts[key] == nil, "\(locale) has two texts for \(key)")
      language.texts[key] = text
    }
    return language
  }

  /// All languages. English, which is used if no other language fits, is the first.
  package static let all = [english, korean, german, french, spanish, portuguese, italian, japanese, chinese]

  /// The language of a locale, without regard to case; nil if formd has no texts in it.
  package static func known(_ locale: String) -> ErrorLanguage? { position(of: locale).map { all[$0] } }

  /// The position of that language in ``all``.
  package static func position(of locale: String) -> Int? {
    let language = locale.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map { $0 | 0x20 }
    return all.firstIndex { $0.locale.utf8.elementsEqual(language) }
  }

  /// The keys of all texts.
  package var keys: [String] { texts.keys.sorted() }

  /// The text with its parameters unfilled; nil if the language has none.
  package subscript(key: String) -> String? { texts[key] }

  /// The text with parameters; nil if the language has none.
  package func text(_ key: String, _ parameters: [String: String]) -> String? { text(key) { parameters[$0] } }

  /// The text with the parameters that a function gives by their names; nil if the language has none.
  package func text(_ key: String, _ value: (String) -> String?) -> String? {
    texts[key]?.filled { name in
      guard let space = name.utf8.firstIndex(of: UInt8(ascii: " ")) else { return value(name) }
      guard let count = value(String(name[..<space])) else { return nil }
      let nouns = name[name.utf8.index(after: space)...].split(separator: "/")
      return "\(count) \((isSingular(count) ? nouns.first : nouns.last) ?? "")"
    }
  }

  /// Whether a noun is in the singular behind that number (CLDR, plural rules).
  private func isSingular(_ count: String) -> Bool { count == "1" || count == "0" && ["fr", "pt"].contains(locale) }
}
