package import LocaleFormats

extension BuiltInTexts {
  /// The text for a text that could not be read as a kind of value. Its parameter `example` is one that can.
  package static func unread(_ kind: TypedFormat.Kind, _ type: FieldType) -> Text {
    switch kind {
    case .number where type == .integer:
      Text(variants: [
        ("en", "Enter a whole number, such as {example}."), ("ko", "정수를 입력해 주세요. 예: {example}"),
      ])
    case .number:
      Text(variants: [("en", "Enter a number, such as {example}."), ("ko", "숫자를 입력해 주세요. 예: {example}")])
    case .percent:
      Text(variants: [
        ("en", "Enter a percentage, such as {example}."), ("ko", "백분율을 입력해 주세요. 예: {example}"),
      ])
    case .currency:
      Text(variants: [("en", "Enter an amount, such as {example}."), ("ko", "금액을 입력해 주세요. 예: {example}")])
    case .date:
      Text(variants: [("en", "Enter a date, such as {example}."), ("ko", "날짜를 입력해 주세요. 예: {example}")])
    case .dateTime:
      Text(variants: [
        ("en", "Enter a date and a time, such as {example}."),
        ("ko", "날짜와 시간을 입력해 주세요. 예: {example}"),
      ])
    }
  }
}
