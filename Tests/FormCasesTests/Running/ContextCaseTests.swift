import FormCases
import FormProtocol
import JSON
import Testing

/// Cases of a form that describes a context.
@Suite struct `The context of a case` {
  private static let definition = #"""
    {"form": "t", "context": {"required": ["role"], "properties": {"role": {"enum": ["clerk", "chef"]},
        "token": {"type": "string", "writeOnly": true}}},
      "schema": {"properties": {"a": {"type": "string"}}},
      "outputs": {"role": "context.role", "hasToken": "context.token != ''"}}
    """#

  @Test func `is what formulas read, and steps replace it`() throws {
    let told = try failure(
      Self.definition,
      #"""
      {"name": "a", "context": {"role": "chef", "token": "x"}, "expect": {"outputs": {"role": "chef", "hasToken": true}},
       "steps": [{"setContext": {"role": "clerk"}, "expect": {"outputs": {"role": "clerk", "hasToken": false}}},
         {"setContext": {"role": "king"}, "expect": {"refused": -32602}}]}
      """#
    )
    #expect(told == [])
  }

  @Test func `fails the case if the form does not admit it`() throws {
    let wrong = try failure(Self.definition, #"{"name": "a", "context": {"role": "king"}}"#)
    #expect(wrong.first == "when the session was opened")
    #expect(wrong.joined().contains("t.test.json:2:26: the form does not admit this context: /role: "), "\(wrong)")
    let missing = try failure(Self.definition, #"{"name": "a"}"#)
    #expect(missing.joined().contains("the form does not admit this context"), "\(missing)")
    let superfluous = try failure(loginForm, #"{"name": "a", "context": {}}"#)
    #expect(superfluous.joined().contains("the form describes no context"), "\(superfluous)")
  }

  @Test func `is recorded without its secrets`() throws {
    var beginning = TestCase()
    beginning.name = "a"
    beginning.context = ["role": "chef", "token": "s3cret"]
    let recorder = CaseRecorder(try form(Self.definition), beginning)
    var step = TestStep()
    step.setContext = ["role": "clerk", "token": "s3cret"]
    try recorder.perform(step)
    let text = recorder.testCase.json.description
    #expect(!text.contains("s3cret") && recorder.hasMasked)
    #expect(try failure(Self.definition, text) == [])
  }
}
