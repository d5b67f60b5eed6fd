internal import JSON
internal import JSONRPC

/// Every bound that protects the daemon, with its default. Those of one connection answer with 1012, those of the daemon as a
/// whole with 1011 (protocol/README.md, "Limits").
package struct ServerLimits: Hashable, Sendable {
  /// Bytes of one text; more is -32007.
  package var textBytesMax = 4 << 20
  /// Arrays and objects inside each other in one text.
  package var depthMax = 64
  /// Values in one text.
  package var nodesMax = 100_000
  /// Members of a batch.
  package var batchMax = 50
  /// Connections at once.
  package var connectionsMax = 4096
  /// Sessions of one connection.
  package var sessionsPerConnectionMax = 1000
  /// Sessions of all connections.
  package var sessionsMax = 100_000
  /// Bytes of field values that the sessions of one connection hold; values under 1 KiB are not counted.
  package var valueBytesPerConnectionMax = 16 << 20
  /// Bytes of field values that all sessions hold.
  package var valueBytesMax = 256 << 20
  /// Sessions of one connection with a definition of their own.
  package var definitionsPerConnectionMax = 16
  /// Sessions of all connections with a definition of their own.
  package var definitionsMax = 256
  /// Bytes of one definition.
  package var definitionBytesMax = 256 << 10
  /// Requests of one connection that wait for an outcome.
  package var requestsInFlightMax = 64
  /// Providers of one connection.
  package var providersPerConnectionMax = 64
  /// Unread output of one connection from which on updates are held back and nothing more is read.
  package var outputSoftBytes = 256 << 10
  /// What is kept of events for one session while they are held back.
  package var outputHardBytes = 4 << 20
  /// Events kept for one session while they are held back.
  package var eventsKeptMax = 256
  /// A connection over the soft limit that drains nothing for so long is ended.
  package var stallMs = 10_000
  /// How long the daemon waits for accepted requests when it ends.
  package var drainMs = 5000

  /// The defaults.
  package init() {}

  /// Every limit with its name in the configuration, the least value that makes sense, and what it bounds.
  static let all:
    [(name: String, path: any WritableKeyPath<ServerLimits, Int> & Sendable, least: Int, summary: String)] = [
      (
        "textBytesMax", \.textBytesMax, 1024,
        "Bytes of one text; more is -32007."
      ),
      (
        "depthMax", \.depthMax, 8,
        "Arrays and objects inside each other in one text."
      ),
      (
        "nodesMax", \.nodesMax, 100,
        "Values in one text."
      ),
      (
        "batchMax", \.batchMax, 1,
        "Members of a batch."
      ),
      (
        "connectionsMax", \.connectionsMax, 1,
        "Connections at once."
      ),
      (
        "sessionsPerConnectionMax", \.sessionsPerConnectionMax, 1,
        "Sessions of one connection."
      ),
      (
        "sessionsMax", \.sessionsMax, 1,
        "Sessions of all connections."
      ),
      (
        "valueBytesPerConnectionMax", \.valueBytesPerConnectionMax, 1024,
        "Bytes of field values that the sessions of one connection hold; values under 1 KiB are not counted."
      ),
      (
        "valueBytesMax", \.valueBytesMax, 1024,
        "Bytes of field values that all sessions hold."
      ),
      (
        "definitionsPerConnectionMax", \.definitionsPerConnectionMax, 0,
        "Sessions of one connection with a definition of their own."
      ),
      (
        "definitionsMax", \.definitionsMax, 0,
        "Sessions of all connections with a definition of their own."
      ),
      (
        "definitionBytesMax", \.definitionBytesMax, 1024,
        "Bytes of one definition."
      ),
      (
        "requestsInFlightMax", \.requestsInFlightMax, 1,
        "Requests of one connection that wait for an outcome."
      ),
      (
        "providersPerConnectionMax", \.providersPerConnectionMax, 0,
        "Providers of one connection."
      ),
      (
        "outputSoftBytes", \.outputSoftBytes, 4096,
        "Unread output of one connection from which on updates are held back and nothing more is read."
      ),
      (
        "outputHardBytes", \.outputHardBytes, 4096,
        "What is kept of events for one session while they are held back."
      ),
      (
        "eventsKeptMax", \.eventsKeptMax, 1,
        "Events kept for one session while they are held back."
      ),
      (
        "stallMs", \.stallMs, 1,
        "A connection over the soft limit that drains nothing for so long is ended."
      ),
      (
        "drainMs", \.drainMs, 0,
        "How long the daemon waits for accepted requests when it ends."
      ),
    ]

  /// What the RPC layer is to enforce.
  var rpc: RPCLimits {
    RPCLimits(
      textBytesMax: textBytesMax,
      json: JSONLimits(depthMax: depthMax, nodesMax: nodesMax),
      batchMax: batchMax
    )
  }

  /// The limits by name, for `server/info`.
  var json: JSON {
    var object = JSONObject()
    for limit in Self.all { object[limit.name] = .integer(Int64(self[keyPath: limit.path])) }
    return .object(object)
  }
}
