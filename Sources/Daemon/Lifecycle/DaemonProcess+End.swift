internal import Files
internal import Logging
internal import NIOCore
internal import Processes
internal import Server
internal import SessionStore

/// The end: clients get their last messages, and the store commits its last writes.
extension DaemonProcess {
  /// How long the last commits of the store may take.
  private static let lastCommitsMax = Duration.seconds(10)
  /// How long they may take if the store did not answer before.
  private static let lastTryMax = Duration.seconds(1)
  /// How long the last messages to clients may take on their way.
  private static let lastWordsMax = TimeAmount.milliseconds(500)

  /// Ends everything, in order. Another signal to end makes it faster.
  func shutDown(_ daemon: RunningDaemon) async {
    daemon.manager.isStopping()
    let (host, loop) = (daemon.host, daemon.loop)
    try? await loop.submit { daemon.open.refuse() }.get()
    let drained = loop.makePromise(of: Void.self)
    let hurrying = Task {
      for await occasion in daemon.occasions.stream {
        if case .signal(let signal) = occasion, signal != .hangUp { hurry(host, drained, on: loop, after: signal) }
      }
    }
    let isStoreWell = await drain(host, daemon.open.ended, drained, on: loop)
    hurrying.cancel()
    daemon.occasions.stopListening()
    await daemon.metrics.close()
    let performers = (try? await loop.submit { host.value.takePerformers() }.get()) ?? []
    await release(daemon.backing, performers, within: isStoreWell ? Self.lastCommitsMax : Self.lastTryMax)
  }

  /// Ends the threads and the store that the server has used, and these performers of effects.
  ///
  /// - Parameter limit: how long the last commits of the store may take.
  func release(
    _ backing: RunningDaemon.Backing,
    _ performers: [RunningPerformer],
    within limit: Duration = lastCommitsMax
  ) async {
    for performer in performers { await performer.shutdown() }
    await backing.workers.shutDown()
    await close(backing.store, within: limit)
    try? await backing.group.shutdownGracefully()
  }

  /// Waits until all writes are committed, but not for a disk that hangs.
  private func close(_ store: SessionDatabase?, within limit: Duration) async {
    guard let store, await !DetachedThread.result(of: { store.close(within: limit) }) else { return }
    logger.error("the store did not commit its last writes in time: unacknowledged changes may be lost")
  }

  /// Ends the connections in order, and at once when their time is over. The last messages to clients go out, too.
  ///
  /// - Returns: whether the store has answered everything.
  private func drain(
    _ host: NIOLoopBound<LoopServer>,
    _ ended: EventLoopFuture<Void>?,
    _ drained: EventLoopPromise<Void>,
    on loop: any EventLoop
  ) async -> Bool {
    loop.execute {
      let limit = TimeAmount.nanoseconds(Int64(host.value.server.drainLimit / .nanoseconds(1)))
      loop.scheduleTask(in: limit + Self.lastWordsMax) { drained.succeed() }
      host.value.drain {
        if let ended { ended.whenComplete { _ in drained.succeed() } } else { drained.succeed() }
      }
    }
    try? await drained.futureResult.get()
    let isStoreWell = try? await loop.submit {
      defer { host.value.end() }
      return host.value.server.storedSessions?.isWell ?? true
    }.get()
    return isStoreWell ?? false
  }

  /// Another signal to end has come: stops waiting.
  private func hurry(
    _ host: NIOLoopBound<LoopServer>,
    _ drained: EventLoopPromise<Void>,
    on loop: any EventLoop,
    after signal: ProcessSignal
  ) {
    logger.notice("ending at once", metadata: ["signal": "\(signal)"])
    loop.execute {
      loop.scheduleTask(in: Self.lastWordsMax) { drained.succeed() }
      host.value.server.hurry()
    }
  }
}
