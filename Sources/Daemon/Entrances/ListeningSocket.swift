internal import NIOCore
internal import NIOPosix
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// A Unix socket that is listened on already, and whose clients are accepted from now on.
enum ListeningSocket {
  /// Connections that wait to be accepted, at most.
  static let backlog: CInt = 1024

  /// Accepts clients.
  ///
  /// - Parameter descriptor: the open socket; the channel owns it from now on.
  static func accept(
    on descriptor: CInt,
    to host: NIOLoopBound<LoopServer>,
    _ group: any EventLoopGroup
  ) async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: group)
      // Each takes about as long as ten changes of a field.
      .serverChannelOption(.maxMessagesPerRead, value: UInt(ConnectionSeats.acceptedAtOnce))
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            AcceptErrorHandler(logger: host.value.server.logger),
            AcceptBackoffHandler(shouldForwardIOErrorCaught: false)
          )
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: ClientChannel.allowsHalfClosure)
      .childChannelOption(.recvAllocator, value: ClientChannel.readBuffer)
      .childChannelInitializer { ClientChannel.welcome($0, to: host) }
    let channel = try await bootstrap.withBoundSocket(descriptor).get()
    // NIO has called listen(2) once more, with a queue of 128, whatever its option says.
    _ = Glibc.listen(descriptor, backlog)
    return channel
  }
}
