internal import DequeModule

/// The work of the sessions of a connection for the connection's next slices, in order. It counts as memory until it is
/// done.
struct DueWork {
  private var work: Deque<SessionWork> = []
  private var share = AccountShare()

  var isEmpty: Bool { work.isEmpty }

  /// Bytes of memory that it takes.
  var bytes: Int { share.bytes }

  mutating func append(_ next: SessionWork, in account: inout Int) {
    work.append(next)
    share.set(share.bytes + next.bytes, in: &account)
  }

  mutating func popFirst(in account: inout Int) -> SessionWork? {
    guard let first = work.popFirst() else { return nil }
    share.set(share.bytes - first.bytes, in: &account)
    if work.isEmpty { work = [] }
    return first
  }

  mutating func takeAll(in account: inout Int) -> [SessionWork] {
    defer { work = [] }
    share.set(0, in: &account)
    return Array(work)
  }
}
