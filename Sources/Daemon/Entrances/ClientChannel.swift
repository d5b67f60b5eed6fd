internal import Configuration
internal import FormProtocol
internal import Logging
internal import NIOCore
internal import Server

/// The settings of every client's channel, for all entrances.
enum ClientChannel {
  /// Whether the other side may end its input and still read.
  static let allowsHalfClosure = true

  /// How much it reads at a time: as much as came lately. A connection keeps this buffer while it is quiet, as most
  /// are. So the buffer begins small, and after a burst it is no larger than this.
  static let readBuffer = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 256, maximum: 2048)

  /// The bounds of untaken output between which a connection counts as slow.
  private static func waterMark(_ limits: ServerLimits) -> ChannelOptions.Types.WriteBufferWaterMark {
    .init(low: limits[.outputSoftBytes] / 2, high: limits[.outputSoftBytes])
  }

  /// Lets the client of a socket in, if its user has a role and there is room for it.
  static func welcome(_ channel: any Channel, to host: NIOLoopBound<LoopServer>) -> EventLoopFuture<Void> {
    PeerCredentials.read(from: channel).flatMap { credentials in
      let server = host.value.server
      let peer = credentials.peer(of: channel)
      if server.roles(of: peer).isEmpty {
        server.refused(peer)
        return channel.close()
      }
      let refusal = server.refuseIfDraining()
      return channel.eventLoop.makeCompletedFuture {
        if let refusal {
          return try channel.pipeline.syncOperations.addHandler(RefusalHandler(answer: refusal))
        }
        // The limits in force now, which may differ from the limits at the start.
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: waterMark(server.limits))
        try channel.pipeline.syncOperations.addHandler(
          ConnectionHandler(server: server, peer: peer)
        )
      }
    }
  }
}
