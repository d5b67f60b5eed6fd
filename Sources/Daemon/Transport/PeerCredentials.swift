internal import NIOCore
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// The process at the other end of a Unix socket (SO_PEERCRED, unix(7)), as the kernel reports it, not the peer. The
/// layout is `struct ucred`, which Glibc declares under `_GNU_SOURCE` only: three 32-bit numbers.
struct PeerCredentials {
  let processID: Int32
  let userID: UInt32
  let groupID: UInt32

  /// `SO_PEERGROUPS`, which Glibc does not declare for Swift.
  private static let peerGroups: CInt = 59

  /// The credentials of a channel's peer; fails if the channel is not a socket.
  static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    return provider.unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
  }

  /// The process, with its groups. The supplementary groups are those of the process when it connected
  /// (SO_PEERGROUPS, Linux 4.13). The list of a user's groups (getgrouplist(3)) would be another one: it may come from
  /// another machine, and take long.
  func peer(of channel: any Channel) -> Peer {
    let peer = Peer(userID: userID, processID: processID)
    // These users have all roles.
    if userID == geteuid() || userID == 0 { return peer }
    let groups = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self,
      Self.supplementaryGroups
    )
    return Peer(userID: userID, processID: processID, groupIDs: [groupID] + (groups ?? []))
  }

  private static func supplementaryGroups(of socket: CInt) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    while true {
      var size = socklen_t(groups.count * MemoryLayout<UInt32>.size)
      let code = getsockopt(socket, SOL_SOCKET, peerGroups, &groups, &size)
      let count = Int(size) / MemoryLayout<UInt32>.size
      if code == 0 { return Array(groups.prefix(count)) }
      // There are more, and the size says how many.
      guard errno == ERANGE, count > groups.count else { return [] }
      groups = [UInt32](repeating: 0, count: count)
    }
  }
}
