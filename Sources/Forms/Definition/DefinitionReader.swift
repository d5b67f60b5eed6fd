internal import JSON
internal import SourceTexts
internal import Texts

/// Reads typed parts from a definition's JSON; a value that does not fit is reported with its location, and reading
/// goes on.
struct DefinitionReader {
  var collector: DiagnosticCollector

  // MARK: Objects

  /// The members of an object that has no other keys.
  mutating func object(_ value: JSON, at pointer: JSONPointer, keys: JSONObject, what: String) -> JSONObject? {
    guard case .object(let members) = value else {
      wrongType(value, at: pointer, expected: "an object", what: what)
      return nil
    }
    for member in members
    where keys[member.name] == nil && !member.name.utf8.starts(with: "$".utf8)
      && !member.name.utf8.starts(with: "x-".utf8)
    {
      let closest = collector.isFull ? nil : closestName(to: member.name, among: keys.names)
      collector.report(
        "unknownKey",
        at: pointer.appending(member.name),
        spot: .name,
        "\(what) has no \"\(member.name)\"",
        remedy: closest.map(Remedy.meant) ?? "its members are: \(keys.names.joined(separator: ", "))"
      )
    }
    return members
  }

  /// Reports that an object has two keys that exclude each other.
  mutating func conflict(
    _ first: String,
    _ second: String,
    at pointer: JSONPointer,
    what: String,
    remedy: Remedy
  ) {
    collector.report(
      "conflict",
      at: pointer.appending(second),
      spot: .name,
      "\(what) has both \"\(first)\" and \"\(second)\"",
      remedy: remedy
    )
  }

  mutating func wrongType(_ value: JSON, at pointer: JSONPointer, expected: String, what: String) {
    collector.report(
      "wrongType",
      at: pointer,
      "\(what) must be \(expected), and this is \(Self.describe(value))"
    )
  }

  /// Reports a value of another type, or one with too many elements or members.
  ///
  /// - Parameter elements: the word for its parts: `members`, `elements` or `names`.
  mutating func wrongCount(
    _ value: JSON,
    at pointer: JSONPointer,
    expected: String,
    max: Int,
    _ elements: String,
    what: String
  ) {
    let count = value.arrayValue?.count ?? value.objectValue?.count ?? 0
    collector.report(
      "wrongType",
      at: pointer,
      count > max
        ? "\(what) has \(count) \(elements), and at most \(max) are allowed"
        : "\(what) must be \(expected) of at most \(max) \(elements), and this is \(Self.describe(value))"
    )
  }

  static func describe(_ value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer, .real, .decimal: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  // MARK: Scalars

  mutating func string(_ members: JSONObject, _ key: String, at pointer: JSONPointer, what: String) -> String? {
    guard let value = members[key] else { return nil }
    guard case .string(let text) = value else {
      wrongType(value, at: pointer.appending(key), expected: "a text", what: "\"\(key)\" of \(what)")
      return nil
    }
    return text
  }

  mutating func requiredString(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String
  ) -> String? {
    if members[key] == nil {
      missing(key, at: pointer, what: what)
      return nil
    }
    return string(members, key, at: pointer, what: what)
  }

  mutating func missing(_ key: String, at pointer: JSONPointer, what: String, remedy: Remedy? = nil) {
    collector.report("missingKey", at: pointer, spot: .lack, "\(what) lacks \"\(key)\"", remedy: remedy)
  }

  mutating func bool(_ members: JSONObject, _ key: String, at pointer: JSONPointer, what: String) -> Bool? {
    guard let value = members[key] else { return nil }
    guard case .bool(let flag) = value else {
      wrongType(value, at: pointer.appending(key), expected: "true or false", what: "\"\(key)\" of \(what)")
      return nil
    }
    return flag
  }

  mutating func count(
    _ members: JSONObject,
    _ key: String,
    in range: ClosedRange<Int>,
    at pointer: JSONPointer,
    what: String
  ) -> Int? {
    guard let value = members[key] else { return nil }
    guard let number = value.integerValue, range.contains(Int(number)) else {
      collector.report(
        "wrongType",
        at: pointer.appending(key),
        "\"\(key)\" of \(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
      return nil
    }
    return Int(number)
  }

  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String,
    of: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard let text = string(members, key, at: pointer, what: what) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    reportChoice(
      text,
      among: Choice.allCases.map(\.rawValue),
      at: pointer.appending(key),
      what: "\"\(key)\" of \(what)"
    )
    return nil
  }

  mutating func choice(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String,
    among names: [String]
  ) -> String? {
    guard let text = string(members, key, at: pointer, what: what) else { return nil }
    if names.contains(text) { return text }
    reportChoice(text, among: names, at: pointer.appending(key), what: "\"\(key)\" of \(what)")
    return nil
  }

  private mutating func reportChoice(_ text: String, among names: [String], at pointer: JSONPointer, what: String) {
    collector.report(
      "unknownValue",
      at: pointer,
      "\(what) cannot be \"\(text)\"",
      remedy: collector.isFull
        ? nil
        : closestName(to: text, among: names).map(Remedy.meant)
          ?? "it is one of: \(names.joined(separator: ", "))"
    )
  }

  mutating func duration(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String
  ) -> Duration? {
    guard let text = string(members, key, at: pointer, what: what) else { return nil }
    return duration(text, at: pointer.appending(key), what: "\"\(key)\" of \(what)")
  }

  mutating func duration(_ text: String, at pointer: JSONPointer, what: String) -> Duration? {
    if let duration = Forms.duration(from: text) { return duration }
    collector.report(
      "duration",
      at: pointer,
      "\(what) is not a duration: \"\(text)\"",
      remedy: "write a number and a unit, as in \"300ms\", \"10s\" or \"2m\" (at most 24h)"
    )
    return nil
  }

  // MARK: Addresses

  /// The addresses in a list, each with its position.
  mutating func addresses(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String
  ) -> [(address: String, pointer: JSONPointer)] {
    guard let block = members[key] else { return [] }
    let inner = pointer.appending(key)
    guard case .array(let elements) = block else {
      wrongType(block, at: inner, expected: "a list of addresses", what: "\"\(key)\" of \(what)")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      if case .string(let address) = element { return (address, inner.appending(index)) }
      wrongType(
        element,
        at: inner.appending(index),
        expected: "a field's address",
        what: "an element of \"\(key)\""
      )
      return nil
    }
  }

  // MARK: Texts and formulas

  mutating func text(_ members: JSONObject, _ key: String, at pointer: JSONPointer, what: String) -> Text? {
    guard let value = members[key] else { return nil }
    return text(value, at: pointer.appending(key), what: "\"\(key)\" of \(what)")
  }

  mutating func text(_ value: JSON, at pointer: JSONPointer, what: String) -> Text? {
    switch value {
    case .string(let text):
      return Text(text)
    case .object(let variants) where !variants.isEmpty:
      var result: [(locale: String, text: String)] = []
      for variant in variants {
        guard case .string(let text) = variant.value else {
          wrongType(variant.value, at: pointer.appending(variant.name), expected: "a text", what: what)
          continue
        }
        result.append((variant.name, text))
      }
      return Text(variants: result)
    default:
      wrongType(value, at: pointer, expected: "a text, or an object from locale to text", what: what)
      return nil
    }
  }

  mutating func formula(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String
  ) -> FormulaDefinition? {
    guard let value = members[key] else { return nil }
    return formula(value, at: pointer.appending(key), what: "\"\(key)\" of \(what)")
  }

  mutating func formula(_ value: JSON, at pointer: JSONPointer, what: String) -> FormulaDefinition? {
    switch value {
    case .string(let source): return FormulaDefinition(source: source, pointer: pointer)
    // `"enabled": true` is accepted for the expression `true`.
    case .bool(let flag): return FormulaDefinition(source: flag ? "true" : "false", pointer: pointer)
    default:
      collector.report(
        "wrongType",
        at: pointer,
        "\(what) must be a CEL expression in a text, and this is \(Self.describe(value))",
        remedy: "write the expression in quotes; a text constant needs its own quotes: \"'like this'\""
      )
      return nil
    }
  }

  mutating func formulas(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    what: String
  ) -> [(name: String, formula: FormulaDefinition)] {
    guard let value = members[key] else { return [] }
    guard case .object(let entries) = value else {
      wrongType(value, at: pointer.appending(key), expected: "an object of expressions", what: "\"\(key)\" of \(what)")
      return []
    }
    return entries.compactMap { entry in
      formula(entry.value, at: pointer.appending(key).appending(entry.name), what: "\"\(entry.name)\"")
        .map { (entry.name, $0) }
    }
  }

  mutating func message(_ members: JSONObject, at pointer: JSONPointer, what: String) -> MessageDefinition {
    let text = text(members, "message", at: pointer, what: what)
    let formula = formula(members, "messageExpression", at: pointer, what: what)
    if text != nil && formula != nil {
      conflict("message", "messageExpression", at: pointer, what: what, remedy: "keep one of them")
    }
    return MessageDefinition(text: text, formula: formula)
  }

  mutating func requestValue(_ value: JSON, at pointer: JSONPointer) -> RequestValueDefinition {
    switch value {
    case .string("values"): .values
    case .string("changes"): .changes
    case .string(let source): .formula(FormulaDefinition(source: source, pointer: pointer))
    case .array(let elements):
      .array(elements.enumerated().map { requestValue($0.element, at: pointer.appending($0.offset)) })
    case .object(let members):
      .object(members.map { ($0.name, requestValue($0.value, at: pointer.appending($0.name))) })
    default: .literal(value)
    }
  }
}
