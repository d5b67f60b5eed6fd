internal import ErrorTexts
internal import JSON

extension Failure {
  /// The failure in one sentence, without the location: it names its subject, and the value if ``found`` is known.
  ///
  /// - Parameter locale: decides the language: English, Korean, German, French, Spanish, Portuguese, Italian, Japanese
  ///   or Chinese; English for any other.
  public func message(locale: String = "en") -> String {
    FailureText(language: Keyword.language(of: locale), namesSubject: true).text(of: self)
  }

  /// The failure in one sentence for a person who sees it beside the value, under its label: it does not repeat the
  /// label or the value, and shows no regular expression.
  public func messageBesideValue(locale: String = "en") -> String {
    FailureText(language: Keyword.language(of: locale), namesSubject: false).text(of: self)
  }
}

extension EvaluationBound {
  /// The limit that was reached, in one sentence, in the language of a locale as ``Failure/message(locale:)`` has it.
  public func message(locale: String = "en") -> String {
    FailureText(language: Keyword.language(of: locale), namesSubject: true).text(of: self)
  }
}

/// Words failures in a language. All texts are there: evaluation knows none.
private struct FailureText {
  let language: ErrorLanguage
  /// Whether the reader does not see the value and its label.
  let namesSubject: Bool

  func text(of failure: Failure) -> String {
    if case .bound(let bound) = failure.parameters {
      return namesSubject ? text(of: bound) : text(failure.kind.rawValue)
    }
    let found = found(failure)
    return switch (failure.keyword, failure.parameters) {
    case (.type, .types(let names, _)):
      text("type", ["expected": list(names.map { text("type.\($0)") }, "or")], found)
    case (.const, .allowed(let values)), (.enum, .allowed(let values)):
      if values.isEmpty {
        text("nothing")
      } else if values.count > Self.choicesMax, !namesSubject {
        text("enum.many")
      } else {
        text(failure.keyword.rawValue, ["allowed": choices(values)], found)
      }
    case (_, .limit(let limit)): text(failure.keyword.rawValue, ["limit": limit.description], found)
    case (.contains, .count(let limit, let actual)), (.minContains, .count(let limit, let actual)),
      (.maxContains, .count(let limit, let actual)):
      text(actual < limit ? "contains.few" : "contains.many", ["limit": String(limit)], found)
    case (_, .count(let limit, _)): text(failure.keyword.rawValue, ["limit": String(limit)], found)
    case (.pattern, .pattern(let source)): text("pattern", ["pattern": source.cut(to: Self.patternMax)], found)
    case (.format, .format(let name)): text("format", ["format": format(name)], found)
    case (.uniqueItems, .duplicates(let first, let second)):
      text("uniqueItems", ["first": String(first + 1), "second": String(second + 1)])
    case (.required, .missing(let property)): text("required", ["missing": name(property)])
    case (.required, _): text(namesSubject ? "required.some" : "required")
    case (_, .dependency(let property, let missing)):
      text("dependency", ["property": namesSubject ? name(property) : property, "missing": name(missing)])
    case (.propertyNames, .property(let property)): text("propertyNames", ["property": name(property)])
    case (_, .property(let property)): text("property", ["property": name(property)])
    case (_, .item(let position)): text("item", ["item": String(position + 1)])
    case (.items, _): text("items")
    case (.oneOf, .matches(let positions)):
      text("matches", ["matches": list(positions.map { self.position($0) }, "and")])
    case (.anyOf, _), (.oneOf, _): text("alternatives")
    case (.not, _): text("not", [:], found)
    case (.falseSchema, _), (.then, _), (.else, _): text("nothing")
    default: text("other")
    }
  }

  func text(of bound: EvaluationBound) -> String {
    switch bound {
    case .steps(let limit): text("steps", ["limit": String(limit)])
    case .depth(let limit): text("depth", ["limit": String(limit)])
    case .pattern(let source): text("costlyPattern", ["pattern": source.cut(to: Self.patternMax)])
    }
  }

  /// A text with the value that was found, in the text or behind it.
  private func text(_ key: String, _ parameters: [String: String] = [:], _ found: String? = nil) -> String {
    func value(_ name: String) -> String? {
      switch name {
      case "this": found ?? language["phrase.this"]
      case "not": found.flatMap { language.text("phrase.not", ["found": $0]) } ?? ""
      default: parameters[name]
      }
    }
    let text = (namesSubject ? language.text("\(key).named", value) : nil) ?? language.text(key, value) ?? key
    return text + (found.flatMap { language.text("phrase.found", ["found": $0]) } ?? "")
  }

  // MARK: Parts of sentences

  /// A longer list of choices is cut.
  private static let choicesMax = 8
  /// How many code points of a regular expression are shown.
  private static let patternMax = 200

  /// The value that was found instead, as far as it may be reported.
  private func found(_ failure: Failure) -> String? {
    guard let found = failure.found else { return nil }
    switch (failure.keyword, failure.parameters, found) {
    // Of the scalars only texts are counted.
    case (_, .count(_, let actual), .scalar):
      return language.text("phrase.length", ["found": String(actual)]) ?? String(actual)
    case (_, .count(_, let actual), _):
      return language.text("phrase.count", ["found": String(actual)]) ?? String(actual)
    case (_, _, .scalar(let text)): return text
    // Only a type says more about a list or an object.
    case (_, .types, .array): return text("type.array")
    case (_, .types, .object): return text("type.object")
    default: return nil
    }
  }

  private func choices(_ values: [JSON]) -> String {
    let words = values.prefix(Self.choicesMax).map(\.shortText)
    let more = values.count - words.count
    if more == 0 { return list(words, "or") }
    return text("list.more", ["first": words.joined(separator: comma), "more": String(more)])
  }

  /// - Parameter conjunction: `or` or `and`.
  private func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return text("list.\(conjunction)", ["first": words.dropLast().joined(separator: comma), "last": last])
  }

  private var comma: String { language["list.comma"] ?? ", " }

  private func position(_ index: Int) -> String {
    language.text("phrase.position", ["position": String(index + 1)]) ?? String(index + 1)
  }

  /// A name in a text, as JSON: its end is clear, and invisible characters are escaped.
  private func name(_ name: String) -> String { JSON.string(name).shortText }

  private func format(_ name: String) -> String {
    let known =
      switch name {
      case "idn-email", "html-email": "email"
      case "iri", "whatwg-url": "uri"
      case "idn-hostname": "hostname"
      default: name
      }
    return language.text("format.\(known)", ["format": name]) ?? text("format.other", ["format": name])
  }
}
