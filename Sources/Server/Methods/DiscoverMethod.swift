internal import FormProtocol
internal import JSONRPC

/// ``Method/discover``
enum DiscoverMethod: ServedMethod {
  static func serve(_ params: DiscoverParams, _ call: ServedCall) throws(RPCError) {
    call.answer(OpenRPCDocument.json)
  }
}
