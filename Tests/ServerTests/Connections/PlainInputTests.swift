import FormProtocol
import Foundation
import JSON
import JSONRPC
import Randomness
import Testing

@testable import Server

struct PlainInputTests {
  static let texts: [String] = [
    #"{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"session":1,"field":"email","value":"kim@example.com"}}"#,
    #" { "params" : { "value":"", "field" : "email" } , "method":"field/change","id" : 123456789012345 , "jsonrpc":"2.0" } "#,
    #"{"jsonrpc":"2.0","id":2,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":0,"method":"field/focus","params":{"field":"password","session":1}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"action/tap","params":{"action":"login"}}"#,
    #"{"jsonrpc":"2.0","method":"field/blur","params":{"field":"email"},"id":7}"#,
    #"{"jsonrpc":"2.0","id":8,"method":"field/blur","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":9,"method":"field/focus","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":10,"method":"action/tap","params":{"session":1,"action":"login"}}"#,
    #"{"jsonrpc":"2.0","id":11,"method":"field/change","params":{"session":1,"field":"email","value":"x" } }"#,
    "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"field/change\",\"params\":{\"session\":1,\"field\":\"email\",\"value\":\"x\u{7f}y\"}}",
    #"{"jsonrpc":"2.0","id":12345678,"method":"field/blur","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":9999999,"method":"field/blur","params":{"session":1,"field":"email"}}"#,
    // The first text is spelled like most inputs, and the next ones differ.
    #"{"jsonrpc":"2.0","id":7 , "params":{"session":1,"field":"email"},"method":"field/blur"}"#,
    #"{"jsonrpc":"2.0","id":8,"method":"field/change","params":{"field":"email","value":"x","session":1} }"#,
    #"{"jsonrpc":"2.0","id":9,"method":"field/change","params":{"session":1 , "value":"x","field":"email"}}"#,
  ]

  static let others: [String] = [
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":"쿄"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":"a\"b"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":1}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"session":1,"field":"email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"action/tap","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"action":"login"}}"#,
    #"{"jsonrpc":"2.0","id":-5,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":05,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5.0,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5e0,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"id":5,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email","field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email","session":1,"session":1}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email"}}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email",}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{}}"#,
    #"{"jsonrpc":"2.1","id":5,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":9999999999999999,"method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"emial"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"field":"/email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email","session":2}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email","sessions":1}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"field":"email","":1}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"action/tap","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"session":1,"action":"login"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"session":1,"field":"email"},"id":5}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/blur","params":{"session":1,"field":"email"}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/changes","params":{"session":1,"field":"email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","\u0069d":5,"method":"field/blur","params":{"field":"email"}}"#,
    "{\"jsonrpc\":\"2.0\",\"\tid\":5,\"method\":\"field/blur\",\"params\":{\"field\":\"email\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\t\":5,\"method\":\"field/blur\",\"params\":{\"field\":\"email\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"field/change\",\"params\":{\"session\":1,\"field\":\"email\",\"value\":\"x\t\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\0\":5,\"method\":\"field/blur\",\"params\":{\"field\":\"email\"}}",
    #"{"jsonrpc":"2.0","method":"field/blur","params":{"field":"email"},"id"#,
    #"{"jsonrpc":"2.0","method":"field/blur","params":{"field":"email"},"id":"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":"x"},"id":5}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":"x"},"method":"field/blur"}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"field":"email","value":"x"},"params":{}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1,"session":1,"field":"email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","id":"5","method":"field/change","params":{"session":1,"field":"email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":"1","field":"email","value":"x"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"session":1"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":"#,
    #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":}}"#,
    #"{"jsonrpc":"2.0","params":},"id":5,"method":"field/change"}"#,
  ]

  /// A request as it was read.
  private struct Plain: Equatable {
    let method: Method
    let id: Int64
    /// The params as they are written.
    let params: JSON
  }

  /// The request in a text, if it is a plain input.
  private static func plain(_ text: [UInt8]) -> Plain? {
    text.withUnsafeBufferPointer { bytes in
      guard let text = PlainText(bytes) else { return nil }
      func read(_ type: (some PlainCall).Type) -> Plain? {
        var text = text
        let params = type.init(&text)
        return text.isRead ? Plain(method: text.method, id: text.id, params: params.json) : nil
      }
      return switch text.method {
      case .fieldChange: read(FieldChangeParams.self)
      case .fieldFocus: read(FieldFocusParams.self)
      case .fieldBlur: read(FieldBlurParams.self)
      case .actionTap: read(ActionTapParams.self)
      default: nil
      }
    }
  }

  /// The same request, read by libjansson; nil if it has an error.
  private static func read(_ text: [UInt8]) -> Plain? {
    text.withUnsafeBufferPointer { text in
      guard let tree = try? JSONTree(parsing: text), case .request(let request) = RPCReader.Event(envelope: tree.root),
        case .integer(let id)? = request.id, let method = Method(utf8: request.method),
        let params = try? method.call.init(request.params)
      else { return nil }
      return Plain(method: method, id: id, params: params.json)
    }
  }

  @Test(arguments: texts)
  func `a plain input is recognized`(_ text: String) throws {
    let plain = try #require(Self.plain(Array(text.utf8)))
    #expect(plain == Self.read(Array(text.utf8)))
  }

  @Test
  func `params that are no object are not read`() {
    for text in Self.others.suffix(2) { #expect(Self.plain(Array(text.utf8)) == nil) }
  }

  @Test
  func `its parts are those of the text`() throws {
    let plain = try #require(Self.plain(Array(Self.texts[1].utf8)))
    #expect(plain.id == 123_456_789_012_345 && plain.method == .fieldChange)
    #expect(plain.params == ["field": "email", "value": ""])
  }

  /// The answers to a text that one client sends, in a session with the login form.
  private static func answer(_ text: [UInt8], recognizes: Bool) -> [JSON] {
    let daemon = TestDaemon()
    daemon.server.recognizesPlainInputs = recognizes
    let client = daemon.connect()
    client.open("login")
    client.send(text + [0x0a])
    client.send(#"{"jsonrpc":"2.0","id":"end","method":"session/get"}"#)
    return client.messages()
  }

  @Test(arguments: texts + others)
  func `with and without the recognizer every text has the same answer`(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Self.answer(bytes, recognizes: true) == Self.answer(bytes, recognizes: false))
  }

  @Test
  func `a session that nobody looks at goes in the midst of an entry`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    weak var session: LiveSession?
    session = client.connection.sessions.all[0]
    session?.end()
    #expect(session == nil)
  }

  /// A text with up to three bytes changed, put in or left out.
  private static func mutation(_ random: inout SeededGenerator) -> [UInt8] {
    let alphabet = Array("{}[]\",:\\ 0123456789.-+eEtrufalsn\u{7f}\t\n\r/x".utf8) + [0, 0xc3, 0xff]
    var text = Array(texts[Int(random.next() % UInt64(texts.count))].utf8)
    for _ in 0..<(1 + random.next() % 3) {
      let index = Int(random.next() % UInt64(text.count))
      let byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
      switch random.next() % 3 {
      case 0: text[index] = byte
      case 1: text.insert(byte, at: index)
      default: if text.count > 1 { text.remove(at: index) }
      }
    }
    return text
  }

  /// A plain input with its members in any order, and white space anywhere.
  private static func plainText(_ random: inout SeededGenerator) -> String {
    func space() -> String { ["", "", "", " ", "\t ", "\r\n"].randomElement(using: &random)! }
    func object(_ members: [(String, String)]) -> String {
      "{"
        + members.shuffled(using: &random).map { "\(space())\"\($0)\"\(space()):\(space())\($1)\(space())" }
        .joined(separator: ",") + "}"
    }
    let method = ["field/change", "field/focus", "field/blur", "action/tap"].randomElement(using: &random)!
    let names = ["email", "", "/", "/items/-", "/items/-/sku", "/items/#1/sku", "/items/9", "/items/~2"]
    var params = [(method == "action/tap" ? "action" : "field", "\"\(names.randomElement(using: &random)!)\"")]
    if method == "field/change" {
      params.append(("value", #""\#(String(repeating: "x", count: Int.random(in: 0...40, using: &random)))""#))
    }
    if Bool.random(using: &random) { params.append(("session", "\(Int.random(in: 0...99, using: &random))")) }
    let id = Int.random(in: 0...999, using: &random) * (Bool.random(using: &random) ? 1 : 999_999_999_999)
    let envelope = [("jsonrpc", #""2.0""#), ("id", "\(id)"), ("method", "\"\(method)\""), ("params", object(params))]
    return space() + object(envelope) + space()
  }

  @Test
  func `the bytes and libjansson give the same params`() throws {
    var random = SeededGenerator(seed: 20_261_130)
    var plainCount = 0
    for _ in 0..<20_000 {
      let text = Self.mutation(&random)
      guard let plain = Self.plain(text) else { continue }
      #expect(plain == Self.read(text), "\(String(decoding: text, as: UTF8.self))")
      plainCount += 1
    }
    #expect(plainCount > 500)
    for _ in 0..<2_000 {
      let text = Self.plainText(&random)
      let plain = try #require(Self.plain(Array(text.utf8)), "\(text)")
      #expect(plain == Self.read(Array(text.utf8)), "\(text)")
    }
  }

  @Test
  func `mutations of plain inputs have the same answer either way`() {
    // A fixed seed: the same mutations every time, unless scripts/fuzz asks for others.
    let environment = ProcessInfo.processInfo.environment
    var random = SeededGenerator(seed: environment["FORMD_MUTATION_SEED"].flatMap(UInt64.init) ?? 20_261_121)
    let count = environment["FORMD_MUTATIONS"].flatMap(Int.init) ?? 2000
    for _ in 0..<count {
      let text = Self.mutation(&random)
      #expect(
        Self.answer(text, recognizes: true) == Self.answer(text, recognizes: false),
        "\(String(decoding: text, as: UTF8.self))"
      )
    }
  }
}
