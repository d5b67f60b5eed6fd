import FormProtocol
import JSON
import JSONRPC
import Testing

/// A message with a member of each sort.
private struct Sample: Message, Sendable {
  struct Part: Message, Sendable {
    var name = ""
    var count: Int?

    init() {}

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("name", &name, "Its name.", missing: "a part's name")
      members.optional("count", &count, "How many.")
    }

    static let summary: StaticString = "A part."
  }

  var number = 0
  var text: String?
  var origin = Origin.user
  var flag = false
  var document = JSON.object([:])
  var parts: [Part] = []
  var anything: JSON?

  init() {}

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("number", &number, "A number.")
    members.optional("text", &text, "A text.")
    members.optional("origin", &origin, default: .user, "Who.")
    members.flag("flag", &flag, "A truth.")
    members.prepared("document", &document, as: JSONObject.self, "Prepared.")
    members.optional("parts", &parts, "Parts.")
    members.optional("anything", &anything, "Anything.")
  }

  func check(_ reader: inout MessageReader) {
    if reader.has("text") && reader.has("anything") { reader.note(.value, "text or anything", atMember: "anything") }
  }
}

private func read(_ text: String, _ strictness: MessageReader.Strictness = .strict) throws -> Sample {
  let bytes = Array(text.utf8)
  return try bytes.withUnsafeBufferPointer { bytes in
    let tree = try JSONTree(parsing: bytes)
    return try MessageReader.read(Sample.self, tree.root, strictness)
  }
}

struct MessageTests {
  @Test
  func `what a message lists is read`() throws {
    let sample = try read(
      #"{"anything":null,"parts":[{"count":2,"name":"a"},{"name":"b"}],"origin":"restore","flag":true,"document":{"x":1},"number":7}"#
    )
    #expect(sample.number == 7)
    #expect(sample.text == nil)
    #expect(sample.origin == .restore)
    #expect(sample.flag)
    #expect(sample.document == ["x": 1])
    #expect(sample.parts.map(\.name) == ["a", "b"])
    #expect(sample.parts.map(\.count) == [2, nil])
    #expect(sample.anything == .null)
  }

  @Test
  func `members are written in the order in which they are listed, and only those that say something`() throws {
    var sample = Sample()
    #expect(sample.json.description == #"{"number":0,"document":{}}"#)
    sample.text = "a\"b"
    sample.origin = .program
    sample.flag = true
    var part = Sample.Part()
    part.name = "p"
    sample.parts = [part, part]
    sample.anything = .null
    #expect(
      sample.json.description
        == #"{"number":0,"text":"a\"b","origin":"program","flag":true,"document":{},"parts":[{"name":"p"},{"name":"p"}],"anything":null}"#
    )
  }

  @Test
  func `head, prepared member and tail are together what is written in one piece`() {
    var sample = Sample()
    sample.text = "t"
    sample.document = ["a": [1, 2]]
    sample.anything = 5
    let buffer = OutputBuffer()
    sample.writeHead(into: buffer)
    buffer.write(sample.document)
    sample.writeTail(into: buffer)
    #expect(buffer.text == sample.json.description)
  }

  @Test(
    arguments: [
      (#"{"document":{}}"#, ["/number required integer"]),
      (
        #"{"number":"1","document":{},"flag":1,"origin":"me","text":2}"#,
        [
          "/number type integer", "/text type string", "/origin value one of: user, autofill, restore, program",
          "/flag type boolean",
        ]
      ),
      (
        #"{"number":1,"document":{},"parts":[{"name":1},{},3,{"name":"a","x~/y":1}]}"#,
        [
          "/parts/0/name type string", "/parts/1/name required a part's name", "/parts/2 type object",
          "/parts/2/name required a part's name", "/parts/3/x~0~1y unknown one of: name, count",
        ]
      ),
      (#"{"number":1,"document":{},"parts":{}}"#, ["/parts type array (each element: object)"]),
      (#"{"number":1,"document":{},"text":"","anything":0}"#, ["/anything value text or anything"]),
      (
        #"{"number":1,"document":{},"nubmer":2}"#,
        ["/nubmer unknown one of: number, text, origin, flag, document, parts, anything"]
      ),
      ("[1]", [" type object", "/number required integer", "/document required any JSON value"]),
    ] as [(String, [String])]
  )
  func `every problem is told with its place, what it is and what was expected`(_ text: String, _ problems: [String])
    throws
  {
    let error = #expect(throws: InvalidParams.self) { _ = try read(text) }
    #expect(error?.problems.map { "\($0.path) \($0.code) \($0.expected)" } == problems)
  }

  @Test
  func `a lenient reader lets the other side say more, and is as strict about what it knows`() throws {
    #expect(try read(#"{"number":1,"document":{},"new":true,"parts":[{"name":"a","new":1}]}"#, .lenient).number == 1)
    #expect(throws: InvalidParams.self) { _ = try read(#"{"document":{},"new":true}"#, .lenient) }
  }

  @Test
  func `a message describes itself`() {
    #expect(
      JSON.object(Sample.schema) == [
        "type": "object",
        "properties": [
          "number": ["type": "integer", "description": "A number."],
          "text": ["type": "string", "description": "A text."],
          "origin": [
            "type": "string", "enum": ["user", "autofill", "restore", "program"], "description": "Who.",
            "default": "user",
          ],
          "flag": ["type": "boolean", "description": "A truth.", "default": false],
          "document": ["type": "object", "description": "Prepared."],
          "parts": [
            "type": "array",
            "items": [
              "type": "object", "description": "A part.",
              "properties": [
                "name": ["type": "string", "description": "Its name."],
                "count": ["type": "integer", "description": "How many."],
              ],
              "required": ["name"],
            ],
            "description": "Parts.",
          ],
          "anything": ["description": "Anything."],
        ],
        "required": ["number", "document"],
      ]
    )
  }

  @Test
  func `names on the wire are told apart, and read back`() {
    func check<Name: WireName>(_ type: Name.Type) {
      let names = Name.allCases.map(\.wireName.description)
      #expect(Set(names).count == names.count, "\(Name.self)")
      for name in Name.allCases { #expect(Name(wireName: name.wireName.description) == name) }
      #expect(Name(wireName: "no such name") == nil)
    }
    check(Method.self)
    check(PushMethod.self)
    check(Cause.self)
    check(EventKind.self)
    check(TapOutcome.self)
    check(Origin.self)
    check(FieldKind.self)
    check(Limit.self)
    check(InvalidParams.Code.self)
    check(SessionClosed.Reason.self)
    check(ShowEverything.self)
    check(Showing.self)
  }

  // MARK: Messages that are written without a look at their lists

  private static let numbers: [Int64] = [
    0, 1, 9, 10, 99, 100, 9_999, 10_000, 99_999_999, 100_000_000, -1, -9, -10, -99_999_999, -100_000_000, .max, .min,
  ]

  private func written(_ write: (OutputBuffer) -> Void) -> String {
    let buffer = OutputBuffer(capacity: 64)
    write(buffer)
    return buffer.text
  }

  @Test
  func `the head of an update is written as its list says`() {
    for (position, number) in Self.numbers.enumerated() {
      let causes: [Cause?] = Cause.allCases + [nil]
      var head = UpdateHead(session: number, revision: Int(number), from: position, cause: .timer)
      head.cause = causes[position % causes.count]
      let text = written { head.write(into: $0) }
      #expect(text == written { SessionUpdate(head).writeHead(into: $0) })
    }
  }

  @Test(arguments: numbers)
  func `the answer to an input is written as its list says`(_ number: Int64) {
    let answer = InputAnswer(revision: Int(number))
    let text = written { answer.write(into: $0) }
    #expect(text == #"{"revision":\#(number)}"#)
    #expect(text == written { answer.writeHead(into: $0) } + "}")
  }
}
