internal import FormProtocol
internal import Sessions

/// One connection's view of a kept session: what its client was told, and which fields its user is in.
final class Attachment {
  /// Ends the attachment before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// Names it among all that the session has ever had, as the sender of inputs. Whoever comes again is another one, and does not show what
  /// he sent before.
  let number: Int64
  /// What its client was told.
  var updates = UpdateStream()
  /// The fields that its user has entered or changed, and not left. Empty where nobody else is attached: then the session itself knows.
  fileprivate var edited: Set<ToldPlace> = []

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
  ///
  /// - Parameter session: knows what the user of the only client so far is editing.
  mutating func add(_ connection: ClientConnection, to session: Session) {
    if all.count == 1 { all[0].edited = Set(session.editedPlaces) }
    lastNumber += 1
    all.append(Attachment(connection, number: lastNumber))
  }

  /// A client does not have the session any more.
  ///
  /// - Returns: the fields that nobody edits now.
  mutating func remove(_ attachment: Attachment, from session: Session) -> [ToldPlace] {
    all.removeAll { $0 === attachment }
    let edited = session.editedPlaces
    defer { if all.count == 1 { all[0].edited = [] } }
    switch all.count {
    case 0:
      all = []
      return edited
    default:
      return edited.filter { place in
        attachment.edited.contains(place) && !isEdited(place, by: all, session)
      }
    }
  }

  // MARK: Editing

  /// What an input comes to where others have the session, too: leaving a field does not end its editing while somebody else edits it.
  func shared(_ input: Input, from sender: Attachment?, _ session: Session) -> Input {
    guard areSeveral, let sender else { return input }
    switch input {
    case .focus(let field, let row): sender.edited.insert(.field(field, row: row))
    case .set(let field, _): sender.edited.insert(.field(field, row: 0))
    case .change(let changes, .user, _, let commit):
      for change in changes where change.field != FieldChange.root {
        let place = ToldPlace.field(change.field, row: change.row)
        if commit { sender.edited.remove(place) } else { sender.edited.insert(place) }
      }
    case .blur(let field, let row):
      let place = ToldPlace.field(field, row: row)
      sender.edited = sender.edited.filter { !session.placesAround($0).contains(place) }
      let isStillEdited = isEdited(place, by: all, session)
      if sender.connection.server.faults.through(.leaveForAll, isStillEdited, broken: false) { return .change([]) }
    default: break
    }
    return input
  }

  /// Whether one of those edits a place, or something inside of it.
  private func isEdited(_ place: ToldPlace, by attachments: [Attachment], _ session: Session) -> Bool {
    attachments.contains { attachment in
      attachment.edited.contains(place) || attachment.edited.contains { session.placesAround($0).contains(place) }
    }
  }
}
