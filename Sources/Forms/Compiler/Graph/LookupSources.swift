internal import Budgets
internal import DocumentProperties

/// The formulas that give a field its value.
struct ValueFormulas {
  var computed: Formula?
  var suggested: Formula?

  var all: [Formula] { [computed, suggested].compactMap { $0 } }
}

/// Finds the lookups on whose answers the result of a formula depends: the lookups that the formula reads, and the
/// lookups that outputs and the formulas of fields read for it. So options wait for a lookup on every such way.
struct LookupSources {
  let fields: FieldTable
  /// By field.
  let given: [ValueFormulas]
  /// By output.
  let outputs: [Output]
  let templates: [FormTemplate]
  let formulas: FormulaCompiler
  let budget: CompileBudget

  /// The lookups behind the formula of a field's options, in ascending order. A lookup of rows counts if the formula
  /// is in such a row. If the field is outside of the rows, the lookups of all rows count.
  ///
  /// - Parameters:
  ///   - template: the template whose instances compute the options.
  ///   - field: the template of the field.
  func lookups(behind formula: Formula, in template: Int, of field: Int) -> [Int] {
    var found: Set<Int> = []
    var known: Set<Int> = []
    var waiting = formula.reads
    while let slot = waiting.popLast() {
      guard known.insert(slot).inserted, budget.spend() else { continue }
      switch formulas.key(ofSlot: slot) {
      case .lookup(_, let lookup)?: found.insert(lookup)
      case .column(let output, _)?: waiting += reads(ofOutput: output)
      case .element(\.outputs, let output)?: waiting += reads(ofOutput: output)
      case .element(\.values, let field)?, .above(let field)?: waiting += reads(ofValue: field)
      default: break
      }
    }
    return found.filter { lookup in
      guard let own = templates.firstIndex(where: { $0.lookups.contains(lookup) }) else { return false }
      return templates.isAround(own, template) || template == field && templates.isAround(template, own)
    }.sorted()
  }

  /// A wrong output is missing.
  private func reads(ofOutput output: Int) -> [Int] { outputs.count > output ? outputs[output].formula.reads : [] }

  /// The value of an object or a list has the values of the fields inside it.
  private func reads(ofValue field: Int) -> [Int] {
    if fields.shapes[field].position.unit == nil { return given[field].all.flatMap(\.reads) }
    guard budget.spend(1 + given.count / 8) else { return [] }
    return given.indices.filter { !given[$0].all.isEmpty && isInside($0, field) }
      .flatMap { given[$0].all.flatMap(\.reads) }
  }

  /// Whether a field is another one, or inside of it.
  private func isInside(_ field: Int, _ outer: Int) -> Bool {
    sequence(first: field) { fields.shapes[$0].position.around }.contains(outer)
  }
}
