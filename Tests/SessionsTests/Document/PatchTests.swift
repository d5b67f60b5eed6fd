internal import DocumentProperties
import Forms
import JSON
import Sessions
import Testing
internal import Times

@Suite struct `The document and its patches` {
  private let text = """
    {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 9}, "b/c": {"type": "integer"}}},
     "rules": [{"id": "r", "check": "values.a != 'bad'"}],
     "actions": {"go": {"run": {"provider": {"name": "p"}}}}, "outputs": {"o": "values.a == '' ? {} : {'a': values.a, 'n': {'k': 1}}"}}
    """

  @Test func `a document has every block and cell, in the order of the definition`() throws {
    let form = try SessionDriver(text: text)
    let flags = FieldProperty.inDocument.map(\.about).filter { $0.kind == .bool }
    var field = JSONObject(flags.map { ("\($0.name)", .bool($0.isUsuallyTrue)) })
    field["isEmpty"] = true
    field["errors"] = []
    #expect(
      form.kept.objectValue?.names == [
        "isValid", "isPending", "isDirty", "errors", "messages", "fields", "actions", "outputs",
      ]
    )
    #expect(form["/fields/b~1c"] == .object(field))
    #expect(form["/fields"]?.objectValue?.names == ["a", "b/c"])
    #expect(form["/actions/go"] == ["isEnabled": false, "isLoading": false, "attempts": 0])
    #expect(form["/outputs/o"] == [:])
  }

  @Test func `a form without actions and outputs has those blocks all the same`() throws {
    let form = try SessionDriver(text: #"{"schema": {"type": "object", "properties": {"a": {}}}}"#)
    #expect(form["/actions"] == [:] && form["/outputs"] == [:] && form["/messages"] == [:])
    let outputs = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {}}}, "outputs": {"o": "1", "absent": "null"}}"#
    )
    #expect(outputs.kept.objectValue?.names.suffix(4) == ["messages", "fields", "actions", "outputs"])
    #expect(outputs["/actions"] == [:] && outputs["/outputs"] == ["o": 1])
  }

  @Test func `a patch holds what changed and nothing else, with null for what is gone`() throws {
    let form = try SessionDriver(text: text)
    let before = form["/fields/a"]
    form.change("a", "x")
    let names = FieldProperty.inDocument.map(\.name).filter { form["/fields/a/\($0)"] != before?[$0] }
    #expect(Set(names).isSuperset(of: ["isValid", "isDirty", "isEmpty", "errors"]))
    #expect(
      form.patches.last == [
        "isValid": true, "isDirty": true,
        "fields": ["a": .object(JSONObject(names.map { ($0, form["/fields/a/\($0)"] ?? .null) }))],
        "actions": ["go": ["isEnabled": true]], "outputs": ["o": ["a": "x", "n": ["k": 1]]],
      ]
    )
    form.change("a", "y")
    #expect(form.patches.last == ["outputs": ["o": ["a": "y"]]])
    form.tap("go")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["k": ["l": 1], "m": 2]))
    form.tap("go")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["k": [:]]))
    #expect(form.patches.last == ["actions": ["go": ["isLoading": false, "result": ["k": ["l": .null], "m": .null]]]])
    form.change("a", "")
    #expect(form.patches.last?["outputs"] == ["o": ["a": .null, "n": .null]])
    form.reset()
    #expect(form.patches.last?["actions"] == ["go": ["attempts": 0, "result": .null]])
  }

  @Test func `a turn that changes nothing is no revision and no patch`() throws {
    let form = try SessionDriver(text: text)
    form.change("a", "x")
    form.change("a", "x")
    form.focus("a")
    form.apply(.flush)
    #expect(form.patches.count == 1 && form.session.revision == 1)
  }

  @Test func `what changes and changes back within a turn has not changed`() throws {
    let form = try SessionDriver(text: text)
    form.change("a", "x")
    form.apply(.change([FieldChange(field: 0, value: "bad"), FieldChange(field: 0, value: "x")]))
    #expect(form.patches.count == 1 && form.session.revision == 1)
  }

  @Test func `another error that says the same is no change of the message`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}, "fields": {"a": {"show": "always"}},
         "rules": [{"id": "r1", "field": "a", "check": "self != 'x'", "message": "no"}, {"id": "r2", "field": "a", "check": "self != 'y'", "message": "no"}]}
        """
    )
    form.change("a", "x")
    form.change("a", "y")
    #expect(form.patches.last?.objectValue?.names == ["fields"])
    #expect(form.message("a") == "no" && form.codes("a") == ["r2"])
  }

  @Test func `of two errors with one code the shown one stays shown while editing`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "rules": [{"id": "w", "field": "a", "check": "int(self) > 3", "severity": "warning"}, {"id": "e", "field": "a", "check": "int(self) > 3"}]}
        """
    )
    form.change("a", "x")
    form.blur("a")
    let shown = form.message("a")
    form.change("a", "xx")
    #expect(form.codes("a") == ["e", "w"] && form.message("a") == shown && shown != nil)
  }

  @Test func `watch narrows the patches, never the events, and a turn that it hides sends nothing`() throws {
    let form = try SessionDriver(text: text).form
    let engine = Engine()
    let session = engine.open(
      form,
      options: OpenOptions(watch: [JSONPointer("/isValid")!, JSONPointer("/fields/a/errors")!]),
      at: .milliseconds(0)
    ).session
    #expect(session.document.objectValue?.names == ["isValid", "fields"])
    let shown = engine.apply(.set(field: 0, to: "x"), to: session, at: .milliseconds(0))
    #expect(session.patch(engine.changes(of: shown)) == ["isValid": true, "fields": ["a": ["errors": []]]])
    let hidden = engine.apply(.set(field: 0, to: "y"), to: session, at: .milliseconds(0))
    #expect(!hidden.hasUpdate)
    #expect(session.revision == 2)
    let tapped = engine.apply(.tap(action: 0), to: session, at: .milliseconds(0))
    let answer = Input.effect(tapped.starts[0].id, EffectResponse(kind: .ok, body: 1))
    let answered = engine.apply(answer, to: session, at: .milliseconds(0))
    #expect(answered.hasUpdate && engine.changes(of: answered).isEmpty && answered.events.count == 1)
  }

  @Test func `changes of several turns are one patch from the first old values`() throws {
    let form = try SessionDriver(text: text).form
    let engine = Engine()
    let session = engine.open(form, at: .milliseconds(0)).session
    var client = session.document
    var merged: [Int: DocumentChange] = [:]
    for value in ["x", "bad", "z"] as [JSON] {
      let turn = engine.apply(.set(field: 0, to: value), to: session, at: .milliseconds(0))
      for change in engine.changes(of: turn) where merged[change.cell] == nil { merged[change.cell] = change }
    }
    client.merge(session.patch(merged.values.sorted { $0.cell < $1.cell }))
    #expect(client == session.document)
  }

  @Test func `the cells of a turn are gone with the next input, and asking for them then stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let compilation = Form.compile(Array(#"{"form": "t", "schema": {"properties": {"a": {}}}}"#.utf8))
      let engine = Engine()
      let session = engine.open(try #require(compilation.form), at: .milliseconds(0)).session
      let first = engine.apply(.set(field: 0, to: 1), to: session, at: .milliseconds(0))
      _ = engine.apply(.set(field: 0, to: 2), to: session, at: .milliseconds(0))
      engine.writePatch(of: first, in: session, into: OutputBuffer())
    }
  }

  @Test func `an input for another form stops the program`() async {
    await #expect(processExitsWith: .failure) { try Self.apply(.set(field: 1, to: 1)) }
    await #expect(processExitsWith: .failure) { try Self.apply(.change([FieldChange(field: -2, value: 1)])) }
    await #expect(processExitsWith: .failure) { try Self.apply(.focus(field: 1)) }
    await #expect(processExitsWith: .failure) { try Self.apply(.insert(list: 0, at: 0, [nil])) }
    await #expect(processExitsWith: .failure) { try Self.apply(.tap(action: 0)) }
    await #expect(processExitsWith: .failure) { try Self.apply(.show(step: 0)) }
    await #expect(processExitsWith: .success) { try Self.apply(.set(field: 0, to: 1)) }
  }

  /// Applies an input to a form with one field.
  private static func apply(_ input: Input) throws {
    let compilation = Form.compile(Array(#"{"form": "t", "schema": {"properties": {"a": {}}}}"#.utf8))
    let engine = Engine()
    let session = engine.open(try #require(compilation.form), at: .milliseconds(0)).session
    _ = engine.apply(input, to: session, at: .milliseconds(0))
  }
}
