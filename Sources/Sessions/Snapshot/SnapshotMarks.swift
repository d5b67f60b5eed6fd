internal import Forms

/// The changes of a session since its snapshot was last brought up to date. A session has marks only if its caller
/// keeps a snapshot and something has changed, because most sessions are quiet.
///
/// Code that changes something in a snapshot marks it here. An unneeded mark costs bytes. A missing mark makes a
/// restored session differ: the simulation compares after every turn.
final class SnapshotMarks {
  /// The marks that only some sessions need: sessions of larger forms, with rows, or with taps.
  final class More {
    /// Fields of the form from the 64th on, in any order. Some may be there twice.
    var fields: [Int32] = []
    /// Fields of the form that have parts of their own.
    var largeFields: Set<Int> = []
    /// Without duplicates.
    var rows: [Row] = []
    var goneRows: [(id: Int, template: Int)] = []
    /// Without duplicates in each list. Each entry has the row that contains the list. That row may be gone, and then
    /// only the list itself may be used.
    var orders: [(row: Int, list: RowList)] = []
    var beginnings: [(row: Int, list: RowList)] = []
    /// By action number.
    var actions: Set<Int> = []
    var checks: Set<Int> = []
    var lookups: Set<Int> = []
    var sessionParts: Set<SnapshotPart.SessionPart> = []
    /// The numbers of edits.
    var edits: Set<Int> = []

    init(largeFields: Set<Int> = []) {
      self.largeFields = largeFields
    }
  }

  /// Everything has to be written again.
  var isWhole = false
  /// The document has changed, or a part of the head that is not a field.
  var isHeadMarked = false
  /// The first 64 fields of the form, a bit for each.
  var firstFields: UInt64 = 0
  private(set) var more: More?

  /// A part of a field in ``FieldState`` or ``InstanceExtras`` has changed, except its checks.
  func mark(_ field: Int, in instance: Instance) {
    if let row = instance.row { return mark(row) }
    if field < 64 { firstFields |= 1 << UInt64(field) } else { noted.fields.append(Int32(field)) }
  }

  /// A part of a row has changed, or the row is new.
  func mark(_ row: Row) {
    if row.isMarked || row.isGone { return }
    row.isMarked = true
    noted.rows.append(row)
  }

  /// A row, with its lists, has to be written whole.
  func markWhole(_ row: Row) {
    mark(row)
    for list in row.lists {
      markOrder(of: list)
      markBeginning(of: list)
    }
  }

  /// A row is gone for good.
  func markGone(_ row: Row) { noted.goneRows.append((row.id, row.template)) }

  /// Rows have come, gone or moved.
  func markOrder(of list: RowList) {
    if list.isOrderMarked { return }
    list.isOrderMarked = true
    noted.orders.append((list.owner.rowID, list))
  }

  /// The initial rows of a list have changed.
  func markBeginning(of list: RowList) {
    if list.isBeginningMarked { return }
    list.isBeginningMarked = true
    noted.beginnings.append((list.owner.rowID, list))
  }

  /// The inquiry or the answer of a check, or of a lookup, of an instance has changed.
  func mark(_ inquirer: Inquirer, in instance: Instance) {
    if let row = instance.row { return mark(row) }
    switch inquirer {
    case .check(let index): noted.checks.insert(index)
    case .lookup(let index): noted.lookups.insert(index)
    }
  }

  /// A tap of an action has come, moved on or ended, or the results of its runs have changed.
  func mark(action: Int) { noted.actions.insert(action) }

  func mark(_ part: SnapshotPart.SessionPart) { noted.sessionParts.insert(part) }

  /// An edit of a user has come, changed or gone.
  func mark(edit number: Int) { noted.edits.insert(number) }

  private var noted: More {
    if let more { return more }
    let new = More()
    more = new
    return new
  }

  /// Everything is written.
  ///
  /// - Parameter largeFields: the fields of the form that have parts of their own now.
  /// - Returns: the marks that are already set for the next time, or nil if there are none.
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
