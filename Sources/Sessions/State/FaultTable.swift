internal import Forms

/// The formulas of a session that currently go wrong, each with the instances in which it goes wrong.
///
/// The entries of a node are removed before it is computed again, and noted again if its formulas still go wrong.
/// ``settle()`` returns whether something has changed.
struct FaultTable {
  /// A formula that goes wrong.
  struct FaultyFormula {
    let formula: Formula
    /// The reason at the first time. It does not contain a value.
    let reason: String
    /// The number of instances.
    fileprivate var count: Int
  }

  /// The formulas that a node evaluates, by instance (the identity of a row, 0 for the form) and node.
  private typealias Entries = [Int: [Int32: [Formula]]]

  private var entries: Entries = [:]
  /// The entries of nodes that were removed since the last call of `settle()`.
  private var stale: Entries = [:]
  private var formulas: [ObjectIdentifier: FaultyFormula] = [:]
  /// Whether a formula goes wrong that the form's errors lack.
  private var hasNew = false
  /// The number of entries, including the removed ones.
  private var count = 0

  private static let entryBytes = 128

  var isEmpty: Bool { formulas.isEmpty }

  /// The approximate memory of all entries.
  var bytes: Int { count * Self.entryBytes }

  /// In the order of their names.
  var all: [FaultyFormula] {
    formulas.values.sorted { ($0.formula.name, $0.formula.pointer) < ($1.formula.name, $1.formula.pointer) }
  }

  /// A node is computed again.
  mutating func forget(_ node: Int32, in row: Int) {
    guard let formulas = entries[row]?.removeValue(forKey: node) else { return }
    stale[row, default: [:]][node, default: []] += formulas
  }

  mutating func forget(row: Int) {
    for node in (entries[row] ?? [:]).keys { forget(node, in: row) }
    entries[row] = nil
  }

  /// A formula has gone wrong.
  /// - Returns: whether it went right before in all instances.
  mutating func note(_ formula: Formula, at node: Int32, in row: Int, reason: String) -> Bool {
    if entries[row]?[node]?.contains(where: { $0 === formula }) ?? false { return false }
    entries[row, default: [:]][node, default: []].append(formula)
    if let position = stale[row]?[node]?.firstIndex(where: { $0 === formula }) {
      stale[row]?[node]?.remove(at: position)
      return false
    }
    count += 1
    let id = ObjectIdentifier(formula)
    formulas[id, default: FaultyFormula(formula: formula, reason: reason, count: 0)].count += 1
    guard formulas[id]?.count == 1 else { return false }
    if !formula.isJudgment { hasNew = true }
    return true
  }

  /// Drops the entries that were removed and not noted again.
  /// - Returns: whether other formulas go wrong than before, among those in the form's errors.
  mutating func settle() -> Bool {
    var hasChanged = hasNew
    hasNew = false
    for formula in stale.values.joined().flatMap(\.value) {
      count -= 1
      let id = ObjectIdentifier(formula)
      formulas[id]?.count -= 1
      guard formulas[id]?.count == 0 else { continue }
      formulas[id] = nil
      if !formula.isJudgment { hasChanged = true }
    }
    stale = [:]
    return hasChanged
  }
}
