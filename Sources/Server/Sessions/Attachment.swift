/// One connection's view of a kept session that another one has, too: what its client was told. Of the first, ``LiveSession`` itself has that.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// Names it among all that the session has ever had, as the sender of inputs. Whoever comes again is another one, and does not show what
  /// he sent before.
  let number: Int32
  /// What its client was told.
  var updates = UpdateStream()

  /// Bytes of memory, approximately.
  static let bytes = 96

  init(_ connection: ClientConnection, number: Int32) {
    self.connection = connection
    self.number = number
  }
}
