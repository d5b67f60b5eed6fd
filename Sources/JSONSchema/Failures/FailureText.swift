internal import JSON

extension Failure {
  /// The failure in one sentence, without the location: it names its subject, and the value if ``found`` is known.
  /// Korean for locales of that language, in any case, else English.
  public func message(locale: String = "en") -> String {
    FailureText.language(locale).text(of: self)
  }

  /// The failure in one sentence for a person who sees it beside the value, under its label: it does not repeat the
  /// label or the value, and shows no regular expression.
  public func messageBesideValue(locale: String = "en") -> String {
    let language = FailureText.language(locale)
    return language.textBesideValue(of: self) ?? language.text(of: self)
  }
}

/// The default texts, all of them: evaluation knows none.
enum FailureText {
  case english, korean

  static func language(_ locale: String) -> FailureText {
    let language = locale.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    return language.map({ $0 | 0x20 }).elementsEqual("ko".utf8) ? .korean : .english
  }

  func text(of failure: Failure) -> String {
    if case .bound(let bound) = failure.parameters { return text(of: bound) }
    return switch self {
    case .english: english(failure)
    case .korean: korean(failure)
    }
  }

  func text(of bound: EvaluationBound) -> String {
    switch (self, bound) {
    case (.english, .steps(let limit)): "This takes more than \(count(limit, "step")) to check."
    case (.english, .depth(let limit)): "This takes more than \(count(limit, "nested schema")) to check."
    case (.english, .pattern(let source)):
      "A text here takes too long to match with the pattern \(Self.pattern(source))."
    case (.korean, .steps(let limit)): "확인하려면 \(limit)단계가 넘게 걸립니다."
    case (.korean, .depth(let limit)): "확인하려면 스키마를 \(limit)단계보다 깊이 중첩해야 합니다."
    case (.korean, .pattern(let source)): "텍스트를 다음 패턴과 맞춰 보는 데 시간이 너무 오래 걸립니다: \(Self.pattern(source))"
    }
  }

  /// The texts that differ beside the value; nil for all others.
  fileprivate func textBesideValue(of failure: Failure) -> String? {
    switch (failure.kind, self) {
    case (.tooCostly, .english): return "This takes too long to check."
    case (.tooCostly, .korean): return "확인하는 데 시간이 너무 오래 걸립니다."
    case (.tooDeep, .english): return "This is nested too deeply to check."
    case (.tooDeep, .korean): return "너무 깊이 중첩되어 확인할 수 없습니다."
    case (.invalid, _): break
    }
    return switch (failure.keyword, failure.parameters, self) {
    case (.required, _, .english): "This is required."
    case (.required, _, .korean): "필수 항목입니다."
    case (_, .dependency(let property, _), .english): "This is required when \(property) is given."
    case (_, .dependency(let property, _), .korean): "\(property) 항목이 있으면 필수입니다."
    case (.pattern, _, .english): "This does not have the required form."
    case (.pattern, _, .korean): "형식이 올바르지 않습니다."
    case (.enum, .allowed(let values), .english) where values.count > Self.choicesMax:
      "This must be one of the allowed values."
    case (.enum, .allowed(let values), .korean) where values.count > Self.choicesMax: "허용된 값 중 하나여야 합니다."
    case (.oneOf, .matches, .english): "This matches more than one of the alternatives that exclude each other."
    case (.oneOf, .matches, .korean): "서로 배타적인 조건 중 둘 이상에 맞습니다."
    case (.not, _, .english): "This is not allowed."
    case (.not, _, .korean): "허용되지 않는 값입니다."
    default: nil
    }
  }

  // MARK: Parts of sentences

  /// A longer list of choices is cut.
  static let choicesMax = 8
  /// How many code points of a regular expression are shown.
  private static let patternMax = 200

  /// The values of a list in words, and how many further values there are.
  static func choices(_ values: [JSON]) -> (words: [String], more: Int) {
    (values.prefix(choicesMax).map(\.shortText), max(0, values.count - choicesMax))
  }

  /// A name in a text, as JSON: its end is clear, and invisible characters are escaped.
  static func name(_ name: String) -> String { JSON.string(name).shortText }

  static func pattern(_ source: String) -> String { source.cut(to: patternMax) }
}
