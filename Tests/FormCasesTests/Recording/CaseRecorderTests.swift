import FormCases
import FormProtocol
import JSON
import Testing

/// Steps that a user plays by hand become a case that passes.
struct CaseRecorderTests {
  private func step(_ text: String) throws -> TestStep {
    let file = try file(cases: #"{"name": "a", "steps": [\#(text)]}"#)
    return file.content.cases[0].steps[0]
  }

  private func response(_ text: String) throws -> PromisedResponse {
    let file = try file(cases: #"{"name": "a", "answers": [{"http": {}, "response": \#(text)}]}"#)
    return try #require(file.content.cases[0].answers[0].response)
  }

  /// Reads a case as a file has it, and runs it.
  private func lines(_ definition: String, running testCase: TestCase) throws -> [String] {
    try failure(definition, testCase.json.description)
  }

  @Test
  func `a session with a request is recorded and passes`() throws {
    var beginning = TestCase()
    beginning.name = "logs in"
    let recorder = CaseRecorder(try form(loginForm), beginning)
    #expect(
      recorder.testCase.expect?.json == ["isValid": false, "errors": ["email": ["required"]], "outputs": ["length": 0]]
    )
    let changed = try recorder.perform(step(#"{"change": "email", "value": "a@b"}"#))
    #expect(
      changed.json == [
        "isValid": true, "errors": ["email": .null], "actions": ["login": ["isEnabled": true]],
        "outputs": ["length": 3],
      ]
    )
    try recorder.perform(step(#"{"tap": "login"}"#))
    #expect(recorder.waiting.count == 1)
    let answered = try recorder.answer(response(#"{"body": {"id": 7}}"#))
    #expect(answered.events == [["action": "login", "kind": "succeeded", "result": ["id": 7]]])
    #expect(recorder.waiting.isEmpty)
    let none = try response("{}")
    #expect(throws: StepRefusal.self) { try recorder.answer(none) }
    #expect(recorder.testCase.answers.map(\.held) == ["accounts 1"])
    #expect(try lines(loginForm, running: recorder.testCase) == [])
  }

  private static let secretForm = #"""
    {"form": "s", "schema": {"type": "object", "properties": {
       "name": {"type": "string"},
       "password": {"type": "string", "writeOnly": true, "minLength": 8, "pattern": "[0-9]"},
       "card": {"type": "object", "writeOnly": true, "properties": {"pin": {"type": "integer"}, "code": {"type": "string"}}},
       "rows": {"type": "array", "items": {"type": "object", "properties": {
         "note": {"type": "string"}, "token": {"type": "string", "writeOnly": true}}}}}},
     "fields": {"password": {"show": "always"}},
     "actions": {"send": {"run": {"http": {"service": "s", "path": "/", "json": "values"}}}}}
    """#

  private func record(keepsSecrets: Bool) throws -> CaseRecorder {
    var beginning = TestCase()
    beginning.name = "a"
    beginning.given = ["name": "hunter", "password": "Hunter-2hunter", "rows": [["note": "n", "token": "hunter2"]]]
    let recorder = CaseRecorder(try form(Self.secretForm), beginning, keepsSecrets: keepsSecrets)
    for text in [
      #"{"change": "password", "value": "hunter2"}"#, #"{"change": "card", "value": {"pin": 1234, "code": "hunter2"}}"#,
      #"{"change": "/card/pin", "value": 9876}"#, #"{"change": "/rows/0/token", "value": "hunter3"}"#,
      #"{"change": {"/rows/0/token": "hunter4", "password": "Hunter5555"}}"#,
      #"{"insert": "rows", "value": {"note": "hunter", "token": "hunter6"}}"#,
      #"{"insert": "rows", "values": [{"token": "hunter7"}]}"#, #"{"tap": "send"}"#,
    ] { try recorder.perform(step(text)) }
    return recorder
  }

  @Test
  func `secrets are replaced by values of their shape, and the case passes`() throws {
    let recorder = try record(keepsSecrets: false)
    let text = recorder.testCase.json.description
    for secret in ["unter2", "unter-2", "unter3", "unter4", "unter5", "unter6", "unter7", "1234", "9876"] {
      #expect(!text.contains(secret), "\(text)")
    }
    #expect(recorder.hasMasked)
    #expect(recorder.testCase.given?["name"] == "hunter" && recorder.testCase.given?["password"] == "Xxxxxx-0xxxxxx")
    #expect(
      recorder.testCase.steps.map(\.value).prefix(4) == ["xxxxxx0", ["pin": 1111, "code": "xxxxxx0"], 1111, "xxxxxx0"]
    )
    #expect(recorder.testCase.steps[5].value == ["note": "hunter", "token": "xxxxxx0"])
    #expect(try lines(Self.secretForm, running: recorder.testCase) == [])
  }

  @Test
  func `secrets are kept if that is said`() throws {
    let recorder = try record(keepsSecrets: true)
    #expect(!recorder.hasMasked && recorder.testCase.json.description.contains("hunter7"))
    #expect(try lines(Self.secretForm, running: recorder.testCase) == [])
  }

  @Test
  func `requests that nobody answers, and a refused step, are no obstacle`() throws {
    let recorder = CaseRecorder(try form(loginForm), TestCase())
    #expect(throws: StepRefusal.self) { try recorder.perform(step(#"{"tap": "logout"}"#)) }
    try recorder.perform(step(#"{"change": "email", "value": "a@b"}"#))
    try recorder.perform(step(#"{"tap": "login"}"#))
    try recorder.perform(step(#"{"advance": "10s"}"#))
    try recorder.perform(step(#"{"tap": "login"}"#))
    #expect(recorder.testCase.steps.count == 4)
    #expect(recorder.testCase.steps[2].expect?.events == [["action": "login", "kind": "failed", "error": "timeout"]])
    #expect(recorder.waiting.count == 1)
    #expect(try lines(loginForm, running: recorder.testCase) == [])
  }

  @Test
  func `rows are recorded by their identities`() throws {
    let recorder = CaseRecorder(try form(rowsForm), TestCase())
    try recorder.perform(step(#"{"insert": "items", "value": {"n": 3}}"#))
    try recorder.perform(step(#"{"insert": "items", "value": {"n": 4}}"#))
    try recorder.perform(step(#"{"remove": "/items/#1"}"#))
    #expect(recorder.testCase.steps[0].expect?.errors == ["/items/#1/n": ["even"]])
    #expect(recorder.testCase.steps[2].expect?.isValid == true)
    #expect(try lines(rowsForm, running: recorder.testCase) == [])
  }

  @Test
  func `a field of a row that is as usual again is recorded as usual, and nothing of a row that is gone`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"items": {"type": "array", "maxItems": 9, "items": {"type": "object",
         "properties": {"sku": {"type": "string", "maxLength": 9}, "size": {"type": "string", "maxLength": 9}}}}}},
       "fields": {"/items/*/size": {"visible": "has(row.sku) && row.sku == 'A'"}}}
      """
    let recorder = CaseRecorder(try form(definition), TestCase())
    try recorder.perform(step(#"{"insert": "items", "value": {"sku": "A"}}"#))
    let edited = try recorder.perform(step(#"{"change": "/items/#1/sku", "value": "B"}"#))
    #expect(edited.fields == ["/items/#1/size": ["isVisible": false]])
    let back = try recorder.perform(step(#"{"change": "/items/#1/sku", "value": "A"}"#))
    #expect(back.fields == ["/items/#1/size": ["isVisible": true]])
    try recorder.perform(step(#"{"change": "/items/#1/sku", "value": "B"}"#))
    let gone = try recorder.perform(step(#"{"remove": "/items/#1"}"#))
    #expect(gone.fields?["/items/#1/size"] == .null)
    #expect(try lines(definition, running: recorder.testCase) == [])
  }

  @Test
  func `an answer is that of its own request, also when a later one ended in the same step`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"sku": {"type": "string", "maxLength": 9}}},
       "checks": [{"id": "known", "field": "sku", "debounce": "300ms",
         "run": {"http": {"service": "stock", "path": "/sku"}}, "timeout": "1s", "onFailure": "ignore",
         "outcomes": [{"valid": true}]}],
       "actions": {"go": {"timeout": "1m", "run": {"http": {"service": "shop", "method": "POST", "path": "/go"}},
         "outcomes": [{"success": "response.body"}]}}}
      """
    let recorder = CaseRecorder(try form(definition), TestCase())
    try recorder.perform(step(#"{"tap": "go"}"#))
    try recorder.perform(step(#"{"change": "sku", "value": "A"}"#))
    let waited = try recorder.perform(step(#"{"advance": "5s"}"#))
    #expect(waited.requests?.map(\.http?.service) == ["stock"])
    #expect(recorder.waiting.map(\.http?.service) == ["shop"])
    try recorder.answer(response(#"{"body": 7}"#))
    #expect(recorder.testCase.steps.last?.answer == "shop 1")
    #expect(recorder.testCase.answers.map { $0.response?.body } == [7, nil])
    #expect(try lines(definition, running: recorder.testCase) == [])
  }

  @Test
  func `rows are no answer of a service`() throws {
    let recorder = CaseRecorder(try form(loginForm), TestCase())
    try recorder.perform(step(#"{"change": "email", "value": "a@b"}"#))
    try recorder.perform(step(#"{"tap": "login"}"#))
    var rows = PromisedResponse()
    rows.rows = []
    let refusal = #expect(throws: StepRefusal.self) { try recorder.answer(rows) }
    #expect(refusal?.message.contains("not with rows") == true)
    #expect(recorder.waiting.count == 1 && recorder.testCase.steps.count == 2)
  }

  @Test
  func `lookups and outputs of rows are recorded by address`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"items": {"type": "array", "maxItems": 9, "items": {"type": "object",
         "properties": {"sku": {"type": "string", "maxLength": 9}}}}}},
       "lookups": {"/items/*/price": {"run": {"http": {"service": "shop", "path": "/price", "query": {"sku": "row.sku"}}},
         "value": "response.body"}},
       "outputs": {"/items/*/length": "size(row.sku)"}}
      """
    let recorder = CaseRecorder(try form(definition), TestCase())
    let inserted = try recorder.perform(step(#"{"insert": "items", "value": {"sku": "A"}}"#))
    #expect(inserted.outputs == ["/items/#1/length": 1])
    #expect(inserted.lookups == ["/items/#1/price": ["isLoading": true]])
    let answered = try recorder.answer(response(#"{"body": 5}"#))
    #expect(answered.lookups?["/items/#1/price"]?["value"] == 5)
    let emptied = try recorder.perform(step(#"{"change": "/items/#1/sku", "value": null}"#))
    #expect(emptied.lookups?["/items/#1/price"]?["value"] == .null)
    #expect(emptied.outputs == ["/items/#1/length": 0])
    let gone = try recorder.perform(step(#"{"remove": "/items/#1"}"#))
    #expect(gone.outputs == ["/items/#1/length": .null])
    #expect(try lines(definition, running: recorder.testCase) == [])
  }

  @Test
  func `a new file names its form where that does not stand beside it`() throws {
    let text = TestFileText.new(with: TestCase(), of: "x.json")
    #expect(try LoadedTestFile(Array(text.utf8), path: "a/x.test.json").formPath == "a/x.json")
  }

  @Test
  func `a case comes behind the others, which keep their form, or in the place of one`() throws {
    let text = "{ \"cases\": [\n    {\"name\":   \"a\"}, {\"name\": \"b\"}\n] }\n"
    let loaded = try LoadedTestFile(Array(text.utf8), path: "t")
    func with(_ name: String, replaces: Bool = false) -> String? {
      var testCase = TestCase()
      testCase.name = name
      testCase.locale = "ko"
      return TestFileText.text(of: Array(text.utf8), loaded, with: testCase, replaces: replaces)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      with("c")
        == "{ \"cases\": [\n    {\"name\":   \"a\"}, {\"name\": \"b\"},\n    {\"name\": \"c\", \"locale\": \"ko\"}\n] }\n"
    )
    #expect(with("a") == nil)
    #expect(
      with("a", replaces: true) == "{ \"cases\": [\n    {\"name\": \"a\", \"locale\": \"ko\"}, {\"name\": \"b\"}\n] }\n"
    )
  }

  @Test
  func `a case comes into a file without cases, and into a new one`() throws {
    let text = "{\"cases\": [ ]}"
    let loaded = try LoadedTestFile(Array(text.utf8), path: "t")
    var testCase = TestCase()
    testCase.name = "a"
    let written = TestFileText.text(of: Array(text.utf8), loaded, with: testCase, replaces: false)
    #expect(written.map { String(decoding: $0, as: UTF8.self) } == "{\"cases\": [\n    {\"name\": \"a\"}\n  ]}")
    #expect(TestFileText.new(with: testCase) == "{\"cases\": [{\"name\": \"a\"}]}\n")
  }
}
