import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

@Suite struct `Lookups of rows` {
  /// A list of items. Each item asks for its price and its colours.
  private func definition(_ members: JSONObject = [:]) -> JSON {
    var price: JSONObject = [
      "run": ["provider": ["name": "prices", "arguments": ["sku": "row.sku"]]], "value": "response.body",
    ]
    for member in members { price[member.name] = member.value }
    return [
      "schema": [
        "type": "object",
        "properties": [
          "items": [
            "type": "array", "maxItems": 20,
            "items": [
              "type": "object",
              "properties": [
                "sku": ["type": "string", "maxLength": 40], "count": ["type": "integer"],
                "colour": ["type": "string", "maxLength": 40],
              ],
            ],
          ]
        ],
      ],
      "fields": ["/items/*/colour": ["options": "lookups['/items/*/colours'].value"]],
      "lookups": [
        "/items/*/price": .object(price),
        "/items/*/colours": [
          "when": "row.count == 7", "run": ["provider": ["name": "colours", "arguments": ["sku": "row.sku"]]],
          "value": "response.body",
        ],
      ],
      "outputs": [
        "/items/*/net": "double(row.count) * double(lookups['/items/*/price'].value)",
        "total": "outputs['/items/*/net'].sum()",
      ], "actions": ["send": [:]],
    ]
  }

  /// A form with one item for each of those articles.
  private func open(_ members: JSONObject = [:], _ skus: String...) throws -> SessionDriver {
    let form = try SessionDriver(definition(members))
    for sku in skus { form.insert("items", ["sku": .string(sku), "count": 2, "colour": "red"]) }
    return form
  }

  private func answer(_ form: SessionDriver, _ sku: String, _ body: JSON) {
    for effect in form.effectsInOrder {
      if case .provider(let request) = effect.request, request.arguments["sku"] == .string(sku) {
        return form.answer(effect, EffectResponse(kind: .ok, body: body))
      }
    }
    Issue.record("nobody asks about \(sku)")
  }

  private func row(_ form: SessionDriver, _ position: Int) -> JSON? {
    form["/fields/items/rows/\(form.order("items")[position])"]
  }

  private func asked(_ form: SessionDriver) -> [JSON?] {
    form.effectsInOrder.map { if case .provider(let request) = $0.request { request.arguments["sku"] } else { nil } }
  }

  // MARK: What they say

  @Test func `each row asks for itself, and has its own value`() throws {
    let form = try open([:], "a", "b")
    #expect(asked(form) == ["a", "b"])
    #expect(row(form, 0) == ["isValid": true, "lookups": ["price": ["isLoading": true]]])
    answer(form, "a", 3)
    #expect(row(form, 0) == ["isValid": true, "lookups": ["price": ["value": 3]], "outputs": ["net": 6.0]])
    #expect(row(form, 1) == ["isValid": true, "lookups": ["price": ["isLoading": true]]])
    answer(form, "b", 5)
    #expect(form["/outputs/total"] == 16.0)
    form.change("/items/0/sku", "c")
    #expect(asked(form) == ["c"])
    #expect(row(form, 0)?["lookups"] == ["price": ["isLoading": true, "value": 3]])
    answer(form, "c", 4)
    #expect(form["/outputs/total"] == 18.0)
    #expect(form.session.document["lookups"] == nil)
  }

  @Test func `a row that is as most are leaves its lookups out, and its patches say what went`() throws {
    let form = try open([:], "a")
    answer(form, "a", 3)
    form.change("/items/0/sku", .null)
    #expect(row(form, 0)?["lookups"] == nil && row(form, 0)?["outputs"] == nil)
    let patch = form.patches.last?["fields"]?["items"]?["rows"]?[form.order("items")[0]]
    #expect(patch?["lookups"] == .some(.null) && patch?["outputs"] == .some(.null))
    form.change("/items/0/sku", "b")
    form.answer(kind: .refused)
    #expect(row(form, 0)?["lookups"] == ["price": ["error": "refused"]])
    form.tap("send")
    #expect(row(form, 0)?["lookups"] == ["price": ["isLoading": true]])
    answer(form, "b", ["list": [1, 2], "old": true])
    #expect(row(form, 0)?["lookups"] == ["price": ["value": ["list": [1, 2], "old": true]]])
  }

  @Test func `a row that moves takes its value along, and one that goes gives its inquiry up`() throws {
    let form = try open([:], "a", "b")
    answer(form, "a", 3)
    form.move("/items/0", to: 1)
    #expect(asked(form) == ["b"])
    #expect(row(form, 1)?["lookups"] == ["price": ["value": 3]])
    form.remove("/items/0")
    #expect(form.effects.isEmpty && form["/outputs/total"] == 6.0)
  }

  // MARK: Inquiries

  @Test func `rows with the same inquiry wait for one answer`() throws {
    let form = try open([:], "a", "a", "b")
    #expect(asked(form) == ["a", "b"])
    form.remove("/items/0")
    #expect(asked(form) == ["a", "b"])
    answer(form, "a", 3)
    #expect(row(form, 0)?["lookups"] == ["price": ["value": 3]])
    form.insert("items", ["sku": "b"])
    #expect(asked(form) == ["b"])
    answer(form, "b", 4)
    #expect(row(form, 1)?["lookups"] == ["price": ["value": 4]] && row(form, 2)?["lookups"] == row(form, 1)?["lookups"])
  }

  @Test func `eight inquiries of rows are under way at most`() throws {
    let form = try SessionDriver(definition())
    for number in 0..<12 { form.insert("items", ["sku": .string("s\(number)")]) }
    #expect(form.effects.count == 8)
    for number in 0..<12 { answer(form, "s\(number)", .integer(Int64(number))) }
    #expect(form.effects.isEmpty && row(form, 11)?["lookups"] == ["price": ["value": 11]])
  }

  @Test func `an answer that is kept is known to all rows`() throws {
    let form = try open(["cache": true], "a")
    answer(form, "a", 3)
    form.insert("items", ["sku": "a", "count": 1])
    #expect(form.effects.isEmpty && row(form, 1)?["outputs"] == ["net": 3.0])
  }

  @Test func `an answer that is kept is read by each row with its own cells`() throws {
    let form = try open(["cache": true, "value": "response.body * row.count"], "a")
    answer(form, "a", 3)
    form.insert("items", ["sku": "a", "count": 5])
    #expect(form.effects.isEmpty && row(form, 0)?["lookups"] == ["price": ["value": 6]])
    #expect(row(form, 1)?["lookups"] == ["price": ["value": 15]])
  }

  @Test func `debounce and retry are each row's own`() throws {
    let form = try open(["debounce": "100ms", "retry": ["times": 1, "delay": "200ms"]], "a")
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 60)
    form.insert("items", ["sku": "b"])
    form.advance(milliseconds: 40)
    #expect(asked(form) == ["a"])
    form.advance(milliseconds: 60)
    #expect(asked(form) == ["a", "b"])
    form.answer(form.effectsInOrder[0], EffectResponse(kind: .refused))
    #expect(row(form, 0)?["lookups"] == ["price": ["isLoading": true]])
    form.advance(milliseconds: 200)
    #expect(asked(form) == ["b", "a"])
    answer(form, "a", 1)
    #expect(row(form, 0)?["lookups"] == ["price": ["value": 1]])
  }

  @Test func `reset leaves the rows that stay what they have found`() throws {
    let form = try SessionDriver(definition(), options: OpenOptions(values: ["items": [["sku": "a"], ["sku": "b"]]]))
    answer(form, "a", 3)
    form.insert("items", ["sku": "c"])
    form.reset()
    #expect(asked(form) == ["b"])
    #expect(row(form, 0)?["lookups"] == ["price": ["value": 3]])
    answer(form, "b", 4)
    #expect(row(form, 1)?["lookups"] == ["price": ["value": 4]])
  }

  // MARK: Dependent choices

  @Test func `they give the choices of their own row's field, which waits for them`() throws {
    let form = try open([:], "a", "b")
    answer(form, "a", 1)
    answer(form, "b", 1)
    let rows = form.order("items").map { "/items/#\($0)/colour" }
    form.change("/items/1/count", 7)
    #expect(form["/isPending"] == true && form.tap("send").outcome == .held)
    answer(form, "b", ["blue", "green"])
    #expect(form.codes(rows[1]) == ["options"] && form.codes(rows[0]) == [])
    #expect(form.events.last?.kind == .rejected)
    form.change("/items/1/colour", "green")
    #expect(form.isValid && form.tap("send").outcome != .rejected)
  }

  // MARK: Elsewhere

  @Test func `a restored session has what its rows had found`() throws {
    let form = try open([:], "a", "b")
    answer(form, "a", 3)
    let snapshot = form.session.snapshot(for: .resuming)
    let restored = try Engine().restore(form.form, from: snapshot, at: form.now)
    #expect(restored.session.document == form.kept && restored.session.checkInvariants().isEmpty)
    #expect(restored.turn.starts.count == 1)
  }

  @Test func `the explanation names them by their rows`() throws {
    let form = try open([:], "a")
    let explained = form.session.explanation()["lookups"]?["/items/#\(form.order("items")[0])/price"]
    #expect(explained == ["phase": "running", "reads": ["row.sku": "a"]])
  }

  @Test(arguments: [
    ("/items/price", "'x'", "the lookup \"/items/price\" is not in a row"),
    ("/nothing/*/price", "'x'", "the lookup \"/nothing/*/price\" is not in a row"), ("price", "row.sku", "row"),
  ])
  func `an address that leads to no row is refused, and so is a row's value elsewhere`(
    _ name: String,
    _ argument: String,
    _ message: String
  ) {
    let compilation = Form.compile(
      [
        "schema": [
          "type": "object",
          "properties": [
            "items": ["type": "array", "items": ["type": "object", "properties": ["sku": ["type": "string"]]]]
          ],
        ],
        "lookups": .object([
          name: ["run": ["provider": ["name": "p", "arguments": ["sku": .string(argument)]]]]
        ]),
      ],
      fallbackName: "test"
    )
    #expect(compilation.form == nil && compilation.diagnostics.count == 1)
    #expect(compilation.diagnostics.first?.message.contains(message) ?? false)
  }

  @Test func `outside of its row a formula is told where it can be read`() {
    let compilation = Form.compile(
      [
        "schema": [
          "type": "object",
          "properties": [
            "items": ["type": "array", "items": ["type": "object", "properties": ["sku": ["type": "string"]]]]
          ],
        ], "lookups": ["/items/*/price": ["run": ["provider": ["name": "p", "arguments": ["sku": "row.sku"]]]]],
        "outputs": ["a": "lookups['/items/*/price'].value", "/items/*/b": "lookups.price.value"],
      ],
      fallbackName: "test"
    )
    let told = compilation.diagnostics.map { "\($0.message) \($0.remedy ?? "")" }
    #expect(told.count == 2 && told.contains { $0.contains("only a formula of the same row can read it") })
    #expect(told.contains { $0.contains("write 'lookups['/items/*/price'].value' in a formula of that row") })
  }
}
