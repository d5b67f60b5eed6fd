internal import JSON
internal import JSONRPC

/// A message that was read, and waits for its turn.
enum QueuedMessage {
  case initialize(RequestToken, InitializeParams)
  case initialized
  case shutdown(RequestToken)
  case exit
  case notice(any EditorNotice)
  case request(RequestToken, any EditorRequest)
  case workspaceDiagnostic(RequestToken, WorkspaceDiagnosticParams)
  /// The answer to a request of the server's; nil where the editor refused it.
  case answer(Int, JSON?)
  /// A request that was found wrong, or was taken back, before its turn.
  case refused(RequestToken, RPCError)

  /// What is to be answered; nil for a notification.
  var token: RequestToken? {
    switch self {
    case .initialize(let token, _), .shutdown(let token), .request(let token, _), .workspaceDiagnostic(let token, _),
      .refused(let token, _):
      token
    case .initialized, .exit, .notice, .answer: nil
    }
  }
}
