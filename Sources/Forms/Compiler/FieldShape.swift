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

extension FormCompiler {
  /// The shapes of all fields, each behind the one that holds it.
  func fieldShapes(_ tree: ObjectTree) -> [FieldShape] {
    var shapes: [FieldShape] = []
    let required = tree.objects.map { Set($0.parts.required.map { UTF8Key(text: $0.name) }) }
    for member in tree.members {
      let holder = (member.parent ?? member.list).map { shapes[$0] }
      let facts = member.facts
      _ = budget.spend(facts.toldBytes / Self.toldBytesOfUnit)
      let place = FieldPlacement(
        name: member.name,
        path: (holder?.place.path ?? []) + [member.name],
        parent: member.parent,
        end: member.end,
        list: member.list,
        element: member.element,
        template: member.template,
        owner: member.owner,
        property: member.property,
        unit: member.object
      )
      let isSecret = member.isSecret || own(place)?.isSecret ?? false || holder?.isSecret ?? false
      shapes.append(
        FieldShape(
          place: place,
          type: member.element != nil ? .list : member.object == nil ? FieldType(facts) : .dynamic,
          facts: facts,
          lengthMax: facts.maxLength,
          isSecret: isSecret,
          holdsSecret: isSecret || member.holdsSecret,
          admitsNull: facts.admitsNull && facts.types.count < 7,
          isRequired: required[member.owner].contains(UTF8Key(text: member.name)),
          options: options(of: member, own(place)),
          // A default of the whole object is one of its members. The rows of a list's default are rows of their own.
          initial: member.parent.flatMap { shapes[$0].initial?[member.name] } ?? facts.default
        )
      )
    }
    // Whoever tells a value tells all that is inside of it.
    for index in shapes.indices.reversed() where shapes[index].holdsSecret {
      if let around = shapes[index].place.around { shapes[around].holdsSecret = true }
    }
    return shapes
  }

  /// A client asks for all that the schema says of its fields at once, and what stands in the schema once may be said of many.
  private static let toldBytesOfUnit = 8

  /// What the definition's `fields` says about a field.
  func own(_ place: FieldPlacement) -> FieldDefinition? {
    fieldDefinitions[UTF8Key(text: place.address)]
  }
}

extension PropertyFacts {
  /// The bytes of texts and values in it, about.
  fileprivate var toldBytes: Int {
    let texts = [title, description, pattern, format].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    let named = (choices ?? []).reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) + ($1.title?.utf8.count ?? 0) }
    return texts + named + (`default`?.approximateBytes ?? 0) + JSON.object(extensions).approximateBytes
  }
}

extension FormCompiler {
  /// Units of work per option: a client asks for all of them at once, each with its text.
  private static let optionWork = 39

  /// What the schema lets choose, each with the label that the field's `options` gives, else the schema's title.
  private func options(of member: ObjectTree.Member, _ own: FieldDefinition?) -> [Field.Option] {
    let named = Dictionary(
      (own?.options ?? []).map { (UTF8Key(text: $0.value), $0.label) },
      uniquingKeysWith: { first, _ in first }
    )
    guard let choices = member.facts.choices, budget.spend(choices.count * Self.optionWork) else { return [] }
    return choices.map { choice in
      let own = named[UTF8Key(text: choice.value.optionName)]
      return Field.Option(value: choice.value, label: own ?? choice.title.map { Text($0) })
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
