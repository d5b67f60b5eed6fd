internal import Client
internal import FormProtocol
internal import Testing

struct RowsTests {
  private let document = FormDocument([
    "fields": [
      "items": [
        "isVisible": true, "isValid": false, "errors": [], "order": ["4", "2"],
        "rows": [
          "2": [
            "isValid": false,
            "fields": [
              "quantity": ["isValid": false, "isTouched": true, "errors": [["code": "minimum"]]],
              "lines": ["order": ["9"], "rows": ["9": ["isValid": true]]],
            ],
          ],
          "4": ["isValid": true, "lookups": ["price": ["isLoading": true, "value": 3]], "outputs": ["net": 9.5]],
        ],
      ]
    ]
  ])

  @Test func `a list has its rows in order, each with its fields and outputs`() throws {
    let rows = document.rows("items")
    #expect(rows.map(\.identity) == ["4", "2"] && rows.map(\.address) == ["/items/#4", "/items/#2"])
    #expect(rows.map(\.isValid) == [true, false] && rows.map(\.outputs) == [["net": 9.5], [:]])
    #expect(rows[1].field("quantity")?.isTouched == true)
    #expect(document.rows("/items/1/lines").map(\.address) == ["/items/#2/lines/#9"])
    #expect(document.rows("/items/0/lines").isEmpty && document.rows("nothing").isEmpty)
  }

  @Test func `a row has its lookups, and one that is not told of has found nothing`() throws {
    let rows = document.rows("items")
    #expect(rows[0].lookups.map(\.name) == ["price"] && rows[1].lookups.isEmpty && !document.isSettled)
    #expect(rows[0].lookup("price").isLoading && rows[0].lookup("price").value == 3)
    #expect(!rows[1].lookup("price").isLoading && rows[1].lookup("price").value == nil)
  }

  @Test(arguments: ["/items/#2/quantity", "/items/1/quantity"])
  func `a row is found by its identity and its position`(address: String) throws {
    let field = try #require(document.field(address))
    #expect(field.address == "/items/#2/quantity" && field.pointer.description == "/items/1/quantity")
    #expect(field.name == "quantity" && field.errors.map(\.code) == ["minimum"])
  }

  @Test(arguments: ["/items/#4", "/items/#4/quantity", "/items/0/address/city", "/items/#2/lines/0/text"])
  func `what the document leaves out of a row is as usual`(address: String) throws {
    let field = try #require(document.field(address))
    #expect(field.isVisible && field.isEnabled && field.isValid)
    #expect(!field.isRequired && !field.isPending && !field.isDirty && !field.isTouched && !field.isEmpty)
    #expect(field.errors.isEmpty && field.fields.isEmpty)
  }

  @Test func `a row's output is found by the row's identity and its position`() {
    #expect(document.output("/items/#4/net") == 9.5 && document.output("/items/0/net") == 9.5)
    #expect(
      document.output("/items/1/net") == nil && document.output("/items/9/net") == nil && document.output("net") == nil
    )
    #expect(FormDocument(["outputs": ["net": 1]]).output("net") == 1)
  }

  @Test func `the state of a field has what the document leaves out, and nothing of what is inside of the field`()
    throws
  {
    let quantity = try #require(document.field("/items/1/quantity")).state
    #expect(quantity["isVisible"] == true && quantity["isTouched"] == true && quantity["isDirty"] == false)
    #expect(quantity["errors"] == [["code": "minimum"]])
    #expect(try #require(document.field("items")).state["order"] == ["4", "2"])
    #expect(try #require(document.field("items")).state["rows"] == nil)
    #expect(try #require(document.field("/items/0")).state["outputs"] == nil)
  }

  @Test(arguments: ["/items/#3", "/items/2", "/items/-", "/items/#4/lines/#9", "/items/#4/lines/0", "/items/x"])
  func `a row that is not there is not found`(address: String) {
    #expect(document.field(address) == nil)
  }

  @Test func `an error in a row has the row's identity in its field, and its position in its path`() throws {
    let error = try #require(document.allErrors.first)
    #expect(error.field == "/items/#2/quantity" && error.path.description == "/items/1/quantity")
    #expect(document.allFields.map(\.address).contains("/items/#2/lines/#9"))
  }

  /// Answers as a daemon would that has two rows; another one than the expected params is refused.
  private static let script: FakeDaemon.Script = { method, id, params in
    func updateAndAnswer(_ revision: Int64, _ more: JSON, _ answer: JSON = [:]) -> [JSON] {
      var update: JSON = [
        "session": 1, "revision": .integer(revision), "from": .integer(revision - 1), "cause": .string(method),
      ]
      update.merge(more)
      var result: JSON = ["revision": .integer(revision)]
      result.merge(answer)
      return [FakeDaemon.update(update), FakeDaemon.result(id, result)]
    }
    let rows: JSON = ["order": ["1", "2"], "rows": ["1": ["isValid": true], "2": ["isValid": true]]]
    switch (method, params) {
    case ("session/open", _):
      let values: JSON = ["items": [["a": 1], ["a": 2]], "other": [1, 2]]
      return [
        FakeDaemon.result(id, ["session": 1, "revision": 0, "document": ["fields": ["items": rows]], "values": values])
      ]
    case ("field/insert", ["session": 1, "field": "items", "at": "#2", "value": ["a": 3]]):
      let patch: JSON = ["fields": ["items": ["order": ["2", "3", "1"], "rows": ["3": ["isValid": true]]]]]
      return updateAndAnswer(1, ["patch": patch, "values": ["/items/#3/net": 5, "/items/#2/a": 7]], ["row": "3"])
    case ("field/insert", ["session": 1, "field": "items", "values": [[:], .null]]):
      let patch: JSON = ["fields": ["items": ["order": ["2", "3", "1", "4", "5"]]]]
      return updateAndAnswer(2, ["patch": patch, "values": ["/items/#5": ["a": 9]]], ["rows": ["4", "5"]])
    case ("field/remove", ["session": 1, "field": "/items/#3"]):
      let patch: JSON = ["fields": ["items": ["order": ["2", "1", "4", "5"], "rows": ["3": .null]]]]
      return updateAndAnswer(3, ["patch": patch, "absent": ["/items/#1", "/items/#77/a"]])
    case ("field/move", ["session": 1, "field": "/items/#5", "to": 0]):
      return updateAndAnswer(4, ["patch": ["fields": ["items": ["order": ["5", "2", "1", "4"]]]]])
    case ("field/fail", ["session": 1, "field": "/items/#5/a", "message": "sold out"]):
      return updateAndAnswer(5, ["patch": ["messages": ["/items/#5/a": "sold out"]]])
    default:
      let data: JSON = ["field": params["field"] ?? .null, "reason": "removed"]
      return [
        ["jsonrpc": "2.0", "id": id ?? .null, "error": ["code": 1004, "message": "Unknown field", "data": data]]
      ]
    }
  }

  @Test func `rows come, go and move, and the values that are told stay with their rows`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormConnection(socketPath: path).open("invoice")
      #expect(try session.insert(into: "items", ["a": 3], before: .identity(2)) == "3")
      #expect(session.values == ["items": [["a": 7], ["net": 5], ["a": 1]], "other": [1, 2]])
      #expect(try session.insertAll(into: "items", [[:], .null]) == ["4", "5"])
      #expect(session.values["items"] == [["a": 7], ["net": 5], ["a": 1], .null, ["a": 9]])
      try session.remove("/items/#3")
      #expect(session.values["items"] == [["a": 7], .null, .null, ["a": 9]])
      try session.move("/items/#5", to: .position(0))
      #expect(session.values["items"] == [["a": 9], ["a": 7], .null, .null])
      #expect(session.document.rows("items").map(\.identity) == ["5", "2", "1", "4"])
      try session.fail("/items/#5/a", "sold out")
      #expect(session.document.messages == ["/items/#5/a": "sold out"])
      let error = #expect(throws: ClientError.self) { try session.remove("/items/#77") }
      guard case .refused(_, let remote)? = error else {
        Issue.record("not refused")
        return
      }
      #expect(remote.data.reason == .removed && remote.data.field == "/items/#77")
    }
  }
}
