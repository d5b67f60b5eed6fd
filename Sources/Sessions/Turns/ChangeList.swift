internal import DocumentProperties
internal import JSON

/// Changes in memory that their owner keeps while they are looked at.
@safe struct DocumentChanges {
  private let changes: UnsafeBufferPointer<DocumentChange>

  @unsafe @inline(__always)
  fileprivate init(_ changes: UnsafeBufferPointer<DocumentChange>) { unsafe self.changes = changes }

  @inline(__always)
  var count: Int { unsafe changes.count }

  /// A change in its place.
  @inline(__always)
  func at(_ position: Int) -> Reference<DocumentChange> { unsafe Reference(changes.baseAddress! + position) }

  /// The changes as a copy, which a later turn does not change.
  var array: [DocumentChange] { unsafe Array(changes) }

  /// Calls with the elements of an array.
  static func with<Result>(_ changes: [DocumentChange], _ body: (DocumentChanges) -> Result) -> Result {
    unsafe changes.withUnsafeBufferPointer { unsafe body(DocumentChanges($0)) }
  }
}

/// The cells that a turn has changed, with their old content. It keeps its memory from turn to turn, and access to it
/// is not checked.
///
/// The cells are in the document's order after a call of ``sort()``. A few changes are put in order as they come. They
/// come nearly in order. Only the form's own cells come after the cells that they depend on, but are before them in the
/// document. If there are many changes, they stay unsorted until that call.
@safe struct ChangeList: ~Copyable {
  private var memory: UnsafeMutablePointer<DocumentChange>
  private var capacity = 16
  /// The first change. There may be room in front of it.
  private var base: UnsafeMutablePointer<DocumentChange>
  /// Behind the last change.
  private var end: UnsafeMutablePointer<DocumentChange>
  /// Behind the memory.
  private var limit: UnsafeMutablePointer<DocumentChange>
  /// No change is of a higher cell.
  private var highest = -1
  /// Whether a change comes after a change of a higher cell.
  private var isUnsorted = false

  /// The number of changes up to which each is put in order as it comes.
  private static let sortedMax = 32
  /// Room in front of the first change for all cells of the form itself.
  private let frontRoom = FormProperty.inDocument.count

  init() {
    unsafe memory = .allocate(capacity: capacity)
    unsafe base = memory + frontRoom
    unsafe end = base
    unsafe limit = memory + capacity
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe memory.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { unsafe end == base }

  var count: Int { unsafe end - base }

  /// The changes. The view is valid as long as none is added or taken out.
  @inline(__always)
  var all: DocumentChanges { unsafe DocumentChanges(UnsafeBufferPointer(start: base, count: count)) }

  /// Adds a change of a cell that has none yet.
  @inline(__always)
  mutating func insert(_ cell: Int, was old: consuming DocumentValue) {
    if unsafe _slowPath(end == limit) { grow() }
    unsafe end.initialize(to: DocumentChange(cell: cell, old: old))
    unsafe end += 1
    if cell > highest { highest = cell } else { putInOrder() }
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let count = count
    let fresh = UnsafeMutablePointer<DocumentChange>.allocate(capacity: capacity)
    let first = unsafe fresh + (base - memory)
    unsafe first.moveInitialize(from: base, count: count)
    unsafe memory.deallocate()
    unsafe memory = fresh
    unsafe end = first + count
    unsafe base = first
    unsafe limit = fresh + capacity
  }

  @inline(__always)
  mutating func removeAll() {
    // One by one, because `deinitialize(count:)` asks the type's witness table for each.
    while unsafe end > base {
      unsafe end -= 1
      // Most changes are of flags, which own no memory.
      if case .bool = unsafe end.pointee.old { continue }
      _ = unsafe end.move()
    }
    unsafe base = memory + frontRoom
    unsafe end = base
    highest = -1
    isUnsorted = false
  }

  /// Calls with each change, to replace its old content.
  mutating func updateEach(_ body: (inout DocumentChange) -> Void) {
    for position in 0..<count { unsafe body(&base[position]) }
  }

  mutating func removeAll(where isUnwanted: (inout DocumentChange) -> Bool) {
    var kept = 0
    for position in 0..<count {
      if unsafe isUnwanted(&base[position]) {
        unsafe (base + position).deinitialize(count: 1)
      } else {
        if kept != position { unsafe (base + kept).moveInitialize(from: base + position, count: 1) }
        kept += 1
      }
    }
    unsafe end = base + kept
  }

  /// Sorts the changes into the document's order.
  @inline(__always)
  mutating func sort() {
    if _slowPath(isUnsorted) { sortMany() }
  }

  @inline(never)
  private mutating func sortMany() {
    var changes = unsafe UnsafeMutableBufferPointer(start: base, count: count)
    unsafe changes.sort { $0.cell < $1.cell }
    isUnsorted = false
  }

  /// Moves the last change to a position before the changes of higher cells, as long as there are few. It moves memory,
  /// so nothing is copied and no reference is counted.
  @inline(never)
  private mutating func putInOrder() {
    if isUnsorted || count > Self.sortedMax {
      isUnsorted = true
      return
    }
    let last = unsafe end - 1
    if unsafe base > memory && base.pointee.cell > last.pointee.cell {
      unsafe (base - 1).moveInitialize(from: last, count: 1)
      unsafe base -= 1
      unsafe end -= 1
      return
    }
    let moved = unsafe last.move()
    var target = unsafe last
    while unsafe target > base && target[-1].cell > moved.cell {
      unsafe target.moveInitialize(from: target - 1, count: 1)
      unsafe target -= 1
    }
    unsafe target.initialize(to: moved)
  }
}
