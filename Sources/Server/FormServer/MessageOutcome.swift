internal import JSONRPC

/// How a message of a client has ended, for the log.
enum MessageOutcome: CustomStringConvertible {
  /// It was answered, or needs no answer.
  case done
  /// It was refused with the error of that code.
  case failed(Int)
  /// It is answered later.
  case waits

  var description: String {
    switch self {
    case .done: "done"
    case .failed(let code): "error \(code)"
    case .waits: "waits"
    }
  }
}
