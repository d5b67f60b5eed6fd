/// One connection's view of a kept session that another connection has, too: the state of the updates to its client.
/// ``LiveSession`` itself has the view of the first connection.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// Identifies it among all attachments that the session has ever had, as the sender of inputs. A client that attaches
  /// again gets another number, and does not show what it has sent before.
  let number: Int32
  /// The state of the updates to its client.
  var updates = UpdateStream()

  /// Bytes of memory, approximately.
  static let bytes = 96

  init(_ connection: ClientConnection, number: Int32) {
    self.connection = connection
    self.number = number
  }
}
