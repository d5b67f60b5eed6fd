/// The errors to which JSON-RPC 2.0 (section 5.1) gives a code, and the errors for texts and batches that are too
/// large. The raw value is the code.
package enum RPCErrorCode: Int, CaseIterable, Sendable {
  /// The text is not JSON.
  case parseError = -32700
  /// The text is JSON, but not a request.
  case invalidRequest = -32600
  /// The method does not exist.
  case methodNotFound = -32601
  /// The params do not fit the method.
  case invalidParams = -32602
  /// A text over the size limit.
  case textTooLarge = -32007
  /// A batch over the limit.
  case batchTooLarge = -32010

  /// The error's name in documents.
  package var name: String {
    switch self {
    case .parseError: "ParseError"
    case .invalidRequest: "InvalidRequest"
    case .methodNotFound: "MethodNotFound"
    case .invalidParams: "InvalidParams"
    case .textTooLarge: "TextTooLarge"
    case .batchTooLarge: "BatchTooLarge"
    }
  }

  /// The error's message, in one sentence.
  package var message: String {
    switch self {
    case .parseError: "Parse error"
    case .invalidRequest: "Invalid Request"
    case .methodNotFound: "Method not found"
    case .invalidParams: "Invalid params"
    case .textTooLarge: "The text is too large"
    case .batchTooLarge: "The batch has too many members"
    }
  }
}
