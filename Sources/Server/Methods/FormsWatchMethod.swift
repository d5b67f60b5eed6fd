internal import FormProtocol
internal import JSONRPC

enum FormsWatchMethod: ServedMethod {
  static func serve(_ params: FormsWatchParams, _ call: ServedCall) throws(RPCError) {
    call.connection.watchForms()
    call.answer(call.server.loadedForms)
  }
}
