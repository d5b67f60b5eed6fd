package import JSON

/// An error as it goes over the wire (JSON-RPC 2.0, section 5.1).
package struct RPCError: Error, Hashable, Sendable {
  /// Which error; see ``RPCErrorCode`` and the codes of the protocol.
  package var code: Int
  /// One sentence.
  package var message: String
  /// What a program needs to know besides.
  package var data: JSON?

  /// An error of that code.
  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The error object that the other side sent. A code or message that is missing or of another type reads as 0 or empty.
  package init(received json: JSON) {
    code = json["code"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0
    message = json["message"]?.stringValue ?? ""
    data = json["data"]
  }

  /// The text could not be read as JSON.
  package static func parse(_ data: JSON) -> RPCError {
    RPCError(code: RPCErrorCode.parseError, message: "Parse error", data: data)
  }

  /// The text is JSON, but no request.
  package static func invalidRequest(reason: String, _ more: JSONObject = [:]) -> RPCError {
    var data: JSONObject = ["reason": .string(reason)]
    for member in more { data[member.name] = member.value }
    return RPCError(code: RPCErrorCode.invalidRequest, message: "Invalid Request", data: .object(data))
  }

  /// The text has more bytes than that.
  package static func textTooLarge(limit: Int) -> RPCError {
    RPCError(
      code: RPCErrorCode.textTooLarge,
      message: "The text is too large",
      data: ["limit": .integer(Int64(limit))]
    )
  }

  /// The batch has more members than that.
  package static func batchTooLarge(limit: Int) -> RPCError {
    RPCError(
      code: RPCErrorCode.batchTooLarge,
      message: "The batch has too many members",
      data: ["limit": .integer(Int64(limit))]
    )
  }
}

/// The codes that JSON-RPC 2.0 (section 5.1) and the Language Server Protocol give a meaning to.
package enum RPCErrorCode {
  package static let parseError = -32700
  package static let invalidRequest = -32600
  package static let methodNotFound = -32601
  package static let invalidParams = -32602
  /// A text over the size limit.
  package static let textTooLarge = -32007
  /// A batch over the limit.
  package static let batchTooLarge = -32010
  /// The client took the request back (LSP's `RequestCancelled`).
  package static let requestCancelled = -32800
}
