internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

enum ActionTapMethod: ServedMethod {
  static func serve(_ params: ActionTapParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.engineSession)
    let isAwaited = params.awaits && call.token.wantsAnswer
    if isAwaited { try call.connection.checkRequestsInFlight() }
    let turn = try call.connection.feed(session, input, cause: .actionTap, call.server) { turn in
      // The turn may have the tap's event already; then the request is answered when the turn is carried out.
      guard isAwaited, let tap = turn.tap else { return }
      call.connection.waits.add(call.token, for: session, .tap(tap.token, wantsDocument: params.wantsDocument))
    }
    if isAwaited { return }
    var answer = params.answer(to: turn)
    if params.wantsDocument { answer.document = call.connection.document(of: session) }
    call.answer(answer, of: session)
  }
}
