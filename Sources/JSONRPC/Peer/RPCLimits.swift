package import JSON

/// Bounds on what a connection's other side may send.
package struct RPCLimits: Hashable, Sendable {
  /// Bytes of one text.
  package var textBytesMax: Int
  /// Depth and number of values of one text.
  package var json: JSONLimits
  /// Members of one batch.
  package var batchMax: Int

  /// The documented defaults (protocol/README.md, "Limits").
  package init(textBytesMax: Int = 4 << 20, json: JSONLimits = .message, batchMax: Int = 50) {
    self.textBytesMax = textBytesMax
    self.json = json
    self.batchMax = batchMax
  }
}
