internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/fieldToggle``
enum FieldToggleMethod: ServedMethod {
  static func serve(_ params: FieldToggleParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    let turn = try call.apply(input, to: session, cause: .fieldToggle)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
