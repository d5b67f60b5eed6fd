internal import Configuration
internal import Files
internal import FormProtocol
internal import JSON
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Processes

#if canImport(Glibc)
  internal import Glibc
#endif

/// The outputs of the metrics while the daemon runs: a file, a loopback address, or both. Other users of the machine
/// may ask at the address, so it has an event loop and a number of connections of its own.
final class MetricsOutlets: Sendable {
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
        let listener = try await Self.listen(at: address, source, group, logger)
        var listened = address
        listened.port = listener.localAddress?.port ?? address.port
        logger.notice("metrics are served", metadata: ["address": "\(listened)"])
      } catch {
        try? await group.shutdownGracefully()
        throw StartError(Self.reason(address, error))
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
      ) { _ in source.report { file.write($0.text(.prometheus)) } }
    }
  }

  private static func reason(_ address: MetricsConfiguration.Address, _ error: any Error) -> String {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      "the address \(address) for metrics is in use: another process listens there, perhaps a formd with the same "
        + "configuration; choose another port in metrics.address"
    case EACCES:
      "the address \(address) for metrics cannot be used: ports below 1024 need root; choose another in metrics.address"
    case let code?: "the address \(address) for metrics cannot be used: \(SystemError(code: code))"
    case nil: "the address \(address) for metrics cannot be used: \(error)"
    }
  }

  private static func listen(
    at address: MetricsConfiguration.Address,
    _ source: MetricsSource,
    _ group: any EventLoopGroup,
    _ logger: Logger
  ) async throws -> any Channel {
    let connections = MetricsConnections(logger: logger)
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      // A client that has sent its request may end its side at once, and is answered.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(MetricsHandler(source))
        }
      }
      .bind(host: address.host, port: address.port).get()
  }

  /// Removes the file, and closes the address.
  func close() async {
    writing?.cancel()
    file?.remove()
    try? await group?.shutdownGracefully()
  }
}
