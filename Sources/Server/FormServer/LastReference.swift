internal import Synchronization

/// What is given up and takes long to free, like a form of some thousand cells: whoever calls ``release()`` frees it.
final class LastReference<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Frees the value, if nobody else has it.
  func release() {
    _ = value.withLock { $0.take() }
  }
}
