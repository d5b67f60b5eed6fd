import CAllocatedBytes
import Forms
import JSON
import Sessions

// Lists with rows of five fields, two rules and an output each.

/// The most rows that the schema admits.
private let rowsMax = 20_000

/// The schema of the rows.
let rowSchema: JSON = [
  "type": "object",
  "properties": [
    "items": [
      "type": "array", "maxItems": .integer(Int64(rowsMax)),
      "items": [
        "type": "object", "required": ["sku"],
        "properties": [
          "sku": ["type": "string", "maxLength": 40], "description": ["type": "string", "maxLength": 200],
          "quantity": ["type": "integer", "minimum": 1], "unitPrice": ["type": "number", "minimum": 0],
          "isGift": ["type": "boolean"],
        ],
      ],
    ]
  ],
]

/// A form with such a list; with a total over all rows, if wanted.
func rowForm(hasTotal: Bool) -> Form {
  compile(
    """
    {"form":"rows","schema":\(rowSchema),
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
        "sku": .string("A-\(row)"), "description": "a thing", "quantity": .integer(Int64(row % 9 + 1)),
        "unitPrice": 2.5,
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

/// A list of rows, with a total over them.
struct ListCase {
  let driver: Driver
  let session: Session
  let list: Int
  private let row = rowValues(1).arrayValue?[0]

  init(rows count: Int) {
    driver = Driver(rowCase("list-\(count)", rows: count, hasTotal: true))
    session = driver.open()
    guard let list = driver.item.form.field(at: "items") else { fail("no list") }
    self.list = list
  }

  /// Inserts a row before all others and takes it away again.
  func insertAndRemoveFirst() {
    let first = apply(.insert(list: list, at: 0, [row])).rows[0]
    _ = apply(.remove(row: first))
  }

  private func apply(_ input: Input) -> Turn {
    let turn = driver.engine.apply(input, to: session, at: driver.now)
    driver.buffer.removeAll()
    driver.engine.writePatch(of: turn, in: session, into: driver.buffer)
    return turn
  }
}

/// The cost of rows: time to insert a row before all others and to take it away again, and bytes of memory for each row
/// beyond its values.
func measureRows(_ count: Int) -> JSON {
  let item = ListCase(rows: count)
  let insert = time(1_000) { _ in item.insertAndRemoveFirst() }
  let memory = rowMemory(rowsMax - count, in: item.list, item.driver)
  return [
    "insert_and_remove_first_ns": .real(insert),
    "row_bytes": .real(memory.bytes - memory.valueBytes),
    "row_value_bytes": .real(memory.valueBytes),
    "row_counted_bytes": .real(memory.countedBytes),
  ]
}

/// Three sizes for each of so many rows: the bytes that it takes from the allocator, its values included; the bytes of
/// its values by themselves; and the bytes that the session counts for the row.
private func rowMemory(
  _ count: Int,
  in list: Int,
  _ driver: Driver
) -> (bytes: Double, valueBytes: Double, countedBytes: Double) {
  func allocated(by body: () -> Void) -> Double {
    let before = engine_bench_allocated_bytes()
    body()
    return Double(Int(engine_bench_allocated_bytes()) - Int(before)) / Double(count)
  }
  func fill(_ session: Session) {
    let rows = (rowValues(count).arrayValue ?? []).map { JSON?.some($0) }
    _ = driver.engine.apply(.insert(list: list, at: 0, rows), to: session, at: driver.now)
  }
  var values = JSON.null
  let valueBytes = allocated { values = rowValues(count) }
  // The engine's own memory grows with the first session of that size, and with it alone.
  let (first, second) = (driver.open(), driver.open())
  fill(first)
  let counted = second.contentBytes
  let bytes = allocated { fill(second) }
  return withExtendedLifetime((values, first, second)) {
    (bytes, valueBytes, Double(second.contentBytes - counted) / Double(count))
  }
}
