internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Where the metrics go while the daemon runs: into a file, to whoever asks at a loopback address, or both. Other users of the machine may
/// ask there, so it has an event loop and a number of connections of its own.
final class MetricsOutlets: Sendable {
  /// Connections at once; one more is closed without a word.
  static let connectionsMax = 16
  /// How long a connection may say nothing.
  private static let patience = TimeAmount.seconds(10)

  private let file: MetricsFile?
  private let writing: RepeatedTask?
  private let group: MultiThreadedEventLoopGroup?

  /// Opens what the configuration asks for.
  ///
  /// - Throws: ``StartError`` when the address cannot be had.
  init(_ configuration: MetricsConfiguration, of host: NIOLoopBound<LoopServer>, logger: Logger)
    async throws(StartError)
  {
    let source = MetricsSource(host)
    if let address = configuration.address {
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      do {
        let listener = try await Self.listen(at: address, source, group)
        let port = listener.localAddress?.port ?? address.port
        logger.notice("metrics are told", metadata: ["address": "\(address.host):\(port)"])
      } catch {
        try? await group.shutdownGracefully()
        throw StartError("the address \(address.host):\(address.port) for metrics cannot be had: \(error)")
      }
      self.group = group
    } else {
      group = nil
    }
    let file = configuration.file.map { MetricsFile(path: $0, logger: logger) }
    self.file = file
    writing = file.map { file in
      host.eventLoop.scheduleRepeatedTask(
        initialDelay: .zero,
        delay: .nanoseconds(Int64(configuration.interval / .nanoseconds(1)))
      ) { _ in source.text { file.write($0) } }
    }
  }

  private static func listen(
    at address: MetricsConfiguration.Address,
    _ source: MetricsSource,
    _ group: any EventLoopGroup
  ) async throws -> any Channel {
    let open = NIOLockedValueBox(0)
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      .childChannelInitializer { channel in
        let count = open.withLockedValue { open in
          open += 1
          return open
        }
        channel.closeFuture.whenComplete { _ in open.withLockedValue { $0 -= 1 } }
        guard count <= connectionsMax else { return channel.close() }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(IdleStateHandler(allTimeout: patience))
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(MetricsHandler(source))
        }
      }
      .bind(host: address.host, port: address.port).get()
  }

  /// Closes all of it.
  func close() async {
    writing?.cancel()
    file?.remove()
    try? await group?.shutdownGracefully()
  }
}
