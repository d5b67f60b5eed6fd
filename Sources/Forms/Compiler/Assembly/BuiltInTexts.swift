internal import ErrorTexts
internal import JSONSchema
package import LocaleFormats

/// Texts for errors that the engine itself makes, used if the definition gives none. The texts for schema keywords are
/// next to the schema module's failures.
package enum BuiltInTexts {
  static let locales = ErrorLanguage.all.map(\.locale)

  static let required = text("required")
  static let duplicate = text("duplicate")
  /// The text for an invalid value that has no other text.
  package static let invalid = text("invalid")
  /// The text for a value that is not among the options.
  static let options = text("options")
  static let fault = text("fault")
  static let checkFailed = text("checkFailed")
  /// The last entry of a list that does not name all errors.
  package static let more = text("more")
  /// Follows the text of an error at a value of YAML that its quotes would make valid.
  package static let quotes = text("quotes")

  /// The text for a field that reads texts and cannot read the text that it got; nil for a type that is not read from
  /// texts.
  package static func unread(_ type: FieldType) -> Text? {
    switch type {
    case .integer: unreadInteger
    case .number: unreadNumber
    case .bool: unreadBool
    case .string, .list, .dynamic: nil
    }
  }
  private static let unreadInteger = text("unread.integer")
  private static let unreadNumber = text("unread.number")
  private static let unreadBool = text("unread.boolean")

  /// The text for a text that could not be read as a kind of value. Its parameter `example` is one that can.
  package static func unread(_ kind: TypedFormat.Kind, _ type: FieldType) -> Text {
    kind == .number && type == .integer ? readInteger : read[kind] ?? invalid
  }
  private static let readInteger = text("read.integer")
  private static let read = Dictionary(
    uniqueKeysWithValues: TypedFormat.Kind.allCases.map { ($0, text("read.\($0.rawValue)")) }
  )

  /// The text for a rule about which of several fields have a value.
  package static func group(_ kind: GroupKind) -> Text { groups[kind] ?? invalid }
  private static let groups = Dictionary(
    uniqueKeysWithValues: GroupKind.allCases.map { ($0, text("group.\($0.rawValue)")) }
  )

  /// The text in all languages.
  private static func text(_ key: String) -> Text {
    Text(variants: Keyword.languages.map { ($0.locale, $0[key] ?? "") })
  }
}
