import Forms
import JSON
import Sessions

// Lists with rows of five fields, two rules and an output each.

/// A form with such a list; with a total over all rows, if wanted.
func rowForm(hasTotal: Bool) -> Form {
  compile(
    """
    {"form":"rows","schema":{"type":"object","properties":{"items":{"type":"array","maxItems":10000,"items":{"type":"object",
       "required":["sku"],"properties":{"sku":{"type":"string","maxLength":40},"description":{"type":"string","maxLength":200},
       "quantity":{"type":"integer","minimum":1},"unitPrice":{"type":"number","minimum":0},"isGift":{"type":"boolean"}}}}}},
     "rules":[{"id":"budget","field":"/items/*/unitPrice","check":"self * double(row.quantity) <= 1000.0","message":"a"},
       {"id":"many","field":"/items/*/quantity","check":"self < 100","message":"b"}],
     "outputs":{"/items/*/net":"double(row.quantity) * row.unitPrice"\(hasTotal ? ",\"total\":\"outputs['/items/*/net'].sum()\"" : "")}}
    """,
    name: "rows"
  )
}

/// The values of such a list.
func rowValues(_ count: Int) -> JSON {
  .array(
    (0..<count).map { row in
      [
        "sku": .string("A-\(row)"), "description": "a thing", "quantity": .integer(Int64(row % 9 + 1)), "unitPrice": 2.5,
        "isGift": false,
      ]
    }
  )
}

/// Changes of a field in the row in the middle, each to another value.
func rowCase(_ name: String, rows: Int, hasTotal: Bool) -> Case {
  let form = rowForm(hasTotal: hasTotal)
  guard let list = form.field(at: "items"), let quantity = form.field(at: "/items/*/quantity") else {
    fail("the form \(form.name) has no rows")
  }
  // Rows are counted from 1.
  func change(_ value: JSON) -> FieldChange { FieldChange(row: rows / 2 + 1, field: quantity, value: value) }
  return Case(
    name: name,
    form: form,
    preparation: [FieldChange(field: list, value: rowValues(rows))],
    changes: [change(20), change(30)]
  )
}

/// What rows cost: time to insert a row before all others and to take it away again, and bytes of memory for each row beyond its values.
func measureRows(_ count: Int) -> JSON {
  let driver = Driver(rowCase("rows-\(count)", rows: count, hasTotal: true))
  let session = driver.open()
  guard let list = driver.item.form.field(at: "items") else { fail("no list") }
  let row = rowValues(1).arrayValue?[0]
  func apply(_ input: Input) -> Turn {
    let turn = driver.engine.apply(input, to: session, at: driver.now)
    driver.buffer.removeAll()
    driver.engine.writePatch(of: turn, in: session, into: driver.buffer)
    return turn
  }
  var first = 0
  let insert = time(1_000) { _ in
    first = apply(.insert(list: list, at: 0, [row])).rows[0]
    _ = apply(.remove(row: first))
  }
  let before = memoryInUse()
  let valuesBefore = session.valueBytes
  _ = apply(.insert(list: list, at: 0, (rowValues(10_000 - count).arrayValue ?? []).map { .some($0) }))
  let bytes = memoryInUse() - before
  return [
    "insert_and_remove_first_ns": .real(insert),
    "row_bytes": .real(Double(bytes - (session.valueBytes - valuesBefore)) / Double(10_000 - count)),
    "row_value_bytes": .real(Double(session.valueBytes - valuesBefore) / Double(10_000 - count)),
  ]
}
