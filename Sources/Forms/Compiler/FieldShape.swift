internal import CEL
internal import JSON
internal import JSONSchema
internal import Texts

/// What the schema says about a field, as far as the compiler needs it.
struct FieldShape {
  let name: String
  /// Its property in the schema's parts.
  let property: Int
  let type: FieldType
  let size: SizeBounds
  /// How many code points a text may have, where the schema says so.
  let lengthMax: Int?
  let isSecret: Bool
  let admitsNull: Bool
  let isRequired: Bool
  let options: [Field.Option]
  let initial: JSON?

  /// How formulas see the value. A number that is absent reads as null, which a wrapper type says; a text reads as `''`.
  var celType: CELType {
    switch type {
    case .string: .string
    case .integer: .wrapper(.int)
    case .number: .wrapper(.double)
    case .bool: .wrapper(.bool)
    case .dynamic: .dyn
    }
  }
}

extension FormCompiler {
  func fieldShapes(_ parts: ObjectParts) -> [FieldShape] {
    let required = Set(parts.required.map { UTF8Key(text: $0.name) })
    return parts.properties.enumerated().map { position, property in
      FieldShape(
        name: property.name,
        property: position,
        type: FieldType(property.facts),
        size: SizeBounds(
          max: property.facts.maxLength ?? property.facts.maxItems
            ?? property.facts.choices.map { choices in
              choices.map { $0.value.stringValue?.codePointCount ?? 1 }.max() ?? 1
            }
        ),
        lengthMax: property.facts.maxLength,
        isSecret: property.holdsSecret || definition.fields[property.name]?.isSecret ?? false,
        admitsNull: property.facts.admitsNull && property.facts.types.count < 7,
        isRequired: required.contains(UTF8Key(text: property.name)),
        options: options(of: property),
        initial: property.facts.default
      )
    }
  }
}

extension FormCompiler {
  /// What the schema lets choose, each with the title that the field's `options` gives, else the schema's.
  private func options(of property: ObjectParts.Property) -> [Field.Option] {
    let named = Dictionary(
      (definition.fields[property.name]?.options ?? []).map { (UTF8Key(text: $0.value), $0.title) },
      uniquingKeysWith: { first, _ in first }
    )
    return (property.facts.choices ?? []).map { choice in
      let own = named[UTF8Key(text: choice.value.optionName)]
      return Field.Option(value: choice.value, title: own ?? choice.title.map { Text($0) })
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
