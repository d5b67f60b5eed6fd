package import JSON
internal import JSONRPC

/// Params that name a session and nothing else: `session/close`.
package struct SessionParams {
  /// nil: the connection's only session.
  package var session: Int64?

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    reader.forEachMember(of: params, names: "session") { name, node, reader in
      guard name.equals("session") else { return false }
      session = reader.integer(node, "session")
      return true
    }
    try reader.check()
    self.session = session
  }
}

/// Params that name nothing: `session/list`, `server/ping` and the like.
package struct NoParams {
  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    reader.forEachMember(of: params, names: "") { _, _, _ in false }
    try reader.check()
  }
}
