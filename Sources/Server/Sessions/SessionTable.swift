/// The sessions of one connection by their entries.
struct SessionTable {
  /// A session, and its number beside it: a search touches no session.
  private struct Entry {
    let number: Int64
    let session: LiveSession
  }

  /// In the order of the numbers, which is that in which the sessions were opened.
  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// All of them, in the order in which they were opened.
  var all: [LiveSession] { entries.map(\.session) }

  /// The session, where there is exactly one.
  @inline(__always)
  var only: LiveSession? { entries.count == 1 ? entries[0].session : nil }

  /// The session of that number.
  @inline(__always)
  func session(_ number: Int64) -> LiveSession? {
    let position = position(of: number)
    guard position < entries.count, entries[position].number == number else { return nil }
    return entries[position].session
  }

  /// Adds the newest session.
  mutating func append(_ session: LiveSession) {
    precondition(entries.last.map { $0.number < session.id } ?? true, "session \(session.id) is not the newest")
    entries.append(Entry(number: session.id, session: session))
  }

  /// Takes a session out.
  mutating func remove(_ session: LiveSession) {
    let position = position(of: session.id)
    guard position < entries.count, entries[position].session === session else { return }
    entries.remove(at: position)
    // An array keeps its memory; a connection without sessions holds none.
    if entries.isEmpty { entries = [] }
  }

  /// The first position whose number is not below that one, by halving.
  @inline(__always)
  private func position(of number: Int64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low &+ high) >> 1
      if entries[middle].number < number { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
