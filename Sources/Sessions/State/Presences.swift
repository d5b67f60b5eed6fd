/// The clients in each field of a session that several clients share.
///
/// A client in a field is also in the fields around it, and leaves these with the last field below them. So each client
/// is in the same fields as it would be alone. A field has the flag `isFocused` while any client is in it.
struct Presences {
  private struct Presence {
    let client: Sender
    /// The number of fields right below that contain the client.
    var below: Int
  }

  /// The clients in each field. No list is empty.
  private var byField: [ValueID: [Presence]] = [:]
  private var count = 0

  var isEmpty: Bool { byField.isEmpty }

  /// Bytes of memory, approximately.
  var bytes: Int { 64 * byField.count + 16 * count }

  /// The number of fields with a client in them. For tests, like ``clients(in:)``.
  var fieldCount: Int { byField.count }

  func clients(in live: LiveField) -> Set<Sender> { Set(byField[ValueID(live)]?.map(\.client) ?? []) }

  /// Whether any client is in a field.
  func isFocused(_ live: LiveField) -> Bool { byField[ValueID(live)] != nil }

  func isFocused(_ live: LiveField, by client: Sender?) -> Bool {
    byField[ValueID(live)]?.contains { $0.client == client } ?? false
  }

  /// A client is in a field from now on, and so also in the fields around it.
  mutating func came(_ client: Sender, to live: LiveField) {
    var next: LiveField? = live
    var below = 0
    while let live = next {
      if isFocused(live, by: client) { return change(client, in: live) { $0.below += below } }
      byField[ValueID(live), default: []].append(Presence(client: client, below: below))
      count += 1
      below = 1
      next = live.around
    }
  }

  /// A client is no longer in a field. It also leaves each field around it that has no other field below it with this
  /// client. It has left the fields below the field itself before.
  mutating func left(_ client: Sender, _ live: LiveField) {
    var next: LiveField? = live
    while let live = next, remove(client, from: live) {
      next = live.around
      guard let around = next else { return }
      var isLast = false
      change(client, in: around) {
        $0.below -= 1
        isLast = $0.below == 0
      }
      if !isLast { return }
    }
  }

  /// A field is gone.
  mutating func allLeft(_ live: LiveField) {
    for presence in byField[ValueID(live)] ?? [] { left(presence.client, live) }
  }

  private mutating func remove(_ client: Sender, from live: LiveField) -> Bool {
    let key = ValueID(live)
    guard let position = byField[key]?.firstIndex(where: { $0.client == client }) else { return false }
    byField[key]?.remove(at: position)
    if byField[key]?.isEmpty ?? false { byField[key] = nil }
    count -= 1
    // An empty dictionary keeps its memory, so a new one replaces it.
    if byField.isEmpty { byField = [:] }
    return true
  }

  private mutating func change(_ client: Sender, in live: LiveField, _ body: (inout Presence) -> Void) {
    let key = ValueID(live)
    guard let position = byField[key]?.firstIndex(where: { $0.client == client }) else { return }
    body(&byField[key, default: []][position])
  }
}
