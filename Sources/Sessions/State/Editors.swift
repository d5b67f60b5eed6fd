/// The clients in each field of a session that several clients share.
///
/// A client in a field is also in the fields around it, and leaves these with the last field below them. So each client
/// is in the same fields as it would be alone. A field has the flag `isEditing` while any client is in it.
struct Editors {
  private struct Presence {
    let editor: Int32
    /// The number of fields right below that contain the client.
    var below: Int
  }

  /// The clients in each place. No list is empty.
  private var presences: [ToldPlace: [Presence]] = [:]
  private var count = 0

  var isEmpty: Bool { presences.isEmpty }

  /// Bytes of memory, approximately.
  var bytes: Int { 64 * presences.count + 16 * count }

  /// The number of places with a client in them. For tests, like ``editors(of:)``.
  var placeCount: Int { presences.count }

  /// The clients in a place.
  func editors(of place: Place) -> Set<Int32> { Set(presences[ToldPlace(place)]?.map(\.editor) ?? []) }

  /// Whether any client is in a place.
  func isEdited(_ place: Place) -> Bool { presences[ToldPlace(place)] != nil }

  /// Whether that client is in a place.
  func isEdited(_ place: Place, by editor: Int32?) -> Bool {
    presences[ToldPlace(place)]?.contains { $0.editor == editor } ?? false
  }

  /// A client is in a place from now on, and so also in the places around it.
  mutating func came(_ editor: Int32, to place: Place) {
    var next: Place? = place
    var below = 0
    while let place = next {
      if isEdited(place, by: editor) { return change(editor, in: place) { $0.below += below } }
      presences[ToldPlace(place), default: []].append(Presence(editor: editor, below: below))
      count += 1
      below = 1
      next = place.around
    }
  }

  /// A client is no longer in a place. It also leaves each place around it that has no other place below it with this
  /// client. It has left the places below the place itself before.
  mutating func left(_ editor: Int32, _ place: Place) {
    var next: Place? = place
    while let place = next, remove(editor, from: place) {
      next = place.around
      guard let around = next else { return }
      var isLast = false
      change(editor, in: around) {
        $0.below -= 1
        isLast = $0.below == 0
      }
      if !isLast { return }
    }
  }

  /// A place is gone.
  mutating func allLeft(_ place: Place) {
    for presence in presences[ToldPlace(place)] ?? [] { left(presence.editor, place) }
  }

  private mutating func remove(_ editor: Int32, from place: Place) -> Bool {
    let key = ToldPlace(place)
    guard let position = presences[key]?.firstIndex(where: { $0.editor == editor }) else { return false }
    presences[key]?.remove(at: position)
    if presences[key]?.isEmpty ?? false { presences[key] = nil }
    count -= 1
    // An empty dictionary keeps its memory, so a new one replaces it.
    if presences.isEmpty { presences = [:] }
    return true
  }

  private mutating func change(_ editor: Int32, in place: Place, _ body: (inout Presence) -> Void) {
    let key = ToldPlace(place)
    guard let position = presences[key]?.firstIndex(where: { $0.editor == editor }) else { return }
    body(&presences[key, default: []][position])
  }
}
