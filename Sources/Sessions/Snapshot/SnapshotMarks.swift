internal import Forms

/// What turns have changed of a session since its snapshot was last brought up to date. A session has them only where somebody keeps a snapshot,
/// and when something has changed: most sessions are quiet.
///
/// Whoever changes something that a snapshot has marks it here. A mark too many costs bytes; one too few, and a restored session is another:
/// the simulation compares after every turn.
final class SnapshotMarks {
  /// What only some sessions have to note: those of larger forms, with rows, or whose users tap.
  final class More {
    /// Fields of the form from the 64th on, in any order; some may be there twice.
    var fields: [Int32] = []
    /// Fields of the form that have parts of their own.
    var largeFields: Set<Int> = []
    /// None twice.
    var rows: [Row] = []
    var goneRows: [(id: Int, template: Int)] = []
    /// None twice in either; each with the row that has the list. That row may be gone, and then nothing but the list itself may be looked at.
    var orders: [(row: Int, list: RowList)] = []
    var beginnings: [(row: Int, list: RowList)] = []
    /// Of the form.
    var actions: Set<Int> = []
    var checks: Set<Int> = []
    var lookups: Set<Int> = []
    var sessionParts: Set<SnapshotPart.SessionPart> = []

    init(largeFields: Set<Int> = []) {
      self.largeFields = largeFields
    }
  }

  /// Everything has to be written anew.
  var isWhole = false
  /// The document has changed, or something in the head that is no field's.
  var isHeadMarked = false
  /// The first 64 fields of the form, a bit for each.
  var firstFields: UInt64 = 0
  private(set) var more: More?

  /// Something of a field has changed that ``FieldState`` or ``InstanceExtras`` has, beside its checks.
  func mark(_ field: Int, in instance: Instance) {
    if let row = instance.row { return mark(row) }
    if field < 64 { firstFields |= 1 << UInt64(field) } else { noted.fields.append(Int32(field)) }
  }

  /// Something of a row has changed, or it is new.
  func mark(_ row: Row) {
    if row.isMarked || row.isGone { return }
    row.isMarked = true
    noted.rows.append(row)
  }

  /// A row is gone.
  func markGone(_ row: Row) { noted.goneRows.append((row.id, row.template)) }

  /// Rows have come, gone or moved.
  func markOrder(of list: RowList) {
    if list.isOrderMarked { return }
    list.isOrderMarked = true
    noted.orders.append((list.owner.rowID, list))
  }

  /// What a list began with is something else now.
  func markBeginning(of list: RowList) {
    if list.isBeginningMarked { return }
    list.isBeginningMarked = true
    noted.beginnings.append((list.owner.rowID, list))
  }

  /// What a check, or a lookup, of an instance asks or was answered has changed.
  func mark(_ asker: Asker, in instance: Instance) {
    if let row = instance.row { return mark(row) }
    switch asker {
    case .check(let index): noted.checks.insert(index)
    case .lookup(let index): noted.lookups.insert(index)
    }
  }

  /// A tap of an action has come, gone on or ended, or what its runs have left has changed.
  func mark(action: Int) { noted.actions.insert(action) }

  func mark(_ part: SnapshotPart.SessionPart) { noted.sessionParts.insert(part) }

  private var noted: More {
    if let more { return more }
    let new = More()
    more = new
    return new
  }

  /// Everything is written.
  ///
  /// - Parameter largeFields: the fields of the form that have parts of their own now.
  /// - Returns: what is noted already of what comes; nil: nothing.
  func taken(with largeFields: Set<Int>) -> SnapshotMarks? {
    for row in more?.rows ?? [] { row.isMarked = false }
    for (_, list) in more?.orders ?? [] { list.isOrderMarked = false }
    for (_, list) in more?.beginnings ?? [] { list.isBeginningMarked = false }
    if largeFields.isEmpty { return nil }
    let next = SnapshotMarks()
    next.more = More(largeFields: largeFields)
    return next
  }
}
