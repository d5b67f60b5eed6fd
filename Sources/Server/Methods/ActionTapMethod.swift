internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/actionTap``
enum ActionTapMethod: ServedMethod {
  static func serve(_ params: ActionTapParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let action = try session.session.form.address(ofAction: params.action)
    guard params.awaits && call.token.wantsAnswer else {
      let turn = session.apply(.tap(action: action), cause: .actionTap)
      return call.answer(TapAnswer(turn))
    }
    try call.connection.checkRequestsInFlight()
    let turn = session.compute(.tap(action: action))
    guard let tap = turn.tap else { preconditionFailure("a tap comes to something") }
    // The turn may have the tap's event already; then carrying the turn out answers at once.
    call.connection.waits.add(call.token, for: session, .tap(tap.token))
    session.carryOut(turn, cause: .actionTap)
  }
}
