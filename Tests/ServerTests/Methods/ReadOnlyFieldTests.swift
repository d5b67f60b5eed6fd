import FormProtocol
import Forms
import JSON
import Server
import Testing

/// Fields whose schema says `readOnly`, as a client sees them.
@Suite struct ReadOnlyFieldTests {
  private static let form = TestForms.form(
    #"""
    { "form": "record",
      "schema": { "type": "object", "properties": {
        "id": { "type": "string", "readOnly": true, "minLength": 2 }, "name": { "type": "string" },
        "box": { "type": "object", "readOnly": true, "additionalProperties": true, "properties": { "a": { "type": "string" } } },
        "list": { "type": "array", "items": { "type": "object", "properties": {
          "n": { "type": "integer" }, "id": { "type": "integer", "readOnly": true } } } },
        "fixed": { "type": "array", "readOnly": true, "items": { "type": "object", "properties": {
          "n": { "type": "integer" } } } } } },
      "checks": [{ "id": "c", "field": "id", "run": { "provider": { "name": "p", "arguments": { "v": "self" } } },
        "outcomes": [{ "valid": true }] }] }
    """#
  )

  private static let values: JSON = [
    "id": "x1", "name": "kim", "box": ["a": "b"], "list": [["n": 1, "id": 1], ["n": 2]], "fixed": [["n": 1], ["n": 2]],
  ]

  static let refusals: [(method: String, params: JSON, path: String)] = [
    ("field/change", ["field": "id", "value": "y1"], "/field"),
    ("field/change", ["field": "id", "value": "y1", "origin": "autofill"], "/field"),
    ("field/change", ["field": "/id", "value": .null], "/field"),
    ("field/change", ["field": "/box/a", "value": "y"], "/field"),
    ("field/change", ["field": "box", "value": [:]], "/field"),
    ("field/change", ["field": "/box/other", "value": 1], "/field"),
    ("field/change", ["values": ["name": "lee", "id": "y1"]], "/values/id"),
    ("field/change", ["field": "/list/0/id", "value": 7], "/field"),
    ("field/change", ["field": "/fixed/-", "value": ["n": 3]], "/field"),
    ("field/change", ["field": "/fixed/0/n", "value": 3], "/field"),
    ("field/insert", ["field": "fixed", "value": ["n": 3]], "/field"),
    ("field/remove", ["field": "/fixed/0"], "/field"),
    ("field/move", ["field": "/fixed/0", "to": 1], "/field"),
    ("field/remove", ["field": "id"], "/field"),
    ("field/remove", ["field": "/list/0/id"], "/field"),
  ]

  @Test(arguments: refusals.indices)
  func `the user cannot change a read-only field`(_ index: Int) {
    let refusal = Self.refusals[index]
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    client.result("session/open", ["form": "record", "values": Self.values])
    let before = client.result("session/get")
    let answers = client.request(refusal.method, refusal.params)
    let problem = answers.last?["error"]?["data"]?["errors"]?.arrayValue?.first
    #expect(answers.count == 1 && answers[0]["error"]?["code"] == -32602, "\(answers)")
    #expect(problem?["code"] == "readOnly" && problem?["path"] == .string(refusal.path))
    #expect(client.result("session/get") == before)
  }

  @Test func `programs change it, and rows of a list around it come and go`() {
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    client.result("session/open", ["form": "record", "values": Self.values])
    client.result("field/change", ["field": "id", "value": "z1", "origin": "program"])
    client.result("field/change", ["field": "/box/a", "value": "c", "origin": "restore"])
    client.result("field/change", ["field": "/list/-", "value": ["n": 3, "id": 3], "origin": "program"])
    client.result("field/remove", ["field": "/list/1"])
    client.result("field/move", ["field": "/list/1", "to": 0])
    let told = client.request("field/change", ["field": "list", "value": [["n": 9, "id": 9]]])
    #expect(told[0]["params"]?["values"]?["/list/#5/id"] == 3, "\(told)")
    #expect(
      client.result("session/get")["values"]
        == ["id": "z1", "name": "kim", "box": ["a": "c"], "list": [["n": 9, "id": 3]], "fixed": [["n": 1], ["n": 2]]]
    )
  }

  @Test func `a new row of the user does not take the read-only values that it is given`() {
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    client.result("session/open", ["form": "record"])
    let told = client.request("field/insert", ["field": "list", "values": [["n": 1, "id": 7], ["n": 2]]])
    #expect(told[0]["params"]?["absent"] == ["/list/#1/id"], "\(told)")
    client.result("field/change", ["field": "/list/-", "value": ["n": 3, "id": 7]])
    client.result("field/change", ["field": "/list/-", "value": ["n": 4, "id": 7], "origin": "autofill"])
    client.result("field/change", ["field": "/list/-", "value": ["n": 5, "id": 5], "origin": "program"])
    #expect(
      client.result("session/get")["values"]?["list"]
        == [["n": 1], ["n": 2], ["n": 3], ["n": 4], ["n": 5, "id": 5]]
    )
  }

  @Test func `a description says which fields they are, and a validation judges their values`() {
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    let fields = client.result("form/describe", ["form": "record"])["fields"]?.arrayValue ?? []
    #expect(fields.map { $0["readOnly"] } == [true, nil, true, nil, true])
    #expect(fields[2]["fields"]?.arrayValue?.first?["readOnly"] == true && fields[4]["items"]?["readOnly"] == true)
    #expect(fields[3]["items"]?["fields"]?.arrayValue?.map { $0["readOnly"] } == [nil, true])
    for checks in [true, false] {
      let verdict = client.result("form/validate", ["form": "record", "values": ["id": "x"], "checks": .bool(checks)])
      let codes = verdict["document"]?["fields"]?["id"]?["errors"]?.arrayValue?.map { $0["code"] }
      #expect(verdict["isValid"] == false && codes == ["minLength"])
    }
  }
}
