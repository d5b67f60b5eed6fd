internal import FormProtocol
internal import JSONRPC
internal import SessionStore

/// The sessions that outlive their connections, by the hashes of their keys.
///
/// This is a hash table with open addressing. A dictionary would have room for the keys, too, which the sessions know
/// themselves, and there may be very many sessions.
struct KeptSessions {
  /// A power of two of places, or none. A session is at the place that its key gives, or at the next free place behind
  /// it.
  private var places: [LiveSession?] = []
  private(set) var count = 0

  /// One of so many places stays free: the table grows before it is fuller.
  private static let placesPerGap = 5

  /// All of them, in no order.
  var all: some Collection<LiveSession> { places.lazy.compactMap(\.self) }

  /// Checks that another session may be kept.
  ///
  /// - Throws: 1011.
  func checkQuota(_ limits: ServerLimits) throws(RPCError) {
    if count >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  /// The session that a key opens, by the key's hash; nil if there is none in memory.
  func session(_ key: StoredSessionID) -> LiveSession? { places.isEmpty ? nil : places[place(of: key)] }

  /// A session is kept from now on, or has replaced the session with that key.
  mutating func add(_ session: LiveSession, _ key: StoredSessionID) {
    if (count + 1) * Self.placesPerGap > places.count * (Self.placesPerGap - 1) { grow() }
    let place = place(of: key)
    if places[place] == nil { count += 1 }
    places[place] = session
  }

  /// A key opens nothing any more.
  mutating func remove(_ key: StoredSessionID) {
    guard !places.isEmpty else { return }
    var gap = place(of: key)
    guard places[gap] != nil else { return }
    places[gap] = nil
    count -= 1
    // A table keeps its memory, but an empty one must hold none.
    if count == 0 {
      places = []
      return
    }
    // Sessions behind the gap that the removed session had displaced move forward.
    var place = gap
    while true {
      place = (place + 1) & (places.count - 1)
      guard let session = places[place] else { return }
      let wanted = firstPlace(of: self.key(of: session))
      if (place - wanted) & (places.count - 1) < (place - gap) & (places.count - 1) { continue }
      places[gap] = session
      places[place] = nil
      gap = place
    }
  }

  // MARK: Places

  private func key(of session: LiveSession) -> StoredSessionID {
    guard let kept = session.kept else { preconditionFailure("session \(session.id) is not kept") }
    return kept.key
  }

  /// The first place to look for a session. A hash has its bits spread already.
  private func firstPlace(of key: StoredSessionID) -> Int {
    Int(truncatingIfNeeded: key.prefix) & (places.count - 1)
  }

  /// The place of the session of that key, or the place that it would have.
  private func place(of key: StoredSessionID) -> Int {
    var place = firstPlace(of: key)
    while let session = places[place], self.key(of: session) != key { place = (place + 1) & (places.count - 1) }
    return place
  }

  private mutating func grow() {
    let before = places
    places = Array(repeating: nil, count: max(8, 2 * before.count))
    for case let session? in before { places[place(of: key(of: session))] = session }
  }
}
