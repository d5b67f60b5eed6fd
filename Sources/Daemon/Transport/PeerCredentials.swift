internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// The process at the other end of a Unix socket (SO_PEERCRED, unix(7)), as the kernel reports it, not the peer. The
/// layout is `struct ucred`, which Glibc declares under `_GNU_SOURCE` only: three 32-bit numbers.
struct PeerCredentials {
  let processID: Int32
  let userID: UInt32
  let groupID: UInt32

  /// The credentials of a channel's peer; fails if the channel is not a socket.
  static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    return provider.unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
  }

  /// Whether the peer runs as this daemon's user, or as root, which has all rights anyway.
  var areTrusted: Bool { userID == geteuid() || userID == 0 }
}
