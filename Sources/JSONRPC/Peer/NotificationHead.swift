public import JSON

/// The text before the params of every notification of one method, written once for the life of the process. It is for
/// a method that sends many notifications.
@usableFromInline
package struct NotificationHead: @unchecked Sendable {
  /// The bytes, in memory that is never written again or freed.
  @usableFromInline let bytes: PreparedBytes

  package init(_ method: StaticString) {
    let buffer = OutputBuffer()
    buffer.beginNotification(method)
    bytes = PreparedBytes(Array(buffer.bytes)) { _ in }
  }
}
