/// The errors that JSON-RPC 2.0 (section 5.1) gives a code to, and those of texts and batches that are too large. The raw value is the code.
package enum RPCErrorCode: Int, CaseIterable, Sendable {
  /// The text is not JSON.
  case parseError = -32700
  /// The text is JSON, but no request.
  case invalidRequest = -32600
  /// There is no such method.
  case methodNotFound = -32601
  /// The params are not what the method takes.
  case invalidParams = -32602
  /// A text over the size limit.
  case textTooLarge = -32007
  /// A batch over the limit.
  case batchTooLarge = -32010

  /// What the error is called in documents.
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

  /// What the error says, in one sentence.
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
