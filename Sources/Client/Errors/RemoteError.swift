public import FormProtocol
internal import JSON
package import JSONRPC

/// An error answer from the daemon.
public struct RemoteError: Error, Equatable, Sendable {
  /// The error code; protocol/wire.md, "Error codes", lists them all.
  public let code: Int
  /// The kind of the error. nil for the errors of JSON-RPC 2.0, section 5.1, and for errors that only newer daemons
  /// know.
  public var kind: FormErrorCode? { FormErrorCode(rawValue: code) }
  /// The message, in one sentence.
  public let message: String
  /// The details of the error: the unknown name, the nearest name, the problems of params, a limit. Empty if there are
  /// none.
  public let data: ErrorData

  /// Converts an error answer. Details that this client cannot read are left out.
  package init(_ error: RPCError) {
    code = error.code
    message = error.message
    data = error.data.flatMap { try? MessageReader.value(ErrorData.self, $0, .lenient) } ?? ErrorData()
  }
}

extension RemoteError: CustomStringConvertible {
  /// The message, its subject, the code, the hint, and each problem on its own line.
  public var description: String {
    var text = message
    if let subject { text += " \(subject)" }
    text += " (\(code))"
    if let value = data.value {
      // The details do not have the name of a limit that only newer daemons know.
      let name = data.limit.map { "\($0.wireName) = " } ?? ""
      text += "; the limit is \(name)\(value)"
    }
    if let closest = data.closest { text += "; did you mean \(closest)?" }
    if let pause = data.retryAfterMs { text += "; try again in \(pause) ms" }
    for problem in data.errors ?? [] { text += "\n  \(Self.line(for: problem))" }
    return text
  }

  /// The unknown name, or the reason of a refusal.
  private var subject: String? {
    if let step = data.step {
      return JSON.string(step).description + (data.reason == .hidden ? ", which is hidden" : "")
    }
    if let name = data.form ?? data.field ?? data.action {
      return JSON.string(name).description + (data.reason.flatMap(Self.remark) ?? "")
    }
    if let number = data.session ?? data.connection { return String(number) }
    if let name = data.method ?? data.name ?? data.instance ?? data.role?.wireName.description {
      return JSON.string(name).description
    }
    guard let reason = data.reason else { return nil }
    let location = data.path.map { " at \($0)" } ?? data.offset.map { " at byte \($0)" } ?? ""
    return "[\(reason.name)\(location)]"
  }

  /// The reason why a row is unknown, if the row existed before.
  private static func remark(about reason: ErrorReason) -> String? {
    switch reason {
    case .removed: ", which was removed"
    case .moved: ", which is in another list"
    default: nil
    }
  }

  /// A line for a problem of the params: its location and the problem.
  private static func line(for problem: InvalidParams.Problem) -> String {
    // If there is a message, `expected` is the accepted value, or the message again.
    let what = problem.message ?? "expected \(problem.expected)"
    let remedy = problem.message == nil || problem.message == problem.expected ? "" : "\n    \(problem.expected)"
    return (problem.path.isEmpty ? what : "\(problem.path): \(what)") + remedy
  }
}
