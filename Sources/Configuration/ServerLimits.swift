package import FormProtocol
package import JSON
package import JSONRPC

/// The limits in force. A limit of one connection answers with 1012, a limit of the daemon as a whole with 1011
/// (protocol/limits.md).
package struct ServerLimits: Hashable, Sendable {
  /// In the order of ``Limit/allCases``.
  private var values = Limit.allCases.map(\.standard)

  /// The defaults.
  package init() {}

  /// The value of a limit.
  package subscript(_ limit: Limit) -> Int {
    get { values[limit.rawValue] }
    set { values[limit.rawValue] = newValue }
  }

  /// 1012: that limit of a connection is reached.
  package func quotaExceeded(_ limit: Limit) -> RPCError { .quotaExceeded(limit, self[limit]) }

  /// 1011: that limit of the daemon is reached.
  package func overloaded(_ limit: Limit) -> RPCError { .overloaded(limit, self[limit]) }

  /// The limits that the readers of connections enforce.
  package var forReaders: RPCLimits {
    RPCLimits(
      textBytesMax: self[.textBytesMax],
      json: JSONLimits(depthMax: self[.depthMax], nodesMax: self[.nodesMax]),
      batchMax: self[.batchMax]
    )
  }

  /// The limits by name, for ``Method/serverInfo``.
  package var byName: JSONObject {
    JSONObject(Limit.allCases.map { ($0.wireName.description, .integer(Int64(self[$0]))) })
  }
}
