import Forms
import JSON
import Sessions
import Testing

/// Inputs for a part of a value, and values in the path of a request.
@Suite struct `Parts of values and paths` {
  @Test func `Nested values: an input may address inside a value, and errors are reported by pointer`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "$defs": {"item": {"type": "object", "properties": {"qty": {"type": "integer", "minimum": 1}}}},
           "properties": {"items": {"type": "array", "maxItems": 5, "prefixItems": [{"$ref": "#/$defs/item"}], "items": {"$ref": "#/$defs/item"}}}},
         "outputs": {"count": "size(values.items)"}}
        """
    )
    func set(_ path: [String], _ value: JSON?) {
      form.apply(.change([FieldChange(field: 0, path: path, value: value)]))
    }
    form.change("items", [])
    set(["-"], ["qty": 1])
    set(["1", "qty"], 0)
    #expect(form.session.values() == ["items": [["qty": 1], ["qty": 0]]])
    #expect(form["/fields/items/errors/0/path"] == "/1/qty")
    #expect(form["/outputs/count"] == 2)
    set(["0"], nil)
    #expect(form["/fields/items/errors/0/path"] == "/0/qty")
    set(["0", "qty"], 3)
    #expect(form.isValid)
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: 0, path: ["7", "qty"], value: 1)]) == 0)
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: 0, path: ["0", "qty", "deep"], value: 1)]) == 0)
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: 0, path: ["0", "note"], value: "x")]) == nil)
    let appended = FieldChange(field: 0, path: ["-"], value: [:])
    #expect(
      form.session.firstUnacceptable(in: [appended, FieldChange(field: 0, path: ["1", "qty"], value: 1)]) == nil
    )
    #expect(
      form.session.firstUnacceptable(in: [appended, FieldChange(field: 0, path: ["3", "qty"], value: 1)]) == 1
    )
    let before = form.session.values()
    set(["7", "qty"], 1)
    #expect(form.session.values() == before)
  }

  @Test func `a number that is written another way is another value for formulas, deep inside too`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"items": {"type": "array"}, "any": {}}},
         "outputs": {"item": "type(values.items[0]) == double ? 'real' : 'whole'",
                     "any": "type(values.any.a.b[0]) == double ? 'real' : 'whole'"}}
        """
    )
    form.change("items", [1])
    #expect(form.session.document["outputs"]?["item"] == "whole")
    form.change("items", [1.0])
    #expect(form.session.document["outputs"]?["item"] == "real")
    form.apply(.change([FieldChange(field: 0, path: ["0"], value: 1)]))
    #expect(form.session.document["outputs"]?["item"] == "whole")
    form.change("any", ["a": ["b": [2.0], "c": 1]])
    #expect(form.session.document["outputs"]?["any"] == "real")
    form.change("any", ["a": ["c": 1, "b": [2]]])
    #expect(form.session.document["outputs"]?["any"] == "whole")
    // The order of members makes no difference.
    let before = form.session.revision
    form.change("any", ["a": ["b": [2], "c": 1]])
    #expect(form.session.revision == before)
    #expect(form.session.values()["any"]?.description == #"{"a":{"c":1,"b":[2]}}"#)
  }

  @Test func `a part of a value that is not there begins what the schema says`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
          "list": {"type": ["array", "null"]}, "object": {"type": "object"}, "text": {"type": "string"}, "any": {}}}}
        """
    )
    func set(_ field: Int, _ path: String...) -> Bool {
      let change = FieldChange(field: field, path: path, value: 1)
      let isAccepted = form.session.firstUnacceptable(in: [change]) == nil
      form.apply(.change([change]))
      return isAccepted
    }
    #expect(!set(0, "1") && !set(0, "x"))
    #expect(set(0, "-") && set(0, "1"))
    #expect(set(1, "x") && set(3, "y"))
    #expect(!set(2, "z"))
    #expect(form.session.values() == ["list": [1, 1], "object": ["x": 1], "any": ["y": 1]])
    form.change("list", .null)
    #expect(set(0, "0"))
    #expect(form.session.values()["list"] == [1])
  }

  @Test(
    arguments: [
      ("kim", "/users/kim/x-kim"), ("a/b", "/users/a%2Fb/x-a%2Fb"), ("..a", "/users/..a/x-..a"),
      ("...", "/users/.../x-..."), ("%2e%2e%", "/users/%252e%252e%25/x-%252e%252e%25"),
      ("..", nil), (".", nil), ("", nil), ("../x", nil), ("a/../b", nil), ("a/.", nil), ("..\\x", nil), ("a\\..", nil),
      ("%2e%2E", nil), ("..%2fx", nil), ("%252e%252e%252fx", nil), ("a%5c..%5cb", nil), ("..;a/x", nil),
    ] as [(String, String?)]
  )
  func `a value in a path is never a step through the server's paths`(value: String, target: String?) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "fields": {"a": {"emptyAs": "keep"}},
         "actions": {"go": {"run": {"http": {"service": "s", "path": "/users/{a}/x-{a}"}}}}}
        """
    )
    form.change("a", .string(value))
    form.tap("go")
    guard let target else {
      #expect(form.effects.isEmpty)
      #expect(form.events.map(\.kind) == [.failed])
      let reason = value.isEmpty ? "a segment of the path is absent: {self}" : "the value of {a} is not a path segment"
      #expect(form.faults.last?.message.hasPrefix(reason) == true)
      return
    }
    guard case .http(let request) = form.onlyEffect.request else { return #expect(Bool(false), "no request") }
    #expect(request.target == target)
  }

  @Test func `values beside each other in a path are not two dots together`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "actions": {"go": {"run": {"http": {"service": "s", "path": "/users/{a}2e?at={a}/.."}}}}}
        """
    )
    form.change("a", "x")
    form.tap("go")
    guard case .http(let request) = form.onlyEffect.request else { return #expect(Bool(false), "no request") }
    #expect(request.target == "/users/x2e?at=x/..")
    form.answer(status: 200, body: [:])
    form.change("a", ".%")
    form.tap("go")
    #expect(form.faults.last?.message.hasPrefix("the value of {a} is not a path segment") == true)
  }
}
