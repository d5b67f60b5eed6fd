internal import Texts

/// Identifies a call to a provider as long as it has no answer, even if its holder changes. Never used again.
struct ProviderCallID: Hashable {
  fileprivate let number: UInt64
}

/// How well a holder of a provider's name can be asked: the best first.
enum ProviderReadiness: Comparable {
  /// It reads its calls.
  case ready
  /// It reads slowly: it is asked if no holder is ready.
  case slow
  /// It has not answered its last calls in time: it is asked if no other holder can be.
  case hung
  /// It reads nothing: it is not asked.
  case full
  /// This session must not ask it.
  case foreign
  /// It is at its end.
  case away
}

/// The holders of each provider's name, and the calls that they have not answered.
///
/// Events go in as calls, and each returns an action; ``FormServer`` asks and answers. A name may have several holders:
/// the holder that was asked longest ago comes next. A call has one holder at a time, and leaves the table once: by its
/// answer, by being taken back, or with its holder. A holder that unregisters gets no more calls, and still answers its
/// open ones.
///
/// ```
///  unregistered ──register──▶ holder ──unregister──▶ answers what it has ──answered, taken──▶ forgotten
///                               └──────────────── gone ──────┴──▶ forgotten; its calls are handed back
/// ```
struct ProviderTable<Call> {
  /// A connection, by its number, which is never used again.
  typealias Holder = Int64

  /// Names our request for a call: the holder that was asked, and the number of the request.
  struct RequestKey: Hashable {
    let holder: Holder
    let number: Int
  }

  /// The choice of the holder to ask.
  enum Choice: Equatable {
    /// This holder is asked.
    case holder(Holder)
    /// None of the holders of the name reads.
    case full
    /// This session may ask none of the holders of the name.
    case foreign
    /// The name has no holder, or all its holders are at their ends.
    case nobody
  }

  private struct OpenCall {
    var call: Call
    var name: String
    var request: RequestKey
  }

  /// By name, its holders, the one that was asked longest ago first; never empty, and without duplicates.
  private var holders: [UTF8Key: [Holder]] = [:]
  /// By holder, the names that it holds; never empty.
  private var names: [Holder: [String]] = [:]
  /// The calls without an answer.
  private var calls: [ProviderCallID: OpenCall] = [:]
  /// The call IDs by holder and number; never empty.
  private var requests: [Holder: [Int: ProviderCallID]] = [:]
  private var lastID: UInt64 = 0

  // MARK: Names

  /// Whether a connection may hold a name: it does not hold it yet, and fewer than `holdersMax` do.
  func admits(_ name: String, _ holder: Holder, holdersMax: Int) -> Bool {
    (holders[UTF8Key(text: name)]?.count ?? 0) < holdersMax && !holds(name, holder)
  }

  /// From now on a connection holds a name that it did not hold before.
  mutating func register(_ name: String, _ holder: Holder) {
    precondition(admits(name, holder, holdersMax: .max), "\(holder) holds \(name) already")
    holders[UTF8Key(text: name), default: []].append(holder)
    names[holder, default: []].append(name)
  }

  func holds(_ name: String, _ holder: Holder) -> Bool { holders[UTF8Key(text: name)]?.contains(holder) ?? false }

  /// A connection that holds a name gets no more calls for it. It still answers its open calls.
  mutating func unregister(_ name: String, _ holder: Holder) {
    precondition(holds(name, holder), "\(holder) does not hold \(name)")
    removeHolder(holder, of: name)
    names[holder]?.removeAll { $0.hasSameUTF8(as: name) }
    if names[holder]?.isEmpty ?? false { names[holder] = nil }
  }

  private mutating func removeHolder(_ holder: Holder, of name: String) {
    let key = UTF8Key(text: name)
    holders[key]?.removeAll { $0 == holder }
    if holders[key]?.isEmpty ?? false { holders[key] = nil }
  }

  /// How many names a connection holds.
  func nameCount(of holder: Holder) -> Int { names[holder]?.count ?? 0 }

  /// The number of holders of all names together.
  var holderCount: Int { names.values.reduce(0) { $0 + $1.count } }

  /// The names with holders, in order, each with the numbers of its holders and of its open calls.
  var listing: [(name: String, holders: Int, calls: Int)] {
    var counts: [UTF8Key: Int] = [:]
    for open in calls.values { counts[UTF8Key(text: open.name), default: 0] += 1 }
    return holders.map { (name: $0.key.text, holders: $0.value.count, calls: counts[$0.key] ?? 0) }
      .sorted { $0.name < $1.name }
  }

  // MARK: Calls

  /// The holder to ask next: among the readiest holders the one that was asked longest ago.
  ///
  /// - Parameter readiness: how well a holder can be asked.
  func next(_ name: String, _ readiness: (Holder) -> ProviderReadiness) -> Choice {
    guard let those = holders[UTF8Key(text: name)] else { return .nobody }
    var best: (holder: Holder, readiness: ProviderReadiness)?
    for holder in those {
      let readiness = readiness(holder)
      if best.map({ readiness < $0.readiness }) ?? true { best = (holder, readiness) }
      if readiness == .ready { break }
    }
    switch best {
    case nil: preconditionFailure("\(name) is in the table without a holder")
    case (_, .away)?: return .nobody
    case (_, .foreign)?: return .foreign
    case (_, .full)?: return .full
    case (let holder, .ready)?, (let holder, .slow)?, (let holder, .hung)?: return .holder(holder)
    }
  }

  /// The name of another call.
  mutating func nextID() -> ProviderCallID {
    lastID += 1
    return ProviderCallID(number: lastID)
  }

  /// A holder was asked: the first, or another one after the first has gone.
  mutating func asked(_ name: String, _ call: Call, _ id: ProviderCallID, at request: RequestKey) {
    precondition(calls[id] == nil, "a question has two holders at once")
    calls[id] = OpenCall(call: call, name: name, request: request)
    requests[request.holder, default: [:]][request.number] = id
    let key = UTF8Key(text: name)
    if let index = holders[key]?.firstIndex(of: request.holder), let holder = holders[key]?.remove(at: index) {
      holders[key]?.append(holder)
    }
  }

  /// A connection has answered our request of that number.
  ///
  /// - Returns: the call; nil if it is not open any more.
  mutating func answered(at request: RequestKey) -> Call? {
    requests[request.holder]?[request.number].flatMap { take($0)?.call }
  }

  /// Whether a connection has calls that it has not answered.
  func isAsked(_ holder: Holder) -> Bool { requests[holder] != nil }

  /// A call is given up.
  ///
  /// - Returns: the call, and the request to take back; nil if it has its answer.
  mutating func take(_ id: ProviderCallID) -> (call: Call, request: RequestKey)? {
    guard let open = calls.removeValue(forKey: id) else { return nil }
    requests[open.request.holder]?[open.request.number] = nil
    if requests[open.request.holder]?.isEmpty ?? false { requests[open.request.holder] = nil }
    return (open.call, open.request)
  }

  /// A connection answers nothing more.
  ///
  /// - Returns: its unanswered calls, in the order in which it was asked.
  mutating func gone(_ holder: Holder) -> [(id: ProviderCallID, call: Call)] {
    for name in names.removeValue(forKey: holder) ?? [] { removeHolder(holder, of: name) }
    let numbered = requests.removeValue(forKey: holder) ?? [:]
    return numbered.sorted { $0.key < $1.key }.compactMap { _, id in
      calls.removeValue(forKey: id).map { (id, $0.call) }
    }
  }
}

extension ProviderTable {
  /// The invariants that are violated; empty if all hold.
  func checkInvariants() -> [String] {
    var problems: [String] = []
    for (key, those) in holders {
      if those.isEmpty { problems.append("\(key.text) is in the table without a holder") }
      if Set(those).count != those.count { problems.append("a holder holds \(key.text) twice") }
      for holder in those where names[holder]?.contains(where: { $0.hasSameUTF8(as: key.text) }) != true {
        problems.append("\(holder) does not know that it holds \(key.text)")
      }
    }
    if names.contains(where: { $0.value.isEmpty }) { problems.append("a holder without names is in the table") }
    if holderCount != holders.values.reduce(0, { $0 + $1.count }) { problems.append("the counts of holders differ") }
    for (id, open) in calls where requests[open.request.holder]?[open.request.number] != id {
      problems.append("question \(id.number) is not listed at its holder")
    }
    if requests.contains(where: { $0.value.isEmpty }) { problems.append("a holder without questions is in the table") }
    if calls.count != requests.values.reduce(0, { $0 + $1.count }) {
      problems.append("the counts of questions differ")
    }
    return problems
  }
}
