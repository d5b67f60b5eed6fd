internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// Who is at the other end of a Unix socket (SO_PEERCRED, unix(7)): the kernel's word, not the peer's. Laid out as `struct ucred`,
/// which Glibc declares under `_GNU_SOURCE` only: three 32-bit numbers.
struct PeerCredentials {
  let processID: Int32
  let userID: UInt32
  let groupID: UInt32

  /// The credentials of a channel's peer; fails for a channel that is no socket.
  static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    return provider.unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
  }

  /// Whether the peer runs as this daemon's user, or as root, who could do as it likes anyway.
  var areTrusted: Bool { userID == geteuid() || userID == 0 }
}
