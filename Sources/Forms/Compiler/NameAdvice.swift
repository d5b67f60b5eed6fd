internal import JSON
internal import Texts

/// What to write in place of a name that leads nowhere.
extension DiagnosticCollector {
  /// So many names are listed where none is close.
  static let namesListedMax = 20

  /// The name that was meant, or the names that there are; nil when the fault is only counted.
  ///
  /// - Parameters:
  ///   - list: what the names are where they are listed: `its fields are`.
  ///   - budget: comparing names is spent from it; where it does not suffice, they are listed.
  func advice(for name: String, among names: [String], or list: String, _ budget: CompileBudget) -> Remedy? {
    advice(among: names, or: list, budget) { closestName(to: name, among: names) }
  }

  /// The same where `closest` finds the name that was meant.
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
