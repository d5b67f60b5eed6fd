internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Sessions

/// The way to one service or database: lets effects through as its ``FairQueue`` says.
///
/// What ends may end on any thread; what begins does so on its own event loop.
final class EffectGate: Sendable {
  /// Effects of one client that wait for one service or database: enough for a program that serves many people over one connection.
  static let waitingPerClientMax = 256

  private struct Entry: Sendable {
    let loop: any EventLoop
    let begin: @Sendable () -> Void
  }

  private let name: String
  /// Not a `Mutex`: ThreadSanitizer does not see that one's lock, and so not what orders an effect that ends and the one that it lets in.
  private let queue: NIOLockedValueBox<FairQueue<Entry>>

  /// A gate that lets so many through at once.
  ///
  /// - Parameter name: what is behind it, for people: `service accounts`.
  init(to name: String, runningMax: Int) {
    self.name = name
    queue = NIOLockedValueBox(FairQueue(runningMax: runningMax, waitingPerClientMax: Self.waitingPerClientMax))
  }

  /// Begins the work of a run when its client's turn has come, unless the run has ended before.
  ///
  /// - Parameters:
  ///   - run: the run that finishes with what came of the work; refused when too many of its client wait.
  ///   - client: on whose behalf.
  ///   - eventLoop: the run's.
  ///   - begin: begins the work, on that loop. It must call the closure that it is given once, on any thread, when the work has ended;
  ///     that nobody waits for its answer any more is not its end.
  func enter(
    _ run: EffectRun,
    for client: Int,
    on eventLoop: any EventLoop,
    begin: @escaping (_ leave: @escaping @Sendable () -> Void) -> Void
  ) {
    let leave: @Sendable () -> Void = { self.leave(client) }
    let bound = NIOLoopBound((run: run, begin: begin), eventLoop: eventLoop)
    let entry = Entry(loop: eventLoop) {
      if bound.value.run.isUnderWay { bound.value.begin(leave) } else { leave() }
    }
    switch queue.withLockedValue({ $0.add(entry, of: client) }) {
    case .begin: begin(leave)
    case .wait(let ticket): run.onStop { self.queue.withLockedValue { $0.withdraw(ticket) } }
    case .refuse:
      run.finish(
        later: .error("\(Self.waitingPerClientMax) effects of this client wait for the \(name) already"),
        on: eventLoop
      )
    }
  }

  private func leave(_ client: Int) {
    guard let next = queue.withLockedValue({ $0.ended(of: client) }) else { return }
    next.loop.execute(next.begin)
  }
}
