import Forms
import JSON
import Sessions
import Testing
internal import Times

/// Values that change by themselves are sent to the client that shows them.
@Suite struct `Values that move by themselves` {
  private static let text = """
    {"schema": {"type": "object", "properties": {
       "name": {"type": "string", "maxLength": 20, "default": "Kim"}, "term": {"type": "string", "maxLength": 20},
       "pin": {"type": "string", "writeOnly": true, "maxLength": 20},
       "address": {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20},
         "zip": {"type": "string", "maxLength": 9, "default": "1"}}}}},
     "fields": {"name": {"normalize": ["trim"]}, "term": {"debounce": "1s"}}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values))
  }

  @Test func `a reset tells what it brings back and what it takes away, and nothing else`() throws {
    let form = try driver()
    form.change(["name": "Lee", "pin": "1234", "/address/city": "Bonn"])
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty)
    form.reset()
    #expect(form.told.values == ["name": "Kim"] && form.told.absent == ["pin", "/address/city"])
    form.reset()
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty && form.session.revision == 2)
  }

  @Test func `names that differ only in normal form are two`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"properties": {"a": {}}, "additionalProperties": {"type": "string"}}}"#
    )
    for name in ["e\u{301}", "\u{e9}"] {
      form.apply(.change([FieldChange(field: FieldChange.root, path: [name], value: "x")], origin: .user))
    }
    form.reset()
    #expect(form.told.absent.map { Array($0.utf8) } == [Array("e\u{301}".utf8), Array("\u{e9}".utf8)])
  }

  @Test func `a whole value that is the same takes away the mark of one that has moved`() throws {
    let form = try driver()
    form.change("address", ["city": "Bonn"])
    form.reset()
    form.change("address", ["zip": "1"])
    form.change("address", ["city": "Ulm"])
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty)
  }

  @Test func `a reset that keeps the values tells none`() throws {
    let form = try driver()
    form.change("name", "Lee")
    form.reset(keepValues: true)
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty)
  }

  @Test func `what was held back and never counted is told, too`() throws {
    let form = try driver()
    form.change("term", "tea")
    #expect(form.session.value(of: 1) == nil)
    form.reset()
    #expect(form.told.absent == ["term"])
  }

  @Test func `the next change of such a field is told as well, once`() throws {
    let form = try driver()
    form.change("name", "Lee")
    form.reset()
    form.change("name", " Park ")
    #expect(form.told.values == ["name": "Park"])
    form.change("name", "Choi")
    #expect(form.told.values.isEmpty)
  }

  @Test func `an object that changes in what is no field is told whole`() throws {
    let form = try driver(["zz": 1])
    form.change("address", ["city": "Bonn", "zip": "2", "x": 7])
    form.apply(.change([FieldChange(field: FieldChange.root, path: ["zz"], value: 2)]))
    form.reset()
    #expect(form.told.values == ["address": ["zip": "1"], "zz": 1] && form.told.absent == [])
  }

  @Test func `a secret's value is never told`() throws {
    let form = try driver(["pin": "1234"])
    form.change("pin", "5678")
    form.reset()
    #expect(form.session.value(of: 2) == "1234")
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty)
  }

  @Test func `they come whatever is watched, and count as a revision`() throws {
    let engine = Engine()
    let form = try compiled(JSON(parsing: Self.text))
    let options = OpenOptions(watch: [JSONPointer("/errors")!])
    let session = engine.open(form, options: options, at: .milliseconds(0)).session
    let changed = engine.apply(.set(field: 0, to: "Lee"), to: session, at: .milliseconds(1))
    #expect(!changed.hasUpdate && changed.told.isEmpty)
    let turn = engine.apply(.reset(keepValues: false), to: session, at: .milliseconds(2))
    #expect(turn.hasUpdate && turn.revision == 2 && session.told(turn.told).values == ["name": "Kim"])
  }
}
