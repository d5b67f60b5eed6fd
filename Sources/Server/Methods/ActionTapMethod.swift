internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/actionTap``
enum ActionTapMethod: ServedMethod {
  static func serve(_ params: ActionTapParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.engineSession)
    guard params.awaits && call.token.wantsAnswer else {
      let turn = try call.connection.feed(session, input, cause: .actionTap, call.server)
      var answer = params.answer(to: turn)
      if params.wantsDocument { answer.document = call.connection.document(of: session) }
      return call.answer(answer, of: session)
    }
    try call.connection.checkRequestsInFlight()
    try session.checkStore()
    call.connection.audit(tap: params.action, of: session)
    let turn = session.compute(input, from: session.number(of: call.connection), call.server)
    guard let tap = turn.tap else { preconditionFailure("a tap has no result") }
    // The turn may have the tap's event already; then the request is answered when the turn is carried out.
    call.connection.waits.add(call.token, for: session, .tap(tap.token, wantsDocument: params.wantsDocument))
    session.carryOut(turn, cause: .actionTap, call.server)
  }
}
