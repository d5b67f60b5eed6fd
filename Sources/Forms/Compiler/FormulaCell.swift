internal import CEL
internal import JSONSchema
internal import Texts

/// A cell that formulas may read.
struct FormulaCell {
  let type: CELType
  var size = SizeBounds.scalar
  /// The field whose value it is.
  var field: Int?
  /// Whether its value is a secret.
  var isSecret = false
  /// Of a value that may be an object: whether a member of that name may be there.
  var admitsMember: (@Sendable (String) -> Bool)?
  /// Where its address is kept.
  let address: WritableKeyPath<SlotTable, Int32>
}

/// Every cell of a form that formulas may read, found by the names that lead to it: `values`, `email`; `fields`, `/address/city`,
/// `isValid`; `actions`, `login`, `result`.
///
/// A form of 10,000 fields has 70,000 cells, and formulas read few of them; so a cell is made when its name is looked up.
struct FormulaCells {
  private let shapes: [FieldShape]
  /// By unit: which members an object may have that are no fields.
  private let others: [OtherMembers]
  private let steps: [String]
  private let actions: [String]
  private let outputs: [String]
  /// By address.
  private let fieldIndex: FieldIndex
  private let stepIndex: [UTF8Key: Int]
  private let actionIndex: [UTF8Key: Int]
  private let outputIndex: [UTF8Key: Int]
  /// No cell has more names.
  let namesMax: Int

  init(shapes: [FieldShape], others: [OtherMembers], steps: [String], actions: [String], outputs: [String]) {
    func index(_ names: [String]) -> [UTF8Key: Int] {
      Dictionary(names.enumerated().map { (UTF8Key(text: $0.element), $0.offset) }, uniquingKeysWith: { $1 })
    }
    self.shapes = shapes
    self.others = others
    self.steps = steps
    self.actions = actions
    self.outputs = outputs
    fieldIndex = FieldIndex(addresses: shapes.map(\.address))
    stepIndex = index(steps)
    actionIndex = index(actions)
    outputIndex = index(outputs)
    // `values` and a way to a field; `fields`, an address and a member.
    namesMax = max(3, 1 + (shapes.lazy.map(\.place.path.count).max() ?? 0))
  }

  private enum FieldMember: String, CaseIterable {
    case isValid, isPending, isDirty, isTouched, isEmpty
  }

  private enum FormMember: String, CaseIterable {
    case isValid, isDirty, isPending, locale
  }

  private enum StepMember: String, CaseIterable {
    case isVisible, isValid, isPending, isTouched
  }

  private enum ActionMember: String, CaseIterable {
    case isEnabled, isLoading, result, error, message, attempts
  }

  /// What is assumed of a message.
  private static let messageSize = SizeBounds(max: 1024)

  /// The names that lead to the cell of a field's value.
  func names(ofValue field: Int) -> [String] { FieldAddress.names(of: shapes[field].place.path, among: "values") }

  /// The names of a field's value and of those inside of it, where the field itself has another name: `self`, `self.city`.
  func names(ofValue field: Int, as name: String) -> [String] {
    let depth = shapes[field].place.path.count
    return (field..<shapes[field].place.end).map {
      Printer.print(chain: [name] + shapes[$0].place.path.dropFirst(depth))
    }
  }

  /// The cell that those names lead to, if there is one.
  func cell(named names: [String]) -> FormulaCell? {
    switch (names[0], names.count) {
    case ("values", 2...): fieldIndex.field(on: Array(names[1...])).map(value)
    case ("messages", 2):
      fieldIndex.field(at: names[1]).map {
        FormulaCell(type: .string, size: Self.messageSize, address: \.messages[$0])
      }
    case ("outputs", 2):
      outputIndex[UTF8Key(text: names[1])].map { FormulaCell(type: .dyn, size: .unknown, address: \.outputs[$0]) }
    case ("form", 2): FormMember(rawValue: names[1]).map(cell)
    case ("fields", 3): member(FieldMember(rawValue: names[2]), of: fieldIndex.field(at: names[1]), cell)
    case ("steps", 3): member(StepMember(rawValue: names[2]), of: stepIndex[UTF8Key(text: names[1])], cell)
    case ("actions", 3): member(ActionMember(rawValue: names[2]), of: actionIndex[UTF8Key(text: names[1])], cell)
    default: nil
    }
  }

  /// The cell of a member, where both the member and what has it are there.
  private func member<Member>(
    _ member: Member?,
    of owner: Int?,
    _ cell: (Int, Member) -> FormulaCell
  ) -> FormulaCell? {
    guard let member, let owner else { return nil }
    return cell(owner, member)
  }

  private func value(of field: Int) -> FormulaCell {
    FormulaCell(
      type: shapes[field].celType,
      size: shapes[field].size,
      field: field,
      isSecret: shapes[field].holdsSecret,
      admitsMember: admitsMember(of: shapes[field]),
      address: \.values[field]
    )
  }

  /// What of the members of a value is known; nil for a value that is no object.
  private func admitsMember(of shape: FieldShape) -> (@Sendable (String) -> Bool)? {
    guard shape.type == .dynamic else { return nil }
    guard let unit = shape.place.unit else { return { _ in true } }
    let (index, path, others) = (fieldIndex, shape.place.path, others[unit])
    return { index.field(on: path + [$0]) != nil || others.admits($0) }
  }

  private func cell(_ member: FormMember) -> FormulaCell {
    switch member {
    case .isValid: FormulaCell(type: .bool, address: \.formIsValid)
    case .isDirty: FormulaCell(type: .bool, address: \.formIsDirty)
    case .isPending: FormulaCell(type: .bool, address: \.formIsPending)
    case .locale: FormulaCell(type: .string, size: SizeBounds(max: 64), address: \.formLocale)
    }
  }

  private func spelling(_ field: Int, among group: String) -> String {
    FieldAddress.spelling(of: shapes[field].place.path, among: group)
  }

  private func cell(of field: Int, _ member: FieldMember) -> FormulaCell {
    let address: WritableKeyPath<SlotTable, Int32> =
      switch member {
      case .isValid: \.fieldIsValid[field]
      case .isPending: \.fieldIsPending[field]
      case .isDirty: \.fieldIsDirty[field]
      case .isTouched: \.fieldIsTouched[field]
      case .isEmpty: \.fieldIsEmpty[field]
      }
    return FormulaCell(type: .bool, address: address)
  }

  private func cell(of step: Int, _ member: StepMember) -> FormulaCell {
    let address: WritableKeyPath<SlotTable, Int32> =
      switch member {
      case .isVisible: \.stepIsVisible[step]
      case .isValid: \.stepIsValid[step]
      case .isPending: \.stepIsPending[step]
      case .isTouched: \.stepIsTouched[step]
      }
    return FormulaCell(type: .bool, address: address)
  }

  private func cell(of action: Int, _ member: ActionMember) -> FormulaCell {
    switch member {
    case .isEnabled: FormulaCell(type: .bool, address: \.actionIsEnabled[action])
    case .isLoading: FormulaCell(type: .bool, address: \.actionIsLoading[action])
    case .result: FormulaCell(type: .dyn, size: .unknown, address: \.actionResult[action])
    case .error: FormulaCell(type: .dyn, size: .unknown, address: \.actionError[action])
    case .message: FormulaCell(type: .string, size: Self.messageSize, address: \.actionMessage[action])
    case .attempts: FormulaCell(type: .int, address: \.actionAttempts[action])
    }
  }

  /// The names of all cells, sorted.
  var names: [String] {
    var names = FormMember.allCases.map { "form.\($0.rawValue)" }
    for field in shapes.indices {
      names += [spelling(field, among: "values"), spelling(field, among: "messages")]
      let status = spelling(field, among: "fields")
      names += FieldMember.allCases.map { "\(status).\($0.rawValue)" }
    }
    for step in steps {
      names += StepMember.allCases.map { Printer.print(chain: ["steps", step, $0.rawValue]) }
    }
    for action in actions {
      names += ActionMember.allCases.map { Printer.print(chain: ["actions", action, $0.rawValue]) }
    }
    names += outputs.map { Printer.print(chain: ["outputs", $0]) }
    return names.sorted { $0.precedesInUTF8($1) }
  }
}
