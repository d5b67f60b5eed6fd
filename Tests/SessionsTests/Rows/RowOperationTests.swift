import Forms
import JSON
import Sessions
import Testing
import Times

/// The state that each operation on rows leaves unchanged: touched and dirty rows, errors, messages, running and
/// answered checks, a server's errors, and totals.
struct RowOperationTests {
  /// An operation and its result.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// Whether the list knows its rows by their `sku`.
    var hasKey = true
    let apply: @Sendable (SessionDriver) throws -> Void
    let order: [Int]
    let total: JSON

    var testDescription: String { name }
  }

  /// Three rows. The first was left and its check runs. The second was changed to a value that a rule refuses. For the
  /// third, a check and a server have returned errors.
  private func form(hasKey: Bool) throws -> SessionDriver {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
           "sku": {"type": "string"}, "n": {"type": "integer", "default": 7}}}}}},
         "fields": {"items": {\(hasKey ? "\"key\": \"sku\"" : "")}, "/items/*/n": {"show": "blur"}, "/items/*/sku": {"show": "always"}},
         "rules": [{"id": "budget", "field": "/items/*/n", "check": "self <= 100", "message": "Too much."}],
         "checks": [{"id": "taken", "field": "/items/*/sku", "cache": true,
                     "run": {"provider": {"name": "p", "arguments": {"v": "self"}}},
                     "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "Taken."}]}],
         "outputs": {"/items/*/twice": "row.n * 2", "total": "outputs['/items/*/twice'].sum()"}, "actions": {"go": {}}}
        """,
      options: OpenOptions(values: ["items": [["sku": "A", "n": 1], ["sku": "B", "n": 2], ["sku": "C", "n": 3]]])
    )
    form.change("/items/#3/sku", "D")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    let third = form.resolve("/items/#3/n")
    form.apply(.fail(field: third.field ?? 0, row: third.row, message: "The server says no."))
    form.change("/items/#2/n", 200)
    form.blur("/items/#2/n")
    form.blur("/items/#1/n")
    form.change("/items/#1/sku", "E")
    return form
  }

  private static let fresh: JSON = ["sku": "X", "n": 4]
  private static let first: JSON = ["sku": "E", "n": 1]
  private static let second: JSON = ["sku": "B", "n": 200]
  private static let third: JSON = ["sku": "D", "n": 3]

  static let cases = [
    Case(name: "append", apply: { $0.insert("items", fresh) }, order: [1, 2, 3, 4], total: 416),
    Case(name: "append by -", apply: { $0.change("/items/-", fresh) }, order: [1, 2, 3, 4], total: 416),
    Case(name: "append without a value", apply: { $0.insert("items", nil) }, order: [1, 2, 3, 4], total: 422),
    Case(name: "insert first", apply: { $0.insert("items", at: 0, fresh) }, order: [4, 1, 2, 3], total: 416),
    Case(
      name: "insert two in the middle",
      apply: { $0.insert("items", at: 1, fresh, fresh) },
      order: [1, 4, 5, 2, 3],
      total: 424
    ),
    Case(name: "move up", apply: { $0.move("/items/#3", to: 0) }, order: [3, 1, 2], total: 408),
    Case(name: "move down", apply: { $0.move("/items/#1", to: 2) }, order: [2, 3, 1], total: 408),
    Case(name: "move to itself", apply: { $0.move("/items/#2", to: 1) }, order: [1, 2, 3], total: 408),
    Case(name: "remove first", apply: { $0.remove("/items/#1") }, order: [2, 3], total: 406),
    Case(name: "remove the middle one", apply: { $0.remove("/items/1") }, order: [1, 3], total: 8),
    Case(name: "remove last", apply: { $0.remove("/items/#3") }, order: [1, 2], total: 402),
    Case(
      name: "replace all by position",
      hasKey: false,
      apply: { $0.change("items", [first, second]) },
      order: [1, 2],
      total: 402
    ),
    Case(
      name: "replace all by position, with one more",
      hasKey: false,
      apply: { $0.change("items", [first, second, third, fresh]) },
      order: [1, 2, 3, 4],
      total: 416
    ),
    Case(
      name: "replace all by key, one gone and one new",
      apply: { $0.change("items", [third, fresh, first]) },
      order: [3, 4, 1],
      total: 16
    ),
    Case(name: "replace all by nothing", apply: { $0.change("items", []) }, order: [], total: 0),
  ]

  /// The whole state of a row in the document.
  private func told(_ row: Int, _ form: SessionDriver) -> [JSON?] {
    let messages = (form["/messages"]?.objectValue ?? [:]).filter { $0.name.hasPrefix("/items/#\(row)") }
    return [form["/fields/items/rows/\(row)"], .array(messages.map { .array([.string($0.name), $0.value]) })]
  }

  @Test(arguments: cases) func `rows that stay are as they were`(_ operation: Case) throws {
    let form = try form(hasKey: operation.hasKey)
    let before = (1...3).map { told($0, form) }
    #expect(
      form["/messages"]
        == ["/items/#2/n": "Too much.", "/items/#3/sku": "Taken.", "/items/#3/n": "The server says no."]
    )
    #expect(form["/fields/items/rows/1/isPending"] == true && form.effects.count == 1)
    #expect(form["/outputs/total"] == 408)

    try operation.apply(form)
    #expect(form.order("items") == operation.order.map(String.init))
    #expect(form["/outputs/total"] == operation.total)
    for row in 1...3 where operation.order.contains(row) { #expect(told(row, form) == before[row - 1]) }
    for row in 1...3 where !operation.order.contains(row) { #expect(told(row, form) == [nil, []]) }
    for row in operation.order where row > 3 {
      #expect(form["/fields/items/rows/\(row)/isDirty"] == nil && form["/fields/items/rows/\(row)/isTouched"] == nil)
    }
    // A running check goes on for its row alone.
    #expect(form.effects.count == (operation.order.contains(1) ? 1 : 0))
    if let effect = form.effects.values.first {
      form.answer(effect, EffectResponse(kind: .ok, body: false))
      #expect(form["/fields/items/rows/1/fields/sku/errors/0/code"] == "taken")
    }
    // An answered check is known.
    guard operation.order.contains(3) else { return }
    form.change("/items/#3/sku", "Z")
    form.change("/items/#3/sku", "D")
    #expect(form.effects.isEmpty && form["/fields/items/rows/3/fields/sku/errors/0/code"] == "taken")
  }

  @Test func `a reset leaves nothing of what rows were`() throws {
    let form = try form(hasKey: true)
    form.remove("/items/#2")
    form.insert("items", at: 0, Self.fresh)
    form.reset()
    #expect(form.order("items") == ["1", "5", "3"] && form["/outputs/total"] == 12)
    for row in [1, 5, 3] {
      #expect(form["/fields/items/rows/\(row)/isDirty"] == nil && form["/fields/items/rows/\(row)/isTouched"] == nil)
      #expect(form["/fields/items/rows/\(row)/isValid"] == true)
    }
    #expect(form["/messages"] == [:] && form.effects.isEmpty && form["/isDirty"] == false)
    #expect(form["/fields/items/isTouched"] == false)
  }

  @Test func `a restored session has all that rows were, and asks again what was asked`() throws {
    let form = try form(hasKey: true)
    form.move("/items/#3", to: 0)
    let snapshot = form.session.snapshot(for: .resuming)
    let restored = try Engine().restore(form.form, from: snapshot, at: form.now)
    #expect(restored.session.document == form.session.document && restored.turn.starts.count == 1)
  }

  @Test func `changes of rows are values, which merging does not use up`() throws {
    let compiled = try form(hasKey: true).form
    let engine = Engine()
    let options = OpenOptions(values: ["items": [Self.first, Self.second, Self.third]])
    let session = engine.open(compiled, options: options, at: .milliseconds(0)).session
    var client = session.document
    func changes(_ input: Input) -> [DocumentChange] {
      engine.changes(of: engine.apply(input, to: session, at: .milliseconds(0)))
    }
    let items = try #require(compiled.field(at: "items"))
    let earlier = changes(.remove(row: 2))
    let later = changes(.insert(list: items, at: 0, [Self.fresh]))
    let patch = session.patch(later)
    var merged = Dictionary(uniqueKeysWithValues: later.map { ($0.cell, $0) })
    for change in earlier {
      let later = merged[change.cell]?.old
      let both = later.map { DocumentChange(cell: change.cell, old: change.old.beforeBoth(later: $0)) }
      merged[change.cell] = both ?? change
    }
    #expect(session.patch(later) == patch)
    client.merge(session.patch(merged.values.sorted { $0.cell < $1.cell }))
    #expect(client == session.document)
  }

  @Test func `what leads to no row changes nothing`() throws {
    let form = try form(hasKey: true)
    let before = (form.kept, form.session.revision)
    form.remove("/items/#2")
    form.insert("items", at: 1, Self.second)
    let after = (form.kept, form.session.revision)
    func problem(_ address: String) -> AddressError? {
      do throws(AddressError) {
        _ = try form.session.resolve(address)
        return nil
      } catch {
        return error
      }
    }
    #expect(
      problem("/items/3") == .noPosition && problem("/items/-/n") == .noPosition && problem("/items/01") == .unknown
    )
    #expect(problem("/items/#2") == .removed && problem("/items/#9") == .unknown && problem("/items/#0") == .unknown)
    #expect(problem("/items/#-1") == .unknown && problem("/items/#") == .unknown && problem("/items/#4/x") != nil)
    // Inputs that were under way when their row went.
    let sku = form.resolve("/items/#4/sku").field ?? 0
    form.apply(.change([FieldChange(row: 2, field: sku, value: "late")]))
    form.apply(.focus(field: sku, row: 2))
    form.apply(.blur(field: sku, row: 2))
    form.apply(.fail(field: sku, row: 2, message: "late"))
    form.apply(.remove(row: 2))
    form.apply(.move(row: 2, to: 0))
    #expect((form.kept, form.session.revision) == after && before.0 != after.0)
  }
}
