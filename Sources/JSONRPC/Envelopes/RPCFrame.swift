package import JSON

/// A message as a JSON value, for programs that record messages and compare them; other programs read messages with
/// ``RPCReader``.
package struct RPCFrame: Sendable {
  /// The whole message.
  package var json: JSON

  /// A view of that message.
  package init(_ json: JSON) {
    self.json = json
  }

  /// The id, unchanged; nil for a notification.
  package var id: JSON? { json["id"] }

  /// The method; nil for an answer.
  package var method: String? { json["method"]?.stringValue }

  /// The error of an answer; nil for all other messages.
  package var error: RPCError? { json["error"].map { RPCError(received: $0) } }
}
