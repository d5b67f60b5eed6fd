internal import CEL
internal import Texts

/// A cell that formulas may read.
struct FormulaCell {
  /// Its name as formulas spell it, where that is not the one that it is found by.
  var spelling: String?
  let type: CELType
  var size = SizeBounds.scalar
  /// The field whose value it is.
  var field: Int?
  /// Whether its value is a secret.
  var isSecret = false
  /// Where its address is kept.
  let address: WritableKeyPath<SlotTable, Int32>
}

/// Every cell of a form that formulas may read, found by its name: `values.email`, `fields.email.isValid`, `actions.login.result`.
///
/// A form of 10,000 fields has 70,000 cells, and formulas read few of them; so a cell is made when its name is looked up.
struct FormulaCells {
  private let shapes: [FieldShape]
  private let steps: [String]
  private let actions: [String]
  private let outputs: [String]
  /// By address.
  private let fieldIndex: FieldIndex
  /// By the names that lead to a field's value, joined by dots.
  private let valueIndex: [String: Int]
  private let stepIndex: [UTF8Key: Int]
  private let actionIndex: [String: Int]
  private let outputIndex: [String: Int]
  /// No cell has a longer name.
  let nameBytesMax: Int

  init(shapes: [FieldShape], steps: [String], actions: [String], outputs: [String]) {
    func index(_ names: [String]) -> [String: Int] {
      Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
    }
    self.shapes = shapes
    self.steps = steps
    self.actions = actions
    self.outputs = outputs
    fieldIndex = FieldIndex(addresses: shapes.map(\.address))
    let dotted = shapes.map { $0.place.path.joined(separator: ".") }
    // Where two are alike, the one nearer to the root is meant.
    valueIndex = Dictionary(
      shapes.indices.sorted { shapes[$0].place.path.count < shapes[$1].place.path.count }.map { (dotted[$0], $0) },
      uniquingKeysWith: { first, _ in first }
    )
    stepIndex = Dictionary(
      steps.enumerated().map { (UTF8Key(text: $0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    actionIndex = index(actions)
    outputIndex = index(outputs)
    let longest = [shapes.map(\.address), dotted, steps, actions, outputs].joined().map(\.utf8.count).max() ?? 0
    // Behind "fields." or the like, and before ".isPending" or the like.
    nameBytesMax = longest + 20
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

  /// The name of the cell that holds a field's value.
  func name(ofValue field: Int) -> String { "values.\(shapes[field].place.path.joined(separator: "."))" }

  /// The name of the cell that holds a field's value, as formulas spell it.
  func spelling(ofValue field: Int) -> String { FieldAddress.spelling(of: shapes[field].place.path, among: "values") }

  /// The cell of that name, if there is one.
  func cell(named name: String) -> FormulaCell? {
    let utf8 = name.utf8
    guard let dot = utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let rest = name[utf8.index(after: dot)...]
    switch name[..<dot] {
    case "values": return valueIndex[String(rest)].map(value)
    case "messages":
      return fieldIndex.field(at: String(rest)).map {
        FormulaCell(
          spelling: spelling($0, among: "messages"),
          type: .string,
          size: Self.messageSize,
          address: \.messages[$0]
        )
      }
    case "outputs":
      return outputIndex[String(rest)].map { FormulaCell(type: .dyn, size: .unknown, address: \.outputs[$0]) }
    case "form": return FormMember(rawValue: String(rest)).map(cell)
    case "fields", "steps", "actions":
      // What has a member may have dots in its own name.
      guard let last = rest.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
      let owner = String(rest[..<last])
      let member = String(rest[rest.utf8.index(after: last)...])
      switch name[..<dot] {
      case "fields":
        guard let field = fieldIndex.field(at: owner), let member = FieldMember(rawValue: member) else { return nil }
        return cell(of: field, member)
      case "steps":
        guard let step = stepIndex[UTF8Key(text: owner)], let member = StepMember(rawValue: member) else { return nil }
        return cell(of: step, member)
      default:
        guard let action = actionIndex[owner], let member = ActionMember(rawValue: member) else { return nil }
        return cell(of: action, member)
      }
    default: return nil
    }
  }

  private func value(of field: Int) -> FormulaCell {
    FormulaCell(
      spelling: spelling(ofValue: field),
      type: shapes[field].celType,
      size: shapes[field].size,
      field: field,
      isSecret: shapes[field].holdsSecret,
      address: \.values[field]
    )
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
    return FormulaCell(
      spelling: "\(spelling(field, among: "fields")).\(member.rawValue)",
      type: .bool,
      address: address
    )
  }

  private func cell(of step: Int, _ member: StepMember) -> FormulaCell {
    let address: WritableKeyPath<SlotTable, Int32> =
      switch member {
      case .isVisible: \.stepIsVisible[step]
      case .isValid: \.stepIsValid[step]
      case .isPending: \.stepIsPending[step]
      case .isTouched: \.stepIsTouched[step]
      }
    let step = FieldAddress.spelling(ofStep: steps[step])
    return FormulaCell(spelling: "\(step).\(member.rawValue)", type: .bool, address: address)
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
      names += [spelling(ofValue: field), spelling(field, among: "messages")]
      let status = spelling(field, among: "fields")
      names += FieldMember.allCases.map { "\(status).\($0.rawValue)" }
    }
    for step in steps {
      names += StepMember.allCases.map { "\(FieldAddress.spelling(ofStep: step)).\($0.rawValue)" }
    }
    for action in actions { names += ActionMember.allCases.map { "actions.\(action).\($0.rawValue)" } }
    names += outputs.map { "outputs.\($0)" }
    return names.sorted { $0.precedesInUTF8($1) }
  }
}
