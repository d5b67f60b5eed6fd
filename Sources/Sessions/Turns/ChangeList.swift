internal import JSON

/// The cells that a turn has changed, with their old content. It keeps its memory from turn to turn, and access to it
/// is not checked.
///
/// The cells are in the document's order after a call of ``sort()``. A few changes are put in order as they come. They
/// come nearly in order. Only the form's own cells come after the cells that they depend on, but are before them in the
/// document. If there are many changes, they stay unsorted until that call.
struct ChangeList: ~Copyable {
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
  private static let frontRoom = 5

  init() {
    memory = .allocate(capacity: capacity)
    base = memory + Self.frontRoom
    end = base
    limit = memory + capacity
  }

  deinit {
    base.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { end == base }

  var count: Int { end - base }

  /// The changes. The view is valid as long as none is added or taken out.
  @inline(__always)
  var all: UnsafeMutableBufferPointer<DocumentChange> { UnsafeMutableBufferPointer(start: base, count: count) }

  /// Adds a change of a cell that has none yet.
  @inline(__always)
  mutating func insert(_ cell: Int, was old: consuming DocumentValue) {
    if _slowPath(end == limit) { grow() }
    end.initialize(to: DocumentChange(cell: cell, old: old))
    end += 1
    if cell > highest { highest = cell } else { putInOrder() }
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let fresh = UnsafeMutablePointer<DocumentChange>.allocate(capacity: capacity)
    let first = fresh + (base - memory)
    first.moveInitialize(from: base, count: count)
    memory.deallocate()
    memory = fresh
    end = first + count
    base = first
    limit = fresh + capacity
  }

  @inline(__always)
  mutating func removeAll() {
    // One by one, because `deinitialize(count:)` asks the type's witness table for each.
    while end > base {
      end -= 1
      _ = end.move()
    }
    base = memory + Self.frontRoom
    end = base
    highest = -1
    isUnsorted = false
  }

  /// Calls with each change, to replace its old content.
  mutating func updateEach(_ body: (inout DocumentChange) -> Void) {
    for position in 0..<count { body(&base[position]) }
  }

  mutating func removeAll(where isUnwanted: (inout DocumentChange) -> Bool) {
    var kept = 0
    for position in 0..<count {
      if isUnwanted(&base[position]) {
        (base + position).deinitialize(count: 1)
      } else {
        if kept != position { (base + kept).moveInitialize(from: base + position, count: 1) }
        kept += 1
      }
    }
    end = base + kept
  }

  /// Sorts the changes into the document's order.
  @inline(__always)
  mutating func sort() {
    if _slowPath(isUnsorted) { sortMany() }
  }

  @inline(never)
  private mutating func sortMany() {
    var changes = all
    changes.sort { $0.cell < $1.cell }
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
    let last = end - 1
    if base > memory, base.pointee.cell > last.pointee.cell {
      (base - 1).moveInitialize(from: last, count: 1)
      base -= 1
      end -= 1
      return
    }
    let moved = last.move()
    var target = last
    while target > base, target[-1].cell > moved.cell {
      target.moveInitialize(from: target - 1, count: 1)
      target -= 1
    }
    target.initialize(to: moved)
  }
}
