internal import Configuration
import FormProtocol
import Forms
import JSON
import Server
import Sessions
import Testing

/// `session/undo` and `session/redo` on the wire.
struct UndoMethodTests {
  static let form = TestForms.form(
    #"""
    { "form": "guests", "undo": true, "schema": { "properties": {
        "place": { "type": "string", "maxLength": 20 },
        "guests": { "type": "array", "maxItems": 9, "items": { "type": "object", "properties": {
          "name": { "type": "string", "maxLength": 20 } } } },
        "others": { "type": "array", "maxItems": 9, "items": { "type": "object", "properties": {
          "name": { "type": "string", "maxLength": 20 } } } } } } }
    """#
  )

  private static func daemon(_ store: TestStore? = nil, _ limits: [Limit: Int] = [:]) -> TestDaemon {
    TestDaemon(catalog: FormCatalog([form, TestForms.login]), store: store) { configuration in
      for (limit, value) in limits { configuration.limits[limit] = value }
    }
  }

  @Test
  func `an edit is taken back and repeated, and the updates say so`() throws {
    let client = Self.daemon().connect()
    let opened = client.result("session/open", ["form": "guests", "values": ["guests": [["name": "Ann"]]]])
    #expect(opened.at("document", "canUndo") == false && opened.at("document", "canRedo") == false)
    client.result("field/remove", ["field": "/guests/0"])
    let undone = client.request("session/undo")
    #expect(undone.first?.at("params", "cause") == "session/undo")
    #expect(undone.first?.at("params", "values", "guests") == [["name": "Ann"]])
    #expect(undone.first?.at("params", "patch", "fields", "guests", "order") == ["1"])
    #expect(undone.first?.at("params", "patch", "canUndo") == false)
    #expect(undone.last?.at("result", "revision") == 2)
    let redone = client.request("session/redo")
    #expect(redone.first?.at("params", "cause") == "session/redo")
    #expect(redone.first?.at("params", "patch", "fields", "guests", "rows", "1") == .null)
    // There is nothing more to repeat.
    #expect(client.request("session/redo").map { $0["method"] } == [nil])
  }

  @Test(arguments: ["session/undo", "session/redo"])
  func `a form without undo has no edits`(_ method: String) throws {
    let client = Self.daemon().connect()
    client.result("session/open", ["form": "login"])
    let error = client.error(method)
    #expect(error["code"] == -32602)
    #expect(error.at("data", "errors")?.arrayValue?.map { $0["path"] } == ["/session"])
  }

  @Test
  func `the limits bound the edits and never refuse an input`() throws {
    let client = Self.daemon(nil, [.undoMax: 1]).connect()
    client.result("session/open", ["form": "guests"])
    for name in ["a", "b"] {
      client.result("field/change", ["field": "place", "value": .string(name), "commit": true])
    }
    client.result("session/undo")
    client.result("session/undo")
    #expect(client.result("session/get").at("values", "place") == "a")
  }

  @Test
  func `rows come back only as far as there is room for them`() throws {
    let client = Self.daemon(nil, [.rowsMax: 1]).connect()
    client.result("session/open", ["form": "guests", "values": ["guests": [["name": "Ann"]]]])
    client.result("field/remove", ["field": "/guests/0"])
    // A program takes the room.
    client.result("field/change", ["field": "others", "value": [["name": "Kim"]], "origin": "program"])
    #expect(client.error("session/undo")["code"] == 1012)
    // The edit stays.
    #expect(client.result("session/get").at("document", "canUndo") == true)
    client.result("field/change", ["field": "others", "value": .null, "origin": "program"])
    client.result("session/undo")
    #expect(client.result("session/get").at("values", "guests") == [["name": "Ann"]])
  }

  @Test
  func `all clients of a session share its edits, and all get the values`() throws {
    let daemon = Self.daemon()
    let first = daemon.connect()
    let (key, _) = try first.openKept(["form": "guests", "keep": "10m"])
    let second = daemon.connect()
    second.result("session/attach", ["key": key])
    first.result("field/change", ["field": "place", "value": "Bern"])
    _ = second.messages()
    second.result("session/undo")
    let told = first.messages()
    #expect(told.last?.at("params", "cause") == "session/undo")
    #expect(told.last?.at("params", "absent") == ["place"])
  }

  @Test
  func `the edits survive the daemon`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (key, _) = try client.openKept(["form": "guests", "keep": "10m", "values": ["guests": [["name": "Ann"]]]])
    client.result("field/change", ["field": "place", "value": "Bern", "commit": true])
    client.result("field/remove", ["field": "/guests/0"])
    let next = Self.daemon(TestStore(store.sessions)).connect()
    let attached = next.result("session/attach", ["key": key])
    #expect(attached.at("document", "canUndo") == true)
    next.result("session/undo")
    #expect(next.result("session/get").at("document", "fields", "guests", "order") == ["1"])
    next.result("session/undo")
    #expect(next.result("session/get")["values"] == ["guests": [["name": "Ann"]]])
    next.result("session/redo")
    #expect(next.result("session/get").at("values", "place") == "Bern")
  }
}
