/// The numbers of a form's facts: those about each owner in a row, in the order of ``FactSet``. Those of the first field come first, so that a
/// field's facts begin at its address times ``FactSet/fieldStride``.
package struct FactNumbers: Sendable {
  /// The first rule's fact, the first check's and so on.
  package let firstRule: Int
  /// Likewise.
  package let firstCheck: Int
  /// Likewise.
  package let firstStep: Int
  /// Likewise.
  package let firstLookup: Int
  /// Likewise.
  package let firstAction: Int
  /// Likewise.
  package let firstOutput: Int
  /// Likewise.
  package let firstColumn: Int
  /// The first fact of a template's rows; the form's own has one that never changes.
  package let firstRow: Int
  /// The first fact about the form as a whole.
  package let firstOfForm: Int
  /// All facts.
  package var count: Int { firstOfForm + FactSet.formStride }

  init(
    fields: Int,
    rules: Int,
    checks: Int,
    steps: Int,
    lookups: Int,
    actions: Int,
    outputs: Int,
    columns: Int,
    templates: Int
  ) {
    firstRule = fields * FactSet.fieldStride
    firstCheck = firstRule + rules
    firstStep = firstCheck + checks * FactSet.checkStride
    firstLookup = firstStep + steps * FactSet.stepStride
    firstAction = firstLookup + lookups * FactSet.lookupStride
    firstOutput = firstAction + actions * FactSet.actionStride
    firstColumn = firstOutput + outputs
    firstRow = firstColumn + columns
    firstOfForm = firstRow + templates
  }

  /// The number of a fact.
  ///
  /// - Parameter fact: one fact about that owner.
  package func number(_ owner: Graph.Owner, _ fact: FactSet) -> Int {
    let first =
      switch owner {
      case .field(let field): field * FactSet.fieldStride
      case .rule(let rule): firstRule + rule
      case .check(let check): firstCheck + check * FactSet.checkStride
      case .step(let step): firstStep + step * FactSet.stepStride
      case .lookup(let lookup): firstLookup + lookup * FactSet.lookupStride
      case .action(let action): firstAction + action * FactSet.actionStride
      case .output(let output): firstOutput + output
      case .column(let column): firstColumn + column
      case .row(let template): firstRow + template
      case .form: firstOfForm
      }
    return first + fact.place
  }

  /// What a fact is about, and which of the facts about that.
  package func fact(_ number: Int) -> (owner: Graph.Owner, fact: FactSet) {
    func split(_ first: Int, _ stride: Int) -> (index: Int, fact: FactSet) {
      let (index, place) = (number - first).quotientAndRemainder(dividingBy: stride)
      return (index, FactSet(rawValue: 1 << UInt32(place)))
    }
    if number < firstRule {
      let (field, fact) = split(0, FactSet.fieldStride)
      return (.field(field), fact)
    }
    if number < firstCheck { return (.rule(number - firstRule), .outcome) }
    if number < firstStep {
      let (check, fact) = split(firstCheck, FactSet.checkStride)
      return (.check(check), fact)
    }
    if number < firstLookup {
      let (step, fact) = split(firstStep, FactSet.stepStride)
      return (.step(step), fact)
    }
    if number < firstAction {
      let (lookup, fact) = split(firstLookup, FactSet.lookupStride)
      return (.lookup(lookup), fact)
    }
    if number < firstOutput {
      let (action, fact) = split(firstAction, FactSet.actionStride)
      return (.action(action), fact)
    }
    if number < firstColumn { return (.output(number - firstOutput), .output) }
    if number < firstRow { return (.column(number - firstColumn), .column) }
    if number < firstOfForm { return (.row(number - firstRow), .index) }
    return (.form, split(firstOfForm, FactSet.formStride).fact)
  }
}
