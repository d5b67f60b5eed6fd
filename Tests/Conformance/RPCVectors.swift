internal import JSON
internal import JSONRPC

/// The methods that the examples of the JSON-RPC specification assume, behind the daemon's own connection logic.
final class SpecificationServer: RPCHandler {
  private let rpc: RPCConnection

  init() {
    rpc = RPCConnection(limits: RPCLimits(), pool: OutputPool())
    rpc.handler = self
  }

  /// What comes back for one text, in header framing so that it may hold line breaks; nil for nothing.
  func answer(to text: [UInt8]) throws -> JSON? {
    let block = Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    block.withUnsafeBufferPointer { rpc.received($0) }
    var output: [UInt8] = []
    rpc.takeOutput { output = Array($0) }
    guard let end = output.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    return try JSON(parsing: Array(output[end.upperBound...]))
  }

  func received(_ request: RPCRequest, _ token: RequestToken) {
    let params = request.params?.value()
    switch String(decoding: request.method, as: UTF8.self) {
    case "subtract":
      let minuend = params?["minuend"]?.integerValue ?? params?.arrayValue?.first?.integerValue ?? 0
      let subtrahend = params?["subtrahend"]?.integerValue ?? params?.arrayValue?.last?.integerValue ?? 0
      answer(token, .integer(minuend - subtrahend))
    case "sum": answer(token, .integer((params?.arrayValue ?? []).compactMap(\.integerValue).reduce(0, +)))
    case "get_data": answer(token, ["hello", 5])
    case "update", "notify_hello", "notify_sum": answer(token, .null)
    default: rpc.fail(token, RPCError(code: RPCErrorCode.methodNotFound, message: "Method not found"))
    }
  }

  private func answer(_ token: RequestToken, _ result: JSON) {
    guard token.wantsAnswer else { return }
    rpc.beginResult(token).write(result)
    rpc.endResult(token)
  }

  func answered(_ number: Int, result: JSONNode?, error: JSONNode?) {}
  func outputBegan() {}
  func counted(_ what: RPCCount) {}
}
