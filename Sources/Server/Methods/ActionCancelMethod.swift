internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/actionCancel``
enum ActionCancelMethod: ServedMethod {
  static func serve(_ params: ActionCancelParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    let turn = try call.apply(input, to: session, cause: .actionCancel)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
