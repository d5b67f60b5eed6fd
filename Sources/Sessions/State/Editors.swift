/// Who is in which field, where several clients share a session.
///
/// Whoever is in a field is in those around it, and leaves these with the last one below them; so each of several is where he would be if he
/// had the session alone. A field has the flag `isEditing` while anybody is in it.
struct Editors {
  private struct Presence {
    let editor: Int32
    /// In how many fields right below that one is in.
    var below: Int
  }

  /// By place, who is in it: no list is empty.
  private var presences: [ToldPlace: [Presence]] = [:]
  private var count = 0

  var isEmpty: Bool { presences.isEmpty }

  /// Bytes of memory, approximately.
  var bytes: Int { 64 * presences.count + 16 * count }

  /// Places that somebody is in. For tests, as ``editors(of:)`` is.
  var placeCount: Int { presences.count }

  /// Who is in a place.
  func editors(of place: Place) -> Set<Int32> { Set(presences[ToldPlace(place)]?.map(\.editor) ?? []) }

  /// Whether anybody is in a place.
  func isEdited(_ place: Place) -> Bool { presences[ToldPlace(place)] != nil }

  /// Whether that one is.
  func isEdited(_ place: Place, by editor: Int32?) -> Bool {
    presences[ToldPlace(place)]?.contains { $0.editor == editor } ?? false
  }

  /// Somebody is in a place from now on, and so in those around it.
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

  /// Somebody is in a place no more, nor in those around it where he was in no other one below them. What is below the place itself he has
  /// left before.
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
    // A table keeps its memory.
    if presences.isEmpty { presences = [:] }
    return true
  }

  private mutating func change(_ editor: Int32, in place: Place, _ body: (inout Presence) -> Void) {
    let key = ToldPlace(place)
    guard let position = presences[key]?.firstIndex(where: { $0.editor == editor }) else { return }
    body(&presences[key, default: []][position])
  }
}
