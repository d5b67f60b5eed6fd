public import JSON

package struct ServerInfoParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.serverInfo
  package static let name: StaticString = "server/info"
  package static let role: Role? = nil
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "Information about this daemon"
  package static let details =
    "`instanceId` changes with every start, so that clients notice a restart. `limits` are the limits in force."
  package static var example: (params: Self, answer: ServerInfo) { (Self(), .example) }
}

/// The description of a daemon: the answer to `server/info`.
public struct ServerInfo: Message, Sendable {
  /// The program's name, `formd`.
  public var name = "formd"
  /// The program's version.
  public var version = ""
  /// The version of the protocol.
  public var protocolVersion = OpenRPCDocument.protocolVersion
  /// The identity of this start of the daemon: sessions of another instance are gone.
  public var instanceID = ""
  /// The daemon's process.
  public var processID: Int64 = 0
  /// How many forms the daemon has.
  public var formCount = 0
  /// The limits in force, by name.
  public var limits = JSONObject()

  package init() {}

  package static let schemaName: StaticString? = "ServerInfo"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "formd")
    members.required("version", &version, "Its version.")
    members.required("protocolVersion", &protocolVersion, "The version of the protocol.")
    members.required("instanceId", &instanceID, "Changes with every start.")
    members.required("pid", &processID, "Its process.")
    members.required("forms", &formCount, "How many forms it has.")
    members.required("limits", &limits, as: LimitTable.self, "The limits in force, by name.")
  }

  static var example: ServerInfo {
    var info = ServerInfo()
    info.version = "0.1.0"
    info.instanceID = "5f0c2f6b9d3e4a17"
    info.processID = 4711
    info.formCount = 5
    info.limits = JSONObject(Limit.allCases.map { ($0.wireName.description, .integer(Int64($0.standard))) })
    return info
  }
}
