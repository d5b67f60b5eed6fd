import FuzzCost
import JSON
import LanguageServer

/// The input is what an editor does: bytes that say which edits and questions follow each other. No edit and no question may end the
/// server, each question gets one answer, and in the end the server says of the text what a fresh one says of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEditor(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  var plan = Plan(input)
  // One of the texts to begin with, then edits.
  let file = plan.next(2) == 0 ? "file:///a.form.json" : "file:///a.test.json"
  var text = SourceText(plan.next(2) == 0 ? seed : "")
  let encoding = PositionEncoding.allCases[plan.next(3)]
  var typed = Conversation(file, text, encoding)
  var garbled = Conversation(file, text, encoding)
  while !plan.isOver {
    if plan.next(8) == 0 {
      // Whatever comes is no reason to end. What it does to the messages behind it is open: it may begin a long one.
      garbled.write(plan.bytes(24))
      continue
    }
    if plan.next(4) == 0 {
      _ = typed.ask(Conversation.questions[plan.next(Conversation.questions.count)], at: plan.position())
      continue
    }
    let range = TextRange(start: plan.position(), end: plan.position())
    let replacement = plan.replacement()
    text.replace(text.offsets(of: range, in: encoding), with: Array(replacement.utf8))
    typed.change(range, to: replacement)
  }
  var fresh = Conversation(file, text, encoding)
  let position = TextPosition(line: text.lineCount / 2, character: 7)
  for question in Conversation.questions {
    let (one, other) = (typed.ask(question, at: position), fresh.ask(question, at: position))
    precondition(one == other, "\(question): \(one) after edits, \(other) afresh")
  }
  return Reached("edited")
}

/// What the bytes of an input say.
private struct Plan {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ input: UnsafeBufferPointer<UInt8>) { rest = input[...] }

  var isOver: Bool { rest.isEmpty }

  /// A number below another one.
  mutating func next(_ bound: Int) -> Int { Int(rest.popFirst() ?? 0) % bound }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A place, sometimes far beyond every text.
  mutating func position() -> TextPosition {
    let line = next(256)
    return TextPosition(line: line == 255 ? .max : line % 40, character: line == 254 ? -1 : next(256) % 90)
  }

  /// A piece of what forms are made of, or a few letters of any kind.
  mutating func replacement() -> String {
    let piece = next(pieces.count + 8)
    return piece < pieces.count ? pieces[piece] : String(decoding: bytes(piece - pieces.count), as: UTF8.self)
  }
}

/// An editor and its server.
private struct Conversation: ~Copyable {
  static let questions = [
    "textDocument/diagnostic", "textDocument/completion", "textDocument/hover", "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol", "textDocument/codeAction",
    "workspace/symbol",
  ]

  private var server = LanguageServer()
  private let file: String
  private var last: Int64 = 0

  init(_ file: String, _ text: SourceText, _ encoding: PositionEncoding) {
    self.file = file
    let capabilities: JSON = [
      "general": ["positionEncodings": [.string(encoding.rawValue)]], "textDocument": ["diagnostic": [:]],
    ]
    send(["id": 0, "method": "initialize", "params": ["capabilities": capabilities]])
    let document: JSON = [
      "uri": .string(file), "languageId": "json", "version": 1,
      "text": .string(String(decoding: text.bytes, as: UTF8.self)),
    ]
    send(["method": "textDocument/didOpen", "params": ["textDocument": document]])
    _ = answers()
  }

  mutating func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { server.receive($0) }
    _ = answers()
  }

  mutating func change(_ range: TextRange, to text: String) {
    send([
      "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": .string(file), "version": 2],
        "contentChanges": [["range": json(range), "text": .string(text)]],
      ],
    ])
    _ = answers()
  }

  mutating func ask(_ method: String, at position: TextPosition) -> JSON {
    last += 1
    send([
      "id": .integer(last), "method": .string(method),
      "params": [
        "textDocument": ["uri": .string(file)], "position": json(position), "context": ["diagnostics": []],
        "query": "a",
        "range": json(TextRange(start: position, end: position)), "newName": "renamed",
      ],
    ])
    let answers = answers().filter { $0["id"] == .integer(last) }
    precondition(answers.count == 1, "\(method) has \(answers.count) answers")
    return answers[0]["result"] ?? ["error": answers[0]["error"] ?? .null]
  }

  private mutating func send(_ message: JSONObject) {
    var message = message
    message["jsonrpc"] = "2.0"
    let text = Array(JSON.object(message).description.utf8)
    write(Array("Content-Length: \(text.count)\r\n\r\n".utf8), text)
  }

  private mutating func write(_ head: [UInt8], _ body: [UInt8]) {
    (head + body).withUnsafeBufferPointer { server.receive($0) }
  }

  /// All that the server says.
  private mutating func answers() -> [JSON] {
    while server.hasWork { server.step() }
    guard let output = server.takeOutput() else { return [] }
    precondition(server.exitStatus == nil || !server.hasWork)
    var rest = Array(output.bytes)[...]
    var messages: [JSON] = []
    while let line = rest.firstIndex(of: UInt8(ascii: "\r")) {
      let length = Int(String(decoding: rest[..<line], as: UTF8.self).split(separator: " ").last ?? "") ?? 0
      let body = rest[(line + 4)...].prefix(length)
      guard let message = try? JSON(parsing: Array(body)) else { preconditionFailure("what is said is JSON") }
      messages.append(message)
      rest = rest[body.endIndex...]
    }
    return messages
  }

  private func json(_ position: TextPosition) -> JSON {
    ["line": .integer(Int64(position.line)), "character": .integer(Int64(position.character))]
  }

  private func json(_ range: TextRange) -> JSON { ["start": json(range.start), "end": json(range.end)] }
}

private let pieces = [
  "é", "😀", "\r\n", "\r", "\n", "\"", "{", "}", ":", ",", "[", "]", "\\", "\\u00e9", "\\ud83d", "//", "/*", "'", "null",
  "values.", "row.",
  "self", "fields['", "\"rules\": [", "\"schema\": {", "\"properties\": {", "\"$ref\": \"#\"",
  "\"field\": \"/items/*/sku\"", "",
]

private let seed = #"""
  {
    "form": "f",
    "schema": {
      "properties": {
        "email": { "type": "string", "maxLength": 9 },
        "items": { "type": "array", "maxItems": 3, "items": { "properties": { "sku": { "type": "string", "maxLength": 5 } } } }
      },
      "required": ["email"]
    },
    "fields": { "email": { "label": "é", "visible": "values.email != '😀'" } },
    "rules": [ { "id": "a", "field": "/items/*/sku", "check": "row.sku != values.email", "message": "m" } ],
    "actions": { "send": { "enabled": "fields.email.isValid" } },
    "outputs": { "x": "values.items.all(r, r.sku != '')" }
  }
  """#
