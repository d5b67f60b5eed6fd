internal import Budgets
internal import DocumentProperties
internal import JSON
internal import JSONSchema
internal import Texts

/// The fields of a form that is being compiled: the facts of schema and definition about each, and the addresses of the
/// fields.
struct FieldTable {
  /// The schema's facts about each field. A field follows the field that contains it. Everywhere else a field is named
  /// by its position here.
  let shapes: [FieldShape]
  /// The addresses of all fields, for advice.
  let addresses: [String]
  /// Whether a secret may be in the values.
  let valuesHoldSecret: Bool
  /// Whether addresses may lead nowhere because a part of the schema could not be read.
  let mayLackFields: Bool
  /// The addresses without a field that are reported.
  var addressesReported: Set<UTF8Key> = []
  /// Finds the fields by their addresses.
  let index: FieldIndex

  /// No fields.
  init() {
    shapes = []
    addresses = []
    valuesHoldSecret = false
    mayLackFields = false
    index = FieldIndex(addresses: [])
  }

  /// The fields of a schema.
  ///
  /// - Parameters:
  ///   - definitions: the definition's statements about fields, by their canonical addresses.
  ///   - mayLackFields: whether addresses may lead nowhere because a part of the schema could not be read.
  ///   - budget: the budget that pays for finding the fields.
  init(
    of tree: ObjectTree,
    _ definitions: [UTF8Key: FieldDefinition],
    mayLackFields: Bool,
    budget: CompileBudget
  ) {
    shapes = Self.shapes(of: tree, definitions, budget)
    addresses = shapes.map(\.address)
    valuesHoldSecret = shapes.contains(where: \.holdsSecret) || (tree.objects.first?.areOthersSecret ?? false)
    self.mayLackFields = mayLackFields
    index = FieldIndex(addresses: addresses)
  }

  // MARK: Names

  /// The field of an address, which may be written as a name or as a pointer.
  func field(at address: String) -> Int? { index.field(at: address) }

  /// The field that those names lead to.
  func field(on path: [String]) -> Int? { index.field(on: path) }

  /// The fields that a step names, in ascending order.
  func fields(of step: StepDefinition) -> [Int] { step.fields.compactMap { field(at: $0.address) }.sorted() }

  /// The most similar address to one that leads to no field; nil when none is close.
  func closest(to address: String) -> String? { index.closest(to: address, among: addresses) }

  // MARK: Templates

  /// The template of the field at an address; the form's template if the address is nil or leads nowhere.
  func template(at address: String?) -> Int {
    address.flatMap { field(at: $0) }.map { shapes[$0].position.template } ?? 0
  }

  /// The template whose rows have an output or a lookup: `/items/*/net` belongs to the rows of `items`. Nil if the
  /// address leads to no row.
  func template(ofRowName address: String) -> Int? {
    guard let path = JSONPointer(address: address)?.tokens, path.count > 1 else {
      return address.utf8.first == UInt8(ascii: "/") ? nil : 0
    }
    guard path.last != "*", path.last != "", let element = field(on: path.dropLast()),
      shapes[element].position.list != nil
    else {
      return nil
    }
    return shapes[element].position.template
  }

  /// The form's list that contains the rows, or rows of rows, of a field; for a field of the form, the field itself.
  func outmostList(around field: Int) -> Int {
    var field = field
    while shapes[field].position.template > 0 {
      field = shapes[field].position.list ?? shapes[field].position.parent ?? 0
    }
    return field
  }

  // MARK: Shapes

  /// The shapes of all fields; a field follows the field that contains it. Empty when the budget is spent.
  private static func shapes(
    of tree: ObjectTree,
    _ definitions: [UTF8Key: FieldDefinition],
    _ budget: CompileBudget
  ) -> [FieldShape] {
    var shapes: [FieldShape] = []
    // The bytes of each field's address.
    var addressBytes: [Int] = []
    let required = tree.objects.map { Set($0.parts.required.map { UTF8Key(text: $0.name) }) }
    for member in tree.members {
      let around = member.parent ?? member.list
      let holder = around.map { shapes[$0] }
      let facts = member.facts
      let nameBytes = member.name.bytesInJSON
      addressBytes.append((around.map { addressBytes[$0] } ?? 0) + 1 + nameBytes)
      let copiedBytes = max(0, nameBytes - paidNameBytes) * nameCopies + addressBytes[shapes.count] * addressCopies
      guard budget.spend(facts.toldBytes / toldBytesOfUnit + copiedBytes / Form.bytesPerUnit) else { return [] }
      let path = (holder?.position.path ?? []) + [member.name]
      let position = FieldPosition(
        name: member.name,
        path: path,
        parent: member.parent,
        end: member.end,
        list: member.list,
        element: member.element,
        template: member.template,
        owner: member.owner,
        property: member.property,
        unit: member.object,
        address: JSONPointer(tokens: path).address
      )
      let own = definitions[UTF8Key(text: position.address)]
      // Who may not change a row can neither add nor remove one.
      if let list = member.list, facts.readOnly { shapes[list].isReadOnly = true }
      let isSecret = member.isSecret || own?.isSecret ?? false || holder?.isSecret ?? false
      shapes.append(
        FieldShape(
          position: position,
          own: own,
          type: member.element != nil ? .list : member.object == nil ? FieldType(facts) : .dynamic,
          facts: facts,
          lengthMax: facts.maxLength,
          isSecret: isSecret,
          holdsSecret: isSecret || member.holdsSecret,
          admitsNull: facts.admitsNull && facts.types.count < 7,
          isRequired: required[member.owner].contains(UTF8Key(text: member.name)),
          isReadOnly: facts.readOnly || holder?.isReadOnly ?? false,
          options: options(of: facts, own, budget),
          // A default of the whole object gives the default of its member. The rows of a list's default are rows of
          // their own.
          initial: member.parent.flatMap { shapes[$0].initial?[member.name] } ?? facts.default
        )
      )
    }
    // A revealed value reveals every value inside it.
    for index in shapes.indices.reversed() where shapes[index].holdsSecret {
      if let around = shapes[index].position.around { shapes[around].holdsSecret = true }
    }
    return shapes
  }

  /// A client can ask for the schema facts of all fields at once, and a part of the schema may apply to many fields.
  private static let toldBytesOfUnit = 8
  /// How often a form holds a field's name: before each of its cells in the document, and about as often elsewhere.
  private static let nameCopies = 2 * FieldProperty.cellCount
  /// The approximate number of copies of a field's address in a form, including the times that it is built from its
  /// names.
  private static let addressCopies = 6
  /// The cost of a field already covers a name of this length, in bytes.
  private static let paidNameBytes = 16
  /// Units of work per option: a client asks for all of them at once, each with its text.
  private static let optionWork = 39

  /// The options that the schema lists, each with the label from the field's `options`, else the schema's title.
  private static func options(
    of facts: PropertyFacts,
    _ own: FieldDefinition?,
    _ budget: CompileBudget
  ) -> [Field.Option] {
    let written = own?.options ?? []
    guard budget.spend((facts.choices ?? []).count * optionWork + written.count) else { return [] }
    // Without choices in the schema, the definition's choices count.
    guard let choices = facts.choices else {
      guard budget.spend(written.count * optionWork) else { return [] }
      return written.compactMap { option in option.value.map { Field.Option($0, option, title: nil) } }
    }
    // A list of choices names values, and an object only their texts.
    let listed = written.compactMap { option in option.value.map { ($0, option) } }
    let named = written.filter { $0.value == nil }.map { (UTF8Key(text: $0.name), $0) }
    let byValue = Dictionary(listed, uniquingKeysWith: { first, _ in first })
    let byName = Dictionary(named, uniquingKeysWith: { first, _ in first })
    return choices.map { choice in
      Field.Option(
        choice.value,
        byValue[choice.value] ?? byName[UTF8Key(text: choice.value.optionName)],
        title: choice.title
      )
    }
  }
}

extension Field.Option {
  fileprivate init(_ value: JSON, _ own: OptionDefinition?, title: String?) {
    self.init(value: value, label: own?.label ?? title.map { Text($0) })
    guard let own else { return }
    (group, help, isDisabled, others) = (own.group, own.help, own.isDisabled, own.others)
  }
}

extension String {
  /// How many bytes the text takes at most between the quotes of a JSON string.
  fileprivate var bytesInJSON: Int {
    utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
  }
}

extension PropertyFacts {
  /// The approximate number of bytes of texts and values in it.
  fileprivate var toldBytes: Int {
    let texts = [title, description, pattern, format].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    let named = (choices ?? []).reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) + ($1.title?.utf8.count ?? 0) }
    return texts + named + (`default`?.approximateBytes ?? 0) + JSON.object(extensions).approximateBytes
  }
}
