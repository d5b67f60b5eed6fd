internal import Sessions

/// One connection's view of a kept session that another connection has, too: the state of the updates to its client.
/// ``LiveSession`` itself has the view of the first connection.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// Its client as the sender of inputs. A client that attaches again is another sender, and does not show what it has
  /// sent before.
  let sender: Sender
  /// The state of the updates to its client.
  var updates = UpdateStream()

  /// Bytes of memory, approximately.
  static let bytes = 96

  init(_ connection: ClientConnection, sender: Sender) {
    self.connection = connection
    self.sender = sender
  }
}
