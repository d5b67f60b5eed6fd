import Forms
import JSON
import Sessions
import Testing

/// Checks of rows: each row has its own state, and equal inquiries have one answer.
struct RowCheckTests {
  private func form(_ more: String = "") throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "items": {"properties": {"sku": {"type": "string"}}}}}},
         "checks": [{"id": "known", "field": "/items/*/sku", \(more) "cache": 5,
            "run": {"provider": {"name": "p", "arguments": {"sku": "self"}}},
            "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "unknown"}]}],
         "actions": {"go": {}}}
        """
    )
  }

  private func answer(_ form: SessionDriver, _ isKnown: Bool) {
    form.answer(form.effectsInOrder[0], EffectResponse(kind: .ok, body: .bool(isKnown)))
  }

  @Test func `each row has its own check, and its answer follows it`() throws {
    let form = try form()
    form.insert("items", [:], [:])
    form.change("/items/0/sku", "A")
    form.change("/items/1/sku", "B")
    #expect(form.effects.count == 2 && form["/fields/items/rows/1/isPending"] == true)
    form.move("/items/#2", to: 0)
    answer(form, false)
    #expect(form.codes("/items/#1/sku") == ["known"] && form.codes("/items/#2/sku") == [])
    answer(form, true)
    #expect(form["/fields/items/isPending"] == false && form.codes("/items/#2/sku") == [])
  }

  @Test func `equal inquiries are asked once`() throws {
    let form = try form()
    form.insert("items", [:], [:], [:])
    for row in 0..<3 { form.change("/items/\(row)/sku", "A") }
    #expect(form.effects.count == 1)
    form.remove("/items/#1")
    #expect(form.effects.count == 1)
    answer(form, false)
    #expect(form.codes("/items/#2/sku") == ["known"] && form.codes("/items/#3/sku") == ["known"])
    form.insert("items", [:])
    form.change("/items/#4/sku", "A")
    #expect(form.effects.isEmpty && form.codes("/items/#4/sku") == ["known"])
  }

  @Test func `an inquiry that no row has any more is given up`() throws {
    let form = try form()
    form.insert("items", [:], [:])
    form.change("/items/0/sku", "A")
    form.change("/items/1/sku", "A")
    form.change("/items/1/sku", "B")
    #expect(form.effects.count == 2)
    form.remove("/items/#1")
    #expect(form.effects.count == 1)
    form.change("items", [])
    #expect(form.effects.isEmpty && form["/isPending"] == false && form.session.deadline == nil)
  }

  @Test func `eight are under way at a time, and the rest are pending`() throws {
    let form = try form(#""debounce": "1s","#)
    form.change("items", .array((0..<20).map { ["sku": .string("A\($0)")] }))
    form.tap("go")
    form.advance(milliseconds: 1_000)
    #expect(form.effects.count == 8)
    #expect(form["/fields/items/rows/20/fields/sku/isPending"] == true)
    for left in (0..<20).reversed() {
      answer(form, true)
      #expect(form.effects.count == min(8, left))
    }
    #expect(form["/isPending"] == false && form.isValid)
  }

  @Test func `a tap asks the failed ones again`() throws {
    let form = try form()
    form.insert("items", [:], [:])
    form.change("/items/0/sku", "A")
    form.change("/items/1/sku", "A")
    form.answer(kind: .refused)
    #expect(form.codes("/items/#1/sku") == ["known"] && form.codes("/items/#2/sku") == ["known"])
    form.tap("go")
    #expect(form.effects.count == 1)
    answer(form, true)
    #expect(form.isValid && form.events.last?.kind == .succeeded)
  }
}
