internal import FormProtocol
internal import JSONRPC

/// ``Method/providerUnregister``
enum ProviderUnregisterMethod: ServedMethod {
  static func serve(_ params: ProviderUnregisterParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    guard server.providers.holds(params.name, call.connection.number) else { throw .unknownProvider(params.name) }
    if server.providerFaults.through(.askUnregistered, true, broken: false) {
      server.providers.unregister(params.name, call.connection.number)
    }
    if server.providerFaults.through(.endAtUnregistering, false, broken: true) { server.providerGone(call.connection) }
    call.answer(ProviderName(params.name))
  }
}
