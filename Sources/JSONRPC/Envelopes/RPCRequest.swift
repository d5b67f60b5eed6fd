package import JSON

/// A request or a notification, by the rules of JSON-RPC. Its views are valid only while its text is.
package struct RPCRequest {
  /// nil for a notification.
  package var id: RequestID?
  /// The method's name in UTF-8.
  package var method: UnsafeBufferPointer<UInt8>
  /// nil when absent or `null`.
  package var params: JSONNode?
}
