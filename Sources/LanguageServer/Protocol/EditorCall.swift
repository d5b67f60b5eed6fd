internal import FormProtocol
internal import JSON
internal import JSONRPC

/// The params of one method. The code that handles them is next to the feature, in `Features`.
protocol EditorCall: Message, Sendable {}

/// The params of a notification.
protocol EditorNotice: EditorCall {
  /// Updates the workspace.
  func apply(to workspace: inout Workspace)
}

/// The params of a request.
protocol EditorRequest: EditorCall {
  associatedtype Answer: MemberValue

  /// Computes the answer.
  ///
  /// - Throws: the error that the editor gets.
  func answer(from workspace: inout Workspace) throws(RPCError) -> Answer
}

/// A value, or `null` if there is none.
struct Nullable<Value: MemberValue>: MemberValue {
  var value: Value?

  init(_ value: Value?) { self.value = value }

  static var schema: JSONObject { Value.schema }
  static var expectation: String { Value.expectation + ", or null" }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Nullable? {
    node.isNull ? Nullable(nil) : Value.read(node, &reader).map { Nullable($0) }
  }

  func write(into buffer: OutputBuffer) {
    if let value { value.write(into: buffer) } else { buffer.write(JSON.null) }
  }
}

extension Nullable: Sendable where Value: Sendable {}

/// An enumeration that is a number on the wire.
protocol WireNumber: MemberValue, RawRepresentable<Int>, CaseIterable, Sendable {}

extension WireNumber {
  static var schema: JSONObject { ["type": "integer", "enum": .array(allCases.map { .integer(Int64($0.rawValue)) })] }
  static var expectation: String { "one of: " + allCases.map { String($0.rawValue) }.joined(separator: ", ") }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    Int.read(node, &reader).flatMap(Self.init(rawValue:))
  }

  func write(into buffer: OutputBuffer) { buffer.write(rawValue) }
}

extension RPCError {
  /// -32002: a request came before the server was initialized.
  static let notInitialized = RPCError(
    code: -32002,
    message: "the first request must be \(EditorMethod.initialize.wireName)"
  )

  /// -32600: a request came after the server was shut down.
  static let isShutDown = RPCError(
    code: -32600,
    message: "the server was shut down; only \(EditorMethod.exit.wireName) may follow"
  )

  /// -32600: the server was initialized before.
  static let isInitialized = RPCError(code: -32600, message: "the server was initialized already")

  /// -32800: the editor cancelled the request.
  static let cancelled = RPCError(code: -32800, message: "cancelled")

  /// -32802: the document changed since; the editor asks again.
  static let changedMeanwhile = RPCError(
    code: -32802,
    message: "the document has changed since the request",
    data: ["retriggerRequest": true]
  )

  /// -32803: the request is valid but cannot be carried out.
  static func failed(_ why: String) -> RPCError { RPCError(code: -32803, message: why) }
}
