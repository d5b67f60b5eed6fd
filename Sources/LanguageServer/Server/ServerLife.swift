internal import JSONRPC

/// The life of a server, as the protocol's "Lifecycle Messages" have it.
enum ServerLife: Equatable {
  /// Nothing was said yet. Then `running` or `ended`.
  case created
  /// The editor and the server know of each other. Then `shutDown` or `ended`.
  case running
  /// The editor wants no more. Then `ended`.
  case shutDown
  /// The process is to end with that status.
  case ended(Int32)

  /// Why a request is refused; nil where it is served.
  var refusal: RPCError? {
    switch self {
    case .created: .notInitialized
    case .running: nil
    case .shutDown, .ended: .isShutDown
    }
  }

  /// The editor takes its leave, or is gone. It is a failure where it did not say so before.
  mutating func exited() {
    if case .ended = self { return }
    self = .ended(self == .shutDown ? 0 : 1)
  }
}
