internal import FormProtocol
internal import JSONRPC

enum ServerInfoMethod: ServedMethod {
  static func serve(_ params: ServerInfoParams, _ call: ServedCall) throws(RPCError) {
    call.answer(call.server.info)
  }
}
