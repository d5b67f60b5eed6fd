internal import Budgets
internal import JSON
internal import SourceTexts
internal import Texts

/// Advice for a name that leads nowhere.
extension DiagnosticCollector {
  /// The number of names that are listed if no name is close.
  static let namesListedMax = 20

  /// The name that was meant, or the available names; nil when the problem is only counted.
  ///
  /// - Parameters:
  ///   - list: the words before a list of the names: `its fields are`.
  ///   - budget: the budget that pays for comparing names; if it does not suffice, the names are listed.
  func advice(for name: String, among names: [String], or list: String, _ budget: CompileBudget) -> Remedy? {
    advice(among: names, or: list, budget) { closestName(to: name, among: names) }
  }

  /// The name that `closest` finds, or a list of the available names; nil when the problem is only counted.
  func advice(
    among names: [String],
    or list: String,
    _ budget: CompileBudget,
    closest: () -> String?
  ) -> Remedy? {
    guard !isFull else { return nil }
    if budget.mayCompare(names.count), let closest = closest() {
      return .meant(closest)
    }
    let listed = names.prefix(Self.namesListedMax).joined(separator: ", ")
    return "\(list): \(listed)\(names.count > Self.namesListedMax ? ", ..." : "")"
  }
}
