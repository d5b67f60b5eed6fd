internal import Logging
internal import NIOCore

/// Where clients come from.
package enum ClientSource: Sendable {
  /// Many, by a Unix socket: that of a service manager, if it has given one, else the daemon's own.
  case socket
  /// One, on standard input and output. The daemon ends with it.
  case standardStreams
}

/// A way for clients to come in. Making one takes what it needs, and opens nothing yet.
protocol Entrance: Sendable {
  /// The same for all daemons that have had this entrance, one at a time; nil where that cannot be said.
  var machine: String? { get }

  /// Lets clients in.
  ///
  /// - Throws: ``StartError`` when that cannot be.
  func open(to host: NIOLoopBound<LoopServer>, _ group: any EventLoopGroup) async throws -> OpenEntrance
}

extension Entrance {
  var machine: String? { nil }
}

/// An entrance that clients come through.
struct OpenEntrance: Sendable {
  /// Where it is, for the log.
  let place: Logger.Metadata
  /// Done when the last client that can come through it is gone, that is never so for a socket; fails when that client could not be read
  /// from or written to.
  let ended: EventLoopFuture<Void>?
  /// Lets nobody in any more, from the very moment on; who is in stays. Called on the event loop, once or several times.
  let refuse: @Sendable () -> Void
}
