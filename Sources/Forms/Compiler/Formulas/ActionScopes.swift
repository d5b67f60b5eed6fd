internal import DocumentProperties
internal import JSON
internal import Texts

/// The fields that actions are about.
struct ActionScopes {
  let fields: FieldTable
  let steps: [StepDefinition]

  /// The scope that is written; nil without one.
  func scope(writtenBy action: ActionDefinition) -> ActionScope? {
    switch action.scope {
    case nil: nil
    case .form?: .form
    case ScopeDefinition.none?: ActionScope.none
    case .step(let id)?: .fields(steps.first { $0.id.hasSameUTF8(as: id) }.map(fields.fields(of:)) ?? [])
    case .fields(let addresses)?:
      // Fields in rows are reported, and no formula can be made of them.
      .fields(
        outmost(addresses.compactMap { fields.field(at: $0) }.filter { fields.shapes[$0].position.template == 0 })
      )
    }
  }

  /// The scope that a condition means: the fields whose status it reads, if it reads no status of the form.
  func scope(meantBy formula: Formula, _ slots: SlotTable) -> ActionScope {
    func reads(_ slots: [Int32]) -> Bool { slots.contains { $0 >= 0 && formula.reads.contains(Int($0)) } }
    if reads([slots.form[.isValid, 0], slots.form[.isPending, 0], slots.form[.isDirty, 0]]) { return .form }
    var read = fields.shapes.indices.filter { reads([slots.fields[.isValid, $0], slots.fields[.isPending, $0]]) }
    for (number, step) in steps.enumerated() {
      let statuses = [slots.steps[.isValid, number], slots.steps[.isPending, number]]
      if reads(statuses) { read += fields.fields(of: step) }
    }
    return read.isEmpty ? .form : .fields(outmost(read))
  }

  /// By default, an action is enabled while all of its scope is valid; nil: while the form is.
  func enabledDefault(in scope: ActionScope?, of action: ActionDefinition) -> FormulaDefinition? {
    let pointer = action.pointer.appending("scope")
    switch scope {
    case nil, .form?: return nil
    case ActionScope.none?: return FormulaDefinition(source: "true", pointer: pointer)
    case .fields(let scope)?:
      let conditions = scope.map {
        "\(FieldAddress.spelling(of: fields.shapes[$0].position.path, among: "fields")).isValid"
      }
      let source = conditions.isEmpty ? "true" : conditions.joined(separator: " && ")
      return FormulaDefinition(source: source, pointer: pointer)
    }
  }

  /// The fields in order, without the fields that are inside another.
  private func outmost(_ scope: [Int]) -> [Int] {
    var outmost: [Int] = []
    var end = 0
    for field in scope.sorted() where field >= end {
      outmost.append(field)
      end = fields.shapes[field].position.end
    }
    return outmost
  }
}
