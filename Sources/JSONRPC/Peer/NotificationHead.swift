public import JSON

/// What stands before the params of every notification of one method, written once for the life of the process: for a method whose
/// notifications are many.
@usableFromInline
package struct NotificationHead: @unchecked Sendable {
  /// The bytes, in memory that nobody writes to again or gives back.
  @usableFromInline let bytes: PreparedBytes

  /// The head of that method's notifications.
  package init(_ method: StaticString) {
    let buffer = OutputBuffer()
    buffer.beginNotification(method)
    bytes = PreparedBytes(Array(buffer.bytes)) { _ in }
  }
}
