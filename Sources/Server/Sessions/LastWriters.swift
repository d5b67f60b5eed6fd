internal import Sessions

/// Knows for a session of several clients which client has changed each value last.
///
/// A client does not get back the values that it has sent. But if the previous change came from another client, both
/// may have typed at the same time. Then the client whose input came last hears of the other input after its own, and
/// must get the value that counts. So the sender of a write gets the value if the last write of that value, or around
/// it, came from another client. The table knows the senders of the last writes. Writes that it has forgotten are
/// older. They count as another client's if any of them was.
struct LastWriters {
  /// The sender of the last write of each value, by the value's hash: names may be long. The hash is keyed (SipHash),
  /// so that a client cannot make two values collide.
  private var writes: [Int: (sender: Sender, number: Int)] = [:]
  /// The senders of the forgotten writes.
  private var forgotten = Senders.none
  /// The number of the last write.
  private var last = 0
  /// With more values the older half is forgotten.
  private static let countMax = 128

  private enum Senders {
    case none
    case one(Sender)
    case several

    mutating func insert(_ sender: Sender) {
      switch self {
      case .none: self = .one(sender)
      case .one(let known): if known != sender { self = .several }
      case .several: break
      }
    }

    /// Whether they include another sender.
    func hasOther(than sender: Sender) -> Bool {
      switch self {
      case .none: false
      case .one(let known): known != sender
      case .several: true
      }
    }
  }

  /// Bytes of memory, approximately.
  var bytes: Int { 32 * writes.count }

  /// An input has changed a value.
  ///
  /// - Returns: whether its sender is to get the value, too.
  mutating func wrote(_ given: GivenValue, in session: Session) -> Bool {
    let before = session.valuesAround(given.id).compactMap { writes[$0.hashValue] }.max { $0.number < $1.number }
    last += 1
    writes[given.id.hashValue] = (given.sender, last)
    if writes.count > Self.countMax { forgetOlderHalf() }
    return before.map { $0.sender != given.sender } ?? forgotten.hasOther(than: given.sender)
  }

  private mutating func forgetOlderHalf() {
    let bound = writes.values.map(\.number).sorted()[writes.count / 2]
    for write in writes.values where write.number < bound { forgotten.insert(write.sender) }
    writes = writes.filter { $0.value.number >= bound }
  }
}
