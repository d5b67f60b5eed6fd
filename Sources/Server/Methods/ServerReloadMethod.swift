internal import Configuration
internal import FormProtocol
internal import JSONRPC

enum ServerReloadMethod: ServedMethod {
  static func serve(_ params: ServerReloadParams, _ call: ServedCall) throws(RPCError) {
    let (server, connection, token) = (call.server, call.connection, call.token)
    try connection.beginLongWait()
    connection.audit(.serverReload)
    server.environment.reload { outcome in
      connection.endLongWait()
      guard !connection.state.isGone else { return }
      server.enter()
      if let outcome {
        connection.answer(token, outcome)
      } else if token.wantsAnswer {
        connection.fail(token, .draining)
      }
      server.closeLaterIfDone(connection)
      server.endEntry()
    }
  }
}
