import JSON
import Server

/// The far end of a connection. It notes the received bytes, and reads as slowly as the test wants.
final class TestClient: ConnectionTransport {
  var connection: ClientConnection!
  /// Keeps the daemon alive as long as one of its clients lives.
  var owner: TestDaemon?
  private let headers: Bool
  private var output: [UInt8] = []
  /// Whether the client has unread output.
  var hasOutput: Bool { !output.isEmpty }
  /// The bytes that the socket still accepts; nil if it accepts everything.
  var roomBytes: Int?
  private(set) var unsent: [UInt8] = []
  private(set) var isReading = true
  private(set) var isClosing = false
  private(set) var isAborted = false
  private var nextID: Int64 = 0
  /// How often the daemon wrote.
  private(set) var writes = 0
  /// Called when the daemon writes.
  var onWrite: () -> Void = {}

  init(headers: Bool) {
    self.headers = headers
  }

  // MARK: ConnectionTransport

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    writes += 1
    onWrite()
    guard roomBytes != nil else {
      output.append(contentsOf: bytes)
      return true
    }
    unsent.append(contentsOf: bytes)
    return unsent.count <= (roomBytes ?? 0)
  }

  var unsentBytes: Int { unsent.count }

  /// The bytes that the system holds for the client.
  var bytesHeldBySystem = 0
  var inFlightBytes: Int { unsent.count + bytesHeldBySystem }

  func setReading(_ isReading: Bool) { self.isReading = isReading }

  func closeAfterSending() { isClosing = true }

  func abort() {
    isAborted = true
    connection.closed()
  }

  // MARK: The client's side

  /// Reads the bytes that the socket held back. The daemon learns that there is room.
  func drain() {
    output += unsent
    unsent = []
    roomBytes = nil
    connection.becameWritable()
  }

  /// Reads some of these bytes.
  func drainSome(_ count: Int) {
    output += unsent.prefix(count)
    unsent.removeFirst(min(count, unsent.count))
  }

  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { connection.received($0) }
    connection.receivedAll()
    owner?.poll()
    if let owner, !owner.holdsOffloadedWork { owner.doOffloadedWork() }
  }

  /// Sends one text in the client's framing.
  func send(_ text: String) {
    send(Self.framed(text, headers: headers))
  }

  static func framed(_ text: String, headers: Bool) -> [UInt8] {
    let body = Array(text.utf8)
    return headers ? Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body : body + [0x0a]
  }

  /// All messages since the last call.
  func messages() -> [JSON] {
    defer { output = [] }
    return Self.messages(output, headers: headers)
  }

  static func messages(_ output: [UInt8], headers: Bool) -> [JSON] {
    var messages: [JSON] = []
    if headers {
      var rest = output[...]
      while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
        let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: " ").last ?? "") ?? 0
        let body = rest[end.upperBound...].prefix(length)
        messages.append((try? JSON(parsing: Array(body))) ?? .null)
        rest = rest[end.upperBound...].dropFirst(length)
      }
    } else {
      for line in output.split(separator: 0x0a) { messages.append((try? JSON(parsing: Array(line))) ?? .null) }
    }
    return messages
  }

  /// Sends a request and returns all messages that came back. If the answer is among them, it is the last one.
  @discardableResult
  func request(_ method: String, _ params: JSON = [:]) -> [JSON] {
    nextID += 1
    send(
      JSON(
        dictionaryLiteral: ("jsonrpc", "2.0"),
        ("id", .integer(nextID)),
        ("method", .string(method)),
        ("params", params)
      ).description
    )
    return messages()
  }

  func notify(_ method: String, _ params: JSON = [:]) -> [JSON] {
    send(JSON(dictionaryLiteral: ("jsonrpc", "2.0"), ("method", .string(method)), ("params", params)).description)
    return messages()
  }

  /// The result of a request that is answered at once.
  @discardableResult
  func result(_ method: String, _ params: JSON = [:]) -> JSON {
    request(method, params).last?["result"] ?? .null
  }

  /// The error of a request that is refused at once.
  func error(_ method: String, _ params: JSON = [:]) -> JSON {
    request(method, params).last?["error"] ?? .null
  }

  /// Opens a session of that form; returns its number.
  @discardableResult
  func open(_ form: String) -> Int64 {
    result("session/open", ["form": .string(form)])["session"]?.integerValue ?? -1
  }
}
