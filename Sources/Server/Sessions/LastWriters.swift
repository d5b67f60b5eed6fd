internal import Sessions

/// Which client has changed which place last, of a session that several have.
///
/// A client is not told what it has sent itself. But where the change before came from another client, both may have typed at the same time:
/// the one whose input came last has heard of the other's behind its own, and is told what counts. So who writes to a place is told whenever
/// the last write there, or around it, came from another one. Of the last writes the table knows who; what it has forgotten is older than all
/// that it knows, and counts as another one's where any of that was.
struct LastWriters {
  /// Who wrote where last, by the place's hash: names may be long. The hash is keyed (SipHash), so nobody can make two places meet.
  private var writes: [Int: (sender: Int32, number: Int)] = [:]
  /// Who wrote what is forgotten.
  private var forgotten = Senders.none
  /// The number of the last write.
  private var last = 0
  /// With more places the older half is forgotten.
  private static let countMax = 128

  private enum Senders {
    case none
    case one(Int32)
    case several

    mutating func insert(_ sender: Int32) {
      switch self {
      case .none: self = .one(sender)
      case .one(let known): if known != sender { self = .several }
      case .several: break
      }
    }

    /// Whether somebody else is among them.
    func hasOther(than sender: Int32) -> Bool {
      switch self {
      case .none: false
      case .one(let known): known != sender
      case .several: true
      }
    }
  }

  /// Bytes of memory, approximately.
  var bytes: Int { 32 * writes.count }

  /// An input has given a place another value.
  ///
  /// - Returns: whether its sender, too, is to be told.
  mutating func wrote(_ given: GivenPlace, in session: Session) -> Bool {
    let before = session.placesAround(given.place).compactMap { writes[$0.hashValue] }.max { $0.number < $1.number }
    last += 1
    writes[given.place.hashValue] = (given.sender, last)
    if writes.count > Self.countMax { forgetOlderHalf() }
    return before.map { $0.sender != given.sender } ?? forgotten.hasOther(than: given.sender)
  }

  private mutating func forgetOlderHalf() {
    let bound = writes.values.map(\.number).sorted()[writes.count / 2]
    for write in writes.values where write.number < bound { forgotten.insert(write.sender) }
    writes = writes.filter { $0.value.number >= bound }
  }
}
