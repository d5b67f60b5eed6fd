internal import FormProtocol
internal import JSONRPC
internal import Logging

/// ``Method/providerRegister``
enum ProviderRegisterMethod: ServedMethod {
  static func serve(_ params: ProviderRegisterParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    try call.checkLength(of: params.name, at: "/name")
    if let provider = server.configuration.providers[params.name], !provider.admits(params.token) {
      server.logger.warning(
        "a client that does not have the token wanted to register a provider",
        metadata: ["name": "\(params.name.forLog)", "pid": "\(call.connection.peer?.processID ?? 0)"]
      )
      throw .wrongToken(params.name)
    }
    if server.providers.connection(params.name) != nil { throw .duplicateProvider(params.name) }
    if call.connection.providerNames.count >= server.limits[.providersPerConnectionMax] {
      throw server.limits.quotaExceeded(.providersPerConnectionMax)
    }
    server.providers.add(params.name, call.connection)
    call.connection.providerNames.append(params.name)
    call.answer(ProviderName(params.name))
  }
}
