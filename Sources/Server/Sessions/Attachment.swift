/// One connection's view of a kept session that another connection has, too: the state of the updates to its client.
/// ``LiveSession`` itself has the view of the first connection.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// The state of the updates to its client.
  var updates = UpdateStream()

  /// Bytes of memory, approximately.
  static let bytes = 96

  init(_ connection: ClientConnection) { self.connection = connection }
}
