internal import JSON
internal import Texts

/// The cells that a turn has changed, with what they held. It keeps its memory from turn to turn and is reached without checks.
struct ChangeList: ~Copyable {
  private var base: UnsafeMutablePointer<DocumentChange>
  private var capacity = 16
  private(set) var count = 0

  init() {
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// The changes, as long as none is added or taken out.
  @inline(__always)
  var all: UnsafeMutableBufferPointer<DocumentChange> { UnsafeMutableBufferPointer(start: base, count: count) }

  @inline(__always)
  mutating func append(_ cell: Int, was old: consuming DocumentValue) {
    if count == capacity { grow() }
    (base + count).initialize(to: DocumentChange(cell: cell, old: old))
    count &+= 1
  }

  private mutating func grow() {
    let fresh = UnsafeMutablePointer<DocumentChange>.allocate(capacity: capacity * 2)
    fresh.moveInitialize(from: base, count: count)
    base.deallocate()
    base = fresh
    capacity *= 2
  }

  @inline(__always)
  mutating func removeAll() {
    // One by one: `deinitialize(count:)` asks the type's witness table for each. Most hold no reference, and nothing is to be given back.
    for position in 0..<count where !(base + position).borrowed.pointee.holdsNoReference() {
      _ = (base + position).move()
    }
    count = 0
  }

  mutating func removeAll(where isUnwanted: (borrowing DocumentChange) -> Bool) {
    var kept = 0
    for position in 0..<count {
      if isUnwanted(base[position]) {
        (base + position).deinitialize(count: 1)
      } else {
        if kept != position { (base + kept).moveInitialize(from: base + position, count: 1) }
        kept += 1
      }
    }
    count = kept
  }

  /// Sorts the changes into the document's order. Most turns have few changes, and those are nearly in order.
  @inline(__always)
  mutating func sort() {
    if count > 32 { return sortMany() }
    var end = 1
    while end < count {
      let cell = base[end].cell
      if base[end &- 1].cell > cell { moveDown(end) }
      end &+= 1
    }
  }

  private func sortMany() {
    var changes = all
    changes.sort { $0.cell < $1.cell }
  }

  /// Moves a change to before those of higher cells: as memory, so nothing is copied and nothing is counted.
  private mutating func moveDown(_ end: Int) {
    let moved = (base + end).move()
    var position = end
    while position > 0, base[position &- 1].cell > moved.cell {
      (base + position).moveInitialize(from: base + position - 1, count: 1)
      position &-= 1
    }
    (base + position).initialize(to: moved)
  }
}

extension Borrowed<DocumentChange> {
  /// Whether what the cell held is all in the change itself: a truth, a small text, errors that were prepared.
  @inline(__always)
  fileprivate borrowing func holdsNoReference() -> Bool {
    switch content.old {
    case .bool, .errors(.none), .errors(.one(.prepared)): true
    case .json(.string(let text)): SmallText(text) != nil
    default: false
    }
  }
}
