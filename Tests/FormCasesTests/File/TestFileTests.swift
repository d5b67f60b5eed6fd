import FormCases
import FormProtocol
import JSON
internal import SourceTexts
import Testing

/// A test file is read to its end, and each problem is reported with its position.
struct TestFileTests {
  @Test(
    arguments: [
      (#"{"cases": ["#, "t.test.json:1:12: error:"),
      (#"{}"#, #"t.test.json:1:1: error: "cases" is missing [/cases]"#),
      (#"{"cases": [], "case": 1}"#, #"t.test.json:1:15: error: unknown member "case" [/case]"#),
      (#"{"cases": [{"name": 7}]}"#, "t.test.json:1:21: error: this must be string [/cases/0/name]"),
      (#"{"cases": [{"name": "a", "stepz": []}]}"#, #"unknown member "stepz" [/cases/0/stepz]"#),
      (#"{"cases": [{"name": "a", "stepz": []}]}"#, #"did you mean "steps"?"#),
      (
        #"{"cases": [{"name": "a"}, {"name": "a"}]}"#,
        #"t.test.json:1:36: error: another case already has the name "a""#
      ),
      (#"{"cases": [{"name": "a", "now": "noon"}]}"#, "this must be a time as in RFC 3339"),
      (#"{"cases": [{"name": "a", "zone": "Mars"}]}"#, "this must be a time zone that this machine knows"),
      (#"{"cases": [{"name": "a", "steps": [{}]}]}"#, "this must be exactly one of: change, focus"),
      (#"{"cases": [{"name": "a", "steps": [{"tap": "b", "blur": "c"}]}]}"#, "this must be exactly one of: change"),
      (#"{"cases": [{"name": "a", "steps": [{"change": "b"}]}]}"#, #""value" is missing"#),
      (
        #"{"cases": [{"name": "a", "steps": [{"change": {"b": 1}, "value": 1}]}]}"#, "not both [/cases/0/steps/0/value]"
      ),
      (#"{"cases": [{"name": "a", "steps": [{"tap": "b", "at": 1}]}]}"#, #"it belongs to insert, not tap"#),
      (#"{"cases": [{"name": "a", "steps": [{"move": "b"}]}]}"#, #""to" is missing"#),
      (#"{"cases": [{"name": "a", "steps": [{"fail": "b"}]}]}"#, #""message" is missing"#),
      (#"{"cases": [{"name": "a", "steps": [{"reset": false}]}]}"#, "this must be true"),
      (#"{"cases": [{"name": "a", "steps": [{"advance": "soon"}]}]}"#, "this must be a duration such as"),
      (#"{"cases": [{"name": "a", "answers": [{}]}]}"#, "exactly one of http, sql and provider"),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "held": "x", "after": "1s"}]}]}"#,
        "only held or after may be there"
      ),
      (#"{"cases": [{"name": "a", "answers": [{"http": {}, "times": 0}]}]}"#, "a whole number from 1, or \"any\""),
      (#"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"kind": "late"}}]}]}"#, "one of: ok, refused"),
      (
        #"{"cases": [{"name": "a", "expect": {"isValid": true, "refused": 1004}}]}"#,
        "t.test.json:1:65: error: this must be left out: only a step can be refused, not the opening [/cases/0/expect/refused]"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"rows": []}}]}]}"#,
        "this must be left out: a service answers with a body, not with rows [/cases/0/answers/0/response/rows]"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"status": 99}}]}]}"#,
        "this must be an HTTP status, 100 to 599 [/cases/0/answers/0/response/status]"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"status": 600}}]}]}"#,
        "this must be an HTTP status, 100 to 599"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"kind": "timeout", "body": 1}}]}]}"#,
        "left out: no body comes with \"timeout\" [/cases/0/answers/0/response/body]"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"kind": "timeout", "status": 200}}]}]}"#,
        "left out: no status comes with \"timeout\" [/cases/0/answers/0/response/status]"
      ),
      (
        #"{"cases": [{"name": "a", "answers": [{"sql": {}, "response": {"rows": [{}, 1]}}]}]}"#,
        "this must be object [/cases/0/answers/0/response/rows/1]"
      ),
      (
        #"{"cases": [{"name": "a", "expect": {"errors": {"b": "x"}}}]}"#,
        "t.test.json:1:53: error: this must be a list of codes, or null [/cases/0/expect/errors/b]"
      ),
      (
        #"{"cases": [{"name": "a", "expect": {"errors": {"": [1]}}}]}"#,
        "this must be a list of codes, or null [/cases/0/expect/errors/]"
      ),
      (
        #"{"cases": [{"name": "a", "steps": [{"tap": "b", "expect": {"messages": {"/c/0": ["x"]}}}]}]}"#,
        "this must be a text, or null [/cases/0/steps/0/expect/messages/~1c~10]"
      ),
      (
        #"{"cases": [{"name": "a", "expect": {"actions": {"b": true}}}]}"#,
        "this must be an object, or null [/cases/0/expect/actions/b]"
      ),
      (#"{"cases": [{"a\u0000": 1}]}"#, "t.test.json:1:13: error: a name contains U+0000; leave it out"),
      ("{\"cases\": [], \"a\u{0}\": 1}", "error: a name contains U+0000"),
      (String(repeating: "[", count: 4000), "t.test.json:1:513: error: values are nested deeper than 512 levels here"),
      (
        #"{"cases": "# + String(repeating: "[", count: 2047) + String(repeating: "]", count: 2047) + "}",
        "values are nested deeper than 512 levels here"
      ),
    ] as [(String, String)]
  )
  func `what is wrong is told with its place and with what to write`(text: String, told: String) throws {
    let error = #expect(throws: TestFileError.self) { try LoadedTestFile(Array(text.utf8), path: "t.test.json") }
    let lines = (error?.diagnostics ?? []).map(\.description).joined(separator: "\n")
    #expect(lines.contains(told), "\(lines)")
  }

  @Test(arguments: [
    #"{"cases": [{"name": "a", "given": {"password": hunter2}}]}"#,
    #"{"cases": [{"name": "a", "steps": [{"change": "password", "value": 'hunter2'}]}]}"#,
    #"{"cases": [{"name": "a", "steps": [{"change": "password", "value": "hunter2}]}]}"#,
    #"{"cases": [{"name": "a", "given": {"password": my hunter2: 1}, hunter2: 1, "hunter2": 2}]}"#,
    #"{"cases": [{"name": "a", "given": {"hunter2": 1, "hunter2": 2}}]}"#,
  ])
  func `a fault of syntax quotes nothing of the file, which may be a secret`(text: String) throws {
    let error = #expect(throws: TestFileError.self) { try LoadedTestFile(Array(text.utf8), path: "t.test.json") }
    let lines = (error?.diagnostics ?? []).map { "\($0) \($0.json())" }.joined(separator: "\n")
    #expect(!lines.isEmpty && !lines.contains("hunter2"), "\(lines)")
  }

  @Test
  func `the form stands beside the file, or where the file says`() throws {
    let plain = Array(#"{"cases": []}"#.utf8)
    #expect(try LoadedTestFile(plain, path: "a/b.test.json").formPath == "a/b.form.json")
    #expect(try LoadedTestFile(plain, path: "b.test.json").formPath == "b.form.json")
    let named = Array(#"{"form": "../c.form.json", "cases": []}"#.utf8)
    #expect(try LoadedTestFile(named, path: "a/b.test.json").formPath == "a/../c.form.json")
    #expect(try LoadedTestFile(named, path: "b.test.json").formPath == "../c.form.json")
    #expect(LoadedTestFile.testPath(besideForm: "a/b.form.json", exists: { _ in false }) == "a/b.test.json")
    #expect(LoadedTestFile.testPath(besideForm: "a/b.json", exists: { _ in false }) == "a/b.test.json")
  }

  @Test
  func `what was read is written as it was`() throws {
    let text = """
      {"$schema":"s","cases":[{"name":"a","given":{"b":1},"now":"2026-11-22T12:00:00Z","zone":"UTC","locale":"ko","show":"always",\
      "answers":[{"http":{"path":"/p","json":null},"times":"any","after":"2s","response":{"status":404,"body":[1]}}],\
      "expect":{"isValid":true,"errors":{"":["x"]}},"steps":[{"change":{"b":2},"origin":"program","commit":true},\
      {"move":"/l/#2","to":"#1"},{"reset":true,"keepValues":true,"expect":{"events":[]}}]}]}
      """
    #expect(try LoadedTestFile(Array(text.utf8), path: "t").content.json == JSON(parsing: text))
  }
}
