internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/sessionSetLocale``
enum SessionSetLocaleMethod: ServedMethod {
  static func serve(_ params: SessionSetLocaleParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    try call.checkLength(of: params.locale, at: "/locale")
    let turn = try call.apply(params.input, to: session, cause: .sessionSetLocale)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
