internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The HTTP connections for metrics that are open now. None lasts long: a client that sends nothing, or a little again
/// and again, keeps no other client out.
final class MetricsConnections: Sendable {
  /// Connections at once; the next one replaces the oldest.
  static let countMax = 16
  /// How long a connection may last, from its beginning until its answer is sent.
  private static let patience = TimeAmount.seconds(10)

  /// The oldest first.
  private let open = NIOLockedValueBox<[any Channel]>([])
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  /// A connection was accepted.
  func add(_ channel: any Channel) {
    let replaced: (any Channel)? = open.withLockedValue { open in
      open.append(channel)
      return open.count > Self.countMax ? open.removeFirst() : nil
    }
    if let replaced {
      replaced.close(promise: nil)
      logger.warning(
        "the oldest connection for metrics was closed to make room for a new one",
        metadata: ["connectionsMax": "\(Self.countMax)"]
      )
    }
    let deadline = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { [self] _ in
      deadline.cancel()
      open.withLockedValue { open in open.removeAll { $0 === channel } }
    }
  }
}
