internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import SessionStore

/// The sessions that outlive their connections, by their identities in a store: the hashes of their keys.
///
/// This is a hash table with open addressing. A dictionary would have room for the identities, too, which the sessions
/// know themselves, and there may be very many sessions.
struct KeptSessions {
  /// A power of two of buckets, or none. A session is in the bucket that its identity gives, or in the next free bucket
  /// behind it.
  private var buckets: [LiveSession?] = []
  private(set) var count = 0

  /// One of so many buckets stays free: the table grows before it is fuller.
  private static let bucketsPerGap = 5

  /// All of them, in no order.
  var all: some Collection<LiveSession> { buckets.lazy.compactMap(\.self) }

  /// Checks that another session may be kept.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkQuota(_ limits: ServerLimits) throws(RPCError) {
    if count >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  /// The session with that identity; nil if there is none in memory.
  func session(_ id: StoredSessionID) -> LiveSession? { buckets.isEmpty ? nil : buckets[bucket(of: id)] }

  /// A session is kept from now on, or has replaced the session with that identity.
  mutating func add(_ session: LiveSession, _ id: StoredSessionID) {
    if (count + 1) * Self.bucketsPerGap > buckets.count * (Self.bucketsPerGap - 1) { grow() }
    let bucket = bucket(of: id)
    if buckets[bucket] == nil { count += 1 }
    buckets[bucket] = session
  }

  /// No session has that identity any more.
  mutating func remove(_ id: StoredSessionID) {
    guard !buckets.isEmpty else { return }
    var gap = bucket(of: id)
    guard buckets[gap] != nil else { return }
    buckets[gap] = nil
    count -= 1
    // A table keeps its memory, but an empty one must hold none.
    if count == 0 {
      buckets = []
      return
    }
    // Sessions behind the gap that the removed session had displaced move forward.
    var bucket = gap
    while true {
      bucket = (bucket + 1) & (buckets.count - 1)
      guard let session = buckets[bucket] else { return }
      let wanted = firstBucket(of: self.id(of: session))
      if (bucket - wanted) & (buckets.count - 1) < (bucket - gap) & (buckets.count - 1) { continue }
      buckets[gap] = session
      buckets[bucket] = nil
      gap = bucket
    }
  }

  // MARK: Buckets

  private func id(of session: LiveSession) -> StoredSessionID {
    guard let kept = session.kept else { preconditionFailure("session \(session.number) is not kept") }
    return kept.storedID
  }

  /// The first bucket to look for a session. A hash has its bits spread already.
  private func firstBucket(of id: StoredSessionID) -> Int {
    Int(truncatingIfNeeded: id.prefix) & (buckets.count - 1)
  }

  /// The bucket of the session with that identity, or the bucket that it would have.
  private func bucket(of id: StoredSessionID) -> Int {
    var bucket = firstBucket(of: id)
    while let session = buckets[bucket], self.id(of: session) != id { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }

  private mutating func grow() {
    let before = buckets
    buckets = Array(repeating: nil, count: max(8, 2 * before.count))
    for case let session? in before { buckets[bucket(of: id(of: session))] = session }
  }
}
