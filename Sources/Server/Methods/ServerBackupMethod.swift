internal import FormProtocol
internal import JSONRPC
internal import Logging

enum ServerBackupMethod: ServedMethod {
  static func serve(_ params: ServerBackupParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    guard let storedSessions = call.server.storedSessions else { throw .notCopied("the daemon has no store") }
    storedSessions.backUp(to: params.file) { [server = call.server] result in
      guard !call.connection.state.isGone else { return }
      switch result {
      case .success(let bytes):
        call.connection.audit(.serverBackup, nil, ["file": "\(params.file.forLog)"])
        server.logger.notice("the store was copied", metadata: ["file": "\(params.file.forLog)", "bytes": "\(bytes)"])
        call.answer(StoreCopy(bytes: bytes))
      case .failure(let error): call.connection.fail(call.token, error)
      }
      server.closeLaterIfDone(call.connection)
    }
  }
}
