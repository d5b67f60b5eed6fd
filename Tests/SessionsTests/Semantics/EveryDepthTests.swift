import Forms
import JSON
import Sessions
import Testing

/// The keys of a field mean the same at the top, in an object, in a row and in an object of a row.
@Suite struct `At every depth` {
  /// The place of the fields `a` and `b`.
  struct Place: CustomTestStringConvertible, Sendable {
    /// The beginning of addresses in the definition.
    let template: String
    /// The beginning of addresses in the session, which has one row.
    let address: String
    /// The beginning of names in formulas.
    let formula: String
    /// The path of their states in the document.
    let states: String
    /// The schema around an object's schema, with `@` in its place.
    let schema: String
    var testDescription: String { template }

    /// Values around an object.
    func around(_ object: JSON) -> JSON {
      switch template {
      case "/": object
      case "/o/": ["o": object]
      case "/rows/*/": ["rows": [object]]
      default: ["rows": [["o": object]]]
      }
    }
  }

  private static let object = #"{"type": "object", "properties": {"o": @}}"#
  private static let list = #"{"type": "object", "properties": {"rows": {"type": "array", "maxItems": 3, "items": @}}}"#

  static let places = [
    Place(template: "/", address: "/", formula: "values.", states: "/fields/", schema: "@"),
    Place(template: "/o/", address: "/o/", formula: "values.o.", states: "/fields/o/fields/", schema: object),
    Place(
      template: "/rows/*/",
      address: "/rows/#1/",
      formula: "row.",
      states: "/fields/rows/rows/1/fields/",
      schema: list
    ),
    Place(
      template: "/rows/*/o/",
      address: "/rows/#1/o/",
      formula: "row.o.",
      states: "/fields/rows/rows/1/fields/o/fields/",
      schema: list.replacing("@", with: object)
    ),
  ]

  /// A session of a form with those members at a place.
  ///
  /// - Parameters:
  ///   - members: their schemas.
  ///   - rest: the rest of the definition. `@/` stands for the beginning of addresses, and `@.` for the beginning of
  ///     names in formulas.
  private func driver(
    _ place: Place,
    _ members: String,
    _ rest: String,
    locale: String = "en",
    values: JSON = [:]
  ) throws -> SessionDriver {
    let schema = place.schema.replacing("@", with: #"{"type": "object", "properties": {\#(members)}}"#)
    let rest = rest.replacing("@/", with: place.template).replacing("@.", with: place.formula)
    return try SessionDriver(
      text: #"{"schema": \#(schema), \#(rest)}"#,
      options: OpenOptions(locale: locale, values: place.around(values).objectValue)
    )
  }

  private static let texts = #""a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}"#

  private func state(_ form: SessionDriver, _ place: Place, _ name: String) -> JSON? { form[place.states + name] }

  /// The value of `a` or `b`.
  private func value(_ form: SessionDriver, _ place: Place, _ name: String) -> JSON? {
    let row = place.address.replacing("#1", with: "0")
    return form.values.value(at: JSONPointer(row + name)!)
  }

  @Test(arguments: places) func `a text is normalized and read`(_ place: Place) throws {
    let form = try driver(
      place,
      #""a": {"type": "string", "maxLength": 9}, "b": {"type": "number"}"#,
      #""read": "number", "fields": {"@/a": {"normalize": ["nfkc", {"replace": ["-", ""]}]}}"#,
      locale: "de"
    )
    form.change([place.address + "a": "Ａ-1", place.address + "b": "1.234,5"])
    #expect(value(form, place, "a") == "A1" && value(form, place, "b") == 1234.5)
    #expect(state(form, place, "b/text") == "1.234,5")
    form.change([place.address + "b": "1.5"], commit: true)
    #expect(state(form, place, "b/errors/0/code") == "type")
    #expect(state(form, place, "b/errors/0/message") == "Bitte geben Sie eine Zahl ein, zum Beispiel 1.234,5.")
  }

  @Test(arguments: places) func `texts of errors are written once, with the label`(_ place: Place) throws {
    let form = try driver(
      place,
      Self.texts,
      #""messages": {"maxLength": "{label}: {limit}."}, "fields": {"@/a": {"label": "Name"}}"#
    )
    form.change([place.address + "a": "0123456789", place.address + "b": "0123456789"])
    #expect(state(form, place, "a/errors/0/message") == "Name: 9.")
    #expect(state(form, place, "b/errors/0/message") == "b: 9.")
  }

  @Test(arguments: places) func `one of several fields is asked for`(_ place: Place) throws {
    let form = try driver(place, Self.texts, #""rules": [{"id": "one", "exactlyOne": ["@/a", "@/b"]}]"#)
    #expect(state(form, place, "a/errors") != [] || place.template.contains("*"))
    form.change([place.address + "a": "x", place.address + "b": "y"])
    #expect(state(form, place, "a/errors/0/code") == "one" && state(form, place, "b/errors/0/code") == "one")
    form.change([place.address + "a": ""])
    #expect(form.isValid)
  }

  @Test(arguments: places) func `a hidden value goes, and dependent ones go back`(_ place: Place) throws {
    let form = try driver(
      place,
      Self.texts + #", "c": {"type": "string", "default": "EUR"}, "d": {"type": "string"}"#,
      #"""
      "fields": {"@/b": {"visible": "@.a != 'x'", "whenHidden": "clear"}, "@/c": {"resetWhen": "@.a == 'z'"},
        "@/d": {"resetOn": ["@/c"]}}
      """#
    )
    form.change([place.address + "b": "gone", place.address + "c": "CHF"])
    form.change([place.address + "d": "kept"])
    form.change([place.address + "a": "x"])
    #expect(value(form, place, "b") == nil && value(form, place, "c") == "CHF" && value(form, place, "d") == "kept")
    form.change([place.address + "a": "z"])
    #expect(value(form, place, "c") == "EUR")
    form.change([place.address + "c": "JPY"])
    #expect(value(form, place, "d") == nil)
  }

  @Test(arguments: places) func `a field that is not enabled says why`(_ place: Place) throws {
    let form = try driver(place, Self.texts, #""fields": {"@/b": {"enabled": "@.a == '' ? 'First a.' : true"}}"#)
    form.change([place.address + "b": "y"])
    #expect(state(form, place, "b/isEnabled") == false && state(form, place, "b/reason") == "First a.")
    form.change([place.address + "a": "x"])
    #expect(state(form, place, "b/isEnabled") != false && state(form, place, "b/reason") == nil)
  }

  @Test(arguments: places) func `an initial value is trusted, and its order does not count`(_ place: Place) throws {
    let form = try driver(
      place,
      #""a": {"type": "string", "maxLength": 1}, "b": {"type": "array", "maxItems": 3, "items": {"type": "string"}}"#,
      #""fields": {"@/a": {"trustInitial": true}, "@/b": {"unordered": true}}"#,
      values: ["a": "xx", "b": ["1", "2"]]
    )
    #expect(form.isValid && state(form, place, "a/errors/0/severity") == "warning")
    form.change([place.address + "b": ["2", "1"]])
    #expect(form["/isDirty"] == false)
    form.change([place.address + "a": "yy"])
    #expect(!form.isValid)
  }

  @Test(arguments: places) func `a check asks when the user leaves the field`(_ place: Place) throws {
    let form = try driver(
      place,
      Self.texts,
      #"""
      "checks": [{"id": "c", "field": "@/a", "ask": "leave",
        "run": {"provider": {"name": "p", "arguments": {"v": "self"}}}, "outcomes": [{"when": "response.body == true", "valid": true}, {}]}]
      """#
    )
    form.change([place.address + "a": "x"])
    #expect(form.effects.isEmpty)
    form.blur(place.address + "a")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    #expect(state(form, place, "a/errors/0/code") == "c")
  }

  @Test(arguments: places) func `local times are instants in a zone`(_ place: Place) throws {
    let form = try driver(
      place,
      #""a": {"type": "string", "format": "local-date-time"}, "b": {"type": "string", "maxLength": 40}"#,
      #""rules": [{"id": "gap", "field": "@/a", "check": "exists(self, @.b)"}]"#
    )
    form.change([place.address + "a": "2026-03-29T02:30"])
    #expect(form.isValid)
    form.change([place.address + "b": "Europe/Berlin"])
    #expect(state(form, place, "a/errors/0/code") == "gap")
    form.change([place.address + "a": "29.3.2026"])
    #expect(state(form, place, "a/errors/0/code") == "format")
  }
}
