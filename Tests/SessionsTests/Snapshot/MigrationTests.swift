import Forms
import JSON
import Sessions
import Testing
internal import Times

/// Sessions of a form that has changed since their snapshot was made.
@Suite struct `A restored session of a changed form` {
  private func form(_ text: String) throws -> Form { try compiled(JSON(parsing: text)) }

  private let old = """
    {"form": "t", "schema": {"properties": {
       "name": {"type": "string", "maxLength": 9}, "country": {"type": "string", "default": "KR"}, "note": {"type": "string"},
       "pin": {"type": "string", "writeOnly": true},
       "address": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}},
       "tags": {"type": "array", "items": {"type": "string"}},
       "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"},
         "price": {"type": "integer"}}}}}}}
    """

  private func filled() throws -> SessionDriver {
    let driver = try SessionDriver(text: old)
    driver.change(["name": "Kim", "note": "hello", "pin": "hunter2", "/address/city": "Seoul", "/address/zip": "04524"])
    driver.change(["tags": ["a", "b"], "items": [["sku": "x", "price": 1], ["sku": "y", "price": 2]]])
    driver.blur("name")
    driver.remove("/items/0")
    return driver
  }

  private func migrated(_ driver: SessionDriver, to text: String) throws -> Session {
    let engine = Engine()
    let snapshot = driver.session.snapshot(for: .keeping)
    let restored = try engine.restore(form(text), from: snapshot, at: driver.now)
    #expect(restored.isMigrated)
    #expect(restored.session.checkInvariants() == [])
    let again = engine.recomputeFromScratch(restored.session, at: driver.now)
    #expect(!again.hasUpdate && again.starts.isEmpty)
    return restored.session
  }

  private func restored(_ driver: SessionDriver, _ use: SnapshotUse, to text: String) throws -> RestoredSession {
    let restored = try Engine().restore(form(text), from: driver.session.snapshot(for: use), at: driver.now)
    #expect(restored.session.checkInvariants() == [])
    return restored
  }

  /// The old form with other names for a field, a field in an object, a list and a field of its rows.
  private let renamed = """
    {"form": "t", "schema": {"additionalProperties": false, "properties": {
       "fullName": {"type": "string"}, "country": {"type": "string"}, "note": {"type": "string"},
       "code": {"type": "string", "writeOnly": true},
       "place": {"type": "object", "properties": {"city": {"type": "string"}, "postcode": {"type": "string"}}},
       "tags": {"type": "array", "items": {"type": "string"}},
       "lines": {"type": "array", "items": {"type": "object", "properties": {"article": {"type": "string"},
         "price": {"type": "integer"}}}}}},
     "fields": {"fullName": {"renamedFrom": "name"}, "code": {"renamedFrom": "pin"}, "place": {"renamedFrom": "address"},
       "/place/postcode": {"renamedFrom": "zip"}, "lines": {"renamedFrom": "items"},
       "/lines/*/article": {"renamedFrom": "sku"}}}
    """

  @Test(arguments: [SnapshotUse.resuming, .keeping])
  func `renamed fields keep their values, their rows and what the user has seen`(_ use: SnapshotUse) throws {
    let driver = try filled()
    let restored = try restored(driver, use, to: renamed)
    let old = driver.session
    let values = restored.session.values()
    #expect(values["fullName"] == "Kim" && values["place"] == ["city": "Seoul", "postcode": "04524"])
    #expect(values["lines"] == [["article": "y", "price": 2]] && values["tags"] == ["a", "b"])
    let fields = restored.session.document["fields"]
    #expect(fields?["fullName"] == old.document["fields"]?["name"])
    #expect(fields?["lines"]?["order"] == old.document["fields"]?["items"]?["order"])
    #expect(restored.setAside == [])
  }

  @Test func `a reset brings back what renamed fields began with`() throws {
    let driver = try SessionDriver(
      text: old,
      options: OpenOptions(values: ["name": "Kim", "items": [["sku": "x"]], "address": ["zip": "1"]])
    )
    driver.change(["name": "Lee", "items": [], "/address/zip": "2"])
    let engine = Engine()
    let snapshot = driver.session.snapshot(for: .keeping)
    let session = try engine.restore(form(renamed), from: snapshot, at: driver.now).session
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values()["fullName"] == "Kim" && session.values()["place"] == ["postcode": "1"])
    #expect(session.values()["lines"] == [["article": "x"]])
  }

  /// The old form without some of its fields. Its schema admits no other members.
  private let shorter = """
    {"form": "t", "schema": {"additionalProperties": false, "properties": {
       "name": {"type": "string"},
       "address": {"type": "object", "additionalProperties": false, "properties": {"city": {"type": "string"}}},
       "items": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
         "price": {"type": "integer"}}}}}}}
    """

  @Test(arguments: [SnapshotUse.resuming, .keeping])
  func `values without a place are set aside, and a form that comes back finds them`(_ use: SnapshotUse) throws {
    let driver = try filled()
    let engine = Engine()
    let restored = try restored(driver, use, to: shorter)
    #expect(restored.setAside.sorted() == ["/address/zip", "/items/*/sku", "country", "note", "tags"])
    #expect(restored.session.values()["note"] == nil && restored.session.values()["address"] == ["city": "Seoul"])
    // They stay over changes, a reset and another snapshot.
    _ = engine.apply(.reset(keepValues: true), to: restored.session, at: driver.now)
    #expect(restored.session.checkInvariants() == [])
    let again = try Engine().restore(form(shorter), from: restored.session.snapshot(for: use), at: driver.now)
    #expect(!again.isMigrated && again.setAside == [])
    let back = try Engine().restore(form(old), from: again.session.snapshot(for: use), at: driver.now)
    #expect(back.session.checkInvariants() == [] && back.setAside == [])
    let values = back.session.values()
    #expect(values["note"] == "hello" && values["address"] == ["city": "Seoul", "zip": "04524"])
    #expect(values["tags"] == ["a", "b"] && values["items"] == [["sku": "y", "price": 2]])
    #expect(values["country"] == "KR")
  }

  @Test func `a value that was set aside comes back under a new name`() throws {
    let driver = try filled()
    let restored = try restored(driver, .keeping, to: shorter)
    let later = try Engine().restore(form(renamed), from: restored.session.snapshot(for: .keeping), at: driver.now)
    #expect(later.session.values()["place"] == ["city": "Seoul", "postcode": "04524"])
    #expect(later.session.values()["lines"] == [["article": "y", "price": 2]])
    #expect(later.setAside == [])
  }

  @Test func `a secret is never set aside`() throws {
    let driver = try filled()
    let restored = try restored(driver, .resuming, to: shorter)
    #expect(!restored.setAside.contains("pin"))
    let texts = restored.session.snapshot(for: .resuming).parts.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(!texts.contains { $0.contains("hunter2") } && texts.contains { $0.contains("04524") })
  }

  @Test func `what began as something else than an object or a list stays changed, and a reset brings it back`() throws
  {
    let driver = try SessionDriver(
      text: old,
      options: OpenOptions(values: ["address": "here", "items": ["x", ["sku": "y"]]])
    )
    driver.change(["address": ["city": "Seoul"], "/items/0": ["sku": "z"]])
    let snapshot = driver.session.snapshot(for: .resuming)
    let engine = Engine()
    let session = try engine.restore(form(old), from: snapshot, at: driver.now, migrates: true).session
    #expect(session.document == driver.session.document)
    #expect(session.document["fields"]?["items"]?["rows"]?["1"]?["isDirty"] == true)
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values()["address"] == "here" && session.values()["items"] == ["x", ["sku": "y"]])
  }

  @Test func `what a field began with means nothing where the form has another kind of field there`() throws {
    let driver = try SessionDriver(
      text: old,
      options: OpenOptions(values: ["name": "Kim", "address": ["city": "Seoul"], "tags": ["a"]])
    )
    let session = try migrated(
      driver,
      to: """
        {"form": "t", "schema": {"properties": {
           "name": {"type": "object", "properties": {"first": {"type": "string"}}}, "address": {"type": "string"},
           "tags": {"type": "object", "properties": {"a": {"type": "string"}}}}}}
        """
    )
    let engine = Engine()
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values() == [:])
  }

  @Test func `rows that a list began with come back by a reset when there is no list any more`() throws {
    let driver = try SessionDriver(text: old, options: OpenOptions(values: ["tags": ["a", "b"]]))
    driver.change(["tags": .null])
    let snapshot = driver.session.snapshot(for: .resuming)
    let engine = Engine()
    let session = try engine.restore(form(old), from: snapshot, at: driver.now, migrates: true).session
    #expect(session.values()["tags"] == nil && session.document == driver.session.document)
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values()["tags"] == ["a", "b"])
  }

  @Test func `rows of a default that the form has no more come back by a reset`() throws {
    func text(_ more: String) -> String {
      #"{"form": "t", "schema": {"properties": {"tags": {"type": "array", "items": {"type": "string"}\#(more)}}}}"#
    }
    let driver = try SessionDriver(text: text(#", "default": ["a", "b"]"#))
    let engine = Engine()
    for other in ["", #", "default": ["c"]"#, #", "default": null"#] {
      let session = try migrated(driver, to: text(other))
      #expect(session.document["fields"]?["tags"]?["isDirty"] == false)
      _ = engine.apply(.remove(row: 1), to: session, at: driver.now)
      _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
      #expect(session.values()["tags"] == ["a", "b"] && session.checkInvariants() == [])
      #expect(session.document["fields"]?["tags"]?["isDirty"] == false)
    }
  }

  @Test func `a list that was emptied stays empty, also in an object without other values`() throws {
    func text(_ label: String) -> String {
      """
      {"form": "t", "schema": {"properties": {"d": {"type": "object", "properties": {
        "tags": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]}}}}},
       "fields": {"d": {"label": "\(label)"}}}
      """
    }
    let driver = try SessionDriver(text: text("one"))
    let engine = Engine()
    for row in 1...2 { _ = engine.apply(.remove(row: row), to: driver.session, at: driver.now) }
    let session = try migrated(driver, to: text("two"))
    let tags = session.document["fields"]?["d"]?["fields"]?["tags"]
    #expect(tags?["order"] == [] && tags?["isDirty"] == true && session.checkInvariants() == [])
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values()["d"] == ["tags": ["a", "b"]])
  }

  @Test func `a new list begins with its default`() throws {
    func text(_ more: String) -> String {
      #"{"form": "t", "schema": {"properties": {"a": {"type": "string"}\#(more)}}}"#
    }
    let session = try migrated(
      SessionDriver(text: text("")),
      to: text(
        """
        , "items": {"type": "array", "default": [{"sku": "x"}], "items": {"type": "object", "properties": {
          "sku": {"type": "string"}, "count": {"type": "integer", "default": 1},
          "tags": {"type": "array", "items": {"type": "string"}, "default": ["new"]}}}}
        """
      )
    )
    let engine = Engine()
    for inputs in [[], [.reset(keepValues: false)], [.remove(row: 1), .reset(keepValues: false)]] as [[Input]] {
      for input in inputs { _ = engine.apply(input, to: session, at: .milliseconds(0)) }
      #expect(session.values()["items"] == [["sku": "x", "count": 1, "tags": ["new"]]])
      #expect(session.document["fields"]?["items"]?["isDirty"] == false && session.checkInvariants() == [])
    }
  }

  @Test func `what is empty in a row stays empty, and what is new in it has its default`() throws {
    func text(_ more: String) -> String {
      """
      {"form": "t", "schema": {"properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
         "unit": {"type": "string", "default": "kg"}\(more)}}}}}}
      """
    }
    let driver = try SessionDriver(text: text(""))
    driver.change(["items": [["unit": ""], [:]]])
    #expect(driver.session.values() == ["items": [[:], ["unit": "kg"]]])
    let session = try migrated(driver, to: text(#", "count": {"type": "integer", "default": 1}"#))
    #expect(session.values() == ["items": [["count": 1], ["unit": "kg", "count": 1]]])
  }

  @Test func `of the same form nothing is another`() throws {
    let driver = try filled()
    let same = try Engine().restore(form(old), from: driver.session.snapshot(for: .keeping), at: driver.now)
    #expect(!same.isMigrated && same.session.revision == driver.session.revision)
  }

  @Test func `keeps the values and the state of the places that are still there`() throws {
    let driver = try filled()
    let session = try migrated(
      driver,
      to: """
        {"form": "t", "schema": {"required": ["email"], "additionalProperties": true, "properties": {
           "email": {"type": "string"}, "items": {"type": "array", "items": {"type": "object", "additionalProperties": true, "properties": {
             "price": {"type": "integer"}, "amount": {"type": "integer", "default": 1}}}},
           "name": {"type": "string", "minLength": 5}}}, "outputs": {"all": "values.items.map(i, i.price).sum()"}}
        """
    )
    #expect(
      session.values() == [
        "items": [["price": 2, "amount": 1, "sku": "y"]], "name": "Kim", "country": "KR", "note": "hello",
        "address": ["city": "Seoul", "zip": "04524"], "tags": ["a", "b"],
      ]
    )
    #expect(session.document["fields"]?["items"]?["order"] == ["4"])
    #expect(session.document["messages"]?["name"] != nil)
    #expect(session.document["fields"]?["email"]?["isTouched"] == false)
    #expect(session.document["outputs"]?["all"] == 2)
    #expect(session.revision == driver.session.revision + 1)
  }

  @Test func `drops what the form does not admit any more`() throws {
    let session = try migrated(
      filled(),
      to: """
        {"form": "t", "schema": {"additionalProperties": false, "properties": {"name": {"type": "string"},
           "address": {"type": "object", "additionalProperties": false, "properties": {"city": {"type": "string"}}}}}}
        """
    )
    #expect(session.values() == ["name": "Kim", "address": ["city": "Seoul"]])
  }

  @Test func `takes values apart, and puts them together, where the schema is of another shape`() throws {
    let session = try migrated(
      filled(),
      to: """
        {"form": "t", "schema": {"properties": {"name": {"type": "object", "properties": {"first": {"type": "string"}}},
           "address": {}, "tags": {"type": "object", "properties": {"a": {}}},
           "items": {"type": "object", "properties": {"sku": {}}},
           "note": {"type": "array", "items": {"type": "string"}}}}}
        """
    )
    let values = session.values()
    #expect(values["address"] == ["city": "Seoul", "zip": "04524"])
    #expect(values["name"] == "Kim" && values["tags"] == ["a", "b"] && values["note"] == "hello")
    #expect(values["items"] == [["sku": "y", "price": 2]])
  }

  @Test func `makes rows of a list that had none`() throws {
    let before = try SessionDriver(
      text: #"{"form": "t", "schema": {"properties": {"tags": {}, "x": {"type": "string"}}}}"#
    )
    before.change(["tags": ["a", "b"], "x": "z"])
    let session = try migrated(
      before,
      to:
        #"{"form": "t", "schema": {"additionalProperties": true, "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}}"#
    )
    #expect(session.values() == ["tags": ["a", "b"], "x": "z"])
    #expect(session.document["fields"]?["tags"]?["order"] == ["1", "2"])
  }

  @Test func `has the new initial values where nothing was said, and stays clean where it was`() throws {
    let driver = try SessionDriver(text: old)
    driver.change("name", "Kim")
    let engine = Engine()
    let form = try form(
      """
      {"form": "t", "schema": {"properties": {"name": {"type": "string", "default": "Lee"},
         "country": {"type": "string", "default": "US"}, "size": {"type": "string", "default": "L"}}}}
      """
    )
    let session = try engine.restore(form, from: driver.session.snapshot(for: .keeping), at: driver.now).session
    #expect(session.values() == ["name": "Kim", "country": "KR", "size": "L"])
    func isDirty(_ name: String) -> JSON? { session.document["fields"]?[name]?["isDirty"] }
    #expect(isDirty("name") == true && isDirty("country") == false && isDirty("size") == false)
    _ = engine.apply(.reset(keepValues: false), to: session, at: driver.now)
    #expect(session.values() == ["name": "Lee", "country": "KR", "size": "L"])
    #expect(session.checkInvariants() == [])
  }

  @Test func `asks checks and lookups again, under whatever name`() throws {
    let text = """
      {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
       "checks": [{"id": "taken", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
         "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "taken"}]}],
       "lookups": {"l": {"run": {"provider": {"name": "l", "arguments": {"a": "values.a"}}}}}}
      """
    let driver = try SessionDriver(text: text)
    driver.change("a", "abc")
    for effect in driver.effectsInOrder { driver.answer(effect, EffectResponse(kind: .ok, body: false)) }
    #expect(driver.codes("a") == ["taken"])
    let form = try form(text.replacing("\"taken\", \"field\"", with: "\"free\", \"field\""))
    let restored = try Engine().restore(form, from: driver.session.snapshot(for: .keeping), at: driver.now)
    #expect(restored.turn.starts.count == 2 && restored.session.document["isPending"] == true)
    #expect(restored.session.document["lookups"]?["l"] == ["isLoading": true])
  }

  @Test func `computes and suggests what nobody had given, and keeps what somebody had`() throws {
    let session = try migrated(
      filled(),
      to: """
        {"form": "t", "schema": {"properties": {"name": {"type": "string"}, "note": {"type": "string"},
           "slug": {"type": "string"}, "country": {"type": "string"}}},
         "fields": {"slug": {"suggested": "values.name.lowerAscii()"}, "note": {"suggested": "values.name"},
           "country": {"computed": "'X' + values.name"}}}
        """
    )
    #expect(session.values()["slug"] == "kim" && session.values()["note"] == "hello")
    #expect(session.values()["country"] == "XKim")
  }

  @Test func `forgets actions and steps that are gone, and an open tap of one`() throws {
    let actions = #""a": {"run": {"provider": {"name": "q"}}}, "b": {"run": {"provider": {"name": "q"}}}"#
    let text = """
      {"form": "t", "schema": {"properties": {"x": {"type": "string"}, "y": {"type": "string"}}},
       "steps": [{"id": "one", "fields": ["x"]}, {"id": "two", "fields": ["y"]}], "actions": {\(actions)}}
      """
    let driver = try SessionDriver(text: text)
    driver.apply(.show(step: 1))
    driver.tap("a")
    driver.tap("b")
    let form = try form(
      """
      {"form": "t", "schema": {"properties": {"x": {"type": "string"}}}, "steps": [{"id": "zero", "fields": []},
        {"id": "one", "fields": ["x"]}], "actions": {"b": {"run": {"provider": {"name": "q"}}}}}
      """
    )
    let restored = try Engine().restore(form, from: driver.session.snapshot(for: .keeping), at: driver.now)
    #expect(restored.turn.events.map(\.action) == ["b"] && restored.turn.events.map(\.kind) == [.failed])
    #expect(restored.session.currentStep == 0)
    #expect(restored.session.checkInvariants() == [])
  }

  @Test func `lets a held change pass where nothing holds it back any more`() throws {
    let text = #"{"form": "t", "schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#
    let driver = try SessionDriver(text: text + #", "fields": {"a": {"debounce": "1s"}, "b": {"debounce": "1s"}}}"#)
    driver.change(["a": "x", "b": "y"])
    let engine = Engine()
    let form = try form(text + #", "fields": {"b": {"throttle": "2s"}}}"#)
    let session = try engine.restore(form, from: driver.session.snapshot(for: .keeping), at: driver.now).session
    #expect(session.values() == ["a": "x"])
    _ = engine.apply(.timer, to: session, at: driver.now + .seconds(2))
    #expect(session.values() == ["a": "x", "b": "y"])
    #expect(session.checkInvariants() == [])
  }
}
