internal import JSON
internal import JSONRPC

/// A message that was read, and waits for the messages before it.
enum QueuedMessage {
  case initialize(RequestToken, InitializeParams)
  case initialized
  case shutdown(RequestToken)
  case exit
  case notice(any EditorNotice)
  case request(RequestToken, any EditorRequest)
  case workspaceDiagnostic(RequestToken, WorkspaceDiagnosticParams)
  /// The answer to a request of the server's; nil if the editor refused it.
  case answer(Int, JSON?)
  /// A request that was found invalid, or was cancelled, before it was handled.
  case refused(RequestToken, RPCError)

  /// The request to answer; nil for a notification.
  var token: RequestToken? {
    switch self {
    case .initialize(let token, _), .shutdown(let token), .request(let token, _), .workspaceDiagnostic(let token, _),
      .refused(let token, _):
      token
    case .initialized, .exit, .notice, .answer: nil
    }
  }
}
