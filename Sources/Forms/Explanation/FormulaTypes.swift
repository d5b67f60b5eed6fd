internal import Budgets
package import CEL
internal import JSON
internal import SourceTexts

/// The types of the parts of unfinished formulas in a form. An editor completes formulas with them.
package final class FormulaTypes {
  private let compiler: FormulaCompiler
  private let form: Form

  /// The location of a formula in a form.
  package struct Place {
    private let row: [String]?
    private let own: [String]?
    private let isOutcome: Bool

    /// - Parameters:
    ///   - row: the path of the rows that have the formula; nil for the form.
    ///   - own: the path of the field whose value is `self`; nil if there is none.
    ///   - isOutcome: whether the formula is about an answer.
    package init(row: [String]?, own: [String]?, isOutcome: Bool) {
      self.row = row
      self.own = own
      self.isOutcome = isOutcome
    }

    fileprivate func scope(in form: Form) -> FormulaCompiler.Scope {
      func field(_ path: [String]?) -> Int? { path.flatMap { form.field(at: JSONPointer(tokens: $0).address) } }
      var scope = FormulaCompiler.Scope(isOutcome: isOutcome)
      if let row = field(row) { scope.template = form.fields[row].template }
      scope.field = field(own)
      return scope
    }
  }

  /// The types in a form.
  package init(of form: Form) {
    self.form = form
    compiler = FormulaCompiler(
      cells: FormulaCells(of: form),
      ids: [:],
      slots: SlotTable(
        fields: form.fields.count,
        checks: form.checks.count,
        steps: form.steps.count,
        lookups: form.lookups.count,
        actions: form.actions.count,
        outputs: form.outputs.count,
        templates: form.templates.count,
        context: form.context
      ),
      texts: FormTexts([], default: nil),
      functions: form.functions,
      unreadBlocks: [],
      cache: nil,
      budget: CompileBudget()
    )
    var collector = DiagnosticCollector(file: nil, text: nil)
    compiler.expandFunctions(&collector)
  }

  /// The known types of an expression's parts; nil if the expression cannot be parsed.
  package func types(in source: String, at place: Place) -> CheckedExpression? {
    compiler.types(in: source, place.scope(in: form))
  }

  /// The texts that a named value can be; nil if it can be any text.
  ///
  /// - Parameter chain: the names: `values`, `kind`.
  package func choices(of chain: [String], at place: Place) -> [String]? {
    compiler.choices(of: chain, in: place.scope(in: form))
  }
}
