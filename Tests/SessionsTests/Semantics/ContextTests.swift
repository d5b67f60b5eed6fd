import Forms
import JSON
import Sessions
import Testing
internal import Times

/// The context: a client gives it, formulas read it.
@Suite struct `The context of a session` {
  private static func text(_ context: String = Self.schema) -> String {
    """
    {"form": "t", "context": \(context), "schema": {"type": "object", "properties": {
       "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9},
       "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
         "n": {"type": "integer"}, "inner": {"type": "array", "maxItems": 3, "items": {"type": "integer"}}}}}}},
     "fields": {"a": {"visible": "context.role == 'chef'"}, "b": {"suggested": "context.user.name"},
       "/rows/*/n": {"required": "context.level > 1"}},
     "rules": [{"id": "max", "field": "/rows/*/n", "check": "!has(context.level) || self <= context.level"},
       {"id": "inner", "field": "/rows/*/inner/*", "check": "self != context.level"}],
     "actions": {"send": {"scope": "none", "run": {"provider": {"name": "p",
       "arguments": {"token": "context.token", "values": "values"}}}}},
     "outputs": {"role": "context.role", "level": "context.level", "name": "context.user.name",
       "hasToken": "context.token != ''", "/rows/*/twice": "double(row.n) * double(context.level)"}}
    """
  }

  private static let schema = """
    {"type": "object", "properties": {"role": {"enum": ["clerk", "chef"]}, "level": {"type": "integer"},
      "user": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}},
      "token": {"type": "string", "writeOnly": true}, "spare": {}}}
    """

  private func driver(_ context: JSONObject? = nil, values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.text(), options: OpenOptions(values: values, context: context))
  }

  @Test func `without one, formulas read members without values`() throws {
    let form = try driver()
    #expect(form["/outputs"] == ["role": "", "name": "", "hasToken": false])
    #expect(form["/fields/a/isVisible"] == false)
  }

  @Test func `is read by conditions, rules and outputs, in rows and in rows of rows`() throws {
    let form = try driver(
      ["role": "chef", "level": 2, "user": ["name": "Kim"]],
      values: ["rows": [["n": 3, "inner": [1, 2]], [:]]]
    )
    #expect(form["/outputs"] == ["role": "chef", "level": 2, "name": "Kim", "hasToken": false])
    #expect(form["/fields/a/isVisible"] == true && form.values["b"] == "Kim")
    #expect(form.codes("rows/#1/n") == ["max"] && form.codes("rows/#4/n") == ["required"])
    #expect(form["/fields/rows/rows/1/outputs/twice"] == 6)
    let inner = form["/fields/rows/rows/1/fields/inner/rows"]?.objectValue ?? [:]
    #expect(inner.map { $0.value["errors"] != nil } == [false, true])
  }

  @Test func `another one changes what reads it, and nothing else`() throws {
    let form = try driver(["role": "clerk", "level": 2], values: ["rows": [["n": 3], ["n": 2]]])
    form.apply(.setContext(["role": "chef", "level": 3, "user": ["name": "Lee"]]))
    #expect(form["/outputs"] == ["role": "chef", "level": 3, "name": "Lee", "hasToken": false])
    #expect(form["/fields/a/isVisible"] == true && form.values["b"] == "Lee" && form.codes("rows/#1/n") == [])
    #expect(form["/isDirty"] == false && form.told.values == ["b": "Lee"])
    let revision = form.session.revision
    form.apply(.setContext(["role": "chef", "level": 3, "user": ["name": "Lee"], "spare": 1]))
    #expect(form.session.revision == revision && form.evaluations == 0)
    form.reset()
    #expect(form["/outputs/role"] == "chef")
    form.apply(.setContext([:]))
    #expect(form["/outputs"] == ["role": "", "name": "", "hasToken": false])
  }

  @Test func `a suggestion that the user has replaced stays`() throws {
    let form = try driver(["user": ["name": "Kim"]])
    form.change("b", "mine")
    form.apply(.setContext(["user": ["name": "Lee"]]))
    #expect(form.values["b"] == "mine")
  }

  @Test func `is in no document and no value, and only an argument that names it is sent`() throws {
    let form = try driver(["role": "chef", "token": "s3cret", "spare": "canary"])
    form.change("a", "x")
    form.tap("send")
    #expect(form.onlyProviderRequest?.arguments == ["token": "s3cret", "values": ["a": "x"]])
    #expect(form["/outputs/hasToken"] == true)
    for text in [form.kept.description, form.values.description, form.session.explanation().description] {
      #expect(!text.contains("s3cret") && !text.contains("canary"))
    }
  }

  @Test func `an argument that only names a part without a value is left out`() throws {
    let form = try driver(["role": "chef"])
    form.tap("send")
    #expect(form.onlyProviderRequest?.arguments == ["values": [:]])
  }

  @Test func `counts in the bytes of the session`() throws {
    let form = try driver()
    let before = form.session.valueBytes
    let context: JSONObject = ["user": ["name": "Kim"]]
    #expect(form.session.valueBytes(after: .setContext(context), at: form.now) > before)
    form.apply(.setContext(context))
    #expect(form.session.valueBytes == before + JSON.object(context).approximateBytes)
    form.apply(.setContext([:]))
    #expect(form.session.valueBytes < before + JSON.object(context).approximateBytes)
  }

  // MARK: Snapshots

  private static let given: JSONObject = ["role": "chef", "level": 2, "token": "s3cret", "user": ["name": "Kim"]]

  @Test(arguments: [SnapshotUse.resuming, .keeping])
  func `a restored session has it, from a store without secrets`(_ use: SnapshotUse) throws {
    let form = try driver(Self.given)
    let snapshot = form.session.snapshot(for: use)
    #expect(
      snapshot.parts.values.contains { String(decoding: $0, as: UTF8.self).contains("s3cret") } == (use == .resuming)
    )
    let restored = try Engine().restore(form.form, from: snapshot, at: form.now).session
    #expect(restored.checkInvariants() == [])
    let outputs = restored.document["outputs"]
    #expect(outputs == ["role": "chef", "level": 2, "name": "Kim", "hasToken": .bool(use == .resuming)])
    // The session goes on, and the program gives the secret again.
    let engine = Engine()
    _ = engine.apply(.setContext(Self.given), to: restored, at: form.now)
    #expect(restored.document["outputs"]?["hasToken"] == true)
  }

  @Test func `a changed form keeps the members that it admits`() throws {
    let form = try driver(Self.given)
    let text = Self.text(
      """
      {"type": "object", "additionalProperties": false, "required": ["tenant"], "properties": {
        "role": {"enum": ["clerk"]}, "level": {"type": "integer"}, "token": {"type": "string", "writeOnly": true},
        "user": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}, "tenant": {}}}
      """
    ).replacing("== 'chef'", with: "!= ''")
    let other = try compiled(JSON(parsing: text))
    let restored = try Engine().restore(other, from: form.session.snapshot(for: .resuming), at: form.now)
    #expect(restored.isMigrated && restored.setAside == [] && restored.session.checkInvariants() == [])
    #expect(restored.session.document["outputs"] == ["role": "", "level": 2, "name": "Kim", "hasToken": true])
  }

  @Test func `a changed form without one forgets it`() throws {
    let form = try driver(Self.given)
    let other = try compiled(["form": "t", "schema": ["properties": ["a": [:]]]])
    let restored = try Engine().restore(other, from: form.session.snapshot(for: .resuming), at: form.now)
    #expect(restored.session.checkInvariants() == [])
    let text = restored.session.snapshot(for: .resuming).parts.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(!text.joined().contains("s3cret"))
  }
}
