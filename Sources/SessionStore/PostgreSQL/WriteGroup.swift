/// Writes that are committed together, one for each session. A value.
struct WriteGroup {
  /// All that is written of one session.
  struct Member {
    /// The identity under which the store has it.
    let formerID: StoredSessionID
    /// The identity that it has then.
    private(set) var id: StoredSessionID
    private(set) var form: String?
    /// By a clock of this process that cannot be set and that goes on while the machine sleeps.
    private(set) var expiry: ContinuousClock.Instant?
    private(set) var isWhole = false
    /// Parts as in ``SessionWrite/parts``.
    private(set) var parts: [(number: Int64, bytes: [UInt8]?)] = []
    /// The positions of the jobs that want it.
    private(set) var jobs: [Int] = []

    init(_ formerID: StoredSessionID) {
      self.formerID = formerID
      id = formerID
    }

    /// The seconds until it expires; nil: that stays.
    var secondsLeft: Double? { expiry.map { ContinuousClock.now.duration(to: $0) / .seconds(1) } }

    /// The next write of the same session.
    mutating func add(_ write: SessionWrite, _ next: ContinuousClock.Instant?, job: Int) {
      id = write.id
      form = write.facts?.form ?? form
      expiry = next ?? expiry
      let replaces = write.isWhole || write.isFirst
      let isReplaced = Set(write.parts.map(\.number))
      parts.removeAll { isReplaced.contains($0.number) || replaces && $0.number >= 0 }
      isWhole = isWhole || replaces
      // A whole write removes the other parts in any case.
      parts += isWhole ? write.parts.filter { $0.bytes != nil || $0.number < 0 } : write.parts
      jobs.append(job)
    }
  }

  private(set) var members: [Member] = []
  private var positions: [StoredSessionID: Int] = [:]
  private var bytes = 0

  /// One flight has at most so many sessions, because the server needs memory for it.
  private static let membersMax = 2_000
  private static let bytesMax = 8 << 20

  init() {}

  /// A group of those members, without the writes of other sessions.
  init(_ members: [Member]) {
    self.members = members
    for (position, member) in members.enumerated() { positions[member.id] = position }
  }

  var isFull: Bool { members.count >= Self.membersMax || bytes >= Self.bytesMax }

  /// Whether the session is among those that are written.
  func contains(_ id: StoredSessionID) -> Bool { positions[id] != nil }

  mutating func add(_ write: SessionWrite, _ expiry: ContinuousClock.Instant?, job: Int) {
    bytes += write.byteCount
    let position = positions.removeValue(forKey: write.knownID) ?? members.count
    if position == members.count { members.append(Member(write.knownID)) }
    members[position].add(write, expiry, job: job)
    positions[write.id] = position
  }
}

extension SessionWrite {
  /// The bytes of its parts together.
  var byteCount: Int { parts.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
}
