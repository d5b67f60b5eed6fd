internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

struct MethodTests {
  @Test
  func `a session can be left out where there is exactly one`() {
    let client = TestDaemon().connect()
    #expect(client.error("field/blur", ["field": "email"])["code"] == 1001)
    let first = client.open("login")
    #expect(client.result("field/blur", ["field": "email"])["revision"] == 1)
    let second = client.open("login")
    #expect(first != second)
    let error = client.error("field/blur", ["field": "email"])
    #expect(error["code"] == -32602)
    #expect(error.at("data", "errors")?.arrayValue?.first?["path"] == "/session")
    #expect(client.result("session/close", ["session": .integer(first)])["session"] == .integer(first))
    #expect(client.result("session/get")["session"] == .integer(second))
  }

  @Test
  func `another's session and one that never was are the same error`() {
    let daemon = TestDaemon()
    let owner = daemon.connect()
    let session = owner.open("login")
    let other = daemon.connect()
    var foreign = other.error("session/get", ["session": .integer(session)])
    var unknown = other.error("session/get", ["session": 4711])
    #expect(foreign["code"] == 1001)
    foreign.merge(["data": .null])
    unknown.merge(["data": .null])
    #expect(foreign == unknown)
    #expect(other.result("session/list") == ["sessions": []])
  }

  @Test func `a step is shown unless it is hidden or not known, and another cause tells of it`() {
    let client = TestDaemon(catalog: TestForms.withPages).connect()
    client.open("pages")
    let shown = client.request("step/show", ["step": "profile"])
    #expect(shown[0].at("params", "cause") == "step/show" && shown[0].at("params", "patch") == ["step": "profile"])
    #expect(shown[1].at("result", "revision") == 1)
    let hidden = client.error("step/show", ["step": "firm"])
    #expect(hidden["code"] == 1008 && hidden["data"] == ["step": "firm", "reason": "hidden"])
    let unknown = client.error("step/show", ["step": "profil"])
    #expect(unknown["code"] == 1008 && unknown["data"] == ["step": "profil", "closest": "profile"])
    #expect(client.notify("step/show", ["step": "four"])[0]["method"] == "server/rejected")
    #expect(client.result("field/change", ["field": "isFirm", "value": true])["revision"] == 2)
    #expect(client.result("step/show", ["step": "firm"])["revision"] == 3)
    #expect(client.result("step/show", ["step": "firm"])["revision"] == 3)
  }

  @Test(
    arguments: [
      ("session/open", ["form": "logni"], 1003, "login"), ("form/describe", ["form": "logni"], 1003, "login"),
      ("form/validate", ["form": "logni"], 1003, "login"),
      ("field/change", ["field": "emial", "value": 1], 1004, "email"),
      ("field/change", ["field": "/emial/0", "value": 1], 1004, "email"),
      ("field/change", ["field": "", "value": 1], 1004, nil), ("field/change", ["field": "/", "value": 1], 1004, nil),
      ("field/focus", ["field": "pasword"], 1004, "password"),
      ("field/blur", ["field": "pasword"], 1004, "password"), ("field/change", ["values": ["emali": 1]], 1004, "email"),
      ("action/tap", ["action": "logn"], 1005, "login"), ("session/gte", [:], -32601, "session/get"),
    ] as [(String, JSON, JSON, JSON?)]
  )
  func `an unknown name is answered with the closest one`(
    _ method: String,
    _ params: JSON,
    _ code: JSON,
    _ closest: JSON?
  ) {
    let client = TestDaemon().connect()
    client.open("login")
    let error = client.error(method, params)
    #expect(error["code"] == code)
    #expect(error.at("data", "closest") == closest)
  }

  @Test
  func `params that are wrong do nothing`() {
    let client = TestDaemon().connect()
    client.open("login")
    let error = client.error("field/change", ["field": "email", "value": "a@b", "vlaue": 1])
    #expect(error["code"] == -32602)
    #expect(error.at("data", "errors")?.arrayValue?.first?["path"] == "/vlaue")
    #expect(client.result("session/get")["values"] == [:])
    #expect(client.error("field/change", ["values": ["email": "a@b", "nope": 1]])["code"] == 1004)
    #expect(client.result("session/get")["values"] == [:])
  }

  @Test
  func `a session opens with values and a locale`() {
    let client = TestDaemon().connect()
    let result = client.result(
      "session/open",
      ["form": "login", "locale": "ko", "values": ["email": " kim@x ", "password": "geheim"]]
    )
    #expect(result["values"] == ["email": "kim@x"])
    #expect(result.at("document", "isValid") == true)
    // The schema judges names that are not fields.
    let other = client.result("session/open", ["form": "login", "values": ["nope": 1]])
    #expect(other["values"] == ["nope": 1])
  }

  @Test
  func `a definition that is brought along needs no name`() {
    let client = TestDaemon().connect()
    let definition: JSON = ["schema": ["type": "object", "properties": ["a": ["type": "string"]]]]
    let session = client.result("session/open", ["definition": definition])["session"] ?? .null
    #expect(client.result("session/get", ["session": session])["form"] == "definition")
    #expect(client.result("form/validate", ["definition": definition])["isValid"] == true)
  }

  @Test
  func `a definition that is brought along is checked, and cannot reach services`() {
    let client = TestDaemon().connect()
    let broken = client.error("session/open", ["definition": ["form": "x", "schema": ["type": "objct"]]])
    #expect(broken["code"] == -32602)
    #expect(
      broken.at("data", "errors")?.arrayValue?.first?["path"]?.stringValue?.hasPrefix("/definition/schema") == true
    )
    let greedy: JSON = [
      "form": "x", "schema": ["type": "object", "properties": ["a": ["type": "string"]]],
      "actions": ["go": ["run": ["http": ["service": "accounts", "method": "GET", "path": "/"]]]],
    ]
    #expect(client.error("session/open", ["definition": greedy])["code"] == -32602)
    let open = TestDaemon { $0.definitions.services = ["accounts"] }.connect()
    #expect(open.result("session/open", ["definition": greedy])["session"] == 1)
  }

  @Test
  func `form validate judges values and leaves no session`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    #expect(
      client.result("form/validate", ["form": "login", "values": ["email": "a@b", "password": "p"]])["isValid"] == true
    )
    let invalid = client.result("form/validate", ["form": "login", "values": ["email": "ab"]])
    #expect(invalid["isValid"] == false)
    #expect(invalid.at("document", "messages", "email") == "no address")
    #expect(client.result("form/validate", ["form": "login", "checks": true])["isValid"] == false)
    #expect(client.result("session/list") == ["sessions": []])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `form validate with checks is answered as soon as the last check is`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.checked]))
    let client = daemon.connect()
    #expect(client.request("form/validate", ["form": "checked", "values": ["code": "a"], "checks": true]).isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
    #expect(client.messages().map { $0.at("result", "isValid") } == [true])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `form validate with checks asks the checks of rows, too`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.checkedRows]))
    let client = daemon.connect()
    let values: JSON = ["items": [["code": "a"], [:], ["code": "b"]]]
    #expect(client.request("form/validate", ["form": "checkedRows", "values": values, "checks": true]).isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
    daemon.answerEffect(EffectResponse(kind: .ok, status: 404))
    let answer = client.messages().first
    #expect(answer?.at("result", "isValid") == false)
    #expect(answer?.at("result", "document", "messages") == ["/items/#3/code": "This is not valid."])
  }

  @Test
  func `the daemon says what it is`() {
    let client = TestDaemon().connect()
    #expect(client.result("server/ping") == ["instanceId": "0123456789abcdef"])
    let info = client.result("server/info")
    #expect(info["forms"] == 3)
    #expect(info.at("limits", "textBytesMax") == 4_194_304)
    #expect(client.result("initialize", ["processId": .null])["instanceId"] == "0123456789abcdef")
    #expect(client.result("rpc.discover")["methods"]?.arrayValue?.count == Method.allCases.count)
    #expect(client.result("server/stats")["requests"]?.integerValue == 5)
  }

  @Test
  func `a tap that waits is answered when shutdown closes its session`() {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask", "await": true])
    let messages = client.request("shutdown")
    #expect(messages.map { $0["method"] ?? $0["id"] } == ["session/closed", 2, 3])
    #expect(messages[1].at("error", "code") == -32800)
    #expect(messages[1].at("error", "data", "reason") == "sessionClosed")
    _ = client.notify("exit")
    #expect(client.isClosing)
  }

  @Test
  func `after shutdown nothing is expected but exit`() {
    let client = TestDaemon().connect()
    let session = client.open("login")
    let messages = client.request("shutdown")
    #expect(messages.first?["method"] == "session/closed")
    #expect(messages.first?.at("params", "session") == .integer(session))
    #expect(messages.last?["result"] == .null)
    #expect(client.error("server/ping")["code"] == -32600)
    _ = client.notify("exit")
    #expect(client.isClosing)
  }

  @Test
  func `a value inside a field is changed by its pointer`() {
    let form = TestForms.form(
      #"{"form":"list","schema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object"}}}}}"#
    )
    let client = TestDaemon(catalog: FormCatalog([form])).connect()
    client.open("list")
    client.request("field/change", ["field": "items", "value": [["qty": 1]]])
    client.request("field/change", ["field": "/items/0/qty", "value": 2])
    #expect(client.result("session/get")["values"] == ["items": [["qty": 2]]])
    let lost = client.error("field/change", ["field": "/items/7/qty", "value": 2])
    #expect(lost["code"] == -32602)
    #expect(lost.at("data", "errors")?.arrayValue?.first?["path"] == "/field")
    let several = client.error("field/change", ["values": ["/items/0/qty": 3, "/items/7/qty": 3]])
    #expect(several.at("data", "errors")?.arrayValue?.first?["path"] == "/values/~1items~17~1qty")
    #expect(client.result("session/get")["values"] == ["items": [["qty": 2]]])
  }

  @Test(arguments: Method.allCases)
  func `every method can be called`(_ method: Method) throws {
    let store = method == .serverBackup ? TestStore() : nil
    let daemon = TestDaemon(catalog: TestForms.withPagesAndRows, store: store)
    let client = daemon.connect()
    // The second connection, which can be disconnected.
    _ = daemon.connect()
    if method == .providerUnregister { client.result("provider/register", ["name": "grammar"]) }
    var key: JSON?
    switch method {
    case .stepShow: client.open("pages")
    case .fieldInsert, .fieldRemove, .fieldMove: client.open("rows")
    case .sessionAttach, .sessionDetach, .serverEndSession: key = try client.openKept().key
    case .fieldToggle:
      let topics: JSON = ["type": "array", "maxItems": 3, "items": ["enum": ["news", "offers"]]]
      let definition: JSON = ["form": "letters", "schema": ["properties": ["topics": topics]]]
      client.result("session/open", ["definition": definition])
    case .sessionSetContext:
      let definition: JSON = [
        "form": "staff", "schema": ["properties": ["name": ["type": "string"]]],
        "context": ["properties": ["role": ["type": "string"]]],
      ]
      client.result("session/open", ["definition": definition])
    case .sessionUndo, .sessionRedo:
      let definition: JSON = [
        "form": "notes", "undo": true, "schema": ["properties": ["note": ["type": "string", "maxLength": 9]]],
      ]
      client.result("session/open", ["definition": definition])
    default: client.open("login")
    }
    func example<Params: Call>(_ type: Params.Type) -> JSON { Params.example.params.json }
    var params = example(method.call)
    // An operator always names the session.
    if method != .serverEndSession { params.merge(["session": .null]) }
    if method == .sessionAttach, let key { params.merge(["key": key]) }
    let messages = client.request(method.wireName.description, params)
    #expect(messages.last?["result"] != nil || messages.last?["error"] == nil, "\(messages)")
  }
}
