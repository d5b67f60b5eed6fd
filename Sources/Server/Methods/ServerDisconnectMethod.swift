internal import FormProtocol
internal import JSONRPC
internal import Logging

enum ServerDisconnectMethod: ServedMethod {
  static func serve(_ params: ServerDisconnectParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    guard let connection = server.seats[params.connection] else { throw .unknownConnection(params.connection) }
    server.logger.notice(
      "a client was disconnected by \(connection === call.connection ? "itself" : "another")",
      metadata: connection.logMetadata.merging(["by": "\(call.connection.peer?.processID ?? 0)"]) { $1 }
    )
    call.connection.audit(.serverDisconnect, nil, ["disconnected": "\(connection.number)"])
    call.answer(Nothing())
    if connection === call.connection {
      connection.endItself()
    } else {
      connection.end(with: .disconnected)
    }
  }
}
