internal import CEL

/// Advice that brings a formula with too many steps under the limit.
struct CostAdvice {
  let expression: CheckedExpression
  /// The sources of the bounds that its steps may depend on.
  let sources: Set<Int>
  let environment: Environment
  let cells: FormulaCells
  let scope: FormulaCompiler.Scope
  /// The greatest number of steps that is accepted.
  let stepsMax: Int
  /// The lists in whose rows the formula is evaluated, all in one turn; none for a formula that is evaluated once.
  var lists: [Int] = []

  private typealias Bound = (address: String, keyword: String, max: Int, least: Int)

  /// The way to write the formula with fewer steps, or else the field whose bound has to shrink least. If one field
  /// does not suffice, all fields that add steps. A bound that admits hardly any value is no advice.
  var remedy: String {
    if let field = RepeatedValues(cells: cells, scope: scope).field(in: expression.parsed.root) {
      return "to have each value once, write \"unique\": true at \"\(field)\" in \"fields\" in place of this formula"
    }
    let bounds: [(source: Int, bound: Bound)] = sources.union(lists).sorted()
      .compactMap { source in cells.bound(of: source).map { (source, $0) } }
    let enough = bounds.filter { cost([$0.source: $0.bound.least]) <= stepsMax }
      .map { source, bound in (bound, largest(from: bound.least, below: bound.max) { cost([source: $0]) }) }
    // The bound that keeps most of its size.
    if let (bound, cap) = enough.max(by: { $0.1 * $1.0.max < $1.1 * $0.0.max }) {
      return "give \(Self.spelled(bound, cap))"
    }
    let least = bounds.map(\.bound.least).max() ?? 1
    let all = { (cap: Int) in
      cost(Dictionary(uniqueKeysWithValues: bounds.map { ($0.source, max(cap, $0.bound.least)) }))
    }
    guard !bounds.isEmpty, all(least) <= stepsMax else {
      return "use fewer loops within loops: an output or a computed field evaluates its part once for all rows"
    }
    let cap = largest(from: least, below: bounds.map(\.bound.max).max() ?? least, all)
    return "give "
      + bounds.filter { $0.bound.max > cap }.map { Self.spelled($0.bound, max(cap, $0.bound.least)) }
      .joined(separator: ", and ")
  }

  private static func spelled(_ bound: Bound, _ max: Int) -> String {
    "\"\(bound.address)\" a \"\(bound.keyword)\" of \(max) or less"
  }

  /// The steps of all evaluations, if these fields have smaller bounds.
  private func cost(_ caps: [Int: Int]) -> Int {
    lists.reduce(environment.cost(of: expression, capping: caps).steps) { steps, list in
      let rows = min(cells.bound(of: list)?.max ?? 1, caps[list] ?? .max)
      let (product, overflows) = steps.multipliedReportingOverflow(by: rows)
      return overflows ? .max : product
    }
  }

  /// The largest number that makes the formula cheap enough: the first is small enough, and `max` is not.
  private func largest(from least: Int, below max: Int, _ cost: (Int) -> Int) -> Int {
    var enough = least
    var tooMany = Swift.max(max, least + 1)
    while tooMany - enough > 1 {
      let middle = (enough + tooMany) / 2
      if cost(middle) <= stepsMax { enough = middle } else { tooMany = middle }
    }
    return enough
  }
}
