internal import DocumentProperties

/// The numbers of a form's facts. The facts about one owner have consecutive numbers, in the order of ``FactSet``. The
/// facts about the first field come first, so that a field's facts begin at its number times ``FactSet/fieldStride``.
package struct FactNumbers: Sendable {
  /// The first rule's fact, the first check's and so on.
  private let firstRule: Int
  private let firstCheck: Int
  private let firstStep: Int
  private let firstLookup: Int
  private let firstAction: Int
  private let firstOutput: Int
  private let firstColumn: Int
  private let firstAbove: Int
  /// The first fact of a template's rows; the form's own template also has one, which never changes.
  private let firstRow: Int
  /// The first fact about the form as a whole.
  package let firstOfForm: Int
  /// The number of all facts.
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
    aboves: Int,
    templates: Int
  ) {
    firstRule = fields * FactSet.fieldStride
    firstCheck = firstRule + rules
    firstStep = firstCheck + checks * FactSet.checkStride
    firstLookup = firstStep + steps * StepProperty.count
    firstAction = firstLookup + lookups * LookupProperty.count
    firstOutput = firstAction + actions * ActionProperty.count
    firstColumn = firstOutput + outputs
    firstAbove = firstColumn + columns
    firstRow = firstAbove + aboves
    firstOfForm = firstRow + templates
  }

  /// The first fact of that field.
  @inline(__always)
  package func first(ofField field: Int) -> Int { field &* FactSet.fieldStride }
  /// The first fact of that rule.
  @inline(__always)
  package func first(ofRule rule: Int) -> Int { firstRule &+ rule }
  /// The first fact of that check.
  @inline(__always)
  package func first(ofCheck check: Int) -> Int { firstCheck &+ check &* FactSet.checkStride }
  /// The first fact of that step.
  @inline(__always)
  package func first(ofStep step: Int) -> Int { firstStep &+ step &* StepProperty.count }
  /// The first fact of that lookup.
  @inline(__always)
  package func first(ofLookup lookup: Int) -> Int { firstLookup &+ lookup &* LookupProperty.count }
  /// The first fact of that action.
  @inline(__always)
  package func first(ofAction action: Int) -> Int { firstAction &+ action &* ActionProperty.count }
  /// The first fact of that output.
  @inline(__always)
  package func first(ofOutput output: Int) -> Int { firstOutput &+ output }
  /// The first fact of that column.
  @inline(__always)
  package func first(ofColumn column: Int) -> Int { firstColumn &+ column }
  /// The first fact of a value in the row above.
  package func first(ofAbove above: Int) -> Int { firstAbove &+ above }
  /// Whether a fact is about a field.
  package func isAboutField(_ number: Int) -> Bool { number < firstRule }
  /// The first fact of the rows of a template.
  @inline(__always)
  package func first(ofRowsOf template: Int) -> Int { firstRow &+ template }

  /// The number of a fact.
  ///
  /// - Parameter fact: one fact about that owner.
  package func number(_ owner: Graph.Owner, _ fact: FactSet) -> Int {
    let first =
      switch owner {
      case .field(let field): first(ofField: field)
      case .rule(let rule): first(ofRule: rule)
      case .check(let check): first(ofCheck: check)
      case .step(let step): first(ofStep: step)
      case .lookup(let lookup): first(ofLookup: lookup)
      case .action(let action): first(ofAction: action)
      case .output(let output): first(ofOutput: output)
      case .column(let column): first(ofColumn: column)
      case .above(let above): first(ofAbove: above)
      case .row(let template): first(ofRowsOf: template)
      case .form: firstOfForm
      }
    return first + fact.bit
  }

  /// The owner of a fact, and the fact among the owner's facts.
  package func fact(_ number: Int) -> (owner: Graph.Owner, fact: FactSet) {
    func split(_ first: Int, _ stride: Int) -> (owner: Int, fact: FactSet) {
      let (owner, bit) = (number - first).quotientAndRemainder(dividingBy: stride)
      return (owner, FactSet(rawValue: 1 << UInt32(bit)))
    }
    if number < firstRule {
      let (field, fact) = split(0, FactSet.fieldStride)
      return (.field(field), fact)
    }
    if number < firstCheck { return (.rule(number - firstRule), .ruleResult) }
    if number < firstStep {
      let (check, fact) = split(firstCheck, FactSet.checkStride)
      return (.check(check), fact)
    }
    if number < firstLookup {
      let (step, fact) = split(firstStep, StepProperty.count)
      return (.step(step), fact)
    }
    if number < firstAction {
      let (lookup, fact) = split(firstLookup, LookupProperty.count)
      return (.lookup(lookup), fact)
    }
    if number < firstOutput {
      let (action, fact) = split(firstAction, ActionProperty.count)
      return (.action(action), fact)
    }
    if number < firstColumn { return (.output(number - firstOutput), .output) }
    if number < firstAbove { return (.column(number - firstColumn), .column) }
    if number < firstRow { return (.above(number - firstAbove), .above) }
    if number < firstOfForm { return (.row(number - firstRow), .index) }
    return (.form, split(firstOfForm, FactSet.formStride).fact)
  }
}
