/// The sessions of one connection, by their numbers.
struct SessionTable {
  /// In the order of the numbers, which is the order in which the sessions were opened, by any client.
  private var sessions: [LiveSession] = []

  var count: Int { sessions.count }

  /// All of them, in the order in which they were opened.
  var all: [LiveSession] { sessions }

  /// The only session; nil if there is not exactly one.
  @inline(__always)
  var only: LiveSession? { sessions.count == 1 ? sessions[0] : nil }

  /// The session of that number; nil if there is none.
  @inline(__always)
  func session(_ number: Int64) -> LiveSession? {
    let position = position(of: number)
    guard position < sessions.count, sessions[position].number == number else { return nil }
    return sessions[position]
  }

  /// Adds a session: one that was just opened is the newest, a kept one may be older than others.
  mutating func insert(_ session: LiveSession) {
    let position = position(of: session.number)
    precondition(
      position == sessions.count || sessions[position].number != session.number,
      "session \(session.number) is there already"
    )
    sessions.insert(session, at: position)
  }

  mutating func remove(_ session: LiveSession) {
    let position = position(of: session.number)
    guard position < sessions.count, sessions[position] === session else { return }
    sessions.remove(at: position)
    // An array keeps its memory, but a connection without sessions must hold none.
    if sessions.isEmpty { sessions = [] }
  }

  /// The first position whose number is not below that one, by halving.
  @inline(__always)
  private func position(of number: Int64) -> Int {
    var low = 0
    var high = sessions.count
    while low < high {
      let middle = (low &+ high) >> 1
      if sessions[middle].number < number { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
