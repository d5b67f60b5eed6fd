import Forms
import JSON
import Sessions
import Testing

/// How much is written when something changes.
@Suite struct `A snapshot in parts` {
  private func changes(of form: SessionDriver, _ change: (Engine, Session) -> Void) -> [Int64: String?] {
    form.session.keepSnapshot()
    _ = form.engine.takeSnapshotChanges(of: form.session, for: .keeping)
    change(form.engine, form.session)
    let changes = form.engine.takeSnapshotChanges(of: form.session, for: .keeping)
    #expect(!changes.isWhole && Set(changes.parts.map(\.part)).count == changes.parts.count)
    return Dictionary(
      uniqueKeysWithValues: changes.parts.map { part, bytes in
        (part.rawValue, bytes.map { String(decoding: $0, as: UTF8.self) })
      }
    )
  }

  @Test func `one change of a small form is one part, and a turn that changes nothing is none`() throws {
    let form = try SessionDriver(example("login"))
    let written = changes(of: form) { engine, session in
      _ = engine.apply(.set(field: 0, to: "kim@example.com"), to: session, at: form.now)
    }
    // A field in editing counts as left, because a client that returns is in no field.
    #expect(written == [0: #"{"revision":1,"fields":{"email":{"value":"kim@example.com","flags":224}}}"#])
    let none = changes(of: form) { engine, session in
      _ = engine.apply(.set(field: 0, to: "kim@example.com"), to: session, at: form.now)
    }
    #expect(none.isEmpty)
  }

  @Test func `one cell of a thousand rows is that row and the numbers`() throws {
    let form = try SessionDriver(
      text: """
        {"form": "t", "schema": {"properties": {"items": {"type": "array", "items": {"properties": {
           "price": {"type": "integer"}}}}}}}
        """,
      options: OpenOptions(values: ["items": .array((0..<1000).map { ["price": .integer($0)] })])
    )
    let written = changes(of: form) { engine, session in
      _ = engine.apply(.change([FieldChange(row: 500, field: 2, value: 7)]), to: session, at: form.now)
    }
    #expect(Set(written.keys) == [0, 500 << 24])
    #expect(written.values.allSatisfy { $0?.utf8.count ?? 0 < 200 })
    let inserted = changes(of: form) { engine, session in
      _ = engine.apply(.insert(list: 0, at: 10, [["price": 1]]), to: session, at: form.now)
    }
    #expect(Set(inserted.keys) == [0, 2 << 20, 1001 << 24])
    #expect(inserted[2 << 20] == #"{"list":"items","rows":[[1,10],[1001,1],[11,990]]}"#)
    let removed = changes(of: form) { engine, session in
      _ = engine.apply(.remove(row: 1001), to: session, at: form.now)
    }
    #expect(removed[1001 << 24] == .some(nil) && removed[2 << 20] == #"{"list":"items","rows":[[1,1000]]}"#)
  }

  @Test func `a row that comes and goes leaves nothing`() throws {
    let form = try SessionDriver(
      text: """
        {"form": "t", "schema": {"properties": {"orders": {"type": "array", "items": {"properties": {
           "lines": {"type": "array", "items": {"type": "string"}}}}}}}}
        """
    )
    let first = form.session.snapshot(for: .resuming)
    form.insert("orders", ["lines": ["a", "b"]])
    form.insert("/orders/0/lines", "c")
    #expect(form.keptSnapshot.parts.count > first.parts.count + 4)
    form.remove("/orders/0")
    form.reset()
    #expect(Set(form.keptSnapshot.parts.keys) == Set(first.parts.keys).union([SnapshotPart(rawValue: 0)]))
  }

  @Test func `a large value is a part of its own, and is not written again when its neighbours change`() throws {
    let form = try SessionDriver(
      text: #"{"form": "t", "schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}"#
    )
    let large = String(repeating: "x", count: 100_000)
    form.change("a", .string(large))
    let neighbour = changes(of: form) { engine, session in
      _ = engine.apply(.set(field: 1, to: "small"), to: session, at: form.now)
    }
    #expect(Set(neighbour.keys) == [0] && neighbour[0]??.utf8.count ?? .max < 100)
    let shrunk = changes(of: form) { engine, session in
      _ = engine.apply(.set(field: 0, to: "small"), to: session, at: form.now)
    }
    #expect(Set(shrunk.keys) == [0, 1 << 20] && shrunk[1 << 20] == .some(nil))
  }

  @Test func `a field of a large form is its neighbours and the numbers`() throws {
    let properties = (0..<200).map { #""f\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let form = try SessionDriver(text: #"{"form": "t", "schema": {"properties": {\#(properties)}}}"#)
    for field in 0..<200 { _ = form.engine.apply(.set(field: field, to: "value"), to: form.session, at: form.now) }
    let written = changes(of: form) { engine, session in
      _ = engine.apply(.set(field: 150, to: "other"), to: session, at: form.now)
      _ = engine.apply(.set(field: 151, to: "other"), to: session, at: form.now)
    }
    // The document is unchanged, so the numbers have not changed.
    #expect(written.keys.sorted() == [150 / 16])
    #expect(written.values.map { $0?.utf8.count ?? 0 }.max() ?? 0 < 1200)
  }
}
