internal import Configuration
internal import Files
internal import FormProtocol
internal import JSON
internal import Logging
internal import NIOCore
internal import Processes
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// The socket that the daemon makes: one daemon for each path, and it goes with the daemon.
final class OwnSocket: Entrance {
  private let path: SocketPath
  /// Whether users other than the daemon's own may connect. Then the daemon refuses users without a role.
  private let isShared: Bool
  /// Held for the lifetime of this object: until the daemon's last connection is gone.
  private let lock: InstanceLock

  /// Takes the path.
  ///
  /// - Throws: ``StartError`` when no socket can have it, another daemon has it, or another kind of file is there.
  init(_ configuration: ServerConfiguration) throws(StartError) {
    path = try SocketPath(configuration.socket)
    isShared = !configuration.peers.isEmpty
    try path.makeFolder(isShared: isShared)
    try path.refuseUnsafeFolder()
    try path.refuseWhatIsNoSocket()
    lock = try InstanceLock(path: path.lockPath)
    try path.refuseListener()
  }

  var machine: String? { lock.name }

  func open(to host: NIOLoopBound<LoopServer>, _ group: any EventLoopGroup) async throws -> OpenEntrance {
    // Under the lock a socket that nobody listens on is stale: its daemon is gone.
    unlink(path.path)
    let listener = try await ListeningSocket.accept(
      on: try path.listen(backlog: ListeningSocket.backlog, mode: Self.mode(isShared: isShared)),
      to: host,
      group
    )
    let (path, identity) = (path.path, FileIdentity(path: path.path))
    if isShared { try await warnOfClosedFolder(host) }
    return OpenEntrance(
      metadata: ["socket": "\(path)", "chosenBy": "\(self.path.origin)"],
      ended: nil,
      refuse: {
        // Before the listener is closed: while it is open, no other socket has its identity.
        if listener.isActive, let identity, identity == FileIdentity(path: path) { unlink(path) }
        listener.close(promise: nil)
      },
      follow: { configuration in
        // The socket of another daemon stays as it is.
        guard let identity, identity == FileIdentity(path: path) else { return }
        chmod(path, Self.mode(isShared: !configuration.peers.isEmpty))
      }
    )
  }

  /// The mode of the socket. PostgreSQL and D-Bus also let all users connect, and decide then.
  private static func mode(isShared: Bool) -> mode_t { isShared ? 0o666 : 0o600 }

  private func warnOfClosedFolder(_ host: NIOLoopBound<LoopServer>) async throws {
    guard !path.othersMayEnterFolder else { return }
    let logger = try await host.eventLoop.submit { host.value.server.logger }.get()
    logger.warning(
      "peers names other users, but only the owner of the socket's folder can enter it: choose another socket",
      metadata: ["socket": "\(path.path)"]
    )
  }
}
