internal import JSON
internal import JSONRPC

/// The methods that the examples of the JSON-RPC specification assume, with the daemon's own reader and writer.
final class SpecificationServer {
  private var reader = RPCReader(limits: RPCLimits())
  private var writer = RPCWriter(pool: OutputPool())

  /// The answer to one text; nil if there is none. Header framing allows texts with line breaks.
  func answer(to text: [UInt8]) throws -> JSON? {
    let block = Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    block.withUnsafeBufferPointer { received($0) }
    guard let output = writer.takeOutput().map({ Array($0.bytes) }),
      let end = output.firstRange(of: Array("\r\n\r\n".utf8))
    else { return nil }
    return try JSON(parsing: Array(output[end.upperBound...]))
  }

  private func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    var input = bytes
    while let event = reader.next(&input) {
      writer.framing = reader.framing
      switch event {
      case .text(let text): reader.read(text)
      case .request(let request): perform(request, writer.accepted(request.id))
      case .refused(let id, let error): writer.refuse(id, error)
      case .batchBegan: writer.batchBegan()
      case .batchEnded: writer.batchEnded()
      case .response, .ended: break
      }
    }
  }

  private func perform(_ request: RPCRequest, _ token: RequestToken) {
    let params = request.params?.value()
    switch String(decoding: request.method, as: UTF8.self) {
    case "subtract":
      let minuend = params?["minuend"]?.integerValue ?? params?.arrayValue?.first?.integerValue ?? 0
      let subtrahend = params?["subtrahend"]?.integerValue ?? params?.arrayValue?.last?.integerValue ?? 0
      answer(token, .integer(minuend - subtrahend))
    case "sum": answer(token, .integer((params?.arrayValue ?? []).compactMap(\.integerValue).reduce(0, +)))
    case "get_data": answer(token, ["hello", 5])
    case "update", "notify_hello", "notify_sum": answer(token, .null)
    default: writer.fail(token, RPCError(.methodNotFound))
    }
  }

  private func answer(_ token: RequestToken, _ result: JSON) {
    guard token.wantsAnswer else { return }
    writer.answer(token) { $0.write(result) }
  }
}
