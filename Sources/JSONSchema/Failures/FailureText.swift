internal import JSON

extension Failure {
  /// The failure in one sentence for people, without the place. Korean for locales that begin with `ko`, else English.
  public func message(locale: String = "en") -> String {
    FailureText.language(locale).text(of: self)
  }
}

/// The default texts, all of them: evaluation knows none.
enum FailureText {
  case english, korean

  static func language(_ locale: String) -> FailureText {
    let isKorean = locale == "ko" || locale.hasPrefix("ko-") || locale.hasPrefix("ko_")
    return isKorean ? .korean : .english
  }

  func text(of failure: Failure) -> String {
    switch self {
    case .english: english(failure)
    case .korean: korean(failure)
    }
  }

  func text(of bound: EvaluationBound) -> String {
    switch (self, bound) {
    case (.english, .steps(let limit)): "This takes more than \(limit) steps to check."
    case (.english, .depth(let limit)): "This takes more than \(limit) schemas inside each other to check."
    case (.english, .pattern(let source)): "A text here takes too long to match with the pattern \(source)."
    case (.korean, .steps(let limit)): "확인하려면 \(limit)단계가 넘게 걸립니다."
    case (.korean, .depth(let limit)): "확인하려면 스키마를 \(limit)단계보다 깊이 중첩해야 합니다."
    case (.korean, .pattern(let source)): "이 텍스트를 패턴 \(source)과(와) 맞춰 보는 데 시간이 너무 오래 걸립니다."
    }
  }

  private func english(_ failure: Failure) -> String {
    switch failure.kind {
    case .tooCostly: return "This takes too long to check."
    case .tooDeep: return "This is nested too deeply to check."
    case .invalid: break
    }
    return switch (failure.keyword, failure.parameters) {
    case (.type, .types(let expected, _)): "This must be \(list(expected.map(englishType), "or"))."
    case (.const, .allowed(let values)): "This must be \(list(values.map(\.description), "or"))."
    case (.enum, .allowed(let values)): "This must be \(choices(values, "or", "one of the allowed values"))."
    case (.multipleOf, .limit(let limit)): "This must be a multiple of \(limit)."
    case (.maximum, .limit(let limit)): "This must be at most \(limit)."
    case (.exclusiveMaximum, .limit(let limit)): "This must be less than \(limit)."
    case (.minimum, .limit(let limit)): "This must be at least \(limit)."
    case (.exclusiveMinimum, .limit(let limit)): "This must be greater than \(limit)."
    case (.maxLength, .count(let limit, _)): "This may have at most \(englishCount(limit, "character"))."
    case (.minLength, .count(let limit, _)): "This must have at least \(englishCount(limit, "character"))."
    case (.pattern, _): "This does not have the required form."
    case (.format, .format(let name)): englishFormat(name)
    case (.maxItems, .count(let limit, _)): "This may have at most \(englishCount(limit, "item"))."
    case (.minItems, .count(let limit, _)): "This must have at least \(englishCount(limit, "item"))."
    case (.uniqueItems, .duplicates(let first, let second)):
      "No two items may be equal; items \(first + 1) and \(second + 1) are."
    case (.contains, .count(let limit, let actual)), (.minContains, .count(let limit, let actual)),
      (.maxContains, .count(let limit, let actual)):
      actual < limit
        ? "At least \(englishCount(limit, "item")) must be of the required kind."
        : "At most \(englishCount(limit, "item")) may be of that kind."
    case (.maxProperties, .count(let limit, _)): "This may have at most \(englishCount(limit, "member"))."
    case (.minProperties, .count(let limit, _)): "This must have at least \(englishCount(limit, "member"))."
    case (.required, _): "This is required."
    case (_, .dependency(let property, _)): "This is required when \(property) is given."
    case (.propertyNames, .property(let name)): "The name \(name) is not allowed."
    case (_, .property(let name)): "\(name) is not expected here."
    case (_, .item), (.items, _): "This item is not expected here."
    case (.anyOf, _): "This is none of the allowed alternatives."
    case (.oneOf, .matches): "This is more than one of the alternatives that exclude each other."
    case (.oneOf, _): "This is none of the allowed alternatives."
    case (.not, _): "This is not allowed."
    default: "This is not allowed."
    }
  }

  private func korean(_ failure: Failure) -> String {
    switch failure.kind {
    case .tooCostly: return "확인하는 데 시간이 너무 오래 걸립니다."
    case .tooDeep: return "너무 깊이 중첩되어 확인할 수 없습니다."
    case .invalid: break
    }
    return switch (failure.keyword, failure.parameters) {
    case (.type, .types(let expected, _)): "다음 형식이어야 합니다: \(expected.map(koreanType).joined(separator: ", "))."
    case (.const, .allowed(let values)): "다음 값이어야 합니다: \(values.map(\.description).joined(separator: ", "))."
    case (.enum, .allowed(let values)):
      values.count > Self.choicesMax
        ? "허용된 값 중 하나여야 합니다."
        : "다음 중 하나여야 합니다: \(values.map(\.description).joined(separator: ", "))."
    case (.multipleOf, .limit(let limit)): "\(limit)의 배수여야 합니다."
    case (.maximum, .limit(let limit)): "\(limit) 이하여야 합니다."
    case (.exclusiveMaximum, .limit(let limit)): "\(limit)보다 작아야 합니다."
    case (.minimum, .limit(let limit)): "\(limit) 이상이어야 합니다."
    case (.exclusiveMinimum, .limit(let limit)): "\(limit)보다 커야 합니다."
    case (.maxLength, .count(let limit, _)): "\(limit)자 이하로 입력해주세요."
    case (.minLength, .count(let limit, _)): "\(limit)자 이상 입력해주세요."
    case (.pattern, _): "형식이 올바르지 않습니다."
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
    case (.required, _): "필수 항목입니다."
    case (_, .dependency(let property, _)): "\(property) 항목이 있으면 필수입니다."
    case (.propertyNames, .property(let name)): "허용되지 않는 이름입니다: \(name)."
    case (_, .property(let name)): "허용되지 않는 항목입니다: \(name)."
    case (_, .item), (.items, _): "허용되지 않는 항목입니다."
    case (.anyOf, _): "허용된 조건 중 어느 것에도 맞지 않습니다."
    case (.oneOf, .matches): "서로 배타적인 조건 중 둘 이상에 맞습니다."
    case (.oneOf, _): "허용된 조건 중 어느 것에도 맞지 않습니다."
    case (.not, _): "허용되지 않는 값입니다."
    default: "허용되지 않는 값입니다."
    }
  }

  // MARK: Parts of sentences

  /// A longer list of choices is not written out.
  private static let choicesMax = 8

  private func choices(_ values: [JSON], _ conjunction: String, _ otherwise: String) -> String {
    values.count > Self.choicesMax || values.isEmpty ? otherwise : list(values.map(\.description), conjunction)
  }

  private func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  private func englishCount(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  private func englishType(_ name: String) -> String {
    switch name {
    case "null": "null"
    case "boolean": "true or false"
    case "integer": "a whole number"
    case "number": "a number"
    case "string": "a text"
    case "array": "a list"
    default: "an object"
    }
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

  private func englishFormat(_ name: String) -> String {
    switch name {
    case "email", "idn-email", "html-email": "This is not an email address."
    case "date": "This is not a date (year-month-day)."
    case "time": "This is not a time with a time zone."
    case "date-time": "This is not a date and time with a time zone."
    case "uri", "iri", "whatwg-url": "This is not a URL."
    case "hostname", "idn-hostname": "This is not a host name."
    default: "This is not in the format \(name)."
    }
  }

  private func koreanFormat(_ name: String) -> String {
    switch name {
    case "email", "idn-email", "html-email": "이메일 형식이 아닙니다."
    case "date": "날짜 형식(연-월-일)이 아닙니다."
    case "time": "시간 형식이 아닙니다."
    case "date-time": "날짜와 시간 형식이 아닙니다."
    case "uri", "iri", "whatwg-url": "URL 형식이 아닙니다."
    case "hostname", "idn-hostname": "호스트 이름 형식이 아닙니다."
    default: "\(name) 형식이 아닙니다."
    }
  }
}
