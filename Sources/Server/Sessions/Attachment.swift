/// One connection's view of a kept session: what its client was told.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// Names it among all that the session has ever had, as the sender of inputs. Whoever comes again is another one, and does not show what
  /// he sent before.
  let number: Int64
  /// What its client was told.
  var updates = UpdateStream()

  init(_ connection: ClientConnection, number: Int64) {
    self.connection = connection
    self.number = number
  }
}

/// Who is told of a kept session, in the order in which they came. The first counts for it in the accounts of connections.
struct Attachments {
  private(set) var all: [Attachment] = []
  private var lastNumber: Int64 = 0

  var first: Attachment? { all.first }

  /// Whether several clients have the session.
  var areSeveral: Bool { all.count > 1 }

  func attachment(of connection: ClientConnection) -> Attachment? {
    all.first { $0.connection === connection }
  }

  /// Another client has the session from now on.
  mutating func add(_ connection: ClientConnection) {
    lastNumber += 1
    all.append(Attachment(connection, number: lastNumber))
  }

  /// A client does not have the session any more.
  mutating func remove(_ attachment: Attachment) {
    all.removeAll { $0 === attachment }
    // An array keeps its memory; a session that nobody has holds none.
    if all.isEmpty { all = [] }
  }
}
