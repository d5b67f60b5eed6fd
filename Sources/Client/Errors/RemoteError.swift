public import FormProtocol
internal import JSON
package import JSONRPC

/// An error that the daemon answered with.
public struct RemoteError: Error, Equatable, Sendable {
  /// Which error; protocol/wire.md, "Error codes", lists them all.
  public let code: Int
  /// Which error, where it is none of JSON-RPC 2.0, section 5.1; nil for those, and for one that only a later daemon knows.
  public var kind: FormErrorCode? { FormErrorCode(rawValue: code) }
  /// One sentence.
  public let message: String
  /// What belongs to the code: the name that is unknown, the nearest one, the faults of params, a limit. Empty where there is nothing.
  public let data: ErrorData

  /// The error as it came. Data that this client cannot read are left out.
  package init(_ error: RPCError) {
    code = error.code
    message = error.message
    data = error.data.flatMap { try? MessageReader.value(ErrorData.self, $0, .lenient) } ?? ErrorData()
  }
}

extension RemoteError: CustomStringConvertible {
  /// The message, what it is about, the code, what to do, and each fault on a line of its own.
  public var description: String {
    var text = message
    if let subject { text += " \(subject)" }
    text += " (\(code))"
    if let value = data.value {
      // The name of a limit that only a later daemon knows is not in the data.
      let name = data.limit.map { "\($0.wireName) = " } ?? ""
      text += "; the limit is \(name)\(value)"
    }
    if let closest = data.closest { text += "; did you mean \(closest)?" }
    if let pause = data.retryAfterMs { text += "; try again in \(pause) ms" }
    for fault in data.errors ?? [] { text += "\n  \(Self.line(for: fault))" }
    return text
  }

  /// The name that is unknown, or the reason of a refusal.
  private var subject: String? {
    if let step = data.step {
      return JSON.string(step).description + (data.reason == .hidden ? ", which is hidden" : "")
    }
    if let name = data.form ?? data.field ?? data.action {
      return JSON.string(name).description + (data.reason.flatMap(Self.remark) ?? "")
    }
    if let number = data.session ?? data.connection { return String(number) }
    if let name = data.method ?? data.name ?? data.instance { return JSON.string(name).description }
    guard let reason = data.reason else { return nil }
    let place = data.path.map { " at \($0)" } ?? data.offset.map { " at byte \($0)" } ?? ""
    return "[\(reason.name)\(place)]"
  }

  /// What became of a row that was known.
  private static func remark(about reason: ErrorReason) -> String? {
    switch reason {
    case .removed: ", which is removed"
    case .moved: ", which is in another list"
    default: nil
    }
  }

  /// A fault of the params: its place, and what is wrong there.
  private static func line(for fault: InvalidParams.Fault) -> String {
    // Beside a message stands what to write instead, or the message again.
    let what = fault.message ?? "expected \(fault.expected)"
    let remedy = fault.message == nil || fault.message == fault.expected ? "" : "\n    \(fault.expected)"
    return (fault.path.isEmpty ? what : "\(fault.path): \(what)") + remedy
  }
}
