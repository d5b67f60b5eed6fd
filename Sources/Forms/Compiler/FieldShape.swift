internal import CEL
internal import JSON
internal import JSONSchema
internal import Texts

/// What the schema says about a field, as far as the compiler needs it.
struct FieldShape {
  let place: FieldPlacement
  let type: FieldType
  /// What the schema says about its values.
  let facts: PropertyFacts
  /// How many code points a text may have, where the schema says so.
  let lengthMax: Int?
  let isSecret: Bool
  var holdsSecret: Bool
  let admitsNull: Bool
  let isRequired: Bool
  let options: [Field.Option]
  let initial: JSON?

  var name: String { place.name }
  var address: String { place.address }

  /// Whether the value is an object whose members are known: where the schema names some, and admits nothing else or does not say.
  var isObject: Bool {
    place.element == nil && place.unit != nil
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

  /// The keyword that bounds the size of a value; nil where none does.
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
  /// The name of the value in a field's `options`: a text as it is, anything else as JSON.
  var optionName: String { stringValue ?? description }
}

extension FieldType {
  /// The one type that the schema allows, null aside.
  init(_ facts: PropertyFacts) {
    let types = facts.types.filter { $0 != "null" }
    switch types {
    case ["string"]: self = .string
    case ["integer"]: self = .integer
    case ["number"]: self = .number
    case ["boolean"]: self = .bool
    case _ where facts.choices.map({ !$0.isEmpty && $0.allSatisfy { $0.value.stringValue != nil } }) ?? false:
      // An `enum` of texts without `type` is a text all the same.
      self = .string
    default: self = .dynamic
    }
  }
}
