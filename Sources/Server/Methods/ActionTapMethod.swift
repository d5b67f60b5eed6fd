internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/actionTap``
enum ActionTapMethod: ServedMethod {
  static func serve(_ params: ActionTapParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    guard params.awaits && call.token.wantsAnswer else {
      let turn = try call.apply(input, to: session, cause: .actionTap)
      var answer = params.answer(to: turn)
      if params.wantsDocument { answer.document = call.connection.document(of: session) }
      return call.answer(answer, of: session)
    }
    try call.connection.checkRequestsInFlight()
    try session.checkStore()
    let turn = session.compute(input, from: call.connection)
    guard let tap = turn.tap else { preconditionFailure("a tap has no result") }
    // The turn may have the tap's event already; then the request is answered when the turn is carried out.
    call.connection.waits.add(call.token, for: session, .tap(tap.token, wantsDocument: params.wantsDocument))
    session.carryOut(turn, cause: .actionTap)
  }
}
