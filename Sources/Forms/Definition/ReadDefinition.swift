internal import JSON
internal import JSONSchema
internal import LocaleFormats
internal import SourceTexts
internal import Texts

/// The member `read` of a form or a field: how texts that people type become values.
struct ReadDefinition {
  var pointer: JSONPointer
  /// Nil: `false`, so the field does not read texts.
  var format: TypedFormat?

  /// How fields read by default: one word or object, or a list of them, each for other fields.
  static func defaults(_ members: JSONObject, with reader: inout DefinitionReader) -> [ReadDefinition] {
    guard let value = members["read"] else { return [] }
    let pointer = JSONPointer(tokens: ["read"])
    var found: [ReadDefinition] = []
    if case .array(let elements) = value {
      for (index, element) in elements.enumerated() {
        if let read = ReadDefinition(element, at: pointer.appending(index), with: &reader) { found.append(read) }
      }
    } else if let read = ReadDefinition(value, at: pointer, with: &reader) {
      found.append(read)
    }
    var known: [(isNumber: Bool, kind: TypedFormat.Kind)] = []
    for read in found {
      guard let kind = read.format?.kind else { continue }
      if known.contains(where: { $0.kind == kind || $0.isNumber && kind.isNumber }) {
        reader.collector.report(
          "conflict",
          at: read.pointer,
          "\"read\" of the definition says twice how \(kind.isNumber ? "numbers" : kind.rawValue) are read",
          remedy: "keep one of them, and write the other at the fields that it is for"
        )
      }
      known.append((kind.isNumber, kind))
    }
    return found
  }

  /// The member `read` of a field; nil if the field has none.
  static func ofField(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    with reader: inout DefinitionReader
  ) -> ReadDefinition? {
    guard let value = members["read"] else { return nil }
    let inner = pointer.appending("read")
    if value == .bool(false) { return ReadDefinition(pointer: inner) }
    if members["coerce"] == .bool(true) {
      reader.conflict(
        "coerce",
        "read",
        at: pointer,
        what: what,
        remedy: "keep one of them: \"read\" reads texts as the user writes them, \"coerce\" as JSON writes them"
      )
    }
    return ReadDefinition(value, at: inner, with: &reader)
  }

  private init(pointer: JSONPointer) { self.pointer = pointer }

  private init?(_ value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    self.pointer = pointer
    let names = TypedFormat.Kind.allCases.map(\.rawValue)
    switch value {
    case .string(let name):
      guard let kind = TypedFormat.Kind(rawValue: name) else {
        Self.reportName(name, at: pointer, .value, names, &reader)
        return nil
      }
      format = TypedFormat(kind)
    case .object(let members):
      guard let member = members.first, members.count == 1 else {
        reader.collector.report(
          "wrongType",
          at: pointer,
          "an object for \"read\" has one member, and this has \(members.count)",
          remedy: "write {\"number\": {\"decimal\": \",\"}}; a form may have a list of such objects"
        )
        return nil
      }
      guard let kind = TypedFormat.Kind(rawValue: member.name) else {
        Self.reportName(member.name, at: pointer.appending(member.name), .name, names, &reader)
        return nil
      }
      var format = TypedFormat(kind)
      let inner = pointer.appending(member.name)
      if kind.isNumber {
        Self.readSigns(member.value, into: &format, at: inner, &reader)
      } else {
        Self.readPatterns(member.value, into: &format, at: inner, &reader)
      }
      self.format = format
    default:
      reader.wrongType(
        value,
        at: pointer,
        expected: "one of \(names.joined(separator: ", ")), or an object such as {\"number\": {\"decimal\": \",\"}}",
        what: "\"read\""
      )
      return nil
    }
  }

  private static func reportName(
    _ name: String,
    at pointer: JSONPointer,
    _ spot: DiagnosticCollector.Spot,
    _ names: [String],
    _ reader: inout DefinitionReader
  ) {
    let closest = reader.collector.isFull ? nil : closestName(to: name, among: names)
    reader.collector.report(
      "unknownValue",
      at: pointer,
      spot: spot,
      "\"read\" cannot be \"\(name)\"",
      remedy: closest.map(Remedy.meant) ?? "it is one of: \(names.joined(separator: ", "))"
    )
  }

  // MARK: Numbers

  private static func readSigns(
    _ value: JSON,
    into format: inout TypedFormat,
    at pointer: JSONPointer,
    _ reader: inout DefinitionReader
  ) {
    let what = "\"\(format.kind.rawValue)\" of \"read\""
    let keys = format.kind == .currency ? currencyKeys : separatorKeys
    guard let members = reader.object(value, at: pointer, keys: keys, what: what) else { return }
    format.decimal = separator(members, "decimal", at: pointer, what, &reader)
    format.group = separator(members, "group", at: pointer, what, &reader)
    if members["group"] != nil, members["decimal"] == nil {
      reader.missing("decimal", at: pointer, what: what, remedy: "name both separators, or leave both to the language")
    } else if let decimal = format.decimal, decimal == format.group {
      reader.collector.report(
        "conflict",
        at: pointer.appending("group"),
        "the separator of groups is the decimal separator, too",
        remedy: "write two different signs, as in \"decimal\": \",\", \"group\": \".\""
      )
    }
    guard format.kind == .currency, let code = reader.string(members, "code", at: pointer, what: what) else { return }
    format.currency = code
    if !Currency.isCode(code) {
      reader.collector.report(
        "unknownValue",
        at: pointer.appending("code"),
        "\"\(code)\" is not the code of a currency",
        remedy: "write a code of ISO 4217 in capitals, such as \"EUR\""
      )
    }
  }

  private static func separator(
    _ members: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> String? {
    guard let text = reader.string(members, key, at: pointer, what: what) else { return nil }
    let isSign = text.count == 1 && !text.contains { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "+" }
    if isSign { return text }
    reader.collector.report(
      "unknownValue",
      at: pointer.appending(key),
      "\"\(key)\" must be one sign that is no letter, digit, plus or minus",
      remedy: "write \".\", \",\", \" \" or \"'\""
    )
    return nil
  }

  // MARK: Dates

  private static func readPatterns(
    _ value: JSON,
    into format: inout TypedFormat,
    at pointer: JSONPointer,
    _ reader: inout DefinitionReader
  ) {
    let example = format.kind == .date ? "dd.MM.yyyy" : "dd.MM.yyyy HH:mm"
    guard case .array(let elements) = value, !elements.isEmpty else {
      return reader.wrongType(
        value,
        at: pointer,
        expected: "a list of patterns, such as [\"\(example)\"]",
        what: "\"\(format.kind.rawValue)\" of \"read\""
      )
    }
    for (index, element) in elements.enumerated() {
      let pattern = element.stringValue.flatMap { DatePattern($0) }
      if let pattern, pattern.fits(format.kind) {
        format.patterns.append(pattern)
        continue
      }
      reader.collector.report(
        "pattern",
        at: pointer.appending(index),
        pattern == nil
          ? "this is not a pattern of a date" : "the pattern does not have each part of the value once",
        remedy: """
          write \(format.kind == .date ? "day, month and year" : "day, month, year, hour and minute") as in \
          "\(example)": d, M and yyyy or yy\(format.kind == .date ? "" : ", H or h with a, and m, maybe s"); \
          letters that are text stand between apostrophes
          """
      )
    }
  }
}

extension ReadDefinition {
  /// The schema of `read`, without `false`.
  static let schema: JSON = [
    "description":
      "How texts that people type are read. A word: as the session's language writes such values. An object: as it says.",
    "anyOf": [
      ["enum": .array(TypedFormat.Kind.allCases.map { .string($0.rawValue) })],
      [
        "type": "object", "minProperties": 1, "maxProperties": 1,
        "properties": [
          "number": [
            "$ref": "#/$defs/separators",
            "description": "Numbers, for a field whose schema asks for an integer or a number.",
          ],
          "percent": [
            "$ref": "#/$defs/separators",
            "description":
              "Hundredths, with or without a percent sign: 12.5 % is 0.125. For a field whose schema asks for a number.",
          ],
          "currency": DefinitionSchema.object(
            currencyKeys,
            about: "Amounts of money, for a field whose schema asks for an integer or a number.",
            also: ["dependentRequired": ["group": ["decimal"]]]
          ),
          "date": [
            "$ref": "#/$defs/patterns",
            "description":
              "Dates, for a field whose schema asks for a text of format date: d or dd, M or MM, yyyy or yy.",
          ],
          "dateTime": [
            "$ref": "#/$defs/patterns",
            "description":
              "Dates with a time, for a field whose schema asks for a text of format local-date-time: also H or HH, or h and a (AM or PM); m or mm; s or ss.",
          ],
        ], "additionalProperties": false,
      ],
    ],
  ]

  private static let currencyKeys: JSONObject = [
    "code": [
      "type": "string", "pattern": "^[A-Z]{3}$",
      "description":
        "The currency (ISO 4217). Its code or its sign may stand in front or behind; another currency is an error. Without it, the sign of any currency may.",
    ],
    "decimal": ["$ref": "#/$defs/separator", "description": "The decimal separator."],
    "group": ["$ref": "#/$defs/separator", "description": "The separator between groups of three digits."],
  ]

  private static let separatorKeys: JSONObject = [
    "decimal": ["$ref": "#/$defs/separator", "description": "The decimal separator."],
    "group": [
      "$ref": "#/$defs/separator",
      "description": "The separator between groups of three digits; without it, digits are not grouped.",
    ],
  ]

  /// The schema of an object that names separators.
  static let separatorsSchema = DefinitionSchema.object(
    separatorKeys,
    also: ["dependentRequired": ["group": ["decimal"]]]
  )

  static let separatorSchema: JSON = [
    "type": "string", "minLength": 1, "maxLength": 1, "pattern": "^[^\\p{L}\\p{N}+-]$",
  ]

  /// The schema of a list of patterns of dates.
  static let patternsSchema: JSON = [
    "type": "array", "minItems": 1, "items": ["type": "string", "maxLength": 100],
    "description":
      "Patterns of Unicode's LDML. Letters that are text stand between apostrophes. Each pattern reads; the first one writes.",
  ]
}

extension FormDefinition {
  /// How a field reads what people type: as it says itself, or as the form says for values of its kind.
  func reading(of shape: FieldShape, _ own: FieldDefinition?) -> TypedFormat? {
    if let read = own?.read { return read.format.flatMap { shape.takes($0.kind) ? $0 : nil } }
    // The field's own `coerce` is nearer than the form's `read`.
    if own?.coerces ?? false { return nil }
    return reads.lazy.compactMap(\.format).first { shape.takes($0.kind) }
  }
}

extension FormAssembler {
  /// How a field reads what people type. A way that its schema does not ask for is reported.
  mutating func read(_ shape: FieldShape) -> TypedFormat? {
    let own = shape.own
    let reading = definition.reading(of: shape, own)
    guard reading == nil, let read = own?.read, let format = read.format else { return reading }
    let needed =
      switch format.kind {
      case .number, .percent, .currency: "\"type\": \"number\" or \"integer\""
      case .date: "\"type\": \"string\", \"format\": \"date\""
      case .dateTime: "\"type\": \"string\", \"format\": \"local-date-time\""
      }
    collector.report(
      "conflict",
      at: read.pointer,
      spot: .name,
      "the schema of \"\(shape.address)\" does not ask for what \"read\": \"\(format.kind.rawValue)\" gives",
      remedy: "write it at a field whose schema has \(needed)"
    )
    return nil
  }
}

extension FieldShape {
  /// Whether its schema asks for values of a kind.
  fileprivate func takes(_ kind: TypedFormat.Kind) -> Bool {
    switch kind {
    case .number, .percent, .currency: type == .number || type == .integer && kind != .percent
    case .date: type == .string && facts.format == "date"
    case .dateTime: type == .string && facts.format == "local-date-time"
    }
  }
}
