import FormProtocol
import JSON
import Server
import Sessions
import Testing

@Suite struct `text validate` {
  @Test
  func `says where the values are wrong, and leaves no session`() {
    let client = TestDaemon().connect()
    let text = "{\"email\": \"ab\"}"
    let result = client.result("text/validate", ["form": "login", "text": .string(text), "language": "json"])
    #expect(result["isValid"] == false && result["isTruncated"] == false)
    let error = result["errors"]?.arrayValue?.first
    #expect(error?["path"] == "/email" && error?["message"] == "no address" && error?["severity"] == "error")
    #expect(error?["range"] == ["start": ["line": 0, "character": 10], "end": ["line": 0, "character": 14]])
    #expect(error?["keyRange"] == ["start": ["line": 0, "character": 1], "end": ["line": 0, "character": 8]])
    #expect(client.result("session/list") == ["sessions": []])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `reads a long text on another thread, and answers in order`() {
    let daemon = TestDaemon()
    daemon.holdsOffloadedWork = true
    let client = daemon.connect()
    let text = "{\"email\": \"a@b\", \"password\": \"\(String(repeating: "p", count: 20_000))\"}"
    let params: JSON = ["form": "login", "text": .string(text), "language": "json"]
    #expect(client.request("text/validate", params).isEmpty && client.request("server/ping").isEmpty)
    daemon.doOffloadedWork()
    let answers = client.messages()
    #expect(answers.count == 2 && answers[0].at("result", "isValid") == true)
    #expect(answers.last?.at("result", "instanceId") != nil)
  }

  @Test
  func `with checks is answered as soon as the last check is`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.checkedRows]))
    let client = daemon.connect()
    let params: JSON = ["form": "checkedRows", "text": "items:\n- code: a\n", "language": "yaml", "checks": true]
    #expect(client.request("text/validate", params).isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 404))
    let answer = client.messages().first
    #expect(answer?.at("result", "isValid") == false)
    #expect(answer?.at("result", "errors")?.arrayValue?.first?.at("range", "start") == ["line": 1, "character": 8])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `that is cancelled while its checks run leaves nothing`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.checked]))
    let client = daemon.connect()
    let params: JSON = ["form": "checked", "text": "code=a\n", "language": "env", "checks": true]
    #expect(client.request("text/validate", params).isEmpty)
    #expect(client.notify("$/cancelRequest", ["id": 1]).first?.at("error", "code") == -32800)
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `brings a definition along with a text`() {
    let client = TestDaemon().connect()
    let definition: JSON = ["schema": ["properties": ["n": ["type": "integer"]]]]
    let params: JSON = ["definition": definition, "text": "n: x\n", "language": "yaml"]
    #expect(client.result("text/validate", params)["errors"]?.arrayValue?.first?["code"] == "type")
    let broken: JSON = ["definition": ["schema": ["type": "objct"]], "text": "", "language": "env"]
    #expect(client.error("text/validate", broken)["code"] == -32602)
  }

  @Test
  func `keeps to the limits of values`() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let client = TestDaemon().connect()
    let result = client.result(
      "text/validate",
      ["form": "login", "text": .string("{\"email\": \(deep)}"), "language": "json"]
    )
    #expect(result["errors"]?.arrayValue?.first?["code"] == "depth")
    let many = "{\"email\": [\(Array(repeating: "1", count: 100_001).joined(separator: ","))]}"
    let truncated = client.result("text/validate", ["form": "login", "text": .string(many), "language": "json"])
    #expect(truncated["errors"]?.arrayValue?.first?["code"] == "nodes")
  }
}
