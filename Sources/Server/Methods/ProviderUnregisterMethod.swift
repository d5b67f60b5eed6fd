internal import FormProtocol
internal import JSONRPC

enum ProviderUnregisterMethod: ServedMethod {
  static func serve(_ params: ProviderUnregisterParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    guard server.providers.holds(params.name, call.connection.number) else { throw .unknownProvider(params.name) }
    server.providers.unregister(params.name, call.connection.number)
    call.answer(ProviderName(params.name))
  }
}
