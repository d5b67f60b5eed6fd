internal import Budgets
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Warns of texts that can never be seen, and of names in them that nothing fills.
extension FormCompiler {
  /// Looks at the texts of all errors.
  mutating func checkTexts() {
    checkMessages()
    for rule in definition.rules {
      let field = rule.field.flatMap { fields.field(at: $0) }
      let pointer = rule.pointer.appending("message")
      checkPlaceholders(rule.message.text, parametersOfRule(at: field), of: rule.id, at: pointer)
    }
    for check in definition.checks {
      for outcome in check.outcomes {
        let pointer = outcome.pointer.appending("message")
        checkPlaceholders(outcome.message.text, [], of: outcome.code ?? check.id, at: pointer)
      }
      checkPlaceholders(check.failureMessage, [], of: check.id, at: check.pointer.appending("failureMessage"))
    }
  }

  /// Looks at the `messages` of all fields, of the form as a whole, and of the definition.
  private mutating func checkMessages() {
    let own = definition.fields.filter { !$0.definition.messages.isEmpty }
    if own.isEmpty, definition.messages.isEmpty, definition.formMessages.isEmpty { return }
    let keywords = keywordsOfSchema()
    let codes = codesOfFields()
    for (address, field) in own {
      guard let index = fields.field(at: address) else { continue }
      check(field.messages, of: "\"\(address)\"", codes[index] ?? [:], keywords)
    }
    check(definition.formMessages, of: "the form as a whole", codes[nil] ?? [:], keywords)
    // Each field may have an error with such a text.
    let bytes = definition.messages.all.reduce(0) { $0 + $1.variants.reduce(0) { $0 + $1.text.utf8.count } }
    guard bytes > 0, budget.spend(bytes * fields.shapes.count / Form.bytesPerUnit) else { return }
    check(definition.messages, of: "any field", codes.values.reduce(into: [:]) { $0.merge($1) { $1 } }, keywords)
  }

  /// Looks at the texts of a field's errors, or of those of several.
  ///
  /// - Parameters:
  ///   - subject: names the field.
  ///   - own: the codes of its rules and checks, each with the names of its parameters.
  ///   - keywords: the keywords of the schema.
  private mutating func check(
    _ messages: MessageDefinitions,
    of subject: String,
    _ own: [UTF8Key: [String]],
    _ keywords: Set<Keyword>
  ) {
    guard budget.spend(messages.codes.count) else { return }
    for code in messages.codes {
      let pointer = messages.pointer.appending(code)
      let keyword = Keyword(rawValue: code).flatMap { keywords.contains($0) ? $0.parameterNames : nil }
      if let parameters = Self.codesOfEngine[code] ?? own[UTF8Key(text: code)] ?? keyword {
        checkPlaceholders(messages[code], parameters, of: code, at: pointer)
      } else {
        reportUnknown(code, of: subject, among: own.keys.map(\.text).sorted(), keywords, at: pointer)
      }
    }
  }

  // MARK: Codes

  /// The codes that every field's errors may have, each with the names of its parameters.
  private static let codesOfEngine: [String: [String]] = [
    "required": ["missing"], "duplicate": [], "fault": [], "tooCostly": [], "tooDeep": [], "more": ["total"],
  ]

  private func parametersOfRule(at field: Int?) -> [String] {
    field.map { fields.shapes[$0].position.template > 0 } ?? false ? ["number", "index"] : []
  }

  /// By field, or nil for the form as a whole: the codes of its rules and checks, each with the names of its
  /// parameters.
  private func codesOfFields() -> [Int?: [UTF8Key: [String]]] {
    var codes: [Int?: [UTF8Key: [String]]] = [:]
    for rule in definition.rules {
      for field in errorFields(of: rule) {
        codes[field, default: [:]][UTF8Key(text: rule.id)] = parametersOfRule(at: field)
      }
    }
    for (number, shape) in fields.shapes.enumerated() {
      guard let own = shape.own else { continue }
      guard own.optionsFormula != nil || own.options.contains(where: { $0.value != nil }) else { continue }
      codes[number, default: [:]][UTF8Key(text: "options")] = []
    }
    for (number, shape) in fields.shapes.enumerated()
    where definition.reading(of: shape, shape.own) != nil {
      codes[number, default: [:]][UTF8Key(text: "type")] = ["expected", "actual", "format", "example"]
    }
    for check in definition.checks {
      guard let field = fields.field(at: check.field) else { continue }
      for outcome in check.outcomes where !outcome.isValid {
        codes[field, default: [:]][UTF8Key(text: outcome.code ?? check.id)] = []
      }
    }
    return codes
  }

  /// The keywords that the schema has anywhere. Only a value shows which of them a field's value can fail.
  private func keywordsOfSchema() -> Set<Keyword> {
    var keywords: Set<Keyword> = []
    var rest = [definition.schema]
    while let value = rest.popLast(), budget.mayGoOn {
      switch value {
      case .object(let members):
        for member in members {
          if let keyword = Keyword(rawValue: member.name) { keywords.insert(keyword) }
          rest.append(member.value)
        }
      case .array(let elements): rest += elements
      case .null, .bool, .integer, .real, .decimal, .string: break
      }
    }
    return keywords
  }

  private mutating func reportUnknown(
    _ code: String,
    of subject: String,
    among own: [String],
    _ keywords: Set<Keyword>,
    at pointer: JSONPointer
  ) {
    let remedy: Remedy?
    if collector.isFull(of: .warning) {
      remedy = nil
    } else if let rule = definition.rules.first(where: { $0.id.hasSameUTF8(as: code) }) {
      remedy =
        rule.field.map { "the rule \"\(code)\" is at \"\($0)\"" }
        ?? "the rule \"\(code)\" is for the form as a whole: write the text in its \"message\", or at \"\""
    } else if let check = definition.checks.first(where: { $0.id.hasSameUTF8(as: code) }) {
      remedy = "the check \"\(code)\" is at \"\(check.field)\""
    } else if Keyword(rawValue: code)?.parameterNames != nil {
      remedy = "the schema has no \"\(code)\""
    } else {
      let known = own + keywords.filter { $0.parameterNames != nil }.map(\.rawValue).sorted()
      remedy = collector.advice(
        for: code,
        among: known + ["required", "duplicate", "fault"].filter { !known.contains($0) },
        or: "the codes are",
        budget
      )
    }
    collector.report(
      "unknownCode",
      at: pointer,
      spot: .name,
      "no error of \(subject) has the code \"\(code)\", so this text is never shown",
      remedy: remedy,
      severity: .warning
    )
  }

  // MARK: Placeholders

  /// Warns of names in braces that nothing replaces.
  private mutating func checkPlaceholders(
    _ text: Text?,
    _ parameters: [String],
    of code: String,
    at pointer: JSONPointer
  ) {
    for variant in text?.variants ?? [] {
      let variantPointer =
        text?.variants.count == 1 && variant.locale.isEmpty ? pointer : pointer.appending(variant.locale)
      for name in Self.placeholders(in: variant.text)
      where name != FormAssembler.labelName && !parameters.contains(where: { $0.hasSameUTF8(as: name) }) {
        collector.report(
          "unknownPlaceholder",
          at: variantPointer,
          "the error \"\(code)\" has no parameter \"\(name)\", so {\(name)} is not replaced",
          remedy: parameters.isEmpty
            ? "leave it out: the error has no parameters, only {\(FormAssembler.labelName)}"
            : collector.advice(
              for: name,
              among: parameters + [FormAssembler.labelName],
              or: "its parameters are",
              budget
            ),
          severity: .warning
        )
      }
    }
  }

  /// The names in braces, like `limit` in `At most {limit}.`
  static func placeholders(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return [] }
    let parts = text.utf8.split(separator: UInt8(ascii: "{"))
    return parts.dropFirst(text.utf8.first == UInt8(ascii: "{") ? 0 : 1).compactMap {
      guard let end = $0.firstIndex(of: UInt8(ascii: "}")), end > $0.startIndex else { return nil }
      let name = $0[..<end]
      let isName = name.allSatisfy { byte in
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
      }
      return isName ? String(name) : nil
    }
  }
}
