/// The carrier of a connection's bytes: a socket, or a test. Used on one thread only.
package protocol ConnectionTransport: AnyObject {
  /// Sends bytes, or queues bytes that the other side does not take yet. Returns whether it is still writable: the
  /// unsent bytes do not exceed the soft limit.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
  /// Bytes that were written and not yet taken.
  var unsentBytes: Int { get }
  /// Bytes that were written and that the other side has not read, wherever they are. The number is approximate, and
  /// becomes smaller when the other side has read some.
  var inFlightBytes: Int { get }
  /// Whether input is wanted; bytes that were read already may still come.
  func setReading(_ isReading: Bool)
  /// Ends the connection when all bytes are sent.
  func closeAfterSending()
  /// Ends the connection now.
  func abort()
}
