import FormCases
import FormProtocol
import JSON
import Testing

/// What is played by hand becomes a case that passes.
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
    #expect(answered?.events == [["action": "login", "kind": "succeeded", "result": ["id": 7]]])
    #expect(recorder.waiting.isEmpty)
    let none = try response("{}")
    #expect(recorder.answer(none) == nil)
    #expect(recorder.testCase.answers.map(\.held) == ["accounts 1"])
    #expect(try lines(loginForm, running: recorder.testCase) == [])
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
