internal import JSON

extension FailureText {
  func english(_ failure: Failure) -> String {
    let not = englishFound(failure).map { ", not \($0)" } ?? ""
    let this = englishSubject(failure)
    return switch (failure.keyword, failure.parameters) {
    case (.type, .types(let expected, _)): "This must be \(list(expected.map(englishType), "or"))\(not)."
    case (.const, .allowed(let values)), (.enum, .allowed(let values)): "This must be \(englishChoices(values))\(not)."
    case (.multipleOf, .limit(let limit)): "This must be a multiple of \(limit)\(not)."
    case (.maximum, .limit(let limit)): "This must be at most \(limit)\(not)."
    case (.exclusiveMaximum, .limit(let limit)): "This must be less than \(limit)\(not)."
    case (.minimum, .limit(let limit)): "This must be at least \(limit)\(not)."
    case (.exclusiveMinimum, .limit(let limit)): "This must be greater than \(limit)\(not)."
    case (.maxLength, .count(let limit, _)): "This may have at most \(count(limit, "character"))\(not)."
    case (.minLength, .count(let limit, _)): "This must have at least \(count(limit, "character"))\(not)."
    case (.pattern, .pattern(let source)): "\(this) does not match the pattern \(Self.pattern(source))."
    case (.format, .format(let name)): "\(this) is not \(englishFormat(name))."
    case (.maxItems, .count(let limit, _)): "This may have at most \(count(limit, "item"))\(not)."
    case (.minItems, .count(let limit, _)): "This must have at least \(count(limit, "item"))\(not)."
    case (.uniqueItems, .duplicates(let first, let second)):
      "No two items may be equal; items \(first + 1) and \(second + 1) are."
    case (.contains, .count(let limit, let actual)), (.minContains, .count(let limit, let actual)),
      (.maxContains, .count(let limit, let actual)):
      actual < limit
        ? "At least \(count(limit, "item")) must be of the required kind\(not)."
        : "At most \(count(limit, "item")) may be of that kind\(not)."
    case (.maxProperties, .count(let limit, _)): "This may have at most \(count(limit, "member"))\(not)."
    case (.minProperties, .count(let limit, _)): "This must have at least \(count(limit, "member"))\(not)."
    case (.required, .missing(let property)): "\(Self.name(property)) is required."
    case (_, .dependency(let property, let missing)):
      "\(Self.name(missing)) is required when \(Self.name(property)) is given."
    case (.propertyNames, .property(let name)): "The name \(Self.name(name)) is not allowed."
    case (_, .property(let name)): "\(Self.name(name)) is not expected here."
    case (_, .item(let position)): "Item \(position + 1) is not expected here."
    case (.items, _): "This item is not expected here."
    case (.oneOf, .matches(let positions)):
      "This matches more than one of the alternatives that exclude each other: \(list(positions.map { String($0 + 1) }, "and"))."
    case (.anyOf, _), (.oneOf, _): "This matches none of the allowed alternatives."
    case (.required, _): "Something that is required is missing."
    case (.not, _): "\(this) is excluded by \"not\"."
    case (.falseSchema, _), (.then, _), (.else, _): "Nothing is allowed here."
    default: "This is not allowed."
    }
  }

  /// The value that was found instead, as far as it may be reported.
  private func englishFound(_ failure: Failure) -> String? {
    guard let found = failure.found else { return nil }
    switch (failure.parameters, found) {
    case (.count(_, let actual), _): return String(actual)
    case (_, .scalar(let text)): return text
    case (_, .array): return "a list"
    case (_, .object): return "an object"
    }
  }

  private func englishSubject(_ failure: Failure) -> String {
    if case .scalar(let text) = failure.found { text } else { "This" }
  }

  private func englishChoices(_ values: [JSON]) -> String {
    let (words, more) = Self.choices(values)
    if words.isEmpty { return "one of no values" }
    return more == 0 ? list(words, "or") : "\(words.joined(separator: ", ")) or one of \(more) more"
  }

  private func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  func count(_ count: Int, _ noun: String) -> String {
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

  private func englishFormat(_ name: String) -> String {
    switch name {
    case "email", "idn-email", "html-email": "an email address"
    case "date": "a date (year-month-day)"
    case "time": "a time with a time zone"
    case "date-time": "a date and time with a time zone"
    case "local-time": "a time of day (hour:minute)"
    case "local-date-time": "a date and time (year-month-dayThour:minute)"
    case "uri", "iri", "whatwg-url": "a URL"
    case "hostname", "idn-hostname": "a host name"
    default: "in the format \(name)"
    }
  }
}
