internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/sessionUndo``
enum SessionUndoMethod: ServedMethod {
  static func serve(_ params: SessionUndoParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    try session.admit(input)
    let turn = try call.apply(input, to: session, cause: .sessionUndo)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
