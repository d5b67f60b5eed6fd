internal import CEL

/// The addresses of the cells that formulas read. A cell that no formula of the form reads has none.
package struct SlotTable: Sendable {
  /// The slot of `response` while outcomes are evaluated. In a session it is empty: only outcomes see it.
  package static let response = 0
  /// The slot of `previous` while outcomes are evaluated. Only outcomes see it.
  package static let previous = 1
  /// The slots before this one belong to outcomes.
  package static let firstOfSession = 2

  /// By slot: the cell's name in formulas, `values.email`, and whether it holds a secret.
  package private(set) var names: [(name: String, isSecret: Bool)] = [("response", false), ("previous", false)]
  /// By slot: the template whose instances have it, and its offset among the template's slots. The form's instance has
  /// room for all slots, so that a slot's offset there is its number.
  package private(set) var locations: [(template: Int, offset: Int)] = [(0, 0), (0, 1)]
  /// By template: the number of slots of an instance.
  package private(set) var counts: [Int]
  /// By field; -1 where no formula reads it.
  package var values: [Int32]
  /// Whether a field is shown, by field.
  package var fieldIsVisible: [Int32]
  /// Whether a field is valid, by field.
  package var fieldIsValid: [Int32]
  /// Whether a check of a field is under way, by field.
  package var fieldIsPending: [Int32]
  /// Whether a field was edited, by field.
  package var fieldIsDirty: [Int32]
  /// Whether a field was left once, by field.
  package var fieldIsTouched: [Int32]
  /// Whether a field has no value, by field.
  package var fieldIsEmpty: [Int32]
  /// Whether the user has changed a field once, by field.
  package var fieldIsEdited: [Int32]
  /// Whether the user is in a field, by field.
  package var fieldIsFocused: [Int32]
  /// The shown message, by field.
  package var messages: [Int32]
  /// Whether a step is shown, by step.
  package var stepIsVisible: [Int32]
  /// Whether a step is valid, by step.
  package var stepIsValid: [Int32]
  /// Whether a check of a step is under way, by step.
  package var stepIsPending: [Int32]
  /// Whether a field of a step was left once, by step.
  package var stepIsTouched: [Int32]
  /// Whether the form is valid.
  package var formIsValid: Int32 = -1
  /// Whether a value was edited.
  package var formIsDirty: Int32 = -1
  /// Whether a check is under way.
  package var formIsPending: Int32 = -1
  /// The session's locale.
  package var formLocale: Int32 = -1
  /// The session's zone.
  package var formZone: Int32 = -1
  /// The date in that zone.
  package var today: Int32 = -1
  /// The time at the last look at the clock.
  package var now: Int32 = -1
  /// The result of a check's answer, by check.
  package var checkResult: [Int32]
  /// The value that a lookup has found, by lookup.
  package var lookupValue: [Int32]
  /// Whether a lookup asks, by lookup.
  package var lookupIsLoading: [Int32]
  /// Why a lookup has failed, by lookup.
  package var lookupError: [Int32]
  /// By action.
  package var actionIsEnabled: [Int32]
  /// Whether a run is under way, by action.
  package var actionIsLoading: [Int32]
  /// The result of the last success, by action.
  package var actionResult: [Int32]
  /// The error of the last run, by action.
  package var actionError: [Int32]
  /// The message of the last outcome, by action.
  package var actionMessage: [Int32]
  /// How often an action was started, by action.
  package var actionAttempts: [Int32]
  /// By output.
  package var outputs: [Int32]
  /// By template: the position of a row in its list.
  package var index: [Int32]
  /// The outputs that are read from outside their rows, each with the template that reads it: the deepest template
  /// around both.
  package private(set) var columns: [(output: Int, template: Int, slot: Int32)] = []

  /// Whether a formula reads the date, the time or the zone.
  package var readsTime: Bool { today >= 0 || now >= 0 || formZone >= 0 }

  /// The slot of a column; -1 where no formula reads it.
  package subscript(output: Int, template: Int) -> Int32 {
    get { columns.first { $0.output == output && $0.template == template }?.slot ?? -1 }
    set { columns.append((output, template, newValue)) }
  }

  /// The slot of the cell at that address; -1 if no formula reads it.
  subscript(address: CellAddress) -> Int32 {
    get {
      switch address {
      case .one(let cell): self[keyPath: cell]
      case .element(let list, let index): self[keyPath: list][index]
      case .column(let output, let template): self[output, template]
      }
    }
    set {
      switch address {
      case .one(let cell): self[keyPath: cell] = newValue
      case .element(let list, let index): self[keyPath: list][index] = newValue
      case .column(let output, let template): self[output, template] = newValue
      }
    }
  }

  /// Gives a cell a slot.
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
  init(fields: Int, checks: Int, steps: Int, lookups: Int, actions: Int, outputs: Int, templates: Int) {
    func none(_ count: Int) -> [Int32] { [Int32](repeating: -1, count: count) }
    values = none(fields)
    fieldIsVisible = none(fields)
    fieldIsValid = none(fields)
    fieldIsPending = none(fields)
    fieldIsDirty = none(fields)
    fieldIsTouched = none(fields)
    fieldIsEmpty = none(fields)
    fieldIsEdited = none(fields)
    fieldIsFocused = none(fields)
    messages = none(fields)
    stepIsVisible = none(steps)
    stepIsValid = none(steps)
    stepIsPending = none(steps)
    stepIsTouched = none(steps)
    checkResult = none(checks)
    lookupValue = none(lookups)
    lookupIsLoading = none(lookups)
    lookupError = none(lookups)
    actionIsEnabled = none(actions)
    actionIsLoading = none(actions)
    actionResult = none(actions)
    actionError = none(actions)
    actionMessage = none(actions)
    actionAttempts = none(actions)
    self.outputs = none(outputs)
    index = none(templates)
    counts = [Int](repeating: 0, count: templates)
    counts[0] = names.count
  }

  /// The number of slots that a session keeps.
  package var count: Int { names.count }
}

/// Says where a ``SlotTable`` notes the slot of a cell.
///
/// A key path with a position in it would be created again for each cell, which takes a microsecond.
enum CellAddress: Equatable {
  /// A cell that exists once.
  case one(WritableKeyPath<SlotTable, Int32>)
  /// A cell that each field, step or action has, and the position of its owner.
  case element(WritableKeyPath<SlotTable, [Int32]>, Int)
  /// The values of an output in all rows, read in formulas of that template.
  case column(output: Int, template: Int)
}
