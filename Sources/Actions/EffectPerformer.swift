package import NIOCore
package import Sessions

/// Performs the effects that turns ask for: the seam between the engine, which does no I/O, and the world.
///
/// The driver of an engine (the server, a test, the replay of a transcript) hands each effect of a turn to a performer.
/// It feeds the answer back as an input.
package protocol EffectPerformer: Sendable {
  /// Starts an effect.
  ///
  /// - Parameters:
  ///   - effect: the work to do; its `timeout` is enforced here too, so that every effect ends.
  ///   - client: the number of the client that the effect is for; 0 for all sessions without clients, which count as
  ///     one client. Shared resources are divided fairly among these numbers (``FairQueue``).
  ///   - eventLoop: the loop that owns the session; this must be called on it.
  ///   - completion: called on `eventLoop`, once, with the answer, unless the effect was cancelled before. Never called
  ///     before this method has returned. A failure is an answer like any other: nothing is thrown.
  /// - Returns: the effect under way, to cancel it.
  func perform(
    _ effect: Effect,
    for client: Int,
    on eventLoop: any EventLoop,
    completion: @escaping (EffectResponse) -> Void
  ) -> StartedEffect

  /// The number of services that are not asked now because they have failed too often (``CircuitBreaker``).
  var openBreakers: Int { get }
}

extension EffectPerformer {
  /// 0: a performer without services has no breakers.
  package var openBreakers: Int { 0 }
}

/// One effect under way. It belongs to the event loop that started it.
package final class StartedEffect {
  /// Nil once the effect has ended or was cancelled; so the completion is called at most once.
  private var completion: ((EffectResponse) -> Void)?
  /// The closure that ends the work early; nil when there is nothing to end (any more).
  private var stop: (() -> Void)?
  /// Ends the effect when its time is up; set by `limit`.
  private var deadline: Scheduled<Void>?
  /// Whether the effect ended because its time was over.
  private(set) var wasLate = false

  /// An effect whose answer goes to that closure.
  package init(completion: @escaping (EffectResponse) -> Void) {
    self.completion = completion
  }

  /// Whether the effect has neither ended nor been cancelled.
  package var isUnderWay: Bool { completion != nil }

  /// Sets the closure that ends the work early; calls it at once if the effect has ended already.
  package func onStop(_ stop: @escaping () -> Void) {
    if isUnderWay { self.stop = stop } else { stop() }
  }

  /// Ends the effect with kind `timeout` if it is still under way after that long.
  package func limit(to timeout: TimeAmount, on eventLoop: any EventLoop) {
    guard isUnderWay else { return }
    deadline = eventLoop.assumeIsolated().scheduleTask(in: timeout) { [weak self] in
      guard let self else { return }
      let stop = self.stop
      wasLate = true
      finish(EffectResponse(kind: .timeout, reason: "no answer in time"))
      stop?()
    }
  }

  /// The work is done: hands the answer on, unless the effect has ended already.
  package func finish(_ response: EffectResponse) {
    guard let completion else { return }
    end()
    completion(response)
  }

  /// The answer is not wanted any more: ends the work, and the completion is never called.
  ///
  /// - Parameter isLate: whether the reason is that the time of the effect is over.
  package func cancel(isLate: Bool = false) {
    guard isUnderWay else { return }
    wasLate = isLate
    let stop = self.stop
    end()
    stop?()
  }

  private func end() {
    completion = nil
    stop = nil
    deadline?.cancel()
    deadline = nil
  }
}

extension Duration {
  /// The duration as NIO counts it; a duration that does not fit becomes the longest possible.
  var timeAmount: TimeAmount {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return .nanoseconds(seconds < 0 ? 0 : .max / 4) }
    return .nanoseconds(min(whole.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue, .max / 4))
  }
}
