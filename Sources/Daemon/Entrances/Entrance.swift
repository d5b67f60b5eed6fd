internal import Configuration
internal import Logging
internal import NIOCore

/// How clients reach the daemon.
package enum ClientSource: Sendable {
  /// Many, by a Unix socket: the socket of a service manager, if it has given one, else the daemon's own.
  case socket
  /// One, on standard input and output. The daemon ends with it.
  case standardStreams
}

/// A way for clients to come in. Making one takes what it needs, and opens nothing yet.
protocol Entrance: Sendable {
  /// Equal for all daemons that have had this entrance, one at a time; nil if that is not known.
  var machine: String? { get }

  /// Lets clients in.
  ///
  /// - Throws: ``StartError`` when this is not possible.
  func open(to host: NIOLoopBound<LoopServer>, _ group: any EventLoopGroup) async throws -> OpenEntrance
}

extension Entrance {
  var machine: String? { nil }
}

/// An entrance that clients come through.
struct OpenEntrance: Sendable {
  /// Its address, as metadata of the log.
  let metadata: Logger.Metadata
  /// Done when the last client that can come through it is gone; this never happens for a socket. Fails when that
  /// client could not be read from or written to.
  let ended: EventLoopFuture<Void>?
  /// Lets no client in any more, from this moment on; connected clients stay. Called on the event loop, once or several
  /// times.
  let refuse: @Sendable () -> Void
  /// A reload has taken over a configuration.
  var follow: @Sendable (ServerConfiguration) -> Void = { _ in }
}
