internal import PostgreSQL

/// The way of a shared store's thread to its server: one connection, made again where it is lost, and transactions that are tried until they are
/// done, refused, or the store is away.
///
/// It belongs to that thread, but for ``cancel()``.
final class SharedStoreAccess {
  typealias Link = SharedStoreLink

  /// Why a transaction has not been done, or nobody knows whether it has.
  enum Failed: Error {
    /// The connection was lost.
    case connection
    /// Nothing of it is done, and the next time it may be.
    case passing(StoreFailure)
    /// Nothing of it is done: it has waited too long for a lock, or taken too long.
    case overdue(StoreFailure)
    /// Nothing of it is done, for what was to be written.
    case data(StoreFailure)
    /// The store is away; nothing of it is done, or nobody knows.
    case away(StoreFailure)
  }

  let place: SharedStorePlace
  private let onStateChange: @Sendable (StoreState) -> Void
  private let cancellation: PostgresCancellation
  /// Nobody gives it a signal: who waits for a time waits for this.
  private let pause: WakeUp

  private(set) var state = StoreState.well
  /// Nil while there is none, or none that can be used.
  private var link: Link?
  /// Whether this process has a row, as far as is known here.
  private var isEnrolled = false
  /// When a store that is away tries again.
  private var nextTry = ContinuousClock.now
  /// Transactions that were lost with their connections, one after the other: when the first one was, and how many; nil: none.
  private var losses: (first: ContinuousClock.Instant, count: Int)?

  /// So often a server is tried before the store is away.
  private static let triesMax = 3
  /// Transactions that are in each other's way are tried so often.
  static let passingMax = 10

  init(_ place: SharedStorePlace, _ onStateChange: @escaping @Sendable (StoreState) -> Void) throws(StoreFailure) {
    self.place = place
    self.onStateChange = onStateChange
    do throws(PostgresFailure) {
      cancellation = try PostgresCancellation()
      pause = try WakeUp()
    } catch {
      throw StoreFailure(error, place.url)
    }
  }

  /// What is under way is given up. From any thread.
  func cancel() { cancellation.cancel() }

  /// Nothing comes any more.
  func close() { link = nil }

  // MARK: Transactions

  /// Does statements that may be done more than once, until they are.
  ///
  /// - Parameters:
  ///   - lease: of this process, where it has none yet.
  ///   - begin: called before each try, with whether an earlier one may have done it.
  ///   - take: is given each row, with its statement's position.
  func transact(
    _ purpose: SharedStoreFaults.Purpose,
    lease: Duration? = nil,
    _ statements: (SharedStorePlace) -> [Link.Statement],
    begin: (_ mayBeDone: Bool) -> Void = { _ in },
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) -> Result<Void, StoreFailure> {
    var passing = 0
    var (isSent, mayBeDone) = (false, false)
    while true {
      do throws(Failed) {
        isSent = false
        try transactOnce(purpose, lease: lease) {
          begin(mayBeDone)
          isSent = true
          return statements(place)
        } take: {
          take($0, $1)
        }
        return .success(())
      } catch {
        switch error {
        case .connection: mayBeDone = mayBeDone || isSent
        case .passing(let failure):
          passing += 1
          if passing <= Self.passingMax { continue }
          goAway(failure)
          return .failure(failure)
        case .overdue(let failure):
          // What it waits for may be in the way of this alone.
          if !isWell() { goAway(failure) }
          return .failure(failure)
        case .data(let failure), .away(let failure): return .failure(failure)
        }
      }
    }
  }

  /// Does statements once.
  ///
  /// - Parameter statements: called when they are about to be sent: from then on nobody knows whether they were done, unless somebody says so.
  func transactOnce(
    _ purpose: SharedStoreFaults.Purpose,
    lease: Duration? = nil,
    _ statements: () -> [Link.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void
  ) throws(Failed) {
    let link = try connected()
    if !isEnrolled {
      try attempt(link, .enrollment, SharedStoreSQL.enroll(place, lease: lease))
      isEnrolled = true
    }
    try attempt(link, purpose, statements(), take: take)
  }

  private func attempt(
    _ link: Link,
    _ purpose: SharedStoreFaults.Purpose,
    _ statements: [Link.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) throws(Failed) {
    let start = ContinuousClock.now
    do throws(Link.Trouble) {
      try link.transact(purpose, statements, take: take)
      losses = nil
    } catch {
      switch error {
      case .failed(let error): throw refused(error, after: .now - start)
      case .lost(let failure): throw lost(failure)
      }
    }
  }

  private func refused(_ error: PostgresError, after time: Duration) -> Failed {
    if error.saysNobody { isEnrolled = false }
    let failure = StoreFailure(error, place.url)
    if error.isLockTimeout || error.isCancellation && time >= place.patience { return .overdue(failure) }
    // Before its time is over somebody has cancelled it.
    if error.isPassing || error.isCancellation { return .passing(failure) }
    if error.concernsData { return .data(failure) }
    goAway(failure)
    return .away(failure)
  }

  /// A server that takes connections and loses them all the time, or says nothing on them, cannot be worked with.
  private func lost(_ failure: StoreFailure) -> Failed {
    link = nil
    let (first, count) = losses ?? (.now, 0)
    losses = (first, count + 1)
    if cancellation.isCancelled || ContinuousClock.now - first > place.patience * 2 {
      losses = nil
      goAway(failure)
      return .away(failure)
    }
    if (count + 1).isMultiple(of: Self.triesMax) { pause.wait(until: .now + place.retryInterval) }
    return .connection
  }

  /// A connection that can be used, as far as is known. A server that was lost is tried a few times before the store is away.
  private func connected() throws(Failed) -> Link {
    if let link, link.isAlive() { return link }
    link = nil
    var tries = 0
    while true {
      do throws(StoreFailure) {
        let link = try Link(to: place, within: place.patience, cancellation)
        self.link = link
        return link
      } catch {
        tries += 1
        if tries == Self.triesMax || error.isFinal || cancellation.isCancelled {
          goAway(error)
          throw .away(error)
        }
        pause.wait(until: .now + place.retryInterval)
      }
    }
  }

  // MARK: Away, and back

  /// Why nothing can be done; nil where it can, as far as is known.
  var failure: StoreFailure? { if case .away(let failure) = state { failure } else { nil } }

  /// In how long the store is to be tried again; nil: it is not away.
  var timeToTry: Duration? { state == .well ? nil : max(.zero, ContinuousClock.now.duration(to: nextTry)) }

  /// From now on nothing can be done, until ``recover(settling:)`` has found otherwise.
  func goAway(_ failure: StoreFailure) {
    // The next server may be another one.
    link = nil
    change(to: .away(failure))
  }

  /// Whether the server takes writes, over the connection that is there.
  private func isWell() -> Bool {
    guard let link else { return false }
    do throws(Link.Trouble) {
      try link.transact(.probe, SharedStoreSQL.probe(place))
      return true
    } catch {
      return false
    }
  }

  /// Tries whether the store is well: it is reached, and can be written.
  ///
  /// - Parameter settle: does what is to be done before anything else is.
  func recover(settling settle: (Link) throws(Link.Trouble) -> Void) {
    nextTry = .now + place.retryInterval
    do throws(StoreFailure) {
      let link = try Link(to: place, within: place.patience, cancellation)
      do throws(Link.Trouble) {
        try link.transact(.probe, SharedStoreSQL.probe(place))
        try settle(link)
      } catch {
        throw link.failure(error)
      }
      self.link = link
      change(to: .well)
    } catch {
      change(to: .away(error))
    }
  }

  private func change(to new: StoreState) {
    nextTry = .now + place.retryInterval
    if new == state { return }
    state = new
    onStateChange(new)
  }
}

extension StoreFailure {
  /// Whether waiting a little does not help: somebody has to do something.
  fileprivate var isFinal: Bool { reason == .newer || reason == .closed }
}
