internal import JSON

extension FailureText {
  func korean(_ failure: Failure) -> String {
    koreanRule(failure) + (koreanFound(failure).map { " 현재 값: \($0)." } ?? "")
  }

  private func koreanRule(_ failure: Failure) -> String {
    switch (failure.keyword, failure.parameters) {
    case (.type, .types(let expected, _)): "다음 형식이어야 합니다: \(expected.map(koreanType).joined(separator: ", "))."
    case (.const, .allowed(let values)): "다음 값이어야 합니다: \(koreanChoices(values))."
    case (.enum, .allowed(let values)): "다음 중 하나여야 합니다: \(koreanChoices(values))."
    case (.multipleOf, .limit(let limit)): "\(limit)의 배수여야 합니다."
    case (.maximum, .limit(let limit)): "\(limit) 이하여야 합니다."
    case (.exclusiveMaximum, .limit(let limit)): "\(limit)보다 작아야 합니다."
    case (.minimum, .limit(let limit)): "\(limit) 이상이어야 합니다."
    case (.exclusiveMinimum, .limit(let limit)): "\(limit)보다 커야 합니다."
    case (.maxLength, .count(let limit, _)): "\(limit)자 이하로 입력해주세요."
    case (.minLength, .count(let limit, _)): "\(limit)자 이상 입력해주세요."
    case (.pattern, .pattern(let source)): "다음 패턴에 맞지 않습니다: \(Self.pattern(source))"
    case (.format, .format(let name)): koreanFormat(name)
    case (.maxItems, .count(let limit, _)): "최대 \(limit)개까지 가능합니다."
    case (.minItems, .count(let limit, _)): "\(limit)개 이상이어야 합니다."
    case (.uniqueItems, .duplicates(let first, let second)):
      "같은 항목이 있으면 안 됩니다. \(first + 1)번째와 \(second + 1)번째 항목이 같습니다."
    case (.contains, .count(let limit, let actual)), (.minContains, .count(let limit, let actual)),
      (.maxContains, .count(let limit, let actual)):
      actual < limit ? "조건에 맞는 항목이 \(limit)개 이상이어야 합니다." : "조건에 맞는 항목은 최대 \(limit)개까지 가능합니다."
    case (.maxProperties, .count(let limit, _)): "항목은 최대 \(limit)개까지 가능합니다."
    case (.minProperties, .count(let limit, _)): "항목이 \(limit)개 이상이어야 합니다."
    case (.required, .missing(let property)): "필수 항목이 없습니다: \(Self.name(property))."
    case (_, .dependency(let property, let missing)):
      "\(Self.name(property)) 항목이 있으면 \(Self.name(missing)) 항목이 필수입니다."
    case (.propertyNames, .property(let name)): "허용되지 않는 이름입니다: \(Self.name(name))."
    case (_, .property(let name)): "허용되지 않는 항목입니다: \(Self.name(name))."
    case (_, .item(let position)): "허용되지 않는 항목입니다: \(position + 1)번째."
    case (.items, _): "허용되지 않는 항목입니다."
    case (.oneOf, .matches(let positions)):
      "서로 배타적인 조건 중 둘 이상에 맞습니다: \(positions.map { "\($0 + 1)번째" }.joined(separator: ", "))."
    case (.anyOf, _), (.oneOf, _): "허용된 조건 중 어느 것에도 맞지 않습니다."
    case (.required, _): "필수 항목이 없습니다."
    case (.not, _): "\"not\"이 금지하는 값입니다."
    case (.falseSchema, _), (.then, _), (.else, _): "여기에는 아무 값도 허용되지 않습니다."
    default: "허용되지 않는 값입니다."
    }
  }

  /// The value that was found instead, as far as it may be reported, if the rule does not name it.
  private func koreanFound(_ failure: Failure) -> String? {
    guard let found = failure.found else { return nil }
    switch (failure.keyword, failure.parameters, found) {
    case (.maxLength, .count(_, let actual), _), (.minLength, .count(_, let actual), _): return "\(actual)자"
    case (_, .count(_, let actual), _): return "\(actual)개"
    case (_, .types, .array): return "목록"
    case (_, .types, .object): return "객체"
    case (_, _, .scalar(let text)): return text
    default: return nil
    }
  }

  private func koreanChoices(_ values: [JSON]) -> String {
    let (words, more) = Self.choices(values)
    return words.joined(separator: ", ") + (more == 0 ? "" : " 외 \(more)개")
  }

  private func koreanType(_ name: String) -> String {
    switch name {
    case "null": "null"
    case "boolean": "참 또는 거짓"
    case "integer": "정수"
    case "number": "숫자"
    case "string": "문자열"
    case "array": "목록"
    default: "객체"
    }
  }

  private func koreanFormat(_ name: String) -> String {
    switch name {
    case "email", "idn-email", "html-email": "이메일 형식이 아닙니다."
    case "date": "날짜 형식(연-월-일)이 아닙니다."
    case "time": "시간 형식이 아닙니다."
    case "date-time": "날짜와 시간 형식이 아닙니다."
    case "local-time": "시각 형식(시:분)이 아닙니다."
    case "local-date-time": "날짜와 시각 형식(연-월-일T시:분)이 아닙니다."
    case "uri", "iri", "whatwg-url": "URL 형식이 아닙니다."
    case "hostname", "idn-hostname": "호스트 이름 형식이 아닙니다."
    default: "\(name) 형식이 아닙니다."
    }
  }
}
