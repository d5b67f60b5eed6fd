internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// Who is at the other end of a Unix socket (SO_PEERCRED, unix(7)): the kernel's word, not the peer's.
enum PeerCredentials {
  /// `struct ucred`, which Glibc declares under `_GNU_SOURCE` only: three 32-bit numbers.
  private struct Credentials {
    var processID: Int32
    var userID: UInt32
    var groupID: UInt32
  }

  /// Whether the peer runs as this daemon's user, or as root, who could do as it likes anyway.
  static func areTrusted(_ channel: any Channel) -> EventLoopFuture<Bool> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeSucceededFuture(false)
    }
    let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
      level: .socket,
      name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
    )
    return credentials.map { $0.userID == geteuid() || $0.userID == 0 }
  }
}
