/// The clients in each field of a session that several clients share.
///
/// A client in a field is also in the fields around it, and leaves these with the last field below them. So each client
/// is in the same fields as it would be alone. A field has the flag `isFocused` while any client is in it.
struct Editors {
  private struct Presence {
    let editor: Sender
    /// The number of fields right below that contain the client.
    var below: Int
  }

  /// The clients in each field. No list is empty.
  private var presences: [ValueID: [Presence]] = [:]
  private var count = 0

  var isEmpty: Bool { presences.isEmpty }

  /// Bytes of memory, approximately.
  var bytes: Int { 64 * presences.count + 16 * count }

  /// The number of fields with a client in them. For tests, like ``editors(of:)``.
  var fieldCount: Int { presences.count }

  func editors(of live: LiveField) -> Set<Sender> { Set(presences[ValueID(live)]?.map(\.editor) ?? []) }

  /// Whether any client is in a field.
  func isFocused(_ live: LiveField) -> Bool { presences[ValueID(live)] != nil }

  func isFocused(_ live: LiveField, by editor: Sender?) -> Bool {
    presences[ValueID(live)]?.contains { $0.editor == editor } ?? false
  }

  /// A client is in a field from now on, and so also in the fields around it.
  mutating func came(_ editor: Sender, to live: LiveField) {
    var next: LiveField? = live
    var below = 0
    while let live = next {
      if isFocused(live, by: editor) { return change(editor, in: live) { $0.below += below } }
      presences[ValueID(live), default: []].append(Presence(editor: editor, below: below))
      count += 1
      below = 1
      next = live.around
    }
  }

  /// A client is no longer in a field. It also leaves each field around it that has no other field below it with this
  /// client. It has left the fields below the field itself before.
  mutating func left(_ editor: Sender, _ live: LiveField) {
    var next: LiveField? = live
    while let live = next, remove(editor, from: live) {
      next = live.around
      guard let around = next else { return }
      var isLast = false
      change(editor, in: around) {
        $0.below -= 1
        isLast = $0.below == 0
      }
      if !isLast { return }
    }
  }

  /// A field is gone.
  mutating func allLeft(_ live: LiveField) {
    for presence in presences[ValueID(live)] ?? [] { left(presence.editor, live) }
  }

  private mutating func remove(_ editor: Sender, from live: LiveField) -> Bool {
    let key = ValueID(live)
    guard let position = presences[key]?.firstIndex(where: { $0.editor == editor }) else { return false }
    presences[key]?.remove(at: position)
    if presences[key]?.isEmpty ?? false { presences[key] = nil }
    count -= 1
    // An empty dictionary keeps its memory, so a new one replaces it.
    if presences.isEmpty { presences = [:] }
    return true
  }

  private mutating func change(_ editor: Sender, in live: LiveField, _ body: (inout Presence) -> Void) {
    let key = ValueID(live)
    guard let position = presences[key]?.firstIndex(where: { $0.editor == editor }) else { return }
    body(&presences[key, default: []][position])
  }
}
