internal import CEL
package import DocumentProperties

/// The slots of the formula cells: the values that formulas read. A value that no formula of the form reads has none.
package struct SlotTable: Sendable {
  /// The slot of `response` while outcomes are evaluated. In a session it is empty: only outcomes see it.
  package static let response = 0
  /// The slot of `previous` while outcomes are evaluated. Only outcomes see it.
  package static let previous = 1
  /// The slots before this one belong to outcomes.
  package static let firstOfSession = 2

  /// By slot: the formula cell's name, `values.email`, and whether it holds a secret.
  package private(set) var names: [(name: String, isSecret: Bool)] = [("response", false), ("previous", false)]
  /// By slot: the template whose instances have it, and its offset among the template's slots. The form's instance has
  /// room for all slots, so that a slot's offset there is its number.
  package private(set) var locations: [(template: Int, offset: Int)] = [(0, 0), (0, 1)]
  /// By template: the number of slots of an instance.
  package private(set) var counts: [Int]
  /// By field; -1 where no formula reads it.
  package var values: [Int32]
  /// By field: its value, whether the field is shown or not. Only `visible` of its row reads that.
  package var stored: [Int32]
  /// The properties of fields.
  package var fields: PropertySlots<FieldProperty>
  /// The shown message, by field.
  package var messages: [Int32]
  /// The properties of steps, of the form, of lookups and of actions.
  package var steps: PropertySlots<StepProperty>
  package var form = PropertySlots<FormProperty>(owners: 1)
  package var lookups: PropertySlots<LookupProperty>
  package var actions: PropertySlots<ActionProperty>
  /// The date in the session's zone.
  package var today: Int32 = -1
  /// The time at the last look at the clock.
  package var now: Int32 = -1
  /// The result of a check's answer, by check.
  package var checkResult: [Int32]
  /// By output.
  package var outputs: [Int32]
  /// By template: the position of a row in its list.
  package var index: [Int32]
  /// The initial value, by field.
  package var initials: [Int32]
  /// By member of the context.
  package var context: [Int32]
  /// The outputs that are read from outside their rows, each with the template that reads it: the deepest template
  /// around both.
  package private(set) var columns: [(output: Int, template: Int, slot: Int32)] = []

  /// The values that formulas of a row read in the row above it, each with its field.
  package private(set) var aboves: [(field: Int, slot: Int32)] = []

  /// Whether a formula reads the date, the time or the zone.
  package var readsTime: Bool { today >= 0 || now >= 0 || form[.zone, 0] >= 0 }

  /// The slot of a column; -1 where no formula reads it.
  package subscript(output: Int, template: Int) -> Int32 {
    get { columns.first { $0.output == output && $0.template == template }?.slot ?? -1 }
    set { columns.append((output, template, newValue)) }
  }

  /// The slot of a field's value in the row above; -1 where no formula reads it.
  private subscript(above field: Int) -> Int32 {
    get { aboves.first { $0.field == field }?.slot ?? -1 }
    set { aboves.append((field, newValue)) }
  }

  /// The slot of the formula cell with that key; -1 if no formula reads it.
  subscript(key: SlotKey) -> Int32 {
    get {
      switch key {
      case .one(let path): self[keyPath: path]
      case .element(let list, let index): self[keyPath: list][index]
      case .form(let property): form[property, 0]
      case .field(let property, let field): fields[property, field]
      case .step(let property, let step): steps[property, step]
      case .lookup(let property, let lookup): lookups[property, lookup]
      case .action(let property, let action): actions[property, action]
      case .column(let output, let template): self[output, template]
      case .above(let field): self[above: field]
      }
    }
    set {
      switch key {
      case .one(let path): self[keyPath: path] = newValue
      case .element(let list, let index): self[keyPath: list][index] = newValue
      case .form(let property): form[property, 0] = newValue
      case .field(let property, let field): fields[property, field] = newValue
      case .step(let property, let step): steps[property, step] = newValue
      case .lookup(let property, let lookup): lookups[property, lookup] = newValue
      case .action(let property, let action): actions[property, action] = newValue
      case .column(let output, let template): self[output, template] = newValue
      case .above(let field): self[above: field] = newValue
      }
    }
  }

  /// Gives a formula cell a slot.
  mutating func add(_ name: String, isSecret: Bool, in template: Int) -> Int32 {
    names.append((name, isSecret))
    locations.append((template, template == 0 ? locations.count : counts[template]))
    counts[template] += 1
    counts[0] = names.count
    return Int32(names.count - 1)
  }

  /// The offset of a slot in the instances of its template; -1 if no formula reads it.
  package func offset(_ slot: Int32) -> Int32 { slot < 0 ? -1 : Int32(locations[Int(slot)].offset) }

  /// No formula reads anything yet.
  init(
    fields: Int,
    checks: Int,
    steps: Int,
    lookups: Int,
    actions: Int,
    outputs: Int,
    templates: Int,
    context: FormContext?
  ) {
    func none(_ count: Int) -> [Int32] { [Int32](repeating: -1, count: count) }
    values = none(fields)
    stored = none(fields)
    self.fields = PropertySlots(owners: fields)
    messages = none(fields)
    initials = none(fields)
    self.steps = PropertySlots(owners: steps)
    checkResult = none(checks)
    self.lookups = PropertySlots(owners: lookups)
    self.actions = PropertySlots(owners: actions)
    self.outputs = none(outputs)
    index = none(templates)
    self.context = none(context?.shapes.count ?? 0)
    counts = [Int](repeating: 0, count: templates)
    counts[0] = names.count
  }

  /// The number of slots that a session keeps.
  package var count: Int { names.count }
}

/// The slots of the properties of one kind of owner; -1 where no formula reads the property.
package struct PropertySlots<Property: PropertyList>: Sendable {
  /// By position in the list: the slots, by owner. A property that formulas cannot read has an empty list.
  private var lists: [[Int32]]

  /// No formula reads anything yet.
  init(owners: Int) {
    lists = Property.allCases.map { [Int32](repeating: -1, count: $0.about.formula == nil ? 0 : owners) }
  }

  /// The slot of an owner's property, if formulas can read the property.
  package subscript(property: Property, owner: Int) -> Int32 {
    get { lists[property.position][owner] }
    set { lists[property.position][owner] = newValue }
  }

  /// The slots of all properties of an owner, by position in the list.
  package func slots(of owner: Int) -> [Int32] { lists.map { $0.isEmpty ? -1 : $0[owner] } }
}

/// A formula cell, as the key under which a ``SlotTable`` has its slot.
///
/// A key path with a number in it would be created again for each formula cell, which takes a microsecond.
enum SlotKey: Equatable {
  /// A formula cell that exists once.
  case one(WritableKeyPath<SlotTable, Int32>)
  /// A formula cell that each field, output, check or template has, and the number of its owner.
  case element(WritableKeyPath<SlotTable, [Int32]>, Int)
  /// A property, and the number of its owner.
  case form(FormProperty)
  case field(FieldProperty, Int)
  case step(StepProperty, Int)
  case lookup(LookupProperty, Int)
  case action(ActionProperty, Int)
  /// The values of an output in all rows, read in formulas of that template.
  case column(output: Int, template: Int)
  /// The value of a field of rows, read in the row below.
  case above(field: Int)

  /// The meaning of a property; nil for other formula cells.
  var meaning: String? {
    switch self {
    case .form(let property): property.about.meaning.description
    case .field(let property, _): property.about.meaning.description
    case .step(let property, _): property.about.meaning.description
    case .lookup(let property, _): property.about.meaning.description
    case .action(let property, _): property.about.meaning.description
    case .one, .element, .column, .above: nil
    }
  }
}
