internal import FormProtocol
internal import JSONRPC

/// ``Method/providerRegister``
enum ProviderRegisterMethod: ServedMethod {
  static func serve(_ params: ProviderRegisterParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    try call.checkLength(of: params.name, at: "/name")
    if server.providers.connection(params.name) != nil { throw .duplicateProvider(params.name) }
    if call.connection.providerNames.count >= server.limits[.providersPerConnectionMax] {
      throw server.limits.quotaExceeded(.providersPerConnectionMax)
    }
    server.providers.add(params.name, call.connection)
    call.connection.providerNames.append(params.name)
    call.answer(ProviderName(params.name))
  }
}
