import FormImport
import JSON
import Testing

struct UISchemaTests {
  private func form(_ properties: JSON, _ ui: JSON) throws -> ImportedForm {
    let schema: JSON = ["type": "object", "properties": properties]
    let inputs = [
      ImportInput(Array(schema.description.utf8), file: "s.json"),
      ImportInput(Array(ui.description.utf8), file: "u.json"),
    ]
    return try ImportKind.rjsf.form(of: inputs)
  }

  @Test(
    arguments: [
      (["ui:title": "T"], ["label": "T"]), (["ui:options": ["title": "T"]], ["label": "T"]),
      (["ui:help": "H", "ui:description": "D"], ["help": "H D"]), (["ui:placeholder": "P"], ["placeholder": "P"]),
      (["ui:widget": "textarea"], ["widget": "textarea"]), (["ui:widget": "range"], ["widget": "slider"]),
      (["ui:widget": "password"], ["secret": true]), (["ui:disabled": true], ["enabled": "false"]),
      (["ui:emptyValue": ""], ["emptyAs": "keep"]),
      (["ui:enumNames": ["One", "Two"]], ["options": ["1": "One", "2": "Two"]]),
    ] as [(JSON, JSON)]
  )
  func `a setting goes to the field`(ui: JSON, entry: JSON) throws {
    let form = try form(["a": ["type": "string", "enum": ["1", "2"]]], ["a": ui])
    #expect(form.definition["fields"]?["a"] == entry)
    #expect(form.losses == [])
  }

  @Test func `the form has the title and the description of the uiSchema`() throws {
    let form = try form(["a": ["type": "string"]], ["ui:title": "T", "ui:description": "D"])
    #expect(form.definition["title"] == "T")
    #expect(form.definition.description.contains("\"D\""))
    #expect(form.losses == [])
  }

  @Test func `the order is the order of the members`() throws {
    let text: JSON = ["type": "string"]
    let form = try form(["a": text, "b": text, "c": text], ["ui:order": ["c", "*", "a"]])
    #expect(form.definition["schema"]?["properties"]?.objectValue?.names == ["c", "b", "a"])
  }

  @Test func `a read-only member is read-only in the schema`() throws {
    let form = try form(["a": ["type": "string"]], ["a": ["ui:readonly": true]])
    #expect(form.definition["schema"]?["properties"]?["a"]?["readOnly"] == true)
  }

  @Test(
    arguments: [
      (["a": ["ui:options": ["rows": 3]]], "uiOption /a/ui:options/rows"), (["b": [:]], "unknownField /b"),
      (["a": ["ui:widget": "stars"]], "unknownWidget /a/ui:widget"),
      (["a": ["ui:emptyValue": 0]], "emptyValue /a/ui:emptyValue"),
      (["a": ["ui:foo": 1]], "unknownKey /a/ui:foo"), (["a": 5], "wrongType /a"),
      (["ui:order": ["a", "b"]], "unknownField /ui:order/1"), (["ui:help": "H"], "uiOption /ui:help"),
      (["a": ["ui:widget": "textarea", "ui:inputType": "tel"]], "uiOption /a/ui:inputType"),
      (["a": ["ui:widget": "hidden"]], "hiddenField /a/ui:widget"), (["a": ["ui:title": 5]], "wrongType /a/ui:title"),
    ] as [(JSON, String)]
  )
  func `what a form does not have is reported in the uiSchema`(ui: JSON, loss: String) throws {
    let form = try form(["a": ["type": "string"]], ui)
    #expect(form.losses.map { "\($0.code.rawValue) \($0.pointer)" } == [loss])
    #expect(form.losses.map(\.file) == ["u.json"])
  }
}
