internal import Configuration
import FormProtocol
import Forms
import JSON
import Server
import Sessions
import Testing

/// Calls with wrong rows or positions get one clear error and change nothing.
@Suite struct RowRefusalTests {
  /// Lists in rows, and rows that are texts; `address` is an object, and `note` may be anything.
  private static let form = TestForms.form(
    #"""
    { "form": "shop",
      "schema": { "type": "object", "properties": {
        "note": {},
        "address": { "type": "object", "properties": { "city": { "type": "string" } } },
        "tags": { "type": "array", "items": { "type": "string" } },
        "orders": { "type": "array", "maxItems": 2, "items": { "type": "object", "properties": {
          "name": { "type": "string" },
          "address": { "type": "object", "properties": { "city": { "type": "string" } } },
          "lines": { "type": "array", "items": { "type": "object", "properties": { "text": { "type": "string" } } } } } } } } } }
    """#
  )

  /// The limit of rows for the sessions of these cases.
  private static let rowsMax = 8

  private static func daemon(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> TestDaemon {
    TestDaemon(catalog: FormCatalog([form])) {
      $0.limits[.rowsMax] = rowsMax
      change(&$0)
    }
  }

  /// Opens a session with the orders #2 (with the lines #3 and #4) and #5, and the tag #1. The order #6 was removed
  /// with its line #7. `address` is a text instead of an object, and so is the address of the order #5.
  @discardableResult
  private static func begin(_ client: TestClient = daemon().connect()) -> TestClient {
    client.result(
      "session/open",
      [
        "form": "shop",
        "values": [
          "note": ["inner": [1, 2]], "address": "nowhere", "tags": ["t"],
          "orders": [
            ["name": "a", "lines": [["text": "x"], ["text": "y"]]], ["name": "b", "address": 7],
          ],
        ],
      ]
    )
    #expect(client.result("field/insert", ["field": "orders", "value": ["lines": [[:]]]])["row"] == "6")
    #expect(client.result("field/remove", ["field": "/orders/#6"])["revision"] == 2)
    #expect(order("orders", client) == ["2", "5"] && order("tags", client) == ["1"])
    return client
  }

  private static func order(_ list: String, _ client: TestClient) -> JSON? {
    client.result("session/get").at("document", "fields", list, "order")
  }

  /// A call, and the error that refuses it.
  struct Refusal: CustomTestStringConvertible {
    let method: Method
    let params: JSON
    let error: JSON

    init(_ method: Method, _ params: JSON, _ error: JSON) {
      self.method = method
      self.params = params
      self.error = error
    }

    var testDescription: String { "\(method.wireName) \(params)" }
  }

  // MARK: The errors

  private static func unknown(_ field: String, _ more: JSON = [:]) -> JSON {
    var data: JSON = ["field": .string(field)]
    data.merge(more)
    return ["code": 1004, "message": "Unknown field", "data": data]
  }
  private static func removed(_ field: String) -> JSON { unknown(field, ["reason": "removed"]) }
  private static func moved(_ field: String) -> JSON { unknown(field, ["reason": "moved"]) }
  private static func never(_ field: String, closest: String) -> JSON { unknown(field, ["closest": .string(closest)]) }

  private static func wrong(_ path: String, _ expected: String) -> JSON {
    [
      "code": -32602, "message": "Invalid params",
      "data": ["errors": [["path": .string(path), "code": "value", "expected": .string(expected)]]],
    ]
  }
  private static func noPosition(_ path: String = "/field") -> JSON {
    wrong(
      path,
      "existing rows, by position from 0 or by identity (`#7`); `-` only at the end: insert the row first"
    )
  }
  private static func noSuchValue(_ path: String = "/field") -> JSON {
    wrong(path, "a position in the field's value, or the position after its last element")
  }
  private static let tooManyRows: JSON = [
    "code": 1012, "message": "This connection has reached a limit",
    "data": ["limit": "rowsMax", "value": .integer(Int64(rowsMax))],
  ]

  /// Sends the call as a request, and then as a notification. Both are refused with the same message, and the session
  /// does not change.
  private func refuse(_ refusal: Refusal, _ client: TestClient) {
    let before = client.result("session/get")
    let answers = client.request(refusal.method.wireName.description, refusal.params)
    #expect(answers.count == 1 && answers[0]["error"] == refusal.error, "\(answers)")
    let told = client.notify(refusal.method.wireName.description, refusal.params)
    #expect(told.count == 1 && told[0]["method"] == "server/rejected", "\(told)")
    #expect(told.first?.at("params", "error") == refusal.error)
    #expect(client.result("session/get") == before, "a part of it was done")
  }

  // MARK: Rows

  private static let removedRows: [Refusal] = [
    Refusal(.fieldChange, ["field": "/orders/#6", "value": [:]], removed("/orders/#6")),
    Refusal(.fieldChange, ["field": "/orders/#6/name", "value": "x"], removed("/orders/#6/name")),
    Refusal(.fieldChange, ["field": "/orders/#6/lines/#7/text", "value": "x"], removed("/orders/#6/lines/#7/text")),
    Refusal(.fieldChange, ["field": "/orders/#2/lines/#7/text", "value": "x"], removed("/orders/#2/lines/#7/text")),
    Refusal(.fieldChange, ["values": ["/orders/#2/name": "x", "/orders/#6/name": "x"]], removed("/orders/#6/name")),
    Refusal(.fieldFocus, ["field": "/orders/#6/name"], removed("/orders/#6/name")),
    Refusal(.fieldBlur, ["field": "/orders/#6"], removed("/orders/#6")),
    Refusal(.fieldFail, ["field": "/orders/#6/name", "message": "no"], removed("/orders/#6/name")),
    Refusal(.fieldInsert, ["field": "orders", "at": "#6"], removed("/orders/#6")),
    Refusal(.fieldInsert, ["field": "/orders/#6/lines"], removed("/orders/#6/lines")),
    Refusal(.fieldRemove, ["field": "/orders/#6"], removed("/orders/#6")),
    Refusal(.fieldMove, ["field": "/orders/#6", "to": 0], removed("/orders/#6")),
    Refusal(.fieldMove, ["field": "/orders/#2", "to": "#6"], removed("/orders/#6")),
  ]

  private static let rowsElsewhere: [Refusal] = [
    Refusal(.fieldChange, ["field": "/orders/#5/lines/#3/text", "value": "x"], moved("/orders/#5/lines/#3/text")),
    Refusal(.fieldChange, ["field": "/orders/#1/name", "value": "x"], moved("/orders/#1/name")),
    Refusal(.fieldChange, ["field": "/tags/#2", "value": "x"], moved("/tags/#2")),
    Refusal(.fieldChange, ["values": ["note": 1, "/orders/#5/lines/#3": [:]]], moved("/orders/#5/lines/#3")),
    Refusal(.fieldFocus, ["field": "/orders/#3/name"], moved("/orders/#3/name")),
    Refusal(.fieldBlur, ["field": "/orders/#5/lines/#4"], moved("/orders/#5/lines/#4")),
    Refusal(.fieldFail, ["field": "/tags/#5", "message": "no"], moved("/tags/#5")),
    Refusal(.fieldInsert, ["field": "orders", "at": "#3"], moved("/orders/#3")),
    Refusal(.fieldInsert, ["field": "/orders/#5/lines", "at": "#3"], moved("/orders/#5/lines/#3")),
    Refusal(.fieldRemove, ["field": "/orders/#5/lines/#4"], moved("/orders/#5/lines/#4")),
    Refusal(.fieldMove, ["field": "/tags/#2", "to": 0], moved("/tags/#2")),
    Refusal(.fieldMove, ["field": "/orders/#2/lines/#3", "to": "#5"], moved("/orders/#2/lines/#5")),
  ]

  private static let rowsThatNeverWere: [Refusal] = [
    Refusal(.fieldChange, ["field": "/orders/#99/name", "value": 1], never("/orders/#99/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/#0/name", "value": 1], never("/orders/#0/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/#02/name", "value": 1], never("/orders/#02/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/#-2/name", "value": 1], never("/orders/#-2/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/#/name", "value": 1], never("/orders/#/name", closest: "orders")),
    Refusal(
      .fieldChange,
      ["field": "/orders/#99999999999999999999/name", "value": 1],
      never("/orders/#99999999999999999999/name", closest: "orders")
    ),
    Refusal(.fieldChange, ["field": "/orders/*/name", "value": 1], never("/orders/*/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/a/name", "value": 1], never("/orders/a/name", closest: "orders")),
    Refusal(.fieldChange, ["field": "/orders/00/name", "value": 1], never("/orders/00/name", closest: "orders")),
    Refusal(
      .fieldChange,
      ["field": "/orders/#2/nam", "value": 1],
      never("/orders/#2/nam", closest: "/orders/#2/name")
    ),
    Refusal(.fieldInsert, ["field": "orders", "at": "#99"], unknown("/orders/#99", ["closest": "orders"])),
    Refusal(
      .fieldInsert,
      ["field": "orders", "at": "#9223372036854775807"],
      unknown("/orders/#9223372036854775807", ["closest": "orders"])
    ),
    Refusal(.fieldInsert, ["field": "/orders/#99/lines"], never("/orders/#99/lines", closest: "orders")),
    Refusal(.fieldInsert, ["field": "order"], never("order", closest: "orders")),
    Refusal(.fieldRemove, ["field": "/orders/#99"], never("/orders/#99", closest: "orders")),
    Refusal(.fieldMove, ["field": "/orders/#99", "to": 0], never("/orders/#99", closest: "orders")),
    Refusal(.fieldMove, ["field": "/orders/0", "to": "#99"], never("/orders/#99", closest: "orders")),
    Refusal(.fieldFail, ["field": "/orders/#99", "message": "no"], never("/orders/#99", closest: "orders")),
  ]

  @Test(arguments: removedRows + rowsElsewhere + rowsThatNeverWere)
  func `a row that is not there is 1004, with what has become of it`(_ refusal: Refusal) {
    refuse(refusal, Self.begin())
  }

  // MARK: Positions

  private static let positions: [Refusal] = [
    Refusal(.fieldChange, ["field": "/orders/2", "value": [:]], noPosition()),
    Refusal(.fieldChange, ["field": "/orders/2/name", "value": "x"], noPosition()),
    Refusal(.fieldChange, ["field": "/orders/9223372036854775807/name", "value": "x"], noPosition()),
    Refusal(.fieldChange, ["field": "/orders/1/lines/0/text", "value": "x"], noPosition()),
    Refusal(.fieldChange, ["field": "/tags/1", "value": "x"], noPosition()),
    Refusal(
      .fieldChange,
      ["values": ["/orders/0/name": "x", "/orders/2/name": "x"]],
      noPosition("/values/~1orders~12~1name")
    ),
    Refusal(.fieldFocus, ["field": "/orders/2"], noPosition()),
    Refusal(.fieldBlur, ["field": "/orders/2/name"], noPosition()),
    Refusal(.fieldFail, ["field": "/tags/1", "message": "no"], noPosition()),
    Refusal(.fieldRemove, ["field": "/orders/2"], noPosition()),
    Refusal(.fieldRemove, ["field": "/orders/0/lines/2"], noPosition()),
    Refusal(.fieldMove, ["field": "/orders/2", "to": 0], noPosition()),
    Refusal(.fieldInsert, ["field": "/orders/2/lines"], noPosition()),
    Refusal(.fieldInsert, ["field": "orders", "at": 3], wrong("/at", "a position from 0 to 2")),
    Refusal(
      .fieldInsert,
      ["field": "orders", "at": -1],
      wrong("/at", "a position, such as 0, or a row's identity, such as \"#7\"")
    ),
    Refusal(
      .fieldInsert,
      ["field": "orders", "at": "2"],
      wrong("/at", "a position, such as 0, or a row's identity, such as \"#7\"")
    ),
    Refusal(.fieldMove, ["field": "/orders/0", "to": 2], wrong("/to", "a position from 0 to 1")),
    Refusal(.fieldMove, ["field": "/tags/0", "to": 9_223_372_036_854_775_807], wrong("/to", "a position from 0 to 0")),
  ]

  private static let behindTheLast: [Refusal] = [
    Refusal(.fieldChange, ["field": "/orders/-/name", "value": "x"], noPosition()),
    Refusal(.fieldChange, ["field": "/orders/-/lines/-", "value": [:]], noPosition()),
    Refusal(.fieldChange, ["values": ["note": 1, "/orders/-/name": "x"]], noPosition("/values/~1orders~1-~1name")),
    Refusal(.fieldFocus, ["field": "/orders/-"], wrong("/field", "an existing row")),
    Refusal(.fieldBlur, ["field": "/orders/-"], wrong("/field", "an existing row")),
    Refusal(.fieldFail, ["field": "/orders/-", "message": "no"], wrong("/field", "an existing row")),
    Refusal(.fieldRemove, ["field": "/orders/-"], wrong("/field", "a row, or an existing member")),
    Refusal(.fieldRemove, ["field": "/note/inner/-"], wrong("/field", "a row, or an existing member")),
    Refusal(.fieldMove, ["field": "/orders/-", "to": 0], wrong("/field", "the address of a row")),
    Refusal(.fieldInsert, ["field": "/orders/-"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldInsert, ["field": "/orders/-/lines"], noPosition()),
    Refusal(.fieldChange, ["field": "/tags/-/-", "value": "x"], noPosition()),
  ]

  private static let noLists: [Refusal] = [
    Refusal(.fieldChange, ["field": "/tags/0/-", "value": "x"], noSuchValue()),
    Refusal(.fieldChange, ["field": "/orders/0/name/-", "value": "x"], noSuchValue()),
    Refusal(.fieldInsert, ["field": "note"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldInsert, ["field": "/note/inner"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldInsert, ["field": "/orders/0"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldInsert, ["field": "/orders/0/address"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldInsert, ["field": "/tags/0"], wrong("/field", "the address of a list with rows")),
    Refusal(.fieldMove, ["field": "orders", "to": 0], wrong("/field", "the address of a row")),
    Refusal(.fieldMove, ["field": "/orders/0/name", "to": 0], wrong("/field", "the address of a row")),
    Refusal(.fieldMove, ["field": "/note/inner/0", "to": 0], wrong("/field", "the address of a row")),
  ]

  @Test(arguments: positions + behindTheLast + noLists)
  func `a position that is not there is -32602`(_ refusal: Refusal) {
    refuse(refusal, Self.begin())
  }

  // MARK: Values of a wrong type

  private static let wrongTypes: [Refusal] = [
    Refusal(.fieldChange, ["field": "/address/city", "value": "x"], noSuchValue()),
    Refusal(.fieldChange, ["field": "/orders/1/address/city", "value": "x"], noSuchValue()),
    Refusal(.fieldChange, ["field": "/orders/#5/address/city/street", "value": "x"], noSuchValue()),
    Refusal(.fieldChange, ["field": "/orders/0/name/first", "value": "x"], noSuchValue()),
    Refusal(.fieldChange, ["field": "/note/inner/7", "value": 1], noSuchValue()),
    Refusal(.fieldChange, ["field": "/note/inner/x", "value": 1], noSuchValue()),
    Refusal(
      .fieldChange,
      ["values": ["note": 1, "/address/city": "x"]],
      noSuchValue("/values/~1address~1city")
    ),
    Refusal(
      .fieldChange,
      ["values": ["/orders/0/name": "x", "/orders/1/address/city": "x", "/tags/-": "y"]],
      noSuchValue("/values/~1orders~11~1address~1city")
    ),
    // A row that the same input removes.
    Refusal(
      .fieldChange,
      ["values": ["orders": [["name": "x"]], "/orders/#5/name": "y"]],
      noSuchValue("/values/~1orders~1#5~1name")
    ),
    Refusal(.fieldRemove, ["field": "/address/city"], wrong("/field", "a row, or an existing member")),
    Refusal(.fieldRemove, ["field": "/orders/1/address/city"], wrong("/field", "a row, or an existing member")),
  ]

  @Test(arguments: wrongTypes)
  func `a place inside of a value of a wrong type is -32602`(_ refusal: Refusal) {
    refuse(refusal, Self.begin())
  }

  @Test(
    arguments: [
      Refusal(.fieldInsert, ["field": "orders"], wrong("/field", "a list, and rows that are not nested too deeply")),
      Refusal(
        .fieldInsert,
        ["field": "orders", "values": [1, 2]],
        wrong("/field", "a list, and rows that are not nested too deeply")
      ),
      Refusal(.fieldChange, ["field": "/orders/-", "value": [:]], noSuchValue()),
      Refusal(.fieldRemove, ["field": "/orders/-"], wrong("/field", "a row, or an existing member")),
      Refusal(.fieldRemove, ["field": "/orders/0"], noPosition()),
      Refusal(.fieldChange, ["field": "/orders/#2/name", "value": "x"], removed("/orders/#2/name")),
    ] as [Refusal]
  )
  func `a text where a list should be has no rows`(_ refusal: Refusal) {
    let client = Self.begin()
    client.result("field/change", ["field": "orders", "value": "none"])
    refuse(refusal, client)
  }

  // MARK: Too many rows

  /// The session has five rows, and may have eight.
  private static let tooMany: [Refusal] = [
    Refusal(.fieldInsert, ["field": "tags", "values": ["a", "b", "c", "d"]], tooManyRows),
    Refusal(.fieldInsert, ["field": "/orders/1/lines", "values": [[:], [:], [:], [:]]], tooManyRows),
    Refusal(.fieldInsert, ["field": "orders", "value": ["lines": [[:], [:], [:]]]], tooManyRows),
    Refusal(.fieldInsert, ["field": "orders", "values": [["lines": [[:]]], ["lines": [[:]]]]], tooManyRows),
    Refusal(.fieldChange, ["field": "/orders/-", "value": ["lines": [[:], [:], [:]]]], tooManyRows),
    Refusal(.fieldChange, ["field": "tags", "value": ["a", "b", "c", "d", "e"]], tooManyRows),
    Refusal(.fieldChange, ["field": "orders", "value": [[:], [:], [:], [:], [:], [:], [:], [:]]], tooManyRows),
    Refusal(
      .fieldChange,
      ["field": "orders", "value": [["lines": [[:], [:], [:], [:], [:], [:], [:]]]]],
      tooManyRows
    ),
    Refusal(.fieldChange, ["field": "/orders/#2", "value": ["lines": [[:], [:], [:], [:], [:], [:]]]], tooManyRows),
    Refusal(.fieldChange, ["field": "/orders/#2/lines", "value": [[:], [:], [:], [:], [:], [:]]], tooManyRows),
    Refusal(
      .fieldChange,
      ["values": ["note": 1, "tags": ["a", "b", "c"], "/orders/#5/lines": [[:], [:]]]],
      tooManyRows
    ),
    Refusal(.fieldChange, ["values": ["/tags/-": "a", "/orders/#5": ["lines": [[:], [:], [:]]]]], tooManyRows),
  ]

  @Test(arguments: tooMany)
  func `more rows than a session may have are 1012`(_ refusal: Refusal) {
    refuse(refusal, Self.begin())
  }

  @Test(
    arguments: [
      (.fieldInsert, ["field": "tags", "values": ["a", "b", "c"]]),
      (.fieldInsert, ["field": "orders", "value": ["lines": [[:], [:]]]]),
      (.fieldChange, ["field": "tags", "value": ["a", "b", "c", "d"]]),
      (.fieldChange, ["field": "orders", "value": [["lines": [[:], [:], [:], [:], [:], [:]]]]]),
      (.fieldChange, ["field": "/orders/#2", "value": ["lines": [[:], [:], [:], [:], [:]]]]),
      (.fieldChange, ["values": ["tags": ["a", "b", "c"], "/orders/#5/lines": [[:]]]]),
    ] as [(Method, JSON)]
  )
  func `as many rows as a session may have are accepted`(_ method: Method, _ params: JSON) {
    let client = Self.begin()
    #expect(client.result(method.wireName.description, params)["revision"] == 3)
    #expect(client.error("field/insert", ["field": "tags", "value": "x"]) == Self.tooManyRows)
  }

  @Test func `a session is not opened with more rows than it may have`() {
    let client = Self.daemon().connect()
    let lines: JSON = [[:], [:], [:], [:], [:], [:], [:], [:]]
    for values in [["tags": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]], ["orders": [["lines": lines]]]] as [JSON] {
      #expect(client.error("session/open", ["form": "shop", "values": values]) == Self.tooManyRows)
      #expect(client.error("form/validate", ["form": "shop", "values": values]) == Self.tooManyRows)
    }
    #expect(client.result("session/list") == ["sessions": []])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test func `more rows than the schema wants are there, and an error of their list`() {
    let client = Self.begin()
    #expect(client.result("field/insert", ["field": "orders", "values": [[:], [:]]])["rows"] == ["8", "9"])
    let orders = client.result("session/get").at("document", "fields", "orders")
    #expect(orders?["order"] == ["2", "5", "8", "9"] && orders?["isValid"] == false)
    #expect(orders?["errors"]?.arrayValue?.map { $0["code"] } == ["maxItems"])
  }

  // MARK: Nothing to do, and much to do

  @Test(
    arguments: [
      ["field": "/orders/#5", "to": 1], ["field": "/orders/1", "to": 1], ["field": "/orders/#5", "to": "#5"],
      ["field": "/orders/#2", "to": "#5"], ["field": "/tags/0", "to": 0], ["field": "/orders/#2/lines/#4", "to": "#4"],
    ] as [JSON]
  )
  func `a move to where the row stands is nothing`(_ params: JSON) {
    let client = Self.begin()
    let before = client.result("session/get")
    let answers = client.request("field/move", params)
    #expect(answers.count == 1 && answers[0]["result"] == ["revision": 2], "\(answers)")
    #expect(client.notify("field/move", params).isEmpty)
    #expect(client.result("session/get") == before)
  }

  private static let thousands = 3000

  @Test func `a batch of thousands is refused as a whole`() {
    let client = Self.begin()
    let before = client.result("session/get")
    client.send(Self.batch { ["field": "/tags/#1", "value": .string("\($0)")] })
    #expect(
      client.messages() == [
        [
          "jsonrpc": "2.0", "id": .null,
          "error": [
            "code": -32010, "message": "The batch has too many members", "data": ["limit": "batchMax", "value": 50],
          ],
        ]
      ]
    )
    #expect(client.result("session/get") == before)
  }

  @Test func `each of thousands of operations in a batch that is allowed has its own answer`() {
    let client = Self.daemon { $0.limits[.batchMax] = Self.thousands }.connect()
    Self.begin(client)
    // The batch repeats four inputs: another value, a value for a removed row, a new row (until there are too many),
    // and a position that does not exist.
    client.send(
      Self.batch { number in
        switch number % 4 {
        case 0: ["field": "/tags/#1", "value": number % 8 == 0 ? "other" : "t"]
        case 1: ["field": "/orders/#6/name", "value": "x"]
        case 2: ["field": "/tags/-", "value": "more"]
        default: ["field": "/tags/8", "value": "x"]
        }
      }
    )
    let messages = client.messages()
    let answers = messages.compactMap(\.arrayValue).first ?? []
    #expect(answers.count == Self.thousands && messages.count(where: { $0.arrayValue != nil }) == 1)
    var revision: Int64 = 2
    var rows = 5
    for (number, answer) in answers.enumerated() {
      #expect(answer["id"] == .integer(Int64(number)))
      switch number % 4 {
      case 0: revision += 1
      case 1:
        #expect(answer["error"] == Self.removed("/orders/#6/name"))
        continue
      case 2 where rows < Self.rowsMax:
        revision += 1
        rows += 1
      case 2:
        #expect(answer["error"] == Self.tooManyRows)
        continue
      default:
        #expect(answer["error"] == Self.noPosition())
        continue
      }
      #expect(answer["result"] == ["revision": .integer(revision)])
    }
    #expect(
      client.result("session/get").at("values", "tags") == ["t", "more", "more", "more"]
    )
  }

  private static func batch(_ params: (Int) -> JSON) -> String {
    JSON.array(
      (0..<thousands).map { number in
        ["jsonrpc": "2.0", "id": .integer(Int64(number)), "method": "field/change", "params": params(number)]
      }
    ).description
  }

  @Test func `thousands of changes in one input are made together or not at all`() {
    let client = Self.daemon { $0.limits[.rowsMax] = 2 * Self.thousands }.connect()
    Self.begin(client)
    let texts = JSON.array((0..<Self.thousands).map { .string("\($0)") })
    #expect(
      client.result("field/insert", ["field": "tags", "values": texts])["rows"]?.arrayValue?.count == Self.thousands
    )
    var changes = (0..<Self.thousands).map { JSONObject.Member(name: "/tags/\($0)", value: .string("t\($0)")) }
    changes.append(JSONObject.Member(name: "/tags/\(Self.thousands + 1)", value: "one too many"))
    refuse(
      Refusal(
        .fieldChange,
        ["values": .object(JSONObject(uncheckedMembers: changes))],
        Self.noPosition("/values/~1tags~1\(Self.thousands + 1)")
      ),
      client
    )
    changes[Self.thousands] = JSONObject.Member(name: "/address/city", value: "x")
    let values = JSON.object(JSONObject(uncheckedMembers: changes))
    refuse(Refusal(.fieldChange, ["values": values], Self.noSuchValue("/values/~1address~1city")), client)
    changes.removeLast()
    let told = client.request("field/change", ["values": .object(JSONObject(uncheckedMembers: changes))])
    #expect(told.count == 2 && told[0]["method"] == "session/update" && told[1]["result"] == ["revision": 4])
    let tags = client.result("session/get").at("values", "tags")?.arrayValue
    #expect(tags?.prefix(2) == ["t0", "t1"] && tags?.count == Self.thousands + 1)
  }

  @Test func `rows for a row that a due timer has taken away are refused`() {
    let form = TestForms.form(
      #"""
      { "form": "late", "fields": { "country": { "debounce": "1s" }, "orders": { "resetOn": ["country"] } },
        "schema": { "properties": { "country": { "type": "string" }, "orders": { "type": "array", "items": { "properties": {
          "lines": { "type": "array", "items": { "properties": { "text": { "type": "string" } } } } } } } } } }
      """#
    )
    let daemon = TestDaemon(catalog: FormCatalog([form]))
    let client = daemon.connect()
    client.open("late")
    #expect(client.result("field/insert", ["field": "orders"])["row"] == "1")
    client.request("field/change", ["field": "country", "value": "KR"])
    // The timer is due, but the request is read before timers are looked at.
    daemon.timePerLook = .seconds(2)
    let error = client.error("field/insert", ["field": "/orders/#1/lines", "values": [[:], [:]]])
    daemon.timePerLook = .zero
    #expect(error["code"] == .integer(Int64(FormErrorCode.unknownField.rawValue)))
    #expect(client.result("session/get").at("values", "orders") == nil)
  }
}
