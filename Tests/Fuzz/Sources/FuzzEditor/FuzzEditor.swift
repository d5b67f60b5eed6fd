import FuzzCost
import JSON
import LanguageServer
internal import SourceTexts

/// The input describes what an editor does in a folder: its bytes choose the order of edits, documents, settings and
/// requests. No edit and no request may end the server, and each request gets one answer. At the end the server's
/// answers for every document equal the answers of a fresh server with these texts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEditor(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  var plan = Plan(input)
  // The form, or nothing, and the files that it depends on or that depend on it.
  let others = plan.next(1 << (seeds.count - 1))
  let isEmpty = plan.next(2) == 1
  var texts = seeds.enumerated().filter { $0.offset == 0 || others >> ($0.offset - 1) & 1 == 1 }.map { number, seed in
    (name: seed.name, language: seed.language, text: SourceText(number == 0 && isEmpty ? "" : seed.text))
  }
  var chosen = 0
  let encoding = PositionEncoding.allCases[plan.next(3)]
  var typed = Conversation(texts, settings[chosen], encoding)
  var garbled = Conversation(texts, settings[chosen], encoding)
  while !plan.isOver {
    let document = plan.next(texts.count)
    switch plan.next(16) {
    case 0, 1:
      // No input may end the server. Its effect on later messages is open: the input may begin a long message.
      garbled.write(plan.bytes(24))
    case 2...5:
      _ = typed.ask(
        Conversation.requests[plan.next(Conversation.requests.count)],
        texts[document].name,
        at: plan.position()
      )
    case 6:
      chosen = plan.next(settings.count)
      typed.set(settings[chosen])
    default:
      let range = TextRange(start: plan.position(), end: plan.position())
      let replacement = plan.replacement()
      texts[document].text.replace(texts[document].text.offsets(of: range, in: encoding), with: Array(replacement.utf8))
      typed.change(texts[document].name, range, to: replacement)
    }
  }
  var fresh = Conversation(texts, settings[chosen], encoding)
  for (name, _, text) in texts {
    let position = TextPosition(line: text.lineCount / 2, character: 7)
    for request in Conversation.requests {
      let (one, other) = (typed.ask(request, name, at: position), fresh.ask(request, name, at: position))
      precondition(one == other, "\(request) of \(name): \(one) after edits, \(other) afresh")
    }
  }
  return Reached("edited")
}

/// Reads the bytes of an input as actions.
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

  /// A position, sometimes far beyond every text.
  mutating func position() -> TextPosition {
    let line = next(256)
    return TextPosition(line: line == 255 ? .max : line % 40, character: line == 254 ? -1 : next(256) % 90)
  }

  /// A piece of a form's text, or a few letters of any kind.
  mutating func replacement() -> String {
    let piece = next(pieces.count + 8)
    return piece < pieces.count ? pieces[piece] : String(decoding: bytes(piece - pieces.count), as: UTF8.self)
  }
}

/// An editor and its server.
private struct Conversation: ~Copyable {
  static let requests = [
    "textDocument/diagnostic", "textDocument/completion", "textDocument/hover", "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol", "textDocument/codeAction",
    "workspace/symbol",
  ]

  private var server = LanguageServer()
  private var last: Int64 = 0

  /// Opens documents of a folder that is not on disk.
  init(_ texts: [(name: String, language: String, text: SourceText)], _ settings: JSON, _ encoding: PositionEncoding) {
    let capabilities: JSON = [
      "general": ["positionEncodings": [.string(encoding.rawValue)]], "textDocument": ["diagnostic": [:]],
    ]
    let folder: JSON = ["uri": .string(Self.folder), "name": "folder"]
    send([
      "id": 0, "method": "initialize",
      "params": ["capabilities": capabilities, "workspaceFolders": [folder], "initializationOptions": settings],
    ])
    for (name, language, text) in texts {
      let document: JSON = [
        "uri": uri(name), "languageId": .string(language), "version": 1,
        "text": .string(String(decoding: text.bytes, as: UTF8.self)),
      ]
      send(["method": "textDocument/didOpen", "params": ["textDocument": document]])
    }
    _ = answers()
  }

  private static let folder = "file:///nowhere/fuzz"

  private func uri(_ name: String) -> JSON { .string("\(Self.folder)/\(name)") }

  mutating func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { server.receive($0) }
    _ = answers()
  }

  mutating func set(_ settings: JSON) {
    send(["method": "workspace/didChangeConfiguration", "params": ["settings": ["formd": settings]]])
    _ = answers()
  }

  mutating func change(_ name: String, _ range: TextRange, to text: String) {
    send([
      "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": uri(name), "version": 2],
        "contentChanges": [["range": json(range), "text": .string(text)]],
      ],
    ])
    _ = answers()
  }

  mutating func ask(_ method: String, _ name: String, at position: TextPosition) -> JSON {
    last += 1
    send([
      "id": .integer(last), "method": .string(method),
      "params": [
        "textDocument": ["uri": uri(name)], "position": json(position), "context": ["diagnostics": []],
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

  /// All messages of the server.
  private mutating func answers() -> [JSON] {
    while server.hasWork { server.step() }
    guard let output = server.takeOutput() else { return [] }
    precondition(server.exitStatus == nil || !server.hasWork)
    var rest = Array(output.bytes)[...]
    var messages: [JSON] = []
    while let line = rest.firstIndex(of: UInt8(ascii: "\r")) {
      let length = Int(String(decoding: rest[..<line], as: UTF8.self).split(separator: " ").last ?? "") ?? 0
      let body = rest[(line + 4)...].prefix(length)
      guard let message = try? JSON(parsing: Array(body)) else { preconditionFailure("a message is not JSON") }
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
  "$form", "# formd: f", "email: ", "items:\n- ", "export ", "=", "&a ", "*a",
]

/// Settings of a user.
private let settings: [JSON] = [
  [:], ["locale": "ko"], ["files": ["*.yaml": "f", "*.env": "a.form.json"]],
  ["files": ["*": "nothing"], "checks": true],
]

/// The documents: the form, its tests, a schema that it refers to, another form that refers to that, and data.
private let seeds: [(name: String, language: String, text: String)] = [
  ("a.form.json", "json", form), ("a.test.json", "json", test),
  ("s.schema.json", "json", #"{"$defs": {"p": {"properties": {"zip": {"type": "string", "maxLength": 9}}}}}"#),
  (
    "b.form.json", "json",
    ##"{"form": "b", "schema": {"$ref": "s.schema.json#/$defs/p"}, "outputs": {"o": "values.zip"}}"##
  ), ("x.json", "json", #"{"$form": "f", "email": "é", "items": [{"sku": "a"}], "emial": 1}"#),
  ("x.yaml", "yaml", "# formd: f\nemail: é\nitems:\n- sku: a\n  skv: 😀\n"),
  ("x.env", "dotenv", "# formd: f\nexport email=é\nitems='[]'\n"),
]

private let form = #"""
  {
    "form": "f",
    "schema": {
      "properties": {
        "email": { "type": "string", "maxLength": 9 },
        "work": { "properties": { "city": { "type": "string", "maxLength": 9 }, "floor": { "type": "integer" } } },
        "home": { "$ref": "s.schema.json#/$defs/p" },
        "items": { "type": "array", "maxItems": 3, "items": { "properties": { "sku": { "type": "string", "maxLength": 5 } } } }
      },
      "required": ["email"]
    },
    "fields": { "email": { "label": { "en": "é", "ko": "메일" }, "visible": "values.email != '😀'" } },
    "texts": { "long": { "en": "{a} é", "ko": "{a}" } },
    "rules": [
      { "id": "w", "field": "work", "check": "self.city == '' || self.floor > 1", "messageExpression": "text('long', {'a': self.city})" },
      { "id": "a", "field": "/items/*/sku", "check": "row.sku != values.email", "message": { "en": "m", "ko": "ㅁ" } }
    ],
    "actions": { "send": { "enabled": "fields.email.isValid" } },
    "outputs": { "x": "values.items.all(r, r.sku != '')", "y": "values.work", "/items/*/z": "row.sku + outputs.x" }
  }
  """#

private let test = #"""
  {"cases": [{"name": "c", "given": {"email": "é"}, "expect": {"errors": {"email": []}, "outputs": {"x": true}},
    "steps": [{"change": "email", "value": "b"}, {"tap": "send"}]}]}
  """#
