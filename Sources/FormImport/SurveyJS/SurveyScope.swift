internal import Texts

/// The values that a formula of SurveyJS can name, and the cells that hold them in the form.
struct SurveyScope {
  /// The answers, the calculated values and the totals, by their names in the survey.
  var values: [String: SurveyCell] = [:]
  /// The rows around the formula, the innermost first: `{panel.x}`, `{row.x}` and `{parentPanel.x}`.
  var rows: [SurveyCell] = []
  /// Whether the formula belongs to a row of a list, so that `index` is there.
  var isInRow = false
  /// The name of the row, in a matrix whose rows are fixed: `{rowValue}`.
  var rowName: String?
  /// The choice that a condition is about: `{item}`.
  var item: SurveyFormula?
  /// The ids of the steps and the addresses of the fields of panels, by their names in the survey.
  var containers: [String: SurveyContainer] = [:]

  /// The result of a search for a name.
  enum Found {
    case formula(SurveyFormula)
    /// Nothing in the survey has that name.
    case unknown
    /// The name is one of SurveyJS that formd cannot give.
    case unsupported
  }

  /// The value of a name between braces.
  func find(_ written: String) -> Found {
    var name = written
    if name.hasPrefix("#") { name.removeFirst() }
    if let cell = cell(of: name, in: values) { return .formula(SurveyFormula(cell)) }
    switch name.lowercased() {
    case "item", "choice": return item.map { .formula($0) } ?? .unknown
    case "rowindex":
      return isInRow ? .formula(SurveyFormula("double(index + 1)", .number, .primary)) : .unsupported
    case "panelindex":
      return isInRow ? .formula(SurveyFormula("double(index)", .number, .primary)) : .unsupported
    case "rowvalue", "rowname": return rowName.map { .formula(.text($0)) } ?? .unsupported
    case "locale": return .formula(SurveyFormula("form.locale", .text, .primary))
    case "pageno", "pagecount", "rowtitle", "visibleindex": return .unsupported
    default: break
    }
    let steps = Self.steps(of: name)
    guard let first = steps.first else { return .unknown }
    switch first.lowercased() {
    case "panel", "row":
      for row in rows {
        if case .formula(let formula) = walk(row, steps.dropFirst()) { return .formula(formula) }
      }
      if !rows.isEmpty { return .unknown }
    case "parentpanel", "parentrow":
      for row in rows.dropFirst() {
        if case .formula(let formula) = walk(row, steps.dropFirst()) { return .formula(formula) }
      }
      if rows.count > 1 { return .unknown }
    case "prevpanel", "nextpanel", "prevrow", "nextrow", "$self", "$item", "totalrow": return .unsupported
    default: break
    }
    // A name with points may be the beginning of a path.
    for count in stride(from: steps.count, through: 1, by: -1) {
      let head = steps.prefix(count).joined(separator: ".")
      if let cell = cell(of: head, in: values) { return walk(cell, steps.dropFirst(count)) }
    }
    return .unknown
  }

  /// SurveyJS compares names without regard to case if no name is equal.
  private func cell(of name: String, in cells: [String: SurveyCell]) -> SurveyCell? {
    if let cell = cells[name] { return cell }
    let folded = name.lowercased()
    return cells.keys.sorted().first { $0.lowercased() == folded }.flatMap { cells[$0] }
  }

  private func walk(_ cell: SurveyCell, _ steps: ArraySlice<String>) -> Found {
    var cell = cell
    for (number, step) in zip(steps.indices, steps) {
      switch cell.shape {
      case .object(let members):
        // A name with points in a row.
        let rest = steps[number...].joined(separator: ".")
        if let shape = members[rest] {
          return .formula(SurveyFormula(cell.member(rest, shape)))
        }
        guard let shape = members[step] ?? members.first(where: { $0.key.lowercased() == step.lowercased() })?.value
        else { return .unknown }
        cell = cell.member(
          members[step] == nil ? members.keys.first { $0.lowercased() == step.lowercased() } ?? step : step,
          shape
        )
      case .list(let element):
        guard let index = Int(step), index >= -1 else { return .unsupported }
        guard let found = cell.element(index, element) else { return .unsupported }
        cell = found
      default: return .unknown
      }
    }
    return .formula(SurveyFormula(cell))
  }

  /// `a.b[0].c` as `a`, `b`, `0`, `c`.
  private static func steps(of name: String) -> [String] {
    name.replacing("[", with: ".").replacing("]", with: "").split(separator: ".").map { String($0) }
  }
}

/// A page or a panel of the survey.
enum SurveyContainer {
  /// The step of a page.
  case step(String)
  /// The fields of a panel.
  case fields([String])
}

/// A place in the form that holds a value.
struct SurveyCell {
  /// The text that reads it in a formula: `values.email`.
  var reference: String
  /// The type of the value.
  var shape: SurveyShape

  /// The member of an object.
  func member(_ name: String, _ shape: SurveyShape) -> SurveyCell {
    SurveyCell(reference: CELText.member(name, of: reference), shape: shape)
  }

  /// An element of a list: from 0, or -1 for the last; nil if no formula can read it.
  func element(_ index: Int, _ shape: SurveyShape) -> SurveyCell? {
    // A missing element is a fault, so the whole list is asked for the element.
    let element = index < 0 ? "\(reference).last()" : "\(reference)[?\(index)]"
    switch shape {
    case .object: return SurveyCell(reference: "\(element).orValue({})", shape: .anyObject(shape))
    case .text: return SurveyCell(reference: "\(element).orValue('')", shape: shape)
    case .number: return SurveyCell(reference: "\(element).orValue(0.0)", shape: shape)
    default: return nil
    }
  }
}

/// The type of a value of the survey.
indirect enum SurveyShape {
  case bool
  /// A number with decimals.
  case number
  /// A whole number.
  case integer
  /// A text; with its choices, if only these are allowed. A text without choices may be a date.
  case text(choices: [String]?, isDate: Bool)
  /// A value of several types.
  case any(choices: [SurveyChoice])
  case list(SurveyShape)
  case object([String: SurveyShape])

  /// Members of an element that may be absent have no type.
  static func anyObject(_ shape: SurveyShape) -> SurveyShape {
    guard case .object(let members) = shape else { return shape }
    return .object(members.mapValues { _ in .any(choices: []) })
  }
}

/// A choice of a question.
enum SurveyChoice: Hashable {
  case text(String)
  case number(Double)
  case bool(Bool)

  /// The choice as SurveyJS writes it.
  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): CELText.plain(number)
    case .bool(let value): value ? "true" : "false"
    }
  }
}
