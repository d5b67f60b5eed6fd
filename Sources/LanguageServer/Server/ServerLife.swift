internal import JSONRPC

/// The state of a server, after the protocol's "Lifecycle Messages".
enum ServerLife: Equatable {
  /// No message was handled yet. The next state is `running` or `ended`.
  case created
  /// The server is initialized. The next state is `shutDown` or `ended`.
  case running
  /// The editor asked for the shutdown. The next state is `ended`.
  case shutDown
  /// The process ends with that status.
  case ended(Int32)

  /// The error for a request in this state; nil if requests are served.
  var refusal: RPCError? {
    switch self {
    case .created: .notInitialized
    case .running: nil
    case .shutDown, .ended: .isShutDown
    }
  }

  /// Handles `exit` and the end of the input. The status is a failure if no `shutdown` came before.
  mutating func exited() {
    if case .ended = self { return }
    self = .ended(self == .shutDown ? 0 : 1)
  }
}
