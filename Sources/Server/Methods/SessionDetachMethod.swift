internal import FormProtocol
internal import JSONRPC
internal import Sessions

enum SessionDetachMethod: ServedMethod {
  static func serve(_ params: SessionDetachParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    guard session.kept != nil else { throw .notKept }
    call.connection.detach(session)
    call.answer(DetachedSession(session: session.number), of: session)
  }
}
