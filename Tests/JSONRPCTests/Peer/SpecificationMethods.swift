import JSON
import JSONRPC

/// The methods that the examples of the JSON-RPC specification (section 7) assume, and a record of what was counted.
final class SpecificationMethods: RPCHandler {
  let rpc: RPCConnection
  private(set) var counts: [RPCCount: Int] = [:]
  private(set) var answers: [Int: JSON] = [:]
  /// Requests of `later`, which are answered by the test.
  var open: [RequestToken] = []
  /// Pauses the connection behind every request.
  var pausesAlways = false

  init(limits: RPCLimits = RPCLimits()) {
    rpc = RPCConnection(limits: limits, pool: OutputPool())
    rpc.handler = self
  }

  func received(_ request: RPCRequest, _ token: RequestToken) {
    if pausesAlways { rpc.isPaused = true }
    let method = String(decoding: request.method, as: UTF8.self)
    let params = request.params?.value()
    switch method {
    case "subtract":
      let minuend = params?["minuend"]?.integerValue ?? params?.arrayValue?.first?.integerValue ?? 0
      let subtrahend = params?["subtrahend"]?.integerValue ?? params?.arrayValue?.last?.integerValue ?? 0
      answer(token, .integer(minuend - subtrahend))
    case "sum": answer(token, .integer((params?.arrayValue ?? []).compactMap(\.integerValue).reduce(0, +)))
    case "get_data": answer(token, ["hello", 5])
    case "update", "notify_hello", "notify_sum": answer(token, .null)
    case "later": open.append(token)
    case "push":
      rpc.beginNotification("pushed").write(params ?? .null)
      rpc.endNotification()
      answer(token, true)
    default:
      rpc.fail(token, RPCError(code: RPCErrorCode.methodNotFound, message: "Method not found"))
    }
  }

  func answer(_ token: RequestToken, _ result: JSON) {
    guard token.wantsAnswer else { return }
    rpc.beginResult(token).write(result)
    rpc.endResult(token)
  }

  func answered(_ number: Int, result: JSONNode?, error: JSONNode?) {
    answers[number] = result?.value() ?? error?.value()
  }

  func outputBegan() {}

  func counted(_ what: RPCCount) { counts[what, default: 0] += 1 }

  // MARK: For tests

  func feed(_ text: String) { feed(Array(text.utf8)) }

  func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { rpc.received($0) }
  }

  /// All output since the last call.
  func output() -> String {
    var text = ""
    rpc.takeOutput { text = String(decoding: $0, as: UTF8.self) }
    return text
  }

  /// The messages of the output, which is one text per line.
  func lines() throws -> [JSON] {
    try output().split(separator: "\n").map { try JSON(parsing: String($0)) }
  }
}
