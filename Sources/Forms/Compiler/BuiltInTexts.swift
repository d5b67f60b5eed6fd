/// Texts for errors that the engine itself makes, used if the definition gives none. The texts for schema keywords are
/// next to the schema module's failures.
package enum BuiltInTexts {
  static let locales = ["en", "ko"]

  static let required = Text(variants: [("en", "This is required."), ("ko", "필수 항목입니다.")])
  static let duplicate = Text(variants: [("en", "This is in the list already."), ("ko", "이미 목록에 있습니다.")])
  /// The text for an invalid value that has no other text.
  package static let invalid = Text(variants: [("en", "This is not valid."), ("ko", "올바르지 않은 값입니다.")])
  /// The text for a field that reads texts and cannot read the text that it got; nil for a type that is not read from
  /// texts.
  package static func unread(_ type: FieldType) -> Text? {
    switch type {
    case .integer: Text(variants: [("en", "Enter a whole number."), ("ko", "정수를 입력해 주세요.")])
    case .number: Text(variants: [("en", "Enter a number."), ("ko", "숫자를 입력해 주세요.")])
    case .bool: Text(variants: [("en", "Choose yes or no."), ("ko", "예 또는 아니요를 선택해 주세요.")])
    case .string, .list, .dynamic: nil
    }
  }
  /// The text for a value that is not among the options.
  static let options = Text(variants: [("en", "Choose one of the options."), ("ko", "목록에서 선택해 주세요.")])
  static let fault = Text(variants: [("en", "This could not be checked."), ("ko", "값을 확인할 수 없습니다.")])
  /// The last entry of a list that does not name all errors.
  package static let more = Text(variants: [
    ("en", "There are {total} errors here."), ("ko", "여기에 오류가 모두 {total}개 있습니다."),
  ])
  /// Follows the text of an error at a value of YAML that its quotes would make valid.
  package static let quotes = Text(variants: [
    ("en", "In YAML, write it in quotes: {text}."), ("ko", "YAML에서는 따옴표로 묶어 주세요: {text}."),
  ])
  static let checkFailed = Text(variants: [
    ("en", "This could not be checked. Please try again."), ("ko", "확인하지 못했습니다. 다시 시도해 주세요."),
  ])
}
