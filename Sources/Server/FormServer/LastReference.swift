internal import Synchronization

/// A value that takes long to free, such as a form of some thousand cells. The thread that calls ``release()`` frees
/// it.
final class LastReference<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Frees the value, if this was the last reference.
  func release() {
    _ = value.withLock { $0.take() }
  }
}
