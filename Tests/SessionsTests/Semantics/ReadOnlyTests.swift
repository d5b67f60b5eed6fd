import Forms
import JSON
import Sessions
import Testing

/// Fields whose schema says `readOnly`.
@Suite struct `Read-only fields` {
  private static let definition = """
    {"schema": {"properties": {
       "id": {"type": "string", "maxLength": 9, "readOnly": true, "minLength": 2},
       "name": {"type": "string", "maxLength": 9},
       "box": {"type": "object", "readOnly": true, "properties": {"a": {"type": "string", "maxLength": 9}}},
       "mixed": {"type": "object", "properties": {"a": {"type": "string"}, "id": {"type": "string", "readOnly": true}}},
       "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
         "a": {"type": "string"}, "id": {"type": "integer", "readOnly": true}}}},
       "fixed": {"type": "array", "readOnly": true, "maxItems": 5, "items": {"type": "object", "properties": {
         "a": {"type": "string"}}}}}},
     "fields": {"rows": {"key": "a"}, "name": {"enabled": "values.id != ''"}}}
    """

  private func driver() throws -> SessionDriver {
    try SessionDriver(
      text: Self.definition,
      options: OpenOptions(values: [
        "id": "x1", "box": ["a": "b"], "mixed": ["a": "m", "id": "m1"], "rows": [["a": "r", "id": 1]],
        "fixed": [["a": "f"]],
      ])
    )
  }

  @Test func `are never enabled, at every depth`() throws {
    let form = try driver()
    #expect(form["/fields/id/isEnabled"] == false && form["/fields/name/isEnabled"] == true)
    #expect(form["/fields/box/isEnabled"] == false && form["/fields/box/fields/a/isEnabled"] == false)
    #expect(form["/fields/mixed/isEnabled"] == true && form["/fields/mixed/fields/id/isEnabled"] == false)
    #expect(form["/fields/rows/rows/1/fields/id/isEnabled"] == false && form["/fields/rows/rows/1/isEnabled"] == nil)
    #expect(form["/fields/fixed/isEnabled"] == false && form["/fields/fixed/rows/2/fields/a/isEnabled"] == false)
  }

  @Test func `a list whose rows are read-only is read-only itself`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 5, "items": {"type": "object",
           "readOnly": true, "properties": {"a": {"type": "string"}}}}}}}
        """,
      options: OpenOptions(values: ["rows": [["a": "x"]]])
    )
    #expect(form["/fields/rows/isEnabled"] == false)
    form.change(["rows": [["a": "x"], ["a": "y"]]])
    #expect(form.values == ["rows": [["a": "x"]]])
    form.change(["rows": [["a": "x"], ["a": "y"]]], origin: .program)
    #expect(form.values == ["rows": [["a": "x"], ["a": "y"]]])
  }

  @Test(arguments: [Origin.user, .autofill])
  func `keep their values when the user changes a value around them, which the client is told`(_ origin: Origin) throws
  {
    let form = try driver()
    form.change(["mixed": ["a": "other", "id": "other"]], origin: origin)
    #expect(form.values["mixed"] == ["a": "other", "id": "m1"] && form.told.values == ["/mixed/id": "m1"])
    form.change(["mixed": .null], origin: origin)
    #expect(form.values["mixed"] == ["id": "m1"])
    form.change(["rows": [["a": "r", "id": 7], ["a": "new", "id": 2]]], origin: origin)
    // A new row of the user begins without read-only values.
    #expect(form.values["rows"] == [["a": "r", "id": 1], ["a": "new"]])
    #expect(form.told.values["/rows/#1/id"] == 1 && form.told.absent.contains("/rows/#3/id"))
    form.change(["id": "no", "/rows/0/id": 5, "fixed": [], "/box/a": "no"], origin: origin)
    #expect(form.values["id"] == "x1" && form.values["fixed"] == [["a": "f"]] && form.values["box"] == ["a": "b"])
    #expect(form.values["rows"]?.arrayValue?[0] == ["a": "r", "id": 1])
  }

  @Test(arguments: [Origin.program, .restore])
  func `take values of programs`(_ origin: Origin) throws {
    let form = try driver()
    form.change(["id": "z", "mixed": ["id": "z"], "/rows/0/id": 5, "/box/a": "c"], origin: origin)
    form.change(["fixed": [["a": "g"], ["a": "h"]]], origin: origin)
    #expect(form.values["id"] == "z" && form.values["mixed"] == ["id": "z"] && form.values["box"] == ["a": "c"])
    #expect(form.values["rows"] == [["a": "r", "id": 5]] && form.values["fixed"] == [["a": "g"], ["a": "h"]])
    // They are judged and sent like others.
    #expect(form.codes("id") == ["minLength"])
    form.reset()
    #expect(form.values["id"] == "x1" && form.values["fixed"] == [["a": "f"]])
  }
}
