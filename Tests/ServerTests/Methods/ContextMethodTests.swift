import FormProtocol
import Forms
import JSON
import Server
import Sessions
import Testing

/// The context on the wire: who gives it, what is refused, and what is told.
struct ContextMethodTests {
  static let form = TestForms.form(
    #"""
    { "form": "staff",
      "context": { "type": "object", "required": ["role"], "additionalProperties": false, "properties": {
        "role": { "enum": ["clerk", "chef"] }, "token": { "type": "string", "writeOnly": true } } },
      "schema": { "type": "object", "properties": { "a": { "type": "string" } } },
      "rules": [ { "id": "chef", "field": "a", "check": "context.role == 'chef'", "message": "Only a chef." } ],
      "outputs": { "role": "context.role", "hasToken": "context.token != ''" } }
    """#
  )

  private static func daemon() -> TestDaemon {
    TestDaemon(catalog: FormCatalog([form, TestForms.login]))
  }

  private static func paths(_ error: JSON) -> [JSON?] {
    error.at("data", "errors")?.arrayValue?.map { $0["path"] } ?? []
  }

  @Test
  func `a session is opened with it, and gets another one`() throws {
    let client = Self.daemon().connect()
    let opened = client.result("session/open", ["form": "staff", "context": ["role": "clerk", "token": "x"]])
    #expect(opened.at("document", "outputs") == ["role": "clerk", "hasToken": true])
    #expect(!opened.description.contains("token\":\"x"))
    let told = client.request("session/setContext", ["context": ["role": "chef"]])
    #expect(told.first?.at("params", "cause") == "session/setContext")
    #expect(told.first?.at("params", "patch", "outputs") == ["role": "chef", "hasToken": false])
    #expect(told.last?.at("result", "revision") == 1)
    #expect(client.request("session/setContext", ["context": ["role": "chef"]]).map { $0["method"] } == [nil])
  }

  @Test(
    arguments: [
      ([:], "/context"), (["role": "king"], "/context/role"), (["role": "chef", "x": 1], "/context/x"),
      (nil, "/context"),
    ] as [(JSONObject?, JSON)]
  )
  func `a context that the form does not admit is refused where it is given`(_ context: JSONObject?, _ path: JSON) {
    let client = Self.daemon().connect()
    var params: JSONObject = ["form": "staff"]
    params["context"] = context.map { .object($0) }
    let error = client.error("session/open", .object(params))
    #expect(error["code"] == -32602 && Self.paths(error) == [path], "\(error)")
    #expect(client.error("form/validate", .object(params))["code"] == -32602)
    params["text"] = "{}"
    params["language"] = "json"
    #expect(client.error("text/validate", .object(params))["code"] == -32602)
    guard let context else { return }
    client.result("session/open", ["form": "staff", "context": ["role": "chef"]])
    let refused = client.error("session/setContext", ["context": .object(context)])
    #expect(refused["code"] == -32602 && Self.paths(refused) == [path])
    #expect(client.result("session/get").at("document", "outputs", "role") == "chef")
  }

  @Test
  func `a form that describes none takes none`() {
    let client = Self.daemon().connect()
    let error = client.error("session/open", ["form": "login", "context": [:]])
    #expect(error["code"] == -32602 && Self.paths(error) == ["/context"])
    client.result("session/open", ["form": "login"])
    #expect(client.error("session/setContext", ["context": [:]])["code"] == -32602)
  }

  @Test
  func `values and texts are judged with it`() {
    let client = Self.daemon().connect()
    for (role, isValid) in [("chef", true), ("clerk", false)] as [(JSON, JSON)] {
      let params: JSONObject = ["form": "staff", "context": ["role": role]]
      var values = params
      values["values"] = ["a": "x"]
      #expect(client.result("form/validate", .object(values))["isValid"] == isValid)
      values["checks"] = true
      #expect(client.result("form/validate", .object(values))["isValid"] == isValid)
      var text = params
      text["text"] = #"{"a": "x"}"#
      text["language"] = "json"
      #expect(client.result("text/validate", .object(text))["isValid"] == isValid)
    }
  }

  @Test
  func `a program learns its schema, and a browser's connection does not`() {
    let daemon = Self.daemon()
    let described = daemon.connect().result("form/describe", ["form": "staff"])
    #expect(described.at("context", "properties", "role", "enum") == ["clerk", "chef"])
    #expect(daemon.connect().result("form/describe", ["form": "login"])["context"] == nil)
    let browser = daemon.connect()
    browser.result("session/open", ["form": "login", "onlyPublic": true])
    #expect(browser.result("form/describe", ["form": "staff"])["context"] == nil)
  }

  @Test
  func `all clients of a kept session share it`() throws {
    let daemon = Self.daemon()
    let first = daemon.connect()
    let opened = first.result("session/open", ["form": "staff", "keep": "1m", "context": ["role": "clerk"]])
    let second = daemon.connect()
    #expect(
      second.result("session/attach", ["key": opened["key"] ?? .null]).at("document", "outputs", "role") == "clerk"
    )
    second.request("session/setContext", ["context": ["role": "chef"]])
    #expect(first.messages().last?.at("params", "patch", "outputs", "role") == "chef")
  }

  @Test
  func `a stored session has it after a restart, without its secrets`() throws {
    let catalog = FormCatalog([Self.form])
    let store = TestStore()
    let client = TestDaemon(catalog: catalog, store: store).connect()
    let opened = client.result(
      "session/open",
      ["form": "staff", "keep": "1m", "context": ["role": "clerk", "token": "x"]]
    )
    client.request("session/setContext", ["context": ["role": "chef", "token": "y"]])
    let again = TestDaemon(catalog: catalog, store: TestStore(store.sessions)).connect()
    let attached = again.result("session/attach", ["key": opened["key"] ?? .null])
    #expect(attached.at("document", "outputs") == ["role": "chef", "hasToken": false])
    again.request("session/setContext", ["context": ["role": "chef", "token": "z"]])
    #expect(again.result("session/get").at("document", "outputs", "hasToken") == true)
  }
}
