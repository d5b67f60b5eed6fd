internal import CEL

/// Advice that brings a formula with too many steps under the limit.
struct CostAdvice {
  let expression: CheckedExpression
  /// The sources of the bounds that its steps may depend on.
  let sources: Set<Int>
  let environment: Environment
  let cells: FormulaCells
  /// The greatest number of steps that is accepted.
  let stepsMax: Int

  /// The field that adds most steps, with the bound that suffices. If one field does not suffice, all fields that add
  /// steps.
  var remedy: String {
    let bounds = sources.sorted().compactMap { source in cells.bound(of: source).map { (source, $0) } }
    // The cost if the field were as small as possible.
    let lightest = bounds.min { cost($0.0, 1) < cost($1.0, 1) }
    if let (source, bound) = lightest, cost(source, 1) <= stepsMax {
      return "give \(Self.spelled(bound, largest(below: bound.max) { cost(source, $0) }))"
    }
    let most = bounds.map(\.1.max).max() ?? 1
    let all = { (cap: Int) in cost(Dictionary(uniqueKeysWithValues: bounds.map { ($0.0, cap) })) }
    guard all(1) <= stepsMax else {
      return "use shorter texts and lists in the formula, and fewer nested loops"
    }
    let cap = largest(below: most, all)
    return "give " + bounds.filter { $0.1.max > cap }.map { Self.spelled($0.1, cap) }.joined(separator: ", and ")
  }

  private static func spelled(_ bound: (address: String, keyword: String, max: Int), _ max: Int) -> String {
    "\"\(bound.address)\" a \"\(bound.keyword)\" of \(max) or less"
  }

  private func cost(_ source: Int, _ cap: Int) -> Int { cost([source: cap]) }
  private func cost(_ caps: [Int: Int]) -> Int { environment.cost(of: expression, capping: caps).steps }

  /// The largest number that makes the formula cheap enough: 1 is small enough, and `max` is not.
  private func largest(below max: Int, _ cost: (Int) -> Int) -> Int {
    var enough = 1
    var tooMany = max
    while tooMany - enough > 1 {
      let middle = (enough + tooMany) / 2
      if cost(middle) <= stepsMax { enough = middle } else { tooMany = middle }
    }
    return enough
  }
}
