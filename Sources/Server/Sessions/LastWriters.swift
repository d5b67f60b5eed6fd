internal import Sessions

/// Which client has changed which place last, of a session that several have.
///
/// A client is not told what it has sent itself. But where the change before came from another client, both may have typed at the same time:
/// the one whose input came last has heard of the other's behind its own, and is told what counts.
struct LastWriters {
  private var writes: [ToldPlace: (sender: Int64, number: Int)] = [:]
  /// The number of the last write.
  private var last = 0
  /// The last writes count; whoever has not heard of older ones reads more than slowly.
  private static let countMax = 256

  /// An input has given a place another value.
  ///
  /// - Returns: whether its sender, too, is to be told.
  mutating func wrote(_ given: GivenPlace, in session: Session) -> Bool {
    let before = session.placesAround(given.place).compactMap { writes[$0] }.max { $0.number < $1.number }
    if writes.count >= Self.countMax { writes = [:] }
    last += 1
    writes[given.place] = (given.sender, last)
    return before.map { $0.sender != given.sender } ?? false
  }
}
