internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Sessions

/// The way to one service or database: lets effects through in the order of its ``FairQueue``.
///
/// Work may end on any thread; it begins on its own event loop.
final class EffectGate: Sendable {
  /// Effects of one client that wait for one service or database: enough for a program that serves many people over one
  /// connection.
  static let waitingPerClientMax = 256

  private struct Entry: Sendable {
    let loop: any EventLoop
    let begin: @Sendable () -> Void
  }

  private let name: String
  /// Not a `Mutex`: ThreadSanitizer does not see its lock. So it does not see the order between an effect that ends and
  /// the one that it lets in.
  private let queue: NIOLockedValueBox<FairQueue<Entry>>

  /// A gate that lets so many through at once.
  ///
  /// - Parameter name: the service or database behind it, for people: `service accounts`.
  init(to name: String, runningMax: Int) {
    self.name = name
    queue = NIOLockedValueBox(FairQueue(runningMax: runningMax, waitingPerClientMax: Self.waitingPerClientMax))
  }

  /// Begins the work of an effect when its client is next, unless the effect has ended before.
  ///
  /// - Parameters:
  ///   - effect: it finishes with the result of the work; with an error if too many effects of its client wait.
  ///   - client: the number of the client that the effect is for, as in ``EffectPerformer``.
  ///   - eventLoop: the loop of the effect.
  ///   - begin: begins the work, on that loop. It must call its closure once, on any thread, when the work has ended. A
  ///     cancelled effect does not end the work.
  func enter(
    _ effect: StartedEffect,
    for client: Int,
    on eventLoop: any EventLoop,
    begin: @escaping (_ leave: @escaping @Sendable () -> Void) -> Void
  ) {
    let leave: @Sendable () -> Void = { self.leave(client) }
    let bound = NIOLoopBound((effect: effect, begin: begin), eventLoop: eventLoop)
    let entry = Entry(loop: eventLoop) {
      if bound.value.effect.isUnderWay { bound.value.begin(leave) } else { leave() }
    }
    switch queue.withLockedValue({ $0.add(entry, of: client) }) {
    case .begin: begin(leave)
    case .wait(let ticket): effect.onStop { self.queue.withLockedValue { $0.withdraw(ticket) } }
    case .refuse:
      effect.finish(
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
