package import JSON
internal import JSONRPC

/// Why a text, an envelope or a request was refused: `reason` in an error's data.
///
/// A later daemon may give reasons that this program does not know; their names are kept.
public struct ErrorReason: Hashable, Sendable {
  /// The reason's name on the wire; protocol/wire.md, "Bad input", lists the names.
  public let name: String

  /// `shutdown` was called on this connection.
  public static let shutDown = ErrorReason(name: "shutDown")
  /// The session that the request was about was closed.
  public static let sessionClosed = ErrorReason(name: "sessionClosed")
  /// The client has left the session that the request was about.
  public static let detached = ErrorReason(name: "detached")

  /// The step exists, and is hidden.
  public static let hidden = ErrorReason(name: "hidden")
  /// The row existed, and is removed.
  public static let removed = ErrorReason(name: "removed")
  /// The row exists, in another list.
  public static let moved = ErrorReason(name: "moved")
  /// The daemon cannot store the new state of a kept session.
  public static let store = ErrorReason(name: "store")
  /// The daemon has an older version of the form than the session.
  public static let older = ErrorReason(name: "older")

  /// Every reason that the daemon gives: problems of a text, a header block, an envelope or a request.
  static let all: [ErrorReason] = {
    var names = JSONReadError.Reason.allCases.map(\.rawValue)
    // A text and a body can both end too early.
    names += HeaderError.allCases.map(\.rawValue).filter { !names.contains($0) }
    names += InvalidEnvelope.allCases.map(\.rawValue)
    return names.map(ErrorReason.init) + [
      .shutDown, .sessionClosed, .detached, .hidden, .removed, .moved, .store, .older,
    ]
  }()
}

extension ErrorReason: MemberValue {
  package static let schemaName: StaticString? = "ErrorReason"

  package static var schema: JSONObject {
    ["type": "string", "enum": .array(all.map { .string($0.name) })]
  }

  package static var expectation: String { "one of: " + all.map(\.name).joined(separator: ", ") }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> ErrorReason? {
    String.read(node, &reader).map(ErrorReason.init)
  }

  package func write(into buffer: OutputBuffer) { buffer.write(name) }
}
