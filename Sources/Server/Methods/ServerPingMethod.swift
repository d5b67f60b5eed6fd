internal import FormProtocol
internal import JSONRPC

enum ServerPingMethod: ServedMethod {
  static func serve(_ params: ServerPingParams, _ call: ServedCall) throws(RPCError) {
    call.answer(Pong(instanceID: call.server.instanceID, notReady: call.server.notReady.map(\.description)))
  }
}
