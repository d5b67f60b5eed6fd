package import FormProtocol
package import JSON
package import JSONRPC
internal import SourceTexts

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

extension ServerLimits {
  /// The schema of all limits.
  static let schema: JSON = .object(
    JSONObject(
      Limit.allCases.map { limit in
        (
          limit.wireName.description,
          [
            "type": "integer", "minimum": .integer(Int64(limit.least)), "maximum": .integer(Int64(limit.most)),
            "default": .integer(Int64(limit.standard)),
            "description": .string(limit.summary),
          ]
        )
      }
    )
  )
}

extension ConfigurationReader {
  /// Limits of one thing, and the limit of all such things together.
  private static let parts: [(part: Limit, whole: Limit)] = [
    (.sessionsPerConnectionMax, .sessionsMax), (.keptSessionsMax, .sessionsMax),
    (.definitionsPerConnectionMax, .definitionsMax), (.definitionBytesMax, .textBytesMax),
    (.textBytesMax, .unreadBytesMax), (.valueBytesPerConnectionMax, .valueBytesMax), (.valueBytesMax, .memoryMax),
    (.unreadBytesMax, .memoryMax),
  ]

  /// A session that only the daemon's memory has is kept for a day at most.
  private static let keepMaxWithoutStore = 86_400_000

  mutating func limits(_ json: JSON?, hasStore: Bool) -> ServerLimits {
    var limits = ServerLimits()
    let isWritten = { (limit: Limit) in json?[limit.wireName.description] != nil }
    for limit in Limit.allCases {
      if let number = json?[limit.wireName.description]?.integerValue { limits[limit] = Int(number) }
    }
    // A default that a lower limit makes unreachable is not a mistake.
    for (part, whole) in Self.parts where isWritten(part) && limits[part] > limits[whole] {
      let name = whole.wireName.description
      collector.report(
        "limits",
        at: JSONPointer(tokens: ["limits", part.wireName.description]),
        "\(limits[part]) is more than \"\(name)\", which is \(limits[whole])\(isWritten(whole) ? "" : " by default")",
        remedy: "lower it, or raise \"\(name)\""
      )
    }
    if !hasStore, limits[.keepMax] > Self.keepMaxWithoutStore {
      collector.report(
        "limits",
        at: JSONPointer(tokens: ["limits", Limit.keepMax.wireName.description]),
        "\(limits[.keepMax]) is more than a day (\(Self.keepMaxWithoutStore)), and without a store all kept sessions end with the daemon",
        remedy: "lower it, or add a \"store\""
      )
    }
    return limits
  }
}
