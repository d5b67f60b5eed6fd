/// The numbers of the server's own parts of a session in the store, beside the parts of the engine's snapshot. They are
/// negative. A whole snapshot does not replace parts with negative numbers.
enum ServerPart {
  /// The part that has the ``StoredHead``.
  static let head: Int64 = -1
  /// Events have the numbers below this one.
  private static let eventsEnd: Int64 = -16

  /// The number of the part that has an event.
  static func event(_ sequence: Int) -> Int64 { eventsEnd - Int64(sequence) }

  /// Whether a part has an event.
  static func isEvent(_ part: Int64) -> Bool { part < eventsEnd }
}
