internal import FormProtocol
internal import JSONRPC

enum DiscoverMethod: ServedMethod {
  static func serve(_ params: DiscoverParams, _ call: ServedCall) throws(RPCError) {
    call.answer(OpenRPCDocument.json)
  }
}
