/// Values of open containers; the values of the innermost one are on top.
struct ReadingStack<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity = 64
  private(set) var count = 0

  init() {
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// The top one; there must be one.
  var last: UnsafeMutablePointer<Element> { base + (count - 1) }

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  /// Takes the values from a position on off the stack.
  mutating func take(from start: Int) -> [Element] {
    let taken = count - start
    count = start
    let source = base + start
    return Array(unsafeUninitializedCapacity: taken) { buffer, initialized in
      guard let target = buffer.baseAddress else { return }
      target.moveInitialize(from: source, count: taken)
      initialized = taken
    }
  }
}
