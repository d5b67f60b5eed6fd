internal import JSON

/// Inquiries of checks and lookups of rows. Rows with equal inquiries of one check or lookup wait for one answer. Only
/// a limited number of inquiries is made at a time.
///
/// Always true: no two inquiries of one check or lookup are equal. Each has a row that waits for it. As many as
/// allowed are under way, or all.
struct SharedInquiries {
  /// An inquiry, and the rows that wait for the answer.
  struct SharedInquiry {
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

  /// The most inquiries that are under way at a time.
  static let underWayMax = 8

  /// The inquiries by the names of their effects.
  private(set) var byEffect: [EffectID: SharedInquiry] = [:]
  private var ids: [Key: EffectID] = [:]
  private var keys: [EffectID: Key] = [:]
  /// The inquiries that are not asked yet, in order. Inquiries that have ended since are skipped.
  private var waiting: [EffectID] = []
  private(set) var underWay = 0

  /// The effect that a row would wait for, or nil if no row waits for that inquiry.
  func id(of inquiry: Inquiry, by inquirer: Inquirer) -> EffectID? {
    ids[Key(inquirer: inquirer, key: inquiry.key)]
  }

  /// A row waits for the answer to an inquiry.
  ///
  /// - Parameter id: the effect's name, from ``id(of:by:)`` or new.
  mutating func join(_ id: EffectID, _ inquiry: Inquiry, by inquirer: Inquirer, timeout: Duration, row: Int) {
    if byEffect[id] != nil {
      byEffect[id]?.rows.append(row)
      return
    }
    let key = Key(inquirer: inquirer, key: inquiry.key)
    byEffect[id] = SharedInquiry(id: id, inquirer: inquirer, request: inquiry.request, timeout: timeout, rows: [row])
    ids[key] = id
    keys[id] = key
    waiting.append(id)
  }

  /// A row does not want the answer any more.
  ///
  /// - Returns: the inquiry, if it has no waiting row any more. It is given up then.
  mutating func giveUp(_ id: EffectID, row: Int) -> SharedInquiry? {
    byEffect[id]?.rows.removeAll { $0 == row }
    guard let inquiry = byEffect[id], inquiry.rows.isEmpty else { return nil }
    return end(id)
  }

  /// An inquiry is over. Returns the inquiry, or nil if it is not known.
  mutating func end(_ id: EffectID) -> SharedInquiry? {
    guard let inquiry = byEffect.removeValue(forKey: id) else { return nil }
    if let key = keys.removeValue(forKey: id) { ids[key] = nil }
    if inquiry.isUnderWay { underWay -= 1 }
    return inquiry
  }

  /// The next inquiry that may be asked. It is under way from then on.
  mutating func next() -> SharedInquiry? {
    guard underWay < Self.underWayMax else { return nil }
    while !waiting.isEmpty {
      let id = waiting.removeFirst()
      guard byEffect[id] != nil else { continue }
      byEffect[id]?.isUnderWay = true
      underWay += 1
      return byEffect[id]
    }
    return nil
  }

  /// Gives up all inquiries except inquiries of lookups. Returns the effects that were under way and are given up.
  mutating func keepLookups() -> [EffectID] {
    let others = byEffect.values.filter { !$0.inquirer.isLookup }
    return others.compactMap { end($0.id) }.filter(\.isUnderWay).map(\.id)
  }
}
