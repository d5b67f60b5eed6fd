import Synchronization

/// `take()` returns true as often as the last `arm(_:)` asked for.
final class Once: Sendable {
  private let count = Mutex(0)

  func arm(_ times: Int = 1) { count.withLock { $0 = times } }

  func take() -> Bool {
    count.withLock { count in
      if count == 0 { return false }
      count -= 1
      return true
    }
  }
}
