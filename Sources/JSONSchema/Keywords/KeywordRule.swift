package import ErrorTexts
internal import JSON

/// A keyword of schemas without its evaluation: its drafts and its vocabulary, how it is read, and the texts of its
/// failures.
///
/// Each family of keywords lists its rules in its own file, beside the functions that read and evaluate them.
struct KeywordRule: Sendable {
  /// Reads the keyword's value into the schema that is being compiled.
  typealias Reading =
    @Sendable (inout SchemaCompiler, Keyword, _ value: JSON, inout SchemaInProgress) -> Void

  let keyword: Keyword
  /// The drafts that have the keyword. Other drafts read it as an annotation, in any shape.
  let drafts: ClosedRange<SchemaDraft>
  /// The vocabulary that a schema must use for the keyword to count.
  let vocabulary: Dialect.Vocabularies
  /// The names of the parameters of a failure, as ``FailureParameters/object`` writes them; nil for a keyword that
  /// never fails by itself.
  let parameters: [String]?
  /// The texts of failures: a line per text.
  private let texts: String
  let read: Reading

  /// - Parameter texts: a line per text: its language, a bar, the text as ``ErrorLanguage`` describes it. The language
  ///   has a suffix for a variant: `en.named`. A keyword without texts shares a text with other keywords.
  init(
    _ keyword: Keyword,
    from first: SchemaDraft = .draft4,
    upTo last: SchemaDraft = .draft2020,
    in vocabulary: Dialect.Vocabularies = [],
    parameters: [String]? = nil,
    texts: String = "",
    read: @escaping Reading
  ) {
    self.keyword = keyword
    drafts = first...last
    self.vocabulary = vocabulary
    self.parameters = parameters
    self.texts = texts
    self.read = read
  }

  private static let all: [KeywordRule] =
    references + inPlace + arrays + objects + unevaluated + anyType + numbers + strings + annotations

  /// By the name of the keyword.
  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.keyword.rawValue, $0) })

  /// The languages, with the texts of keywords.
  fileprivate static let languages: [ErrorLanguage] = {
    var texts: [String: [(key: String, text: String)]] = [:]
    for rule in all {
      for (language, text) in ErrorLanguage.texts(of: rule.texts) {
        // A language's code has two letters. The suffix behind it is the suffix of the key.
        texts[String(language.prefix(2)), default: []].append((rule.keyword.rawValue + language.dropFirst(2), text))
      }
    }
    return ErrorLanguage.all.map { $0.adding(texts[$0.locale] ?? []) }
  }()
}

extension Keyword {
  /// The names of the parameters that a failure of this keyword may have, as ``FailureParameters/object`` writes them;
  /// nil for a keyword that never fails by itself.
  package var parameterNames: [String]? {
    self == .falseSchema ? [] : KeywordRule.named[rawValue]?.parameters
  }

  /// The languages of errors, with the texts of keywords. English is the first.
  package static var languages: [ErrorLanguage] { KeywordRule.languages }

  /// The language of a locale, without regard to case, with the texts of keywords; else English.
  static func language(of locale: String) -> ErrorLanguage { languages[ErrorLanguage.position(of: locale) ?? 0] }
}
