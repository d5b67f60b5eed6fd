internal import CEL
internal import Formats
internal import JSON
internal import JSONSchema
internal import Texts

/// The schema's facts about a field, as far as the compiler needs them.
struct FieldShape {
  let position: FieldPosition
  /// The entry for the field in the definition's `fields`.
  var own: FieldDefinition?
  let type: FieldType
  /// The schema's facts about its values.
  let facts: PropertyFacts
  /// The maximum number of code points of a text, if the schema sets it.
  let lengthMax: Int?
  let isSecret: Bool
  var holdsSecret: Bool
  let admitsNull: Bool
  let isRequired: Bool
  /// Whether its schema, or the schema of a value around it, is `readOnly`; of a list, also whether its rows are.
  var isReadOnly: Bool
  let options: [Field.Option]
  let initial: JSON?

  var name: String { position.name }
  var address: String { position.address }

  /// Whether the value is an object with known members: the schema names some, and admits nothing else or does not
  /// restrict the type.
  var isObject: Bool {
    position.element == nil && position.unit != nil
      && (facts.types.count >= 6 || facts.types.allSatisfy { $0 == "object" || $0 == "null" })
  }

  /// How large a value can be; nil: nothing bounds it.
  var sizeMax: Int? {
    if let choices = facts.choices { return choices.map { $0.value.stringValue?.codePointCount ?? 1 }.max() ?? 1 }
    switch type {
    case .string: return facts.maxLength
    case .list: return facts.maxItems
    case .integer, .number, .bool: return 1
    case .dynamic:
      let isText = facts.types.contains("string")
      let isList = facts.types.contains("array")
      if facts.types.contains("object") || isText && facts.maxLength == nil || isList && facts.maxItems == nil {
        return nil
      }
      return max(isText ? facts.maxLength ?? 1 : 1, isList ? facts.maxItems ?? 1 : 1)
    }
  }

  /// Texts that are not a segment of a path (``DotSegment``).
  static let textsWithDots = ["..", "../x", "x/../x", "..\\x"]

  /// Whether the schema admits one of ``textsWithDots``.
  var admitsDots: Bool {
    guard facts.types.contains("string"), facts.choices == nil else { return false }
    let pattern = facts.pattern.flatMap { try? Pattern($0, dialect: .ecma262) }
    let format = facts.format.flatMap { TextFormat(rawValue: $0) }
    return Self.textsWithDots.contains { text in
      text.utf8.count <= facts.maxLength ?? .max && format?.accepts(text) ?? true
        && pattern.map { $0.matches(text) == .match } ?? true
    }
  }

  /// The keyword that bounds the size of a value; nil if none does.
  var sizeKeyword: String? {
    if facts.choices != nil { return nil }
    switch type {
    case .string: return "maxLength"
    case .list: return "maxItems"
    case .dynamic:
      return facts.types.contains("array") ? "maxItems" : facts.types.contains("string") ? "maxLength" : nil
    case .integer, .number, .bool: return nil
    }
  }
}

extension JSON {
  /// The name of the value in a field's `options`: a text is used unchanged, any other value as JSON.
  var optionName: String { stringValue ?? description }
}

extension FieldType {
  /// The only type that the schema allows, apart from null.
  init(_ facts: PropertyFacts) {
    let types = facts.types.filter { $0 != "null" }
    switch types {
    case ["string"]: self = .string
    case ["integer"]: self = .integer
    case ["number"]: self = .number
    case ["boolean"]: self = .bool
    case _ where facts.choices.map({ !$0.isEmpty && $0.allSatisfy { $0.value.stringValue != nil } }) ?? false:
      // An `enum` of texts without `type` is also a text.
      self = .string
    default: self = .dynamic
    }
  }
}
