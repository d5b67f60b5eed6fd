internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/stepShow``
enum StepShowMethod: ServedMethod {
  static func serve(_ params: StepShowParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let step = try session.session.form.position(ofStep: params.step)
    guard session.session.isVisible(step: step) else { throw .hiddenStep(params.step) }
    call.answer(InputAnswer(revision: session.apply(.show(step: step), cause: .stepShow).revision))
  }
}
