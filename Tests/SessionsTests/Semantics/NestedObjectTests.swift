import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// Fields inside of objects.
@Suite struct `Fields inside of objects` {
  /// An optional address with a country that is required in it, and a required name in two parts.
  private static let text = """
    {"schema": {"type": "object", "required": ["name"], "properties": {
       "name": {"type": "object", "required": ["first", "last"], "properties": {
         "first": {"type": "string", "maxLength": 20}, "last": {"type": "string", "maxLength": 20}}},
       "address": {"$ref": "#/$defs/address"},
       "open": {"type": "object", "additionalProperties": {"type": "integer"}, "properties": {"a": {"type": "string"}}}},
       "$defs": {"address": {"type": "object", "required": ["country"], "additionalProperties": false, "properties": {
         "country": {"enum": ["KR", "DE"]}, "city": {"type": "string", "maxLength": 20}, "zip": {"type": "string", "maxLength": 9}},
         "if": {"properties": {"country": {"const": "KR"}}, "required": ["country"]}, "then": {"required": ["zip"]}}}},
     "fields": {"/address/city": {"normalize": ["trim"], "show": "edit"}, "/address/zip": {"visible": "values.address.country == 'KR'"},
       "/name/first": {"messages": {"required": "What is your first name?"}}},
     "rules": [{"id": "zip.shape", "field": "/address/zip", "check": "self.matches('^[0-9]{5}$')", "message": "Five digits."},
       {"id": "city.known", "field": "address", "check": "values.address.city != 'Atlantis'", "message": "There is no such place."}],
     "actions": {"send": {}},
     "outputs": {"city": "values.address.city", "whole": "values.address", "empty": "fields.address.isEmpty",
       "valid": "fields['/address/zip'].isValid", "shown": "messages['/address/zip']"}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values))
  }

  private func state(_ form: SessionDriver, _ address: String) -> JSON {
    let path = JSONPointer(address: address)?.tokens.flatMap { ["fields", $0] } ?? []
    return form.kept.value(at: path[...]) ?? .null
  }

  private func codes(_ form: SessionDriver, _ address: String) -> [String] {
    (state(form, address)["errors"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
  }

  @Test func `are the schema's places at every depth, in its order`() throws {
    let form = try driver().form
    #expect(
      form.fields.map(\.address) == [
        "name", "/name/first", "/name/last", "address", "/address/country", "/address/city", "/address/zip", "open",
        "/open/a",
      ]
    )
    #expect(form.field(at: "/name") == 0 && form.field(at: "name") == 0 && form.field(at: "city") == nil)
  }

  @Test func `a required object without a value is judged as an empty one, an optional one not at all`() throws {
    let form = try driver()
    #expect(codes(form, "name") == [] && codes(form, "/name/first") == ["required"])
    #expect(codes(form, "/address/country") == [] && state(form, "address")["isValid"] == true)
    #expect(state(form, "name")["isValid"] == false && state(form, "name")["isEmpty"] == true)
    form.change("/address/city", "Bonn")
    #expect(codes(form, "/address/country") == ["required"] && state(form, "address")["isValid"] == false)
    // An object that only its members made goes with the last of them.
    form.change("/address/city", " ")
    #expect(codes(form, "/address/country") == [] && form.session.values() == [:])
    // An object that was given as a whole stays.
    form.change("address", [:])
    #expect(codes(form, "/address/country") == ["required"] && form.session.values() == ["address": [:]])
    form.change("address", .null)
    #expect(codes(form, "/address/country") == [] && form.session.values() == [:])
  }

  @Test func `formulas tell names apart that differ only in normal form`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"e\u{301}": {"type": "string"}, "\u{e9}": {"type": "string"},
           "box": {"type": "object", "properties": {"\u{e9}": {"type": "string"}, "e\u{301}": {"type": "string"}}}}},
         "outputs": {"e\u{301}": "values['e\u{301}'] + values.box['e\u{301}']", "\u{e9}": "values['\u{e9}'] + values.box['\u{e9}']",
           "both": "outputs['e\u{301}'] + '|' + outputs['\u{e9}']",
           "left": "fields['e\u{301}'].isTouched && !fields['\u{e9}'].isTouched"}}
        """
    )
    form.change(["e\u{301}": "1", "\u{e9}": "2", "box": ["\u{e9}": "4", "e\u{301}": "3"]])
    form.blur("e\u{301}")
    #expect(form["/outputs/both"] == "13|24" && form["/outputs/left"] == true)
  }

  @Test func `formulas tell a member from a name with a dot`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a.b": {"type": "string"}, "a": {"type": "object", "properties": {"b": {"type": "string"}}}}},
         "rules": [{"id": "inner", "field": "/a/b", "check": "self == '2'"}, {"id": "dotted", "field": "a.b", "check": "self == '1'"}],
         "outputs": {"x.y": "values['a.b'] + values.a.b + values['a']['b']", "copy": "outputs['x.y']",
           "touched": "fields['a.b'].isTouched && fields['/a.b'].isTouched && !fields['/a/b'].isTouched"}}
        """
    )
    form.change(["a.b": "1", "/a/b": "2"])
    form.blur("a.b")
    #expect(form.isValid && form["/outputs/copy"] == "122" && form["/outputs/touched"] == true)
  }

  @Test func `has is false where something on the way is absent`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "additionalProperties": true,
           "properties": {"c": {"type": "string"}}}}}, "any": {}}},
         "rules": [{"id": "self", "field": "a", "check": "!has(self.b.c)"}],
         "outputs": {"b": "has(values.a.b)", "c": "has(values.a.b.c)", "deep": "has(values.a.b.open.x['y.z'].w)", "any": "has(values.any.x.y)"}}
        """
    )
    func has(_ outputs: JSON, isValid: Bool = true) {
      #expect(form.kept["outputs"] == outputs && form.isValid == isValid && form.faults.isEmpty)
    }
    has(["b": false, "c": false, "deep": false, "any": false])
    form.change("/a/b/c", "x")
    has(["b": true, "c": true, "deep": false, "any": false], isValid: false)
    form.change("a", ["b": ["open": ["x": ["y.z": ["w": 1]]]]])
    has(["b": true, "c": false, "deep": true, "any": false])
    form.change("a", ["b": ["open": "no object"]])
    form.change("any", ["x": ["y": 1]])
    has(["b": true, "c": false, "deep": false, "any": true])
    form.change("a", .null)
    has(["b": false, "c": false, "deep": false, "any": true])
  }

  @Test func `a member of self is the cell of the field inside`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"p": {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "integer"},
           "box": {"type": "object", "properties": {"t x": {"type": "string"}}}}}}},
         "rules": [{"id": "same", "field": "p", "check": "self.s == values.p.s && self.box['t x'] == values.p.box['t x'] && self.n == values.p.n"},
           {"id": "absent", "field": "p", "severity": "warning", "check": "self.s != '' || self['box']['t x'] != '' || self.n != null"},
           {"id": "inner", "field": "/p/box", "check": "self['t x'] != 'no'"}]}
        """
    )
    func errors(_ address: String) -> [String] { codes(form, address) }
    form.change("p", [:])
    #expect(form.faults.isEmpty && errors("p") == ["absent"])
    form.change(["/p/n": 1, "/p/box/t x": "no"])
    #expect(form.faults.isEmpty && errors("p") == [] && errors("/p/box") == ["inner"])
  }

  @Test func `an incomplete branch misses its members, and nothing is wrong with what picks it`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"pay": {"type": "object", "oneOf": [
           {"properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind", "number"]},
           {"properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}}, "required": ["kind", "iban"]}],
           "unevaluatedProperties": false}}}}
        """
    )
    form.change("pay", ["kind": "card"])
    #expect(codes(form, "pay") == [] && codes(form, "/pay/kind") == [] && codes(form, "/pay/number") == ["required"])
    form.change("/pay/number", "4")
    #expect(form.isValid)
    form.change("/pay/iban", "x")
    #expect(codes(form, "/pay/iban") == ["unevaluatedProperties"] && codes(form, "/pay/kind") == [])
  }

  @Test(arguments: ["false", "true"])
  func `a position below an object that is a list changes an element`(_ admitsOthers: String) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": ["object", "array"], "additionalProperties": \(admitsOthers),
           "properties": {"b": {"type": "string"}}}}}, "outputs": {"a": "values.a"}}
        """
    )
    func set(_ address: String, _ value: JSON?) throws -> Bool {
      let target = try form.form.resolve(address)
      let change = FieldChange(field: try #require(target.field), path: target.rest, value: value)
      guard form.session.firstUnacceptable(in: [change]) == nil else { return false }
      form.apply(.change([change]))
      return true
    }
    form.change("a", [1])
    #expect(try set("/a/0", 2) && set("/a/-", ["x": 3]) && set("/a/1/x", 4) && set("/a/2", 5))
    #expect(form.session.values() == ["a": [2, ["x": 4], 5]] && form["/outputs/a"] == [2, ["x": 4], 5])
    #expect(try !set("/a/7", 1) && !set("/a/b", "text") && !set("/a/0/x", 1))
    #expect(try set("/a/0", nil) && form.session.values() == ["a": [["x": 4], 5]])
    // In an object a position is a name, if anything.
    form.change("a", ["b": "text"])
    #expect(try set("/a/0", 1) == (admitsOthers == "true"))
    form.change("a", .null)
    #expect(try set("/a/0", 1) == (admitsOthers == "true"))
    #expect(((try? form.form.resolve("/a/x")) != nil) == (admitsOthers == "true"))
  }

  @Test(
    arguments: [
      ("{}", nil, [1]), ("{}", [0], [0, 1]), ("{}", ["x": 0], ["x": 0, "-": 1]), ("{}", "text", nil), ("{}", 7, nil),
      ("{\"type\": \"array\"}", nil, [1]), ("{\"type\": \"object\"}", nil, ["-": 1]),
      ("{\"type\": \"string\"}", nil, nil),
    ] as [(String, JSON?, JSON?)]
  )
  func `a hyphen appends to a list, and makes one where any value may be`(_ schema: String, _ old: JSON?, _ new: JSON?)
    throws
  {
    let form = try SessionDriver(text: "{\"schema\": {\"properties\": {\"a\": \(schema)}}}")
    if let old { form.change("a", old) }
    let change = FieldChange(field: 0, path: ["-"], value: 1)
    #expect((form.session.firstUnacceptable(in: [change]) == nil) == (new != nil))
    form.apply(.change([change]))
    #expect(form.session.values()["a"] == (new ?? old))
  }

  @Test func `what is around a field speaks of the whole`() throws {
    let form = try driver(["name": ["first": "Kim", "last": "Lee"]])
    #expect(form.isValid)
    form.change("/name/first", "")
    #expect(state(form, "name")["isDirty"] == true && state(form, "/name/last")["isDirty"] == false)
    form.blur("/name/first")
    #expect(state(form, "name")["isTouched"] == true && state(form, "/name/last")["isTouched"] == false)
    #expect(form.kept["messages"] == ["/name/first": "What is your first name?"])
    form.change("/name/first", "Kim")
    #expect(form.isValid && state(form, "name")["isDirty"] == false && form.kept["messages"] == [:])
  }

  @Test func `a whole value sets every field in it, and edits those that it changes`() throws {
    let form = try driver()
    form.change("address", ["country": "DE", "city": "  Bonn "])
    #expect(form.session.values() == ["address": ["country": "DE", "city": "Bonn"]])
    #expect(form["/outputs/city"] == "Bonn" && form["/outputs/whole"] == ["country": "DE", "city": "Bonn"])
    form.change("address", ["country": "DE", "planet": "Earth"])
    #expect(codes(form, "address") == ["additionalProperties"] && form["/outputs/city"] == "")
    #expect(form.session.values() == ["address": ["country": "DE", "planet": "Earth"]])
  }

  @Test func `errors of the object's own keywords stand at the members that they name`() throws {
    let form = try driver()
    form.change("/address/country", "KR")
    #expect(codes(form, "/address/zip") == ["required"])
    form.change("/address/zip", "123")
    #expect(codes(form, "/address/zip") == ["zip.shape"] && form["/outputs/valid"] == false)
    form.change("/address/city", "Atlantis")
    #expect(codes(form, "address") == ["city.known"])
    form.blur("/address/zip")
    #expect(form["/outputs/shown"] == "Five digits.")
    form.tap("send")
    #expect(
      form.lastTap?.blockers.filter { $0.field?.hasPrefix("/name") != true } == [
        Blocker(field: "address", code: "city.known"), Blocker(field: "/address/zip", code: "zip.shape"),
      ]
    )
  }

  @Test func `what is hidden does not count, nor does anything inside of it`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"on": {"type": "boolean"}, "box": {"type": "object", "required": ["a"], "properties": {
           "a": {"type": "object", "properties": {"b": {"type": "string", "maxLength": 3}}}, "c": {"type": "string"}}}}},
         "fields": {"box": {"visible": "values.on == true", "enabled": "values.on == true"}},
         "outputs": {"box": "values.box"}}
        """
    )
    form.change("/box/a/b", "toolong")
    #expect(form.isValid && state(form, "/box/a/b")["isVisible"] == false && form["/outputs/box"] == [:])
    #expect(state(form, "/box/c")["isEnabled"] == false)
    form.change("on", true)
    #expect(!form.isValid && codes(form, "/box/a/b") == ["maxLength"] && state(form, "box")["isValid"] == false)
    #expect(state(form, "/box/c")["isEnabled"] == true && form["/outputs/box"] == ["a": ["b": "toolong"]])
  }

  @Test func `a text in the place of an object is an error there, and no field inside of it takes a value`() throws {
    let form = try driver()
    form.change("address", "Bonn")
    #expect(codes(form, "address") == ["type"] && codes(form, "/address/country") == [])
    let city = try #require(form.form.field(at: "/address/city"))
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: city, value: "Bonn")]) == 0)
    form.change("address", ["city": "Bonn"])
    #expect(form.session.values() == ["address": ["city": "Bonn"]])
  }

  @Test func `a member that is no field is a part of its object's value where the schema admits it`() throws {
    let form = try driver()
    let target = try form.form.resolve("/open/x")
    #expect(target.rest == ["x"] && target.field == form.form.field(at: "open"))
    #expect(throws: AddressError.unknown) { try form.form.resolve("/address/planet") }
    #expect(throws: AddressError.notAPointer) { try form.form.resolve("/a~") }
    form.apply(.change([FieldChange(field: target.field ?? 0, path: target.rest, value: "x")]))
    #expect(state(form, "open")["errors"]?.arrayValue?.first?["path"] == "/x" && codes(form, "open") == ["type"])
    form.apply(.change([FieldChange(field: target.field ?? 0, path: target.rest, value: .null)]))
    #expect(form.session.values() == [:])
  }

  @Test(arguments: [["a"], ["none"], ["none", "inner"]])
  func `taking away what is not there changes nothing`(_ path: [String]) throws {
    let form = try driver(["open": [:]])
    let address = JSONPointer(tokens: ["open"] + path).address
    let target = try form.session.resolve(address)
    form.apply(.change([FieldChange(field: target.field ?? 0, path: target.rest, value: nil)]))
    #expect(form.values["open"] == [:] && form.session.revision == 0)
  }

  @Test func `leaving an object ends the editing inside of it, and focus counts for what is around`() throws {
    let form = try driver(["name": ["first": "Kim"]])
    form.change("/name/first", "")
    form.blur("name")
    #expect(form.message("~1name~1first") == "What is your first name?")
    form.focus("/name/first")
    form.change("/name/first", "x")
    form.change("/name/first", "")
    #expect(form.message("~1name~1first") == nil)
    form.blur("/name/first")
    #expect(form.message("~1name~1first") == "What is your first name?")
  }

  @Test func `an object's default is that of the fields inside of it`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "object", "default": {"b": "x", "other": 1},
           "properties": {"b": {"type": "string", "default": "y"}, "c": {"type": "string", "default": "z"}}}}}}
        """
    )
    #expect(form.session.values() == ["a": ["b": "x", "c": "z", "other": 1]] && form["/isDirty"] == false)
    form.change("/a/b", "w")
    form.reset()
    #expect(form.session.values() == ["a": ["b": "x", "c": "z", "other": 1]] && form["/isDirty"] == false)
    let given = SessionDriver(form.form, options: OpenOptions(values: ["a": ["c": ""]]))
    #expect(given.session.values() == ["a": ["b": "x"]])
  }

  @Test func `what a property and a pattern say alike of a field is one error`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"first": {"$ref": "#/$defs/name"}}, "patternProperties": {"^f": {"$ref": "#/$defs/name"},
           "t$": {"maxLength": 3, "minLength": 2}}, "$defs": {"name": {"type": "string", "minLength": 2}}}}
        """
    )
    form.change("first", "x")
    #expect(form.codes("first") == ["minLength"])
    form.change("first", 7)
    #expect(form.codes("first") == ["type"])
    form.change("first", "abcd")
    #expect(form.codes("first") == ["maxLength"])
  }

  @Test func `of an object that holds a secret everything else is told`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"login": {"type": "object", "properties": {"user": {"type": "string"},
           "password": {"type": "string", "writeOnly": true, "minLength": 30}}, "minProperties": 3}}}}
        """
    )
    form.change("login", ["user": "kim", "password": "hunter2"])
    #expect(form.session.values() == ["login": ["user": "kim"]])
    #expect(form.session.value(of: 0) == ["user": "kim", "password": "hunter2"])
    #expect(!"\(form.kept) \(form.session.explanation())".contains("hunter2"))
    let compilation = Form.compile(
      Array(
        #"{"form": "t", "outputs": {"o": "values.a"}, "schema": {"properties": {"a": {"properties": {"p": {"writeOnly": true}}}}}}"#
          .utf8
      )
    )
    #expect(compilation.diagnostics.map(\.code) == ["secret"])
  }

  @Test func `a check of an object asks nobody while a member is invalid`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"place": {"type": "object", "required": ["zip"], "properties": {
           "city": {"type": "string", "maxLength": 4}, "zip": {"type": "string"}}}}},
         "rules": [{"id": "upper", "field": "/place/zip", "check": "self != 'x'"}],
         "checks": [{"id": "known", "field": "place", "run": {"provider": {"name": "p", "arguments": {"place": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "No."}]}],
         "actions": {"send": {}}}
        """
    )
    form.change("/place/city", "Ulm")
    #expect(form.effects.isEmpty && codes(form, "/place/zip") == ["required"])
    form.change("/place/zip", "x")
    #expect(form.effects.isEmpty && codes(form, "/place/zip") == ["upper"])
    form.change("/place/zip", "89073")
    #expect(form.effects.count == 1 && state(form, "place")["isPending"] == true)
    form.change("/place/city", "Freiburg")
    #expect(form.effects.isEmpty && state(form, "place")["isPending"] == false)
    form.change("/place/city", "Ulm")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.tap("send").outcome == .started)
  }

  @Test func `a whole value that is equal changes nothing, and an object goes with the last member that made it`()
    throws
  {
    for options in [OpenOptions(values: ["address": ["country": "DE"]]), OpenOptions()] {
      let form = try SessionDriver(text: Self.text, options: options)
      form.change("/address/country", "DE")
      form.change("address", ["country": "DE"])
      form.change("/address/country", "")
      #expect(form.session.values() == [:] && state(form, "address")["isValid"] == true)
      // One that was given as empty is there.
      form.change("address", [:])
      #expect(form.session.values() == ["address": [:]] && codes(form, "/address/country") == ["required"])
      form.change("/address/country", "DE")
      form.change("/address/country", "")
      #expect(form.session.values() == [:])
    }
  }

  @Test func `the values that a client is told make the same session again`() throws {
    let form = try driver()
    form.change("address", ["country": "KR", "zip": "1"])
    form.change("/address/country", "")
    let again = try driver(form.session.values().objectValue)
    #expect(form.session.values() == ["address": ["zip": "1"]])
    #expect(state(form, "address")["isEmpty"] == true && state(form, "/address/zip")["isVisible"] == false)
    #expect(state(again, "address")["isValid"] == state(form, "address")["isValid"])
    #expect(codes(again, "/address/country") == codes(form, "/address/country"))
  }

  @Test func `what a formula requires inside of something that is no object is no error there`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"properties": {"b": {"type": "string"}}}, "on": {"type": "boolean"}}},
         "fields": {"/a/b": {"required": "values.on"}}}
        """
    )
    form.change("on", true)
    #expect(codes(form, "/a/b") == ["required"])
    form.change("a", "text")
    #expect(codes(form, "/a/b") == [] && form.isValid)
    form.change("a", [:])
    #expect(codes(form, "/a/b") == ["required"])
  }

  @Test func `what a formula requires inside of an object that is absent does not make the object be there`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "dependentRequired": {"on": ["a"]}, "properties": {"on": {"type": "boolean"},
           "a": {"properties": {"b": {"type": "array", "items": {"type": "string"}}, "c": {"type": "string"}}}}},
         "fields": {"/a/b": {"required": "values.on"}}}
        """
    )
    form.change("on", true)
    #expect(codes(form, "/a") == ["dependentRequired"] && codes(form, "/a/b") == [])
    form.change("/a/c", "x")
    #expect(codes(form, "/a") == [] && form.isValid)
  }

  @Test func `a definition inside of itself is gone through once`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {
           "value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}}}}
        """
    )
    #expect(form.form.fields.map(\.address) == ["value", "next"])
    form.change("next", ["value": "x"])
    #expect(form["/fields/next/errors/0/path"] == "/value")
  }

  @Test func `an object that a formula requires is not judged inside of what is no object`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"e": {"properties": {"b": {"required": ["c"], "properties": {"c": {"type": "string"}}}}}}},
         "fields": {"/e/b": {"required": "true"}}}
        """
    )
    #expect(codes(form, "/e/b/c") == ["required"])
    form.change("e", "x")
    #expect(codes(form, "/e/b/c") == [] && form.session.checkInvariants() == [])
    form.change("e", [:])
    #expect(codes(form, "/e/b/c") == ["required"] && form.session.checkInvariants() == [])
  }
}
