internal import JSON

/// Inquiries of checks and lookups of rows. Rows with equal inquiries of one check or lookup wait for one answer. Only
/// a limited number of inquiries is made at a time.
///
/// Always true: no two runs have equal inquiries of one check or lookup. Each run has a row that waits for it. As many
/// runs as allowed are under way, or all.
struct RowRuns {

  /// An inquiry, and the rows that wait for the answer.
  struct Run {
    let id: EffectID
    let inquirer: Inquirer
    let request: EffectRequest
    let timeout: Duration
    /// The identities of the rows, in the order in which they asked.
    fileprivate(set) var rows: [Int]
    /// Whether it is asked already.
    fileprivate(set) var isUnderWay = false
  }

  private struct Key: Hashable {
    let inquirer: Inquirer
    let key: JSON
  }

  /// The most runs that are under way at a time.
  static let underWayMax = 8

  private(set) var runs: [EffectID: Run] = [:]
  private var ids: [Key: EffectID] = [:]
  private var keys: [EffectID: Key] = [:]
  /// The runs that are not asked yet, in order. Runs that have ended since are skipped.
  private var waiting: [EffectID] = []
  private(set) var underWay = 0

  /// The run that a row would wait for, or nil if that inquiry has none.
  func id(of inquiry: Inquiry, by inquirer: Inquirer) -> EffectID? {
    ids[Key(inquirer: inquirer, key: inquiry.key)]
  }

  /// A row waits for the answer to an inquiry.
  ///
  /// - Parameter id: the run's name, from ``id(of:by:)`` or new.
  mutating func join(_ id: EffectID, _ inquiry: Inquiry, by inquirer: Inquirer, timeout: Duration, row: Int) {
    if runs[id] != nil {
      runs[id]?.rows.append(row)
      return
    }
    let key = Key(inquirer: inquirer, key: inquiry.key)
    runs[id] = Run(id: id, inquirer: inquirer, request: inquiry.request, timeout: timeout, rows: [row])
    ids[key] = id
    keys[id] = key
    waiting.append(id)
  }

  /// A row does not want the answer any more.
  ///
  /// - Returns: the run, if it has no waiting row any more. It is given up then.
  mutating func giveUp(_ id: EffectID, row: Int) -> Run? {
    runs[id]?.rows.removeAll { $0 == row }
    guard let run = runs[id], run.rows.isEmpty else { return nil }
    return end(id)
  }

  /// A run is over. Returns the run, or nil if it is not known.
  mutating func end(_ id: EffectID) -> Run? {
    guard let run = runs.removeValue(forKey: id) else { return nil }
    if let key = keys.removeValue(forKey: id) { ids[key] = nil }
    if run.isUnderWay { underWay -= 1 }
    return run
  }

  /// The next run that may be asked. It is under way from then on.
  mutating func next() -> Run? {
    guard underWay < Self.underWayMax else { return nil }
    while !waiting.isEmpty {
      let id = waiting.removeFirst()
      guard runs[id] != nil else { continue }
      runs[id]?.isUnderWay = true
      underWay += 1
      return runs[id]
    }
    return nil
  }

  /// Gives up all runs except runs of lookups. Returns the runs that were under way and are given up.
  mutating func keepLookups() -> [EffectID] {
    let others = runs.values.filter { !$0.inquirer.isLookup }
    return others.compactMap { end($0.id) }.filter(\.isUnderWay).map(\.id)
  }
}
