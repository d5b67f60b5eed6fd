import Files
import FormStudio
import Foundation
import JSON
import Testing

/// The conversation of a page with studio, without a browser.
struct StudioTests {
  private static let form = """
    {"form": "f", "schema": {"required": ["a"], "properties": {"a": {"type": "string"}, "on": {"type": "boolean"},
       "key": {"type": "string", "writeOnly": true}}},
     "fields": {"a": {"normalize": ["upper"]}},
     "checks": [{"id": "free", "field": "a", "debounce": "300ms", "run": {"http": {"service": "s", "path": "/free"}},
       "outcomes": [{"when": "response.body.free == true", "valid": true}, {"message": "Taken."}]}]}
    """

  /// A folder with the form, which the test removes.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var path: String { url.appendingPathComponent("f.form.json").path }

    init(_ form: String?) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      if let form { try write(form) }
    }

    func write(_ form: String) throws { try form.write(toFile: path, atomically: true, encoding: .utf8) }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private final class Page {
    let studio: Studio

    init(_ path: String) {
      studio = Studio(path) { bytes, path in
        FileManager.default.createFile(atPath: path, contents: Data(bytes)) ? nil : "cannot be written"
      }
    }

    /// The answer to a call, and the messages that all pages get.
    func call(_ method: String, _ params: JSON = [:]) -> (answer: JSON, all: [JSON]) {
      let request: JSON = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
      let output = studio.received(Array(request.description.utf8))
      return (output.own.last ?? .null, output.all)
    }

    var state: JSON {
      let request: JSON = ["jsonrpc": "2.0", "id": 1, "method": "studio/state"]
      return studio.received(Array(request.description.utf8)).own.first?["params"] ?? .null
    }

    func change(_ field: String, _ value: JSON) -> (answer: JSON, all: [JSON]) {
      call("field/change", ["field": .string(field), "value": value])
    }
  }

  @Test func `an input is answered as by the daemon, behind its update`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    let opened = page.call("session/open", ["form": "f"]).answer["result"]
    #expect(opened?["document"]?["isValid"] == false && opened?["values"] == [:])
    let (answer, all) = page.change("a", "x")
    #expect(answer["result"]?["revision"] == 1 && answer["id"] == 1)
    #expect(all.first?["params"]?["values"] == ["a": "X"])
    #expect(all.first?["params"]?["patch"]?["fields"]?["a"]?["isDirty"] == true)
    #expect(page.change("b", 1).answer["error"]?["code"] == 1004)
    #expect(page.call("form/list").answer["error"]?["code"] == -32601)
    let refused = page.call("studio/advance", ["by": "soon"]).answer["error"]?["message"]?.stringValue
    #expect(refused?.contains("300ms") == true)
  }

  @Test func `the clock moves to the next timer after that much time, and stands while a request waits`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    _ = page.change("a", "x")
    #expect(page.studio.timePassed(milliseconds: 299).isEmpty)
    #expect(!page.studio.timePassed(milliseconds: 1).isEmpty)
    #expect(page.state["clock"]?["now"] == "2000-01-01T00:00:00.3Z")
    #expect(page.state["requests"]?.arrayValue?.count == 1)
    // The request would time out.
    #expect(page.studio.timePassed(milliseconds: 1_000_000).isEmpty)
    _ = page.call("studio/answer", ["response": ["body": ["free": false]], "always": true])
    #expect(page.state["requests"] == [])
    // The next request has its answer.
    _ = page.change("a", "y")
    _ = page.studio.timePassed(milliseconds: 300)
    #expect(page.state["requests"] == [] && page.state["mocks"]?.arrayValue?.count == 1)
    let document = page.call("session/get").answer["result"]?["document"]
    #expect(document?["fields"]?["a"]?["errors"]?.arrayValue?.first?["message"] == "Taken.")
  }

  @Test func `a changed form repeats the steps, and a broken one changes nothing but the problems`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    _ = page.change("a", "x")
    _ = page.change("on", true)
    let life = page.state["life"]
    try folder.write("{")
    #expect(page.studio.timePassed(milliseconds: 300).count == 1)
    #expect(page.state["life"] == life && page.state["problems"]?.arrayValue?.isEmpty == false)
    _ = page.change("a", "xy")
    // The field `on` is gone.
    try folder.write(#"{"form": "f", "schema": {"properties": {"a": {"type": "string"}, "b": {"default": 7}}}}"#)
    #expect(page.studio.timePassed(milliseconds: 300).count == 1)
    #expect(page.state["life"] != life && page.state["problems"] == [])
    #expect(page.call("session/get").answer["result"]?["values"] == ["a": "xy", "b": 7])
  }

  @Test func `a form that is written later appears, and a case has no secrets`() throws {
    let folder = try Folder(nil)
    let page = Page(folder.url.path)
    #expect(page.state["hasForm"] == false)
    try folder.write(Self.form)
    #expect(page.studio.timePassed(milliseconds: 300).count == 1)
    #expect(page.state["hasForm"] == true)
    for text in ["s", "se", "secret"] { _ = page.change("key", .string(text)) }
    #expect(page.state["values"] == [:] && page.state["steps"]?.arrayValue?.count == 1)
    #expect(page.call("studio/record").answer["error"]?["message"] == "give the case a name")
    #expect(page.call("studio/record", ["name": "c"]).answer["result"]?.stringValue?.contains("f.test.json") == true)
    let path = folder.url.appendingPathComponent("f.test.json").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("xxxxxx") && !text.contains("secret"))
    #expect(page.call("studio/run").answer["result"]?["cases"] == [["name": "c", "passed": true]])
  }

  @Test func `a form that requires a context gets the given one, or says how to give it`() throws {
    let form = """
      {"form": "f", "context": {"type": "object", "required": ["role"], "properties": {"role": {"enum": ["a", "b"]}}},
       "schema": {"properties": {"x": {"type": "string"}}}, "fields": {"x": {"visible": "context.role == 'b'"}}}
      """
    let folder = try Folder(form)
    let page = Page(folder.path)
    #expect(page.state["hasForm"] == false)
    #expect(page.state["problems"]?.arrayValue?.last?["text"]?.stringValue?.contains("--context") == true)
    let given = Studio(folder.path, given: ["x": "1"], context: ["role": "b"]) { _, _ in nil }
    let request: JSON = ["jsonrpc": "2.0", "id": 1, "method": "session/get"]
    let session = given.received(Array(request.description.utf8)).own.last?["result"]
    #expect(session?["values"] == ["x": "1"] && session?["document"]?["fields"]?["x"]?["isVisible"] == true)
  }

  @Test func `an edit is taken back, and a choice is marked`() throws {
    let folder = try Folder(
      #"{"undo": true, "schema": {"properties": {"kinds": {"type": "array", "maxItems": 2, "items": {"enum": ["x", "y"]}}}}}"#
    )
    let page = Page(folder.path)
    _ = page.call("session/open", ["form": "f"])
    func patch(_ method: String, _ params: JSON = [:]) -> JSON? {
      page.call(method, params).all.first?["params"]?["patch"]
    }
    #expect(patch("field/toggle", ["field": "kinds", "value": "x"])?["canUndo"] == true)
    #expect(patch("session/undo")?["canRedo"] == true)
    #expect(patch("session/redo")?["fields"]?["kinds"]?["order"] == ["1"])
  }

  @Test(arguments: [
    "", "7", "[]", "{", "null", "{}", #"{"id":[],"method":7}"#, #"{"id":1,"method":"field/change"}"#,
    #"{"id":1,"method":"field/change","params":{"field":7}}"#,
    #"{"id":1,"method":"field/insert","params":{"field":"a"}}"#,
    #"{"id":1,"method":"field/change","params":{"field":"a","value":1,"explain":true}}"#,
    #"{"id":1,"method":"action/tap","params":[]}"#, #"{"id":1,"method":"step/show","params":{"step":"x"}}"#,
    #"{"id":1,"method":"server/backup","params":{"file":"/tmp/x"}}"#, #"{"id":1,"method":"studio/answer"}"#,
    #"{"id":1,"method":"studio/answer","params":{"response":{"status":"x"}}}"#,
    #"{"id":1,"method":"studio/answer","params":{"response":{}}}"#, #"{"id":1,"method":"studio/advance"}"#,
    #"{"id":1,"method":"studio/advance","params":{"by":"25h"}}"#, #"{"id":1,"method":"studio/nothing"}"#,
    #"{"id":1,"method":"studio/begin","params":{"zone":"x/y"}}"#,
    #"{"id":1,"method":"studio/set","params":{"zone":"Asia/Seoul","now":"soon"}}"#,
  ])
  func `a message that makes no sense is an error, and changes nothing`(_ text: String) throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    let state = page.state
    let output = page.studio.received(Array(text.utf8))
    #expect(
      output.own.count == 1 && output.own[0]["error"]?["message"]?.stringValue?.isEmpty == false && output.all.isEmpty
    )
    #expect(page.state == state)
  }

  @Test func `why a part is as it is has its errors, its formulas and what depends on it`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    let why = page.call("studio/explain", ["address": "a"]).answer["result"]
    #expect(why?["state"]?["errors"]?.arrayValue?.first?["code"] == "required")
    #expect(why?["cells"]?.arrayValue?.contains { $0["name"] == "values.a" } == true)
  }

  @Test func `a tap and its message are there again after a change of the file`() throws {
    let form = """
      {"form": "f", "schema": {"properties": {"a": {"type": "string"}}}, "actions": {"send": {
        "run": {"http": {"service": "s", "method": "POST", "path": "/x", "json": "values"}},
        "outcomes": [{"when": "response.status == 201", "success": "true", "message": "Thanks."},
          {"failure": "response.kind"}]}}}
      """
    let folder = try Folder(form)
    let page = Page(folder.path)
    _ = page.change("a", "x")
    _ = page.call("action/tap", ["action": "send"])
    #expect(page.state["actions"]?["send"]?["running"] == 1)
    _ = page.call("studio/answer", ["response": ["status": 201]])
    #expect(page.state["said"] == "Thanks." && page.state["actions"]?["send"]?["running"] == nil)
    #expect(
      page.state["steps"] == [#"change a "x""#, "tap send", #"answer s 1 {"status":201}"#]
    )
    try folder.write(form.replacing("Thanks.", with: "Many thanks."))
    _ = page.studio.timePassed(milliseconds: 300)
    #expect(page.state["said"] == "Many thanks." && page.state["steps"]?.arrayValue?.count == 3)
    // The form asks something else before the tap. The answer is still the answer to the tap.
    let lookup = #""lookups": {"l": {"run": {"http": {"service": "s", "path": "/l"}}}}, "actions""#
    try folder.write(form.replacing("\"actions\"", with: lookup))
    _ = page.studio.timePassed(milliseconds: 300)
    #expect(page.state["said"] == "Thanks.")
    #expect(page.state["requests"]?.arrayValue?.map { $0["http"]?["path"] } == ["/l"])
  }

  @Test func `another language, zone or beginning repeats the steps, and a new beginning has none`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    _ = page.change("a", "x")
    for setting in [["zone": "Asia/Seoul"], ["now": "2030-02-03T04:05:06Z"], ["locale": "de"]] as [JSON] {
      _ = page.call("studio/set", setting)
      #expect(page.state["values"] == ["a": "X"])
    }
    #expect(page.state["clock"]?["now"] == "2030-02-03T04:05:06Z")
    #expect(page.state["clock"]?["beginning"] == "2030-02-03T04:05:06Z")
    _ = page.call("studio/advance", ["by": "1h"])
    #expect(page.state["clock"]?["now"] == "2030-02-03T05:05:06Z")
    _ = page.call("studio/begin")
    #expect(page.state["values"] == [:] && page.state["clock"]?["now"] == "2030-02-03T04:05:06Z")
    _ = page.call("studio/begin", ["now": ""])
    #expect(page.state["clock"]?["now"] == "2000-01-01T00:00:00Z")
  }

  @Test func `a formula that goes wrong is told with its place and its cause, and so is why`() throws {
    let form = """
      {"form": "f", "schema": {"properties": {"a": {"type": "string"}}},
       "outputs": {"o": "values.a + ''"},
       "actions": {"send": {"run": {"http": {"service": "s", "method": "POST", "path": "/x"}}, "outcomes": [
         {"when": "response.status == 201", "success": "true",
          "messageExpression": "'Number ' + response.body.id"}, {"failure": "response.kind"}]}}}
      """
    let folder = try Folder(form)
    let page = Page(folder.path)
    _ = page.call("action/tap", ["action": "send"])
    _ = page.call("studio/answer", ["response": ["status": 201, "body": ["id": 7]]])
    let fault = try #require(page.state["faults"]?.arrayValue?.first?.stringValue)
    #expect(fault.contains("f.form.json:5:") && fault.contains("actions.send.outcomes[0].messageExpression"))
    #expect(fault.contains("'Number ' + response.body.id") && fault.contains("string"))
    #expect(page.call("studio/explain", ["action": "send"]).answer["result"]?["faults"] == [.string(fault)])
    #expect(page.call("studio/explain", ["output": "o"]).answer["result"]?["faults"] == [])
  }

  @Test func `a saved case is replaced if the author wants that`() throws {
    let folder = try Folder(Self.form)
    let page = Page(folder.path)
    #expect(page.call("studio/record", ["name": "c"]).answer["result"] != nil)
    _ = page.change("a", "x")
    let refusal = page.call("studio/record", ["name": "c"]).answer["error"]?["message"]?.stringValue
    #expect(refusal?.contains("Replace") == true)
    #expect(page.call("studio/record", ["name": "c", "replaces": true]).answer["result"] != nil)
    let path = folder.url.appendingPathComponent("f.test.json").path
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""x""#))
    #expect(page.call("studio/run").answer["result"]?["cases"] == [["name": "c", "passed": true]])
  }

  @Test func `why a field is as it is has its checks and rules`() throws {
    let folder = try Folder(Self.form)
    let cells = Page(folder.path).call("studio/explain", ["address": "a"]).answer["result"]?["cells"]?.arrayValue
    let check = cells?.first { $0["name"] == "check free" }
    let definitions = check?["definitions"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(definitions.contains { $0.contains("debounce: 300ms") })
    #expect(definitions.contains("outcome when response.body.free == true: valid"))
  }
}
