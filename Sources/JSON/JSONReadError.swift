/// Why a text could not be read as JSON.
public struct JSONReadError: Error, Hashable, Sendable {
  /// The kinds of errors; the raw value is the `reason` on the wire.
  public enum Reason: String, CaseIterable, Sendable {
    /// Not JSON (RFC 8259).
    case syntax = "syntax"
    /// Not UTF-8.
    case utf8 = "utf8"
    /// A raw NUL byte.
    case nul = "nul"
    /// JSON, and then something else.
    case trailing = "trailing"
    /// The text ended too early.
    case truncated = "truncated"
    /// Nested deeper than the limit.
    case depth = "depth"
    /// More values than the limit.
    case nodes = "nodes"
    /// A member's name occurs twice in one object.
    case duplicateKey = "duplicateKey"
    /// An integer that 64 bits with sign do not hold.
    case integerRange = "integerRange"
    /// A real beyond what a double holds.
    case realRange = "realRange"
    /// A member's name contains U+0000, which libjansson cannot hold.
    case nulInKey = "nulInKey"
    /// An escape of one half of a surrogate pair (RFC 8259, section 8.2), which is no text.
    case surrogate = "surrogate"
    /// Memory ran out.
    case memory = "memory"
  }

  /// The kind of the error.
  public var reason: Reason
  /// Bytes before the position of the error.
  public var offset: Int
  /// The position of the error.
  public var position: LineColumn
  /// The location in the value as a JSON Pointer, for `depth` and `nodes`.
  public var path: String?

  /// Whether the text is JSON but still refused (JSON-RPC -32600), and not malformed JSON (-32700).
  public var isRefusedJSON: Bool {
    switch reason {
    case .depth, .nodes, .duplicateKey, .integerRange, .realRange, .nulInKey, .surrogate: true
    case .syntax, .utf8, .nul, .trailing, .truncated, .memory: false
    }
  }
}

extension JSONReadError: CustomStringConvertible {
  /// The error in one sentence for people, without the position.
  public var message: String {
    switch reason {
    case .syntax: "this is not JSON"
    case .utf8: "this is not UTF-8"
    case .nul: "the text contains a NUL byte"
    case .trailing: "there is more text after the JSON value"
    case .truncated: "the JSON text ends too early"
    case .depth: "the value is nested too deeply"
    case .nodes: "there are too many values"
    case .duplicateKey: "an object has the same name twice"
    case .integerRange: "an integer does not fit in 64 bits"
    case .realRange: "a number is too large"
    case .nulInKey: "a name contains U+0000"
    case .surrogate: "a text has only one half of a surrogate pair"
    case .memory: "out of memory"
    }
  }

  /// The message and the position, for texts that come from no file; for one that does there is ``Diagnostic``.
  public var description: String { "\(message) (line \(position.line), column \(position.column))" }
}

/// Bounds on texts from clients.
public struct JSONLimits: Hashable, Sendable {
  /// Arrays and objects inside each other: 1 for `[]`.
  public var depthMax: Int
  /// The largest number of values of every kind, including the values of members and elements.
  public var nodesMax: Int

  /// Bounds of that size.
  public init(depthMax: Int, nodesMax: Int) {
    self.depthMax = depthMax
    self.nodesMax = nodesMax
  }

  /// The limits of one message to the daemon.
  public static let message = JSONLimits(depthMax: 64, nodesMax: 100_000)
  /// The limits of jansson itself (its own depth limit is 2048).
  public static let file = JSONLimits(depthMax: 2048, nodesMax: .max)
}
