internal import FormProtocol
internal import JSONRPC
internal import Logging

/// ``Method/serverDisconnect``
enum ServerDisconnectMethod: ServedMethod {
  static func serve(_ params: ServerDisconnectParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    guard let connection = server.places[params.connection] else { throw .unknownConnection(params.connection) }
    server.logger.notice(
      "a client was disconnected by another",
      metadata: [
        "connection": "\(connection.number)", "pid": "\(connection.peer?.processID ?? 0)",
        "by": "\(call.connection.peer?.processID ?? 0)",
      ]
    )
    call.answer(Nothing())
    connection.end(telling: .disconnected)
  }
}
