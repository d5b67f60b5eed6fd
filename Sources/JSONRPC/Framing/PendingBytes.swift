#if canImport(Glibc)
  internal import Glibc
#endif

/// Collected bytes: the first part of a text that has not arrived whole, or bytes that are not to be read yet. The
/// memory grows with the bytes that arrive, never with an announced length, and is freed when it is emptied.
struct PendingBytes: ~Copyable {
  /// Owned; nil exactly when `capacity` is 0.
  private var base: UnsafeMutablePointer<UInt8>?
  /// Bytes of memory.
  private(set) var capacity = 0
  /// Bytes collected; never more than `capacity`.
  private(set) var count = 0

  deinit {
    base?.deallocate()
  }

  /// The bytes; valid until the next change.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    guard let start = source.baseAddress, !source.isEmpty else { return }
    if capacity - count < source.count {
      let wanted = max(capacity * 2, count + source.count, 64)
      let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
      if let base {
        fresh.update(from: base, count: count)
        base.deallocate()
      }
      base = fresh
      capacity = wanted
    }
    guard let base else { return }
    memcpy(base + count, start, source.count)
    count += source.count
  }

  /// Forgets the first bytes; the bytes after them move to the front.
  mutating func removeFirst(_ dropped: Int) {
    precondition(dropped <= count, "\(dropped) of \(count) bytes")
    guard dropped > 0, let base else { return }
    count -= dropped
    memmove(base, base + dropped, count)
  }

  mutating func removeAll() {
    base?.deallocate()
    base = nil
    capacity = 0
    count = 0
  }
}
