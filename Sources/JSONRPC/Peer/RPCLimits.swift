package import JSON

/// Bounds on the messages of a connection's other side. It is an object because a daemon's connections share it.
package final class RPCLimits: Sendable {
  /// Bytes of one text.
  package let textBytesMax: Int
  /// Depth and number of values of one text.
  package let json: JSONLimits
  /// Members of one batch.
  package let batchMax: Int

  /// The documented defaults (protocol/limits.md).
  package init(textBytesMax: Int = 4 << 20, json: JSONLimits = .message, batchMax: Int = 50) {
    self.textBytesMax = textBytesMax
    self.json = json
    self.batchMax = batchMax
  }
}
