internal import CEL
internal import Forms
internal import JSON

/// One row of a list: an instance of the list's template. It keeps its identity and its state while other rows come and
/// go.
final class Row: Instance {
  /// The last position in its list at which it was found, or -1 while it is not in the list.
  fileprivate(set) var lastPosition: Int32 = -1
  /// Its index when the indices of its list were last updated. It is out of date while all rows of the list count, and
  /// no formula reads the index: see ``RowList/countsAll``.
  private(set) var storedIndex: Int32 = 0
  /// The identity of the row above it, among the rows that count; 0 for the first row.
  var aboveID = 0
  /// Whether it was removed. Changes through references that still exist have no effect.
  var isGone = false
  /// Whether it was made in the current turn, so that it has no old content.
  var isNew = true
  /// Whether it is blank, and its list ignores blank rows.
  var isBlank = false
  /// Whether ``SnapshotMarks`` contains it already.
  var isMarked = false
  /// Its identity: a number that the session never gives again.
  let id: Int
  var list: RowList { uncountedList.object }
  private let uncountedList: Uncounted<RowList>
  /// The current turn's notes about it.
  var before: RowBefore?

  init(id: Int, in list: RowList) {
    self.id = id
    uncountedList = Uncounted(list)
    let around = list.owner
    super.init(form: around.form, template: Int(around.tables.pointee.fields[list.element].template))
    belong(to: around.session)
  }

  /// Its position in the list, hidden rows counted. It is -1 for a row that is not in the list.
  var position: Int { list.position(of: self) ?? -1 }

  /// Its position among the rows that count, as formulas see it.
  var index: Int {
    get { list.countsAll ? position : Int(storedIndex) }
    set { storedIndex = Int32(newValue) }
  }

  /// The field that represents the row as a whole.
  var element: Int { list.element }

  /// Marks a node as stale. Returns whether it was not before.
  ///
  /// - Parameter offset: its offset among the nodes of the template.
  func markStale(_ offset: Int) -> Bool {
    let byte = staleBits.at(offset / 8)
    let bit: UInt8 = 1 << UInt8(offset % 8)
    defer { byte.pointee |= bit }
    return byte.pointee & bit == 0
  }

  /// The row's share of ``Session/computedBytes`` without its computed values.
  var structureBytes: Int {
    tables.pointee.templates[template].rowBytes
  }

  /// The node is being computed.
  func unmarkStale(_ offset: Int) -> Bool {
    let byte = staleBits.at(offset / 8)
    let bit: UInt8 = 1 << UInt8(offset % 8)
    defer { byte.pointee &= ~bit }
    return byte.pointee & bit != 0
  }
}

/// The rows of a list in one instance of the template that has it.
final class RowList {
  /// The field, and the field that represents each row.
  let field: Int
  let element: Int
  /// The session, or the row around the list.
  var owner: Instance { uncountedOwner.object }
  private let uncountedOwner: Uncounted<Instance>
  /// In order.
  private(set) var rows: [Row] = []
  /// The identities of the rows, in order. They are kept, because a turn notes the order before it, and writes the new
  /// one: a walk over the rows would take longer than the change.
  private(set) var ids: [Int] = []
  /// Whether all rows count, so that the index of a row is its position. While ``isIndexStale``, it is an old state.
  var countsAll = true
  /// The initial rows, each with the initial value that inputs had given it, and whether there was a list at all.
  private(set) var initial: [(id: Int, value: JSON)] = []
  /// Whether the rows are the initial rows, in the initial order.
  var hasInitialRows = true
  /// The current turn's notes about it.
  var notes: ListNotes?
  /// The columns that have an element for each of the current rows that count.
  var gatheredColumns: [Int] = []
  /// Rows began or ceased to count, and the positions among the rows that count are not updated yet.
  var isIndexStale = false
  /// A value in its rows has changed, and the dirty state of the list is not updated yet.
  var isValueStale = false
  /// Whether ``SnapshotMarks`` already has the order of the rows, and the initial rows.
  var isOrderMarked = false
  var isBeginningMarked = false
  /// A position at which a row last differed from the beginning.
  private var difference = 0

  init(field: Int, element: Int, owner: Instance) {
    self.field = field
    self.element = element
    uncountedOwner = Uncounted(owner)
  }

  /// Whether the rows together have another value than in the beginning. It is false while the list has its initial
  /// rows, because each row then has its own differences.
  ///
  /// If the order does not count, the values of the rows count alone.
  var differsFromInitial: Bool {
    if isUnordered {
      return rows.count != initial.count
        || rows.map { owner.value(of: $0, .given) }.differs(from: initial.map(\.value))
    }
    if hasInitialRows { return false }
    if rows.count != initial.count { return true }
    func differs(_ position: Int) -> Bool { owner.value(of: rows[position], .given) != initial[position].value }
    if difference < rows.count, differs(difference) { return true }
    guard let found = rows.indices.first(where: differs) else { return false }
    difference = found
    return true
  }

  /// Whether the order of the rows does not count.
  var isUnordered: Bool { owner.tables.pointee.fields[field].isUnordered }

  /// Sets the initial rows: each row's identity, and its value then.
  func setInitial(_ rows: [(id: Int, value: JSON)]) {
    let before = initialBytes
    initial = rows
    owner.withSession { $0.madeMarks?.markBeginning(of: self) }
    owner.session.valueBytes += initialBytes - before
  }

  var initialBytes: Int { initial.reduce(0) { $0 + $1.value.approximateBytes } }

  /// Calls with each row in order, without counting references: the array keeps the rows alive.
  @inline(__always)
  func forEachRow(_ body: (Row) -> Void) { rows.forEachUncounted(body) }

  /// Other rows replace some of the rows. The columns follow, so that they need not be gathered again.
  func replaceRows(in range: Range<Int>, with new: [Row]) {
    for row in rows[range] { row.lastPosition = -1 }
    rows.replaceSubrange(range, with: new)
    ids.replaceSubrange(range, with: new.map(\.id))
    for (offset, row) in new.enumerated() { row.lastPosition = Int32(range.lowerBound + offset) }
    guard countsAll, !isIndexStale, new.allSatisfy(\.counts) else {
      countsAll = false
      gatheredColumns = []
      return
    }
    for column in gatheredColumns {
      owner.updateColumn(column) { values, slot in values.replaceSubrange(range, with: new.map { $0.slots[slot] }) }
    }
  }

  /// The position of a row, or nil if it is not in the list.
  ///
  /// Rows that come and go change the positions of all rows behind them. So no row keeps its position up to date: it is
  /// looked for from its last position on, in both directions. If it is far away, so are others, and all rows get their
  /// positions.
  fileprivate func position(of row: Row) -> Int? {
    let last = Int(row.lastPosition)
    guard last >= 0 else { return nil }
    func isAt(_ position: Int) -> Bool { rows.indices.contains(position) && rows[position] === row }
    var distance = 0
    while !isAt(last - distance), !isAt(last + distance) {
      distance += 1
      precondition(distance <= max(last, rows.count), "the row \(row.id) is nowhere in its list")
    }
    let position = isAt(last - distance) ? last - distance : last + distance
    if distance > Self.farAway {
      for (position, row) in rows.enumerated() { row.lastPosition = Int32(position) }
    } else {
      row.lastPosition = Int32(position)
    }
    return position
  }

  /// A row is far away if it was found after so many steps.
  private static let farAway = 64

  var countedRows: [Row] { rows.filter(\.counts) }

  /// Calls with each row for which another row is the row above: the next row that counts, and the rows before it.
  func forEachRow(below row: Row?, _ body: (Row) -> Void) {
    // A row without a position is new, or gone. The list is looked through when the row is in it.
    guard let row, let position = position(of: row) else { return }
    for below in rows[(position + 1)...] {
      body(below)
      if below.counts { return }
    }
  }

  /// The row above a row, among the rows that count.
  func row(above row: Row) -> Row? {
    position(of: row).flatMap { rows[..<$0].last(where: \.counts) }
  }

  /// The row at a position among those that count.
  func countedRow(at position: Int) -> Row? {
    // Usually all rows count.
    if position < rows.count, rows[position].index == position, rows[position].counts { return rows[position] }
    return rows.first { $0.index == position && $0.counts }
  }

  /// How many rows count.
  var count: Int {
    assert(!isIndexStale, "where each row stands has not been found out yet")
    return rows.last.map { $0.index + ($0.counts ? 1 : 0) } ?? 0
  }
}

extension [JSON] {
  /// Whether a list has other elements than another one, in whatever order.
  func differs(from list: [JSON]) -> Bool {
    if count != list.count { return true }
    var counts: [JSON: Int] = [:]
    for element in list { counts[element, default: 0] += 1 }
    for element in self {
      guard let count = counts[element], count > 0 else { return true }
      counts[element] = count - 1
    }
    return false
  }
}

/// A field of a session: of the form itself, or of one of its rows.
struct LiveField {
  @inline(__always)
  var instance: Instance { uncounted.object }
  private let uncounted: Uncounted<Instance>
  let field: Int

  @inline(__always)
  init(_ field: Int, in instance: Instance) {
    uncounted = Uncounted(instance)
    self.field = field
  }

  @inline(__always)
  var state: Place<FieldState> { instance.fields.at(field) }

  /// The field around it: the object that contains its value, or the list of its row.
  @inline(__always)
  var around: LiveField? {
    let parent = instance.tables.pointee.fields[field].parent
    if parent >= 0 { return LiveField(Int(parent), in: instance) }
    return instance.fieldAround
  }

  /// A field and all fields around it, the inmost first.
  struct Outwards: Sequence, IteratorProtocol {
    fileprivate var following: LiveField?

    mutating func next() -> LiveField? {
      defer { following = following?.around }
      return following
    }
  }

  /// The field itself, then all fields around it, the inmost first.
  var outwards: Outwards { Outwards(following: self) }

  /// All fields around it, the inmost first.
  var allAround: Outwards { Outwards(following: around) }

  /// The field of the form that contains it: itself, or the outermost list around it.
  var inForm: Int {
    var live = self
    while let outer = live.instance.fieldAround { live = outer }
    return live.field
  }

  /// The sums over the fields right below it.
  @inline(__always)
  var sums: Place<FieldSums> { instance.sums.at(Int(instance.tables.pointee.fields[field].sums)) }
}

extension Row {
  /// Whether it is shown. Fields in a hidden row are hidden, too.
  var isShown: Bool { fields[element].flags.contains(.isVisible) }

  /// Whether the schema, formulas and requests see it: it is shown, and it is not a blank row that its list ignores.
  var counts: Bool { isShown && !isBlank }
}

extension Instance {
  /// The list that contains the row, or nil for the form.
  @inline(__always)
  var fieldAround: LiveField? {
    if template == 0 { return nil }
    return fieldOfList
  }

  @inline(never)
  private var fieldOfList: LiveField? { row.map { LiveField($0.list.field, in: $0.list.owner) } }

  func list(of field: Int) -> RowList { list(at: Int(tables.pointee.fields[field].list)) }

  @inline(__always)
  func isList(_ field: Int) -> Bool { tables.pointee.fields[field].list >= 0 }

  /// The instance of that template around this one, or this instance itself.
  func instance(of template: Int) -> Instance {
    var instance = self
    while instance.template != template, let row = instance.row { instance = row.list.owner }
    return instance
  }

  /// Calls with each row of a template that is below this instance.
  func forEachRow(of template: Int, _ body: (Row) -> Void) {
    let inner = tables.pointee.templates[template]
    let outer = Int(inner.parent)
    if outer == self.template {
      list(of: Int(inner.list)).forEachRow(body)
    } else {
      forEachRow(of: outer) { $0.list(of: Int(inner.list)).forEachRow(body) }
    }
  }

  /// Calls with a field and all fields inside it, also the fields of its rows. Each comes after the field that contains
  /// it.
  func forEachField(from field: Int, _ body: (LiveField) -> Void) {
    forEachField(in: field..<Int(tables.pointee.fields[field].end), body)
  }

  /// Calls with several fields of the instance, and all fields inside them.
  func forEachField(in fields: Range<Int>, _ body: (LiveField) -> Void) {
    for field in fields {
      body(LiveField(field, in: self))
      if hasLists, isList(field) { for row in list(of: field).rows { row.forEachField(body) } }
    }
  }

  /// Calls with all fields of the instance, and all fields inside them.
  func forEachField(_ body: (LiveField) -> Void) { forEachField(in: ownFields, body) }

  /// Calls with the instance, and with each of the rows below it.
  func forEachInstance(_ body: (Instance) -> Void) {
    body(self)
    for list in lists { for row in list.rows { row.forEachInstance(body) } }
  }
}
