internal import CEL
internal import DocumentProperties
internal import JSON
internal import JSONSchema
internal import Texts

/// A value that formulas may read; this folder calls it a cell for short. Not only members of the document are formula
/// cells, but also initial values, the context and `today`.
struct FormulaCell: Equatable {
  let type: CELType
  var size = SizeBounds.scalar
  /// The field whose value it is.
  var field: Int?
  /// Whether it is the initial value of that field, and not the current one.
  var isInitial = false
  /// The member of the context whose value it is.
  var contextMember: Int?
  /// The output whose values in all rows it gathers.
  var column: Int?
  /// Whether it is the value of that field in the row above.
  var isAbove = false
  /// Whether its value is a secret.
  var isSecret = false
  /// What it means, if its schema says so.
  var meaning: String?
  /// The template whose instances have it.
  var template = 0
  /// The key of its slot.
  let slotKey: SlotKey
}

/// Every formula cell of a form, found by the names that lead to it: `values`, `email`; `fields`, `/address/city`,
/// `isValid`; `actions`, `login`, `result`.
///
/// A form of 10,000 fields has 70,000 cells, and formulas read few of them; so a cell is made when its name is looked
/// up.
struct FormulaCells {
  let shapes: [FieldShape]
  /// Each with its field, nil if the schema has no such field, and whether formulas can read its answer.
  let checks: [(id: String, field: Int?, hasResult: Bool)]
  /// By unit: the members that an object may have in addition to fields.
  private let others: [OtherMembers]
  let steps: [String]
  /// Each with its address.
  let lookups: [(address: String, template: Int)]
  private let actions: [String]
  /// Each with its address.
  let outputs: [(address: String, template: Int)]
  let templates: [FormTemplate]
  /// Begins the names of records, so that no two schemas have records of one name.
  private let recordPrefix: String
  /// The cells of the context; nil if the form has none.
  let context: ContextCells?
  /// By address.
  let fieldIndex: FieldIndex
  private let checkIndex: [UTF8Key: Int]
  private let stepIndex: [UTF8Key: Int]
  let lookupIndex: [UTF8Key: Int]
  private let actionIndex: [UTF8Key: Int]
  let outputIndex: [UTF8Key: Int]
  /// The maximum number of names of a cell.
  let namesMax: Int

  init(
    shapes: [FieldShape],
    templates: [FormTemplate],
    others: [OtherMembers],
    recordPrefix: String = "",
    checks: [(id: String, field: Int?, hasResult: Bool)],
    steps: [String],
    lookups: [(address: String, template: Int)],
    actions: [String],
    outputs: [(address: String, template: Int)],
    context: FormContext?,
    fieldIndex: FieldIndex
  ) {
    func index(_ names: [String]) -> [UTF8Key: Int] {
      Dictionary(names.enumerated().map { (UTF8Key(text: $0.element), $0.offset) }, uniquingKeysWith: { $1 })
    }
    self.shapes = shapes
    self.templates = templates
    self.others = others
    self.recordPrefix = recordPrefix
    self.context = context.map { ContextCells($0) }
    self.checks = checks
    self.steps = steps
    self.lookups = lookups
    self.actions = actions
    self.outputs = outputs
    self.fieldIndex = fieldIndex
    checkIndex = index(checks.map(\.id))
    stepIndex = index(steps)
    lookupIndex = index(lookups.map(\.address))
    actionIndex = index(actions)
    outputIndex = index(outputs.map(\.address))
    // `values` and a path to a field; `fields`, an address and a member.
    namesMax = max(3, 1 + (shapes.lazy.map(\.position.path.count).max() ?? 0), self.context?.namesMax ?? 0)
  }

  private enum CheckMember: String, CaseIterable {
    case result
  }

  /// The assumed size of a message.
  private static let messageSize = SizeBounds(max: 1024)

  /// The names that lead to the cell of a field's value, in formulas of its row.
  func names(ofValue field: Int) -> [String] { FieldAddress.names(of: shapes[field].position.path, among: "values") }

  /// The texts that a field's value can be, if the schema lists them; nil if it can be any text.
  func choices(of field: Int) -> [String]? {
    guard let choices = shapes[field].facts.choices else { return nil }
    let texts = choices.compactMap(\.value.stringValue)
    return texts.isEmpty ? nil : texts
  }

  /// The template that a field is a part of.
  func template(of field: Int) -> Int { shapes[field].position.template }

  /// Whether names mean another cell in each template: they begin with `row`, `above`, `outer` or `index`, or name an
  /// address in a row.
  func dependOnRow(_ names: [String]) -> Bool {
    switch names[0] {
    case "row", "above", "outer", "index": true
    case let name where name.utf8.starts(with: Self.indexPrefix.utf8): true
    case "checks": names.count > 1 && check(names[1]).map { template(of: $0.field) > 0 } ?? false
    case "fields", "messages", "lookups", "outputs", "initial":
      names.count > 1 && names[1].utf8.contains(UInt8(ascii: "*"))
    default: false
    }
  }

  /// The names of a field's value and of the values inside it, if the field itself has another name: `self`,
  /// `self.city`.
  func names(ofValue field: Int, as name: String) -> [String] {
    let depth = shapes[field].position.path.count
    return (field..<shapes[field].position.end).map {
      Printer.print(chain: [name] + shapes[$0].position.path.dropFirst(depth))
    }
  }

  /// The cell that those names lead to in formulas of a template, if there is one.
  func cell(named names: [String], in template: Int) -> FormulaCell? {
    switch (names[0], names.count) {
    case ("values", 2...): field(on: Array(names[1...]), in: 0).map(value)
    case ("initial", 2) where names[1].utf8.contains(UInt8(ascii: "*")):
      field(at: names[1], around: template).map(initialValue)
    case ("initial", 2...): field(on: Array(names[1...]), in: 0).map(initialValue)
    case ("row", 1...): element(of: template).flatMap { field(below: $0, on: names[1...]) }.map(value)
    case ("above", 1...): element(of: template).flatMap { field(below: $0, on: names[1...]) }.map(valueAbove)
    case ("outer", 1...): outerField(on: names[...], around: template).map(value)
    case (let name, 1) where name.utf8.starts(with: Self.indexPrefix.utf8): indexCell(named: name, in: template)
    case ("context", 2...): context?.cell(on: Array(names[1...]))
    case ("today", 1): FormulaCell(type: .string, size: SizeBounds(max: 10), slotKey: .one(\.today))
    case ("now", 1): FormulaCell(type: .timestamp, slotKey: .one(\.now))
    case ("index", 1) where template > 0:
      FormulaCell(type: .int, template: template, slotKey: .element(\.index, template))
    case ("messages", 2):
      field(at: names[1], around: template).map {
        FormulaCell(
          type: .string,
          size: Self.messageSize,
          template: shapes[$0].position.template,
          slotKey: .element(\.messages, $0)
        )
      }
    case ("outputs", 2): outputIndex[UTF8Key(text: names[1])].map { output($0, in: template) }
    case ("form", 2): FormProperty.inFormulas(names[1]).map { cell(of: $0, .form($0)) }
    case ("fields", 3):
      field(at: names[1], around: template).flatMap { field in
        FieldProperty.inFormulas(names[2]).map {
          cell(of: $0, .field($0, field), in: shapes[field].position.template)
        }
      }
    case ("checks", 3):
      check(names[1]).flatMap { check in
        CheckMember(rawValue: names[2]).flatMap { cell(of: check, $0, around: template) }
      }
    case ("steps", 3):
      stepIndex[UTF8Key(text: names[1])].flatMap { step in
        StepProperty.inFormulas(names[2]).map { cell(of: $0, .step($0, step)) }
      }
    case ("lookups", 3):
      lookup(at: names[1], around: template).flatMap { lookup in
        LookupProperty.inFormulas(names[2]).map { cell(of: $0, .lookup($0, lookup), in: lookups[lookup].template) }
      }
    case ("actions", 3):
      actionIndex[UTF8Key(text: names[1])].flatMap { action in
        ActionProperty.inFormulas(names[2]).map { cell(of: $0, .action($0, action)) }
      }
    default: nil
    }
  }

  /// The field that represents a row of that template; nil for the form.
  private func element(of template: Int) -> Int? {
    templates[template].list.flatMap { shapes[$0].position.element }
  }

  /// The field that a chain beginning with `outer` leads to: in the row around the row, for `outer.outer` in the row
  /// around that one. A member of the name `outer` goes first.
  private func outerField(on names: ArraySlice<String>, around template: Int) -> Int? {
    var template = template
    var rest = names
    while rest.first == "outer", let parent = templates[template].parent, let element = element(of: parent) {
      template = parent
      rest = rest.dropFirst()
      if let field = field(below: element, on: rest) { return field }
    }
    return nil
  }

  // MARK: Indexes

  /// Begins the names of the positions of the rows around a row, which no source can spell.
  private static let indexPrefix = "@index:"

  /// The names of the positions that `indexes` consists of, from the outermost row to the row itself; none outside of
  /// rows.
  func indexes(in template: Int) -> [String] {
    let depth = templates[template].depth
    return depth == 0 ? [] : (1..<depth).map { Self.indexPrefix + String($0) } + ["index"]
  }

  /// The position of the row around a row at a depth.
  private func indexCell(named name: String, in template: Int) -> FormulaCell? {
    var around = template
    while templates[around].depth > 0, Self.indexPrefix + String(templates[around].depth) != name {
      around = templates[around].parent ?? 0
    }
    return around == 0 ? nil : FormulaCell(type: .int, template: around, slotKey: .element(\.index, around))
  }

  private func field(below field: Int, on names: ArraySlice<String>) -> Int? {
    self.field(on: shapes[field].position.path + names, in: shapes[field].position.template)
  }

  /// The field that those names lead to, if it belongs to that template: a value inside rows is named from the row
  /// alone.
  private func field(on path: [String], in template: Int) -> Int? {
    fieldIndex.field(on: path).flatMap { shapes[$0].position.template == template ? $0 : nil }
  }

  /// The field at an address, if it exists once for formulas of that template: in the form, in their row, or in a row
  /// around it.
  private func field(at address: String, around template: Int) -> Int? {
    fieldIndex.field(at: address).flatMap { templates.isAround(shapes[$0].position.template, template) ? $0 : nil }
  }

  /// A lookup, if it exists once for formulas of that template.
  private func lookup(at address: String, around template: Int) -> Int? {
    lookupIndex[UTF8Key(text: address)].flatMap { templates.isAround(lookups[$0].template, template) ? $0 : nil }
  }

  func check(_ id: String) -> (number: Int, field: Int)? {
    checkIndex[UTF8Key(text: id)].flatMap { number in checks[number].field.map { (number, $0) } }
  }

  /// An output: its value in its row, and elsewhere the values of all rows.
  private func output(_ output: Int, in template: Int) -> FormulaCell {
    let own = outputs[output].template
    if templates.isAround(own, template) {
      return FormulaCell(type: .dyn, size: .unknown, template: own, slotKey: .element(\.outputs, output))
    }
    let common = templates.deepest(around: own, template)
    return FormulaCell(
      type: .list(.dyn),
      // Most values are numbers. The higher cost of a text is charged when the text is read.
      size: SizeBounds(productOf: lists(from: own, to: common).map(bounds), elements: .scalar),
      column: output,
      template: common,
      slotKey: .column(output: output, template: common)
    )
  }

  /// The lists that contain the rows of a template, from the inside outwards, within one instance of another template.
  private func lists(from template: Int, to outer: Int) -> [Int] {
    var lists: [Int] = []
    var inner = template
    while inner != outer, let list = templates[inner].list, let parent = templates[inner].parent {
      lists.append(list)
      inner = parent
    }
    return lists
  }

  /// How large a field's value can be, as far as the schema says.
  private func bounds(of field: Int) -> SizeBounds {
    let shape = shapes[field]
    let elements = shape.position.element.map(bounds)
    guard let max = shape.sizeMax else { return SizeBounds(max: nil, elements: elements) }
    guard shape.sizeKeyword != nil else { return SizeBounds(max: max, elements: elements) }
    return SizeBounds(max: max, source: field, elements: elements)
  }

  /// A field whose size an author can bound: its address, the keyword, its bound, and the least bound that still
  /// admits useful values.
  func bound(of field: Int) -> (address: String, keyword: String, max: Int, least: Int)? {
    let shape = shapes[field]
    guard let keyword = shape.sizeKeyword, let max = shape.sizeMax else { return nil }
    let isList = keyword == "maxItems"
    let least = isList ? Swift.max(shape.facts.minItems ?? 0, 2) : Swift.max(shape.facts.minLength ?? 0, 10)
    return (shape.address, keyword, max, least)
  }

  /// The lists that contain the rows of a template, from the inside outwards.
  func lists(around template: Int) -> [Int] { lists(from: template, to: 0) }

  /// The list that a chain of names leads to in formulas of a template.
  func list(named names: [String], in template: Int) -> Int? {
    guard let cell = cell(named: names, in: template), !cell.isInitial else { return nil }
    return cell.field.flatMap { shapes[$0].position.element == nil ? nil : $0 }
  }

  /// The choices of a field, if its schema lists them.
  func options(of field: Int) -> [Field.Option] { shapes[field].options }

  /// The field that represents the elements of a list.
  func elements(ofList field: Int) -> Int? { shapes[field].position.element }

  /// The field that is a member of another field's value.
  func member(_ name: String, of field: Int) -> Int? { self.field(below: field, on: [name]) }

  /// The names of the members on the way from a row of that list to a field; none for the row itself.
  func names(from list: Int, to field: Int) -> [String]? {
    guard let element = shapes[list].position.element, (element..<shapes[element].position.end).contains(field) else {
      return nil
    }
    return Array(shapes[field].position.path.dropFirst(shapes[element].position.path.count))
  }

  /// The address of a member of a list's rows, if there is a field.
  func address(inRowsOf list: Int, on names: [String]) -> String? {
    guard let element = shapes[list].position.element else { return nil }
    return field(below: element, on: names[...]).map { shapes[$0].address }
  }

  /// The cell of an output in its own row.
  func cell(ofOutput output: Int) -> FormulaCell {
    self.output(output, in: outputs[output].template)
  }

  /// The cell of a property.
  ///
  /// - Parameter template: the template whose instances have it.
  private func cell(of property: some PropertyList, _ key: SlotKey, in template: Int = 0) -> FormulaCell {
    let (type, size): (CELType, SizeBounds) =
      switch property.about.formula {
      case .bool: (.bool, .scalar)
      case .int: (.int, .scalar)
      case .string(let bytesMax): (.string, SizeBounds(max: bytesMax))
      case .dyn: (.dyn, .unknown)
      case nil: preconditionFailure("no formula reads \(property.name)")
      }
    return FormulaCell(type: type, size: size, template: template, slotKey: key)
  }

  private func initialValue(of field: Int) -> FormulaCell {
    FormulaCell(
      type: type(of: field),
      size: bounds(of: field),
      field: field,
      isInitial: true,
      isSecret: shapes[field].holdsSecret,
      template: shapes[field].position.template,
      slotKey: .element(\.initials, field)
    )
  }

  /// The cell of a field's value: in its own row, if it is in rows.
  func value(of field: Int) -> FormulaCell {
    FormulaCell(
      type: type(of: field),
      size: bounds(of: field),
      field: field,
      isSecret: shapes[field].holdsSecret,
      template: shapes[field].position.template,
      slotKey: .element(\.values, field)
    )
  }

  private func valueAbove(of field: Int) -> FormulaCell {
    let cell = value(of: field)
    return FormulaCell(
      type: cell.type,
      size: cell.size,
      field: field,
      isAbove: true,
      isSecret: cell.isSecret,
      template: cell.template,
      slotKey: .above(field: field)
    )
  }

  /// The cell of the same field's value, whether the field is shown or not. A field with fields below it has no such
  /// cell.
  func stored(_ cell: FormulaCell) -> FormulaCell {
    guard let field = cell.field, shapes[field].position.unit == nil else { return cell }
    return FormulaCell(
      type: cell.type,
      size: cell.size,
      field: field,
      isSecret: cell.isSecret,
      template: cell.template,
      slotKey: .element(\.stored, field)
    )
  }

  /// The type of a field's value in formulas. An absent text, bool, list or object reads as empty. An absent number has
  /// no such value, so its type is a wrapper. If null is a value of its own, an absent value reads as something else.
  private func type(of field: Int) -> CELType {
    let shape = shapes[field]
    let type: CELType =
      switch shape.type {
      case .string: .string
      case .integer: .wrapper(.int)
      case .number: .wrapper(.double)
      case .bool: .bool
      case .list: .list(shape.position.element.map(self.type) ?? .dyn)
      case .dynamic: shape.isObject ? .object(recordName(of: shape)) : .dyn
      }
    switch type {
    case .string, .bool, .list, .object: return shape.admitsNull ? .wrapper(type) : type
    default: return type
    }
  }

  /// The fields whose values are objects, of that field and its elements: each begins a record.
  func objects(in field: Int) -> [Int] {
    if let element = shapes[field].position.element { return objects(in: element) }
    return shapes[field].isObject ? [field] : []
  }

  /// Whether a cell's value is, or holds, an object whose members are known.
  func holdsObjects(_ cell: FormulaCell) -> Bool {
    if let field = cell.field { return !objects(in: field).isEmpty }
    return cell.contextMember.map { !(context?.objects(in: $0) ?? []).isEmpty } ?? false
  }

  /// The name of an object's record. It has the slash in front that a top-level field's address lacks, so no formula
  /// can write the name.
  private func recordName(of shape: FieldShape) -> String {
    recordPrefix + JSONPointer(tokens: shape.position.path).description
  }

  /// The record of a field whose value is an object, and the fields inside it.
  func record(of field: Int) -> (shape: RecordShape, members: [Int]) {
    let shape = shapes[field]
    let members = (field + 1..<shape.position.end).filter { shapes[$0].position.parent == field }
    let fields = members.map { (shapes[$0].name, RecordDeclaration.Field(type: type(of: $0), size: bounds(of: $0))) }
    let record = RecordShape(
      name: UTF8Key(text: recordName(of: shape)),
      fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
      others: shape.position.unit.map { others[$0] }
    )
    return (record, members)
  }

  private func spelling(_ field: Int, among group: String) -> String {
    FieldAddress.spelling(of: shapes[field].position.path, among: group)
  }

  /// The cell of a check, if it exists once for formulas of that template.
  private func cell(of check: (number: Int, field: Int), _ member: CheckMember, around template: Int) -> FormulaCell? {
    let own = self.template(of: check.field)
    guard checks[check.number].hasResult, templates.isAround(own, template) else { return nil }
    return switch member {
    case .result: FormulaCell(type: .dyn, size: .unknown, template: own, slotKey: .element(\.checkResult, check.number))
    }
  }

  /// The names of all cells of formulas in a template, sorted.
  func names(in template: Int) -> [String] {
    var names = FormProperty.inFormulas.map { "form.\($0.name)" } + ["today", "now"]
    if template > 0 { names.append("index") }
    for field in shapes.indices where templates.isAround(shapes[field].position.template, template) {
      names += [spelling(field, among: "values"), spelling(field, among: "messages")]
      let isOwn = shapes[field].position.template == 0
      names.append(
        isOwn ? Printer.print(chain: ["initial"] + shapes[field].position.path) : spelling(field, among: "initial")
      )
      let status = spelling(field, among: "fields")
      names += FieldProperty.inFormulas.map { "\(status).\($0.name)" }
    }
    for check in checks
    where check.hasResult && check.field.map({ templates.isAround(self.template(of: $0), template) }) ?? false {
      names += CheckMember.allCases.map { Printer.print(chain: ["checks", check.id, $0.rawValue]) }
    }
    for step in steps {
      names += StepProperty.inFormulas.map { Printer.print(chain: ["steps", step, $0.name]) }
    }
    for lookup in lookups where templates.isAround(lookup.template, template) {
      names += LookupProperty.inFormulas.map { Printer.print(chain: ["lookups", lookup.address, $0.name]) }
    }
    for action in actions {
      names += ActionProperty.inFormulas.map { Printer.print(chain: ["actions", action, $0.name]) }
    }
    names += outputs.map { Printer.print(chain: ["outputs", $0.address]) }
    names += context?.names ?? []
    return names.sorted { $0.precedesInUTF8($1) }
  }
}
