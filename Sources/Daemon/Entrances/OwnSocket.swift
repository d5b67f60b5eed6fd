internal import Configuration
internal import Files
internal import FormProtocol
internal import JSON
internal import Logging
internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// The socket that the daemon makes: one daemon for each path, and it goes with the daemon.
final class OwnSocket: Entrance {
  private let path: SocketPath
  /// Held for the lifetime of this object: until the daemon's last connection is gone.
  private let lock: InstanceLock

  /// Takes the path.
  ///
  /// - Throws: ``StartError`` when no socket can have it, another daemon has it, or another kind of file is there.
  init(_ configuration: ServerConfiguration) throws(StartError) {
    path = try SocketPath(configuration.socket)
    try path.makeFolder()
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
      on: try path.listen(backlog: ListeningSocket.backlog),
      to: host,
      group
    )
    let (path, identity) = (path.path, FileIdentity(path: path.path))
    return OpenEntrance(metadata: ["socket": "\(path)", "chosenBy": "\(self.path.origin)"], ended: nil) {
      // Before the listener is closed: while it is open, no other socket has its identity.
      if listener.isActive, let identity, identity == FileIdentity(path: path) { unlink(path) }
      listener.close(promise: nil)
    }
  }
}
