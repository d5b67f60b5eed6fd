internal import JSON

/// The values of an `enum`; large ones are found by hash, so that a huge list costs no more than a short one.
struct Enumeration: Sendable {
  let values: [JSON]
  private let set: Set<JSON>

  private static let linearMax = 8

  init(_ values: [JSON]) {
    self.values = values
    set = values.count > Self.linearMax ? Set(values) : []
  }

  func contains(_ value: JSON) -> Bool {
    guard set.isEmpty else { return set.contains(value) }
    for candidate in values where candidate == value { return true }
    return false
  }
}
