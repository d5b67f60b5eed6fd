import JSON
import JSONRPC

/// A connection with the methods that the examples of the JSON-RPC specification (section 7) assume, and a record of
/// what came.
final class SpecificationMethods {
  private let pool: OutputPool
  private var reader: RPCReader
  private var writer: RPCWriter
  private(set) var badTexts = 0
  private(set) var unknownResponses = 0
  /// Our requests without an answer.
  private var openRequests: Set<Int> = []
  private(set) var answers: [Int: JSON] = [:]
  /// Requests of `later`, which are answered by the test.
  private(set) var open: [RequestToken] = []
  /// Whether reading stops after every request, until ``readOn()``.
  var stopsAfterRequests = false
  private var hasStopped = false
  /// Whether the reader reported the end.
  private(set) var hasEnded = false

  init(limits: RPCLimits = RPCLimits(), pool: OutputPool = OutputPool()) {
    self.pool = pool
    reader = RPCReader(limits: limits)
    writer = RPCWriter(pool: pool)
  }

  // MARK: Input

  func feed(_ text: String) { feed(Array(text.utf8)) }

  func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { read($0) }
  }

  /// Reads on after a stop.
  func readOn() {
    hasStopped = false
    read(UnsafeBufferPointer(start: nil, count: 0))
  }

  func inputEnded() {
    reader.inputEnded()
    read(UnsafeBufferPointer(start: nil, count: 0))
  }

  private func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var input = bytes
    while !hasStopped {
      let event = reader.next(&input)
      writer.framing = reader.framing
      guard let event else { return }
      handle(event)
    }
    reader.keep(input)
  }

  private func handle(_ event: RPCReader.Event) {
    switch event {
    case .text(let text): reader.read(text)
    case .request(let request):
      hasStopped = stopsAfterRequests
      perform(request, writer.accepted(request.id))
    case .response(let id, let result, let error):
      if let number = RPCWriter.requestNumber(id), openRequests.remove(number) != nil {
        answers[number] = result?.value() ?? error?.value()
      } else {
        unknownResponses += 1
      }
    case .refused(let id, let error):
      badTexts += 1
      writer.refuse(id, error)
    case .batchBegan: writer.batchBegan()
    case .batchEnded: writer.batchEnded()
    case .ended: hasEnded = true
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
    case "later": open.append(token)
    case "push":
      notify("pushed", params ?? .null)
      answer(token, true)
    default: fail(token, RPCError(.methodNotFound))
    }
  }

  // MARK: Output

  var unanswered: Int { writer.unanswered }

  var unflushedBytes: Int { writer.unflushedBytes }

  func answer(_ token: RequestToken, _ result: JSON) {
    guard token.wantsAnswer else { return }
    writer.answer(token) { $0.write(result) }
  }

  func fail(_ token: RequestToken, _ error: RPCError) {
    writer.fail(token, error)
  }

  func notify(_ method: StaticString, _ params: JSON) {
    writer.notify(method) { $0.write(params) }
  }

  /// Sends a request to the peer; returns the number of the request.
  func ask(_ method: StaticString, _ params: JSON) -> Int {
    let number = writer.ask(method) { $0.write(params) }
    openRequests.insert(number)
    return number
  }

  /// All output since the last call.
  func output() -> String {
    guard let output = writer.takeOutput() else { return "" }
    defer { pool.give(output) }
    return output.text
  }

  /// The messages of the output, which is one text per line.
  func lines() throws -> [JSON] {
    try output().split(separator: "\n").map { try JSON(parsing: String($0)) }
  }
}
