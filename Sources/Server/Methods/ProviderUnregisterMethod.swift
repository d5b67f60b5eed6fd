internal import FormProtocol
internal import JSONRPC
internal import Sessions
internal import Texts

/// ``Method/providerUnregister``
enum ProviderUnregisterMethod: ServedMethod {
  static func serve(_ params: ProviderUnregisterParams, _ call: ServedCall) throws(RPCError) {
    let connection = call.connection
    guard call.server.providers.connection(params.name) === connection else { throw .unknownProvider(params.name) }
    call.server.providers.remove(params.name)
    connection.providerNames.removeAll { $0.hasSameUTF8(as: params.name) }
    for question in connection.questions.takeAll(to: params.name) {
      call.server.answer(question, .init(kind: .gone, reason: "the provider unregistered"))
    }
    call.answer(ProviderName(params.name))
  }
}
