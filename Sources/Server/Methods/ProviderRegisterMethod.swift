internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Logging

enum ProviderRegisterMethod: ServedMethod {
  static func serve(_ params: ProviderRegisterParams, _ call: ServedCall) throws(RPCError) {
    let server = call.server
    let holder = call.connection.number
    try InvalidParams.checkLength(of: params.name, at: "/name")
    if let provider = server.configuration.providers[params.name], !provider.admits(params.token) {
      server.logger.warning(
        "a client without the token tried to register a provider",
        metadata: ["name": "\(params.name.forLog)", "pid": "\(call.connection.peer?.processID ?? 0)"]
      )
      throw .wrongToken(params.name)
    }
    let holdersMax = server.configuration.holdersMax(of: params.name)
    guard server.providers.admits(params.name, holder, holdersMax: holdersMax) else {
      throw .duplicateProvider(params.name)
    }
    if server.providers.nameCount(of: holder) >= server.limits[.providersPerConnectionMax] {
      throw server.limits.quotaExceeded(.providersPerConnectionMax)
    }
    server.providers.register(params.name, holder)
    call.connection.audit(.providerRegister, nil, ["name": "\(params.name.forLog)"])
    call.answer(ProviderName(params.name))
  }
}
