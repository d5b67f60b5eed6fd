package import JSON

/// An error on the wire (JSON-RPC 2.0, section 5.1).
package struct RPCError: Error, Hashable, Sendable {
  /// Which error: an ``RPCErrorCode``, or one of the protocol's own.
  package var code: Int
  /// One sentence.
  package var message: String
  /// Further facts that a program needs.
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// An error of JSON-RPC.
  package init(_ code: RPCErrorCode, data: JSON? = nil) {
    self.init(code: code.rawValue, message: code.message, data: data)
  }

  /// The error object that the other side sent. A code or message that is missing or of another type reads as 0 or
  /// empty.
  package init(received json: JSON) {
    code = json["code"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0
    message = json["message"]?.stringValue ?? ""
    data = json["data"]
  }

  /// The text could not be read as JSON.
  package static func parse(_ data: JSON) -> RPCError { RPCError(.parseError, data: data) }

  /// The text is JSON, but not a request.
  package static func invalidRequest(reason: String, _ more: JSONObject = [:]) -> RPCError {
    var data: JSONObject = ["reason": .string(reason)]
    for member in more { data[member.name] = member.value }
    return RPCError(.invalidRequest, data: .object(data))
  }

  /// The text has more bytes than that.
  package static func textTooLarge(limit: Int) -> RPCError {
    RPCError(.textTooLarge, data: ["limit": "textBytesMax", "value": .integer(Int64(limit))])
  }

  /// The batch has more members than that.
  package static func batchTooLarge(limit: Int) -> RPCError {
    RPCError(.batchTooLarge, data: ["limit": "batchMax", "value": .integer(Int64(limit))])
  }
}
