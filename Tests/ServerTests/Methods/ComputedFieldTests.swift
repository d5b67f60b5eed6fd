import FormProtocol
import Forms
import JSON
import Server
import Testing

/// Fields with computed values, as a client sees them.
@Suite struct ComputedFieldTests {
  private static let form = TestForms.form(
    #"""
    { "form": "stay",
      "schema": { "type": "object", "properties": {
        "nights": { "type": "integer" }, "total": { "type": "integer" }, "note": { "type": "string", "maxLength": 20 },
        "mine": { "type": "string", "maxLength": 20 }, "list": { "type": "array", "items": { "type": "object", "properties": {
          "n": { "type": "integer" }, "double": { "type": "integer" } } } } } },
      "fields": { "total": { "computed": "values.nights * 100" }, "mine": { "suggested": "values.note" },
        "/list/*/double": { "computed": "row.n * 2" } } }
    """#
  )

  private static func refused(_ path: String) -> JSON {
    [
      "code": -32602, "message": "Invalid params",
      "data": [
        "errors": [
          [
            "path": .string(path), "code": "computed",
            "expected": "a field that takes input; this field is computed",
          ]
        ]
      ],
    ]
  }

  static let refusals: [(method: String, params: JSON, path: String)] = [
    ("field/change", ["field": "total", "value": "7"], "/field"),
    ("field/change", ["field": "/total", "value": 7], "/field"),
    ("field/change", ["field": "/total/x", "value": 7], "/field"),
    ("field/change", ["values": ["nights": 2, "total": 7]], "/values/total"),
    ("field/change", ["field": "/list/0/double", "value": 7], "/field"),
    ("field/remove", ["field": "total"], "/field"),
    ("field/remove", ["field": "/list/#1/double"], "/field"),
  ]

  @Test(arguments: refusals.indices)
  func `a computed field takes no input at its address`(_ index: Int) {
    let refusal = Self.refusals[index]
    let daemon = TestDaemon(catalog: FormCatalog([Self.form]))
    let client = daemon.connect()
    client.result("session/open", ["form": "stay", "values": ["nights": 1, "list": [["n": 1]]]])
    let before = client.result("session/get")
    let answers = client.request(refusal.method, refusal.params)
    #expect(answers.count == 1 && answers[0]["error"] == Self.refused(refusal.path), "\(answers)")
    #expect(client.result("session/get") == before)
  }

  @Test func `values that formulas give are told, and come with the others`() {
    let daemon = TestDaemon(catalog: FormCatalog([Self.form]))
    let client = daemon.connect()
    let opened = client.result("session/open", ["form": "stay", "values": ["nights": 1, "total": 7]])
    #expect(opened["values"] == ["nights": 1, "total": 100])
    let told = client.request("field/change", ["field": "nights", "value": 2])
    #expect(told.count == 2 && told[0]["params"]?["values"] == ["total": 200], "\(told)")
    let row = client.request("field/insert", ["field": "list", "value": ["n": 4]])
    #expect(row[0]["params"]?["values"] == ["/list/#1/double": 8])
    // A change on the short path, and a suggestion that ends.
    #expect(client.request("field/change", ["field": "note", "value": "x"])[0]["params"]?["values"] == ["mine": "x"])
    client.result("field/change", ["field": "mine", "value": "y"])
    #expect(client.request("field/change", ["field": "note", "value": "z"])[0]["params"]?["values"] == nil)
    #expect(
      client.result("session/get")["values"]
        == ["nights": 2, "total": 200, "note": "z", "mine": "y", "list": [["n": 4, "double": 8]]]
    )
    let validated = client.result("form/validate", ["form": "stay", "values": ["nights": 3, "total": "wrong"]])
    #expect(validated["isValid"] == true)
  }

  @Test func `a description says which fields they are`() {
    let daemon = TestDaemon(catalog: FormCatalog([Self.form]))
    let fields = daemon.connect().result("form/describe", ["form": "stay"])["fields"]?.arrayValue ?? []
    #expect(fields.map { $0["computed"] == true } == [false, true, false, false, false])
    #expect(fields.map { $0["suggested"] == true } == [false, false, false, true, false])
    #expect(fields[0]["computed"] == nil)
  }
}
