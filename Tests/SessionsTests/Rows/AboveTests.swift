import Forms
import JSON
internal import Randomness
import Sessions
internal import SourceTexts
import Testing

/// What a row's formulas can read of the row above it.
@Suite struct `The row above a row` {
  private static let text = """
    {"schema": {"type": "object", "properties": {
        "rows": {"type": "array", "maxItems": 40, "items": {"type": "object", "properties": {
          "amount": {"type": "integer"}, "isGone": {"type": "boolean"}, "name": {"type": "string", "maxLength": 9},
          "balance": {"type": "integer"}}}},
        "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 9}},
        "last": {"type": "integer"}}},
     "fields": {
       "rows": {"blankRows": "ignore"},
       "/rows/*": {"visible": "!row.isGone"},
       "/rows/*/balance": {"computed": "row.amount.orValue(0) + above.balance.orValue(0)"},
       "last": {"computed": "values.rows.map(r, r.balance).max()"}},
     "rules": [{"id": "same", "field": "/rows/*/name", "check": "self != above.name"}],
     "outputs": {"/tags/*/pair": "above + row", "pairs": "outputs['/tags/*/pair']",
       "/rows/*/hasAbove": "has(above.amount)", "have": "outputs['/rows/*/hasAbove']"}}
    """

  @Test func `the first row has none, and its members read as absent`() throws {
    let form = try SessionDriver(text: Self.text)
    form.change("tags", ["a", "b", "c"])
    #expect(form["/outputs/pairs"] == ["a", "ab", "bc"])
    form.move("/tags/2", to: 0)
    #expect(form["/outputs/pairs"] == ["c", "ca", "ab"])
    form.remove("/tags/1")
    #expect(form["/outputs/pairs"] == ["c", "cb"])
    form.change("rows", [["name": "x", "amount": 1], ["name": "x", "amount": 2], ["name": "y"]])
    #expect(form["/outputs/have"] == [false, true, true])
    func codes(_ row: Int) -> JSON? {
      form["/fields/rows/rows/\(form.resolve("/rows/\(row)").row)/fields/name/errors/0/code"]
    }
    #expect(codes(0) == nil && codes(1) == "same" && codes(2) == nil)
    form.change("/rows/0/name", "z")
    #expect(codes(1) == nil)
    form.change("/rows/1/name", "y")
    #expect(codes(2) == "same")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a balance over the rows above follows every change`(seed: UInt64) throws {
    let form = try SessionDriver(text: Self.text)
    var random = SeededGenerator(seed: seed)
    var rows: [(amount: Int64, isGone: Bool?)] = []
    for _ in 0..<150 {
      let row = rows.isEmpty ? 0 : random.below(rows.count)
      let amount = Int64(1 + random.below(9))
      switch random.below(rows.count < 12 ? 6 : 5) {
      case 0 where !rows.isEmpty:
        form.remove("/rows/\(row)")
        rows.remove(at: row)
      case 1 where !rows.isEmpty:
        let position = random.below(rows.count)
        form.move("/rows/\(row)", to: position)
        rows.insert(rows.remove(at: row), at: position)
      case 2 where !rows.isEmpty:
        let isGone = !(rows[row].isGone ?? false)
        rows[row].isGone = isGone
        form.change("/rows/\(row)/isGone", .bool(isGone))
      case 3, 4:
        if rows.isEmpty { continue }
        rows[row].amount = random.chance(20) ? 0 : amount
        form.change("/rows/\(row)/amount", rows[row].amount == 0 ? .null : .integer(rows[row].amount))
      default:
        form.insert("rows", at: row, ["amount": .integer(amount)])
        rows.insert((amount, nil), at: row)
      }
      var sum: Int64 = 0
      var expected: [Int64] = []
      // A row that is blank or hidden does not count. A row with a false is not blank.
      func counts(_ row: (amount: Int64, isGone: Bool?)) -> Bool { row.isGone.map(!) ?? (row.amount > 0) }
      for row in rows where counts(row) {
        sum += row.amount
        expected.append(sum)
      }
      #expect(form.values["last"]?.integerValue == expected.last)
      let told = form.values["rows"]?.arrayValue ?? []
      let found = zip(told, rows).filter { counts($0.1) }.map { $0.0["balance"]?.integerValue }
      #expect(found == expected)
      #expect(form.session.checkInvariants() == [])
    }
  }

  @Test(arguments: [
    ("\"last\": {\"computed\": \"above.balance\"}", "above"),
    ("\"/rows/*\": {\"visible\": \"above.balance > 1\"}", "circle"),
    ("\"/rows/*/name\": {\"computed\": \"above.nam\"}", "above.name"),
  ])
  func `what there is not is refused`(block: String, message: String) throws {
    let text = """
      {"schema": {"type": "object", "properties": {"last": {},
         "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
           "name": {"type": "string"}, "balance": {"type": "integer"}}}}}},
       "fields": {\(block)}}
      """
    let found = Form.compile(Array(text.utf8), fallbackName: "t").diagnostics.map(\.description)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func `a secret of the row above stays a secret`() throws {
    let text = """
      {"schema": {"type": "object", "properties": {"rows": {"type": "array", "maxItems": 9, "items": {"type": "object",
         "properties": {"pin": {"type": "string", "writeOnly": true}, "copy": {"type": "string"}}}}}},
       "fields": {"/rows/*/copy": {"computed": "above.pin"}}}
      """
    let found = Form.compile(Array(text.utf8), fallbackName: "t").diagnostics.map(\.description)
    #expect(found.count == 1 && found[0].contains("secret"), "\(found)")
  }

  @Test func `each row of a long list is computed once`() throws {
    let text = """
      {"schema": {"type": "object", "properties": {"rows": {"type": "array", "maxItems": 600, "items": {"type": "object",
         "properties": {"n": {"type": "integer"}, "sum": {"type": "integer"}, "sums": {"type": "integer"}}}}}},
       "fields": {"/rows/*/sum": {"computed": "row.n + above.sum.orValue(0)"},
         "/rows/*/sums": {"computed": "row.sum + above.sums.orValue(0)"}}}
      """
    let rows = [JSON](repeating: ["n": 1], count: 500)
    let form = try SessionDriver(text: text, options: OpenOptions(values: ["rows": .array(rows)]))
    func sums(_ row: Int) -> [Int64?] {
      let row = form.values["rows"]?.arrayValue?[row]
      return [row?["sum"]?.integerValue, row?["sums"]?.integerValue]
    }
    #expect(sums(499) == [500, 125_250])
    form.change("/rows/0/n", 2)
    #expect(sums(499) == [501, 125_750])
    form.insert("rows", at: 0, ["n": 4])
    #expect(sums(500) == [505, 127_754])
    form.change("rows", .array(rows))
    #expect(sums(499) == [500, 125_250])
    // Two formulas in each of 500 rows, which a first look at a value that is not there yet can double.
    #expect(form.evaluations <= 4 * 500)
  }
}
