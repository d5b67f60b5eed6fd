internal import JSON
internal import JSONRPC

/// The requests of one connection whose answers wait for an outcome.
struct WaitingRequests {
  /// The outcome that a request waits for.
  enum Outcome {
    /// The event of a tap, by the engine's name for the tap, and whether the answer has the document.
    case tap(UInt64, wantsDocument: Bool)
    /// The end of a validation's checks. Nothing else knows the session. `only` has the locations to be judged, or nil
    /// for all.
    case validation(only: Set<JSONPointer>?)
  }

  struct Entry {
    let token: RequestToken
    let session: LiveSession
    let outcome: Outcome
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  var count: Int { entries.count }

  mutating func add(_ token: RequestToken, for session: LiveSession, _ outcome: Outcome) {
    entries.append(Entry(token: token, session: session, outcome: outcome))
  }

  /// Takes the request that waits for that tap.
  mutating func take(tap: UInt64, of session: LiveSession) -> Entry? {
    take { entry in
      if case .tap(let waited, _) = entry.outcome { entry.session === session && waited == tap } else { false }
    }
  }

  /// Takes the request that waits for that validation.
  mutating func take(validation session: LiveSession) -> Entry? {
    take { $0.session === session }
  }

  /// Takes the request of that id; nil if it does not wait.
  mutating func take(id: RequestID) -> Entry? {
    take { $0.token.id == id }
  }

  /// Takes all that wait for a session.
  mutating func takeAll(of session: LiveSession) -> [RequestToken] {
    let taken = entries.filter { $0.session === session }.map(\.token)
    entries.removeAll { $0.session === session }
    return taken
  }

  mutating func takeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  private mutating func take(where isWanted: (Entry) -> Bool) -> Entry? {
    guard let position = entries.firstIndex(where: isWanted) else { return nil }
    let entry = entries.remove(at: position)
    // An array keeps its memory, but a quiet connection must hold none.
    if entries.isEmpty { entries = [] }
    return entry
  }
}
