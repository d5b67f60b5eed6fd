import Foundation
import JSON
import SourceTexts
import Testing

@testable import FormImport

struct HTMLImportTests {
  private func form(_ controls: String, attributes: String = "") throws -> ImportedForm {
    let input = ImportInput(Array("<form \(attributes)>\n\(controls)\n</form>".utf8), file: "f.html")
    return try ImportKind.html.form(of: [input])
  }

  /// The schema of the member `a`, and the losses.
  private func member(_ control: String) throws -> (JSON?, [String]) {
    let form = try form(control)
    return (form.definition["schema"]?["properties"]?["a"], form.losses.map { "\($0.code.rawValue)" })
  }

  @Test func `choices keep their groups and stay disabled, and suggestions stay suggestions`() throws {
    let form = try form(
      """
      <select name=way><optgroup label=Fast><option value=air disabled>By air<option value=ship>ship</optgroup>
      <optgroup label=Slow disabled><option>foot</optgroup><option value=post>Post<option>none</select>
      <input type=radio name=size value=s disabled><input type=radio name=size value=m>
      <label><input type=checkbox name=more value=x disabled> X</label><input type=checkbox name=more value=y>
      <input name=colour list=colours maxlength=9>
      <datalist id=colours><option value=red>Red<option value=blue disabled><option>green</datalist>
      <input name="tags[]" list=colours>
      """
    )
    let colours: JSON = [["value": "red", "label": "Red"], ["value": "blue", "disabled": true], ["value": "green"]]
    let fields = form.definition["fields"]
    #expect(form.losses.map(\.message) == [])
    #expect(
      fields?["way"]?["options"] == [
        ["value": "air", "label": "By air", "group": "Fast", "disabled": true], ["value": "ship", "group": "Fast"],
        ["value": "foot", "group": "Slow", "disabled": true], ["value": "post", "label": "Post"],
      ]
    )
    #expect(fields?["size"]?["options"] == [["value": "s", "disabled": true]])
    #expect(fields?["/more/*"]?["options"] == [["value": "x", "label": "X", "disabled": true]])
    for field in ["colour", "/tags/*"] {
      #expect(fields?[field]?["options"] == colours && fields?[field]?["other"] == true, "\(field)")
    }
  }

  @Test func `a control that is required in the template of a row is required in each row`() throws {
    let template = try form("<template data-formd-row=a><input name='a[]' required></template>")
    #expect(template.definition["fields"]?["/a/*"]?["required"] == true)
    #expect(template.definition["schema"]?["properties"]?["a"]?["minItems"] == nil)
    #expect(try member("<input name='a[]' required>").0?["minItems"] == 1)
  }

  @Test(
    arguments: [
      ("<input name=a>", ["type": "string"]),
      ("<input name=a type=email>", ["type": "string", "format": "html-email"]),
      ("<input name=a type=url maxlength=9>", ["type": "string", "format": "whatwg-url", "maxLength": 9]),
      ("<input name=a type=password minlength=3>", ["type": "string", "writeOnly": true, "minLength": 3]),
      ("<input name=a pattern='a|b'>", ["type": "string", "pattern": "^(?:a|b)$"]),
      ("<input name=a type=number>", ["type": "integer"]),
      ("<input name=a type=number step=any min=-1.5>", ["type": "number", "minimum": -1.5]),
      (
        "<input name=a type=number step=0.1 min=0 value=2>",
        ["type": "number", "minimum": 0, "multipleOf": 0.1, "default": 2]
      ),
      ("<input name=a type=range>", ["type": "integer", "minimum": 0, "maximum": 100, "default": 50]),
      ("<input name=a type=checkbox required>", ["type": "boolean", "const": true]),
      ("<input name=a type=date value=2026-01-01>", ["type": "string", "format": "date", "default": "2026-01-01"]),
      ("<input name=a readonly value=x>", ["type": "string", "default": "x", "readOnly": true]),
      (
        "<select name=a><option value=''>-<option>x<option value=y>Y</select>", ["type": "string", "enum": ["x", "y"]]
      ),
      ("<select name=a><option>x<option selected>y</select>", ["type": "string", "enum": ["x", "y"], "default": "y"]),
      (
        "<select name=a multiple required><option>x</select>",
        ["type": "array", "uniqueItems": true, "items": ["type": "string", "enum": ["x"]], "minItems": 1]
      ),
      (
        "<input name=a[] value=x><input name=a[] value=y>",
        ["type": "array", "items": ["type": "string"], "default": ["x", "y"]]
      ),
    ] as [(String, JSON)]
  )
  func `a control gives this schema`(control: String, schema: JSON) throws {
    let (found, losses) = try member(control)
    #expect(found == schema)
    #expect(losses == [])
  }

  @Test(arguments: [
    ("<input name=a type=file>", "file"), ("<input type=text>", "unnamedControl"),
    ("<input name=a disabled>", "disabledControl"), ("<input name=a type=number min=1 step=2>", "step"),
    ("<input name=a type=checkbox value=y>", "checkboxValue"), ("<input name=a type=telephone>", "unknownControl"),
    ("<input name=a type=reset>", "resetButton"), ("<input name=a oninput=x()>", "script"),
    ("<input name=a pattern='('>", "pattern"), ("<input name=a type=hidden value=1>", "hiddenField"),
    ("<input name=a type=email multiple>", "severalAddresses"), ("<input name=a list=l>", "suggestions"),
    ("<input name=a type=number list=l><datalist id=l><option value=1></datalist>", "suggestions"),
    ("<input name=a v-model=b>", "unknownKey"), ("<input name=a><input name=a[b]>", "nameClash"),
    ("<fieldset><legend>G</legend><input name=a><input name=b></fieldset>", "group"),
    ("<button type=button>x</button>", "script"), ("<x-y name=a></x-y>", "unknownControl"),
    ("<input name=a type=date min=soon>", "wrongType"), ("<input name=a type=number max=x>", "wrongType"),
    ("<input name=a type=time value=25:00>", "wrongType"), ("<input name=a type=color value=red>", "wrongType"),
    ("", "emptyForm"), ("<input name=a><output name=b></output>", "script"),
  ])
  func `what a form does not have is reported at its tag`(control: String, code: String) throws {
    let form = try form(control)
    let loss = try #require(form.losses.first { $0.code.rawValue == code }, "\(form.losses)")
    #expect(loss.span.map { $0.position.line } == (code == "emptyForm" ? 1 : 2))
  }

  @Test func `names with brackets and dots are objects and rows`() throws {
    let schema = try form("<input name='a[b]'><input name='r[0].s'><input name='r[1].s'><input name='x.y'>")
      .definition["schema"]?["properties"]
    #expect(schema?["a"] == ["type": "object", "properties": ["b": ["type": "string"]]])
    #expect(schema?["r"] == ["type": "array", "items": ["type": "object", "properties": ["s": ["type": "string"]]]])
    #expect(schema?["x"]?["properties"]?["y"] == ["type": "string"])
  }

  @Test func `labels come from the page`() throws {
    let fields = try form(
      "<label for=i>First:</label><input id=i name=a><label>Second <input name=b></label><input name=lastName>"
        + "<input name=c aria-label=Third>"
    ).definition["fields"]
    #expect(fields?["a"]?["label"] == "First")
    #expect(fields?["b"]?["label"] == "Second")
    #expect(fields?["c"]?["label"] == "Third")
    #expect(fields?["lastName"]?["label"] == "Last name")
  }

  @Test(arguments: ["", "<meta charset=euc-kr>"])
  func `texts are UTF-8, whatever the page says, and places count its bytes`(head: String) throws {
    let page = "\(head)<form><label for=a>이름 é 😀</label><input id=a name=a placeholder=김><input name=b is=x-y></form>"
    let form = try ImportKind.html.form(of: [ImportInput(Array(page.utf8), file: "f.html")])
    #expect(form.definition["fields"]?["a"]?["label"] == "이름 é 😀")
    #expect(form.definition["fields"]?["a"]?["placeholder"] == "김")
    let place = try #require(form.losses.first { $0.span != nil }?.span)
    #expect(String(decoding: Array(page.utf8)[place.bytes].prefix(13), as: UTF8.self) == "<input name=b")
  }

  @Test func `radio buttons are a choice with the legend as its label`() throws {
    let form = try form(
      "<fieldset><legend>Size</legend><label><input type=radio name=a value=s required>Small</label>"
        + "<label><input type=radio name=a value=m checked>Medium</label></fieldset>"
    )
    #expect(form.losses == [])
    #expect(form.definition["schema"]?["properties"]?["a"] == ["type": "string", "enum": ["s", "m"], "default": "m"])
    #expect(form.definition["schema"]?["required"] == ["a"])
    #expect(
      form.definition["fields"]?["a"]
        == ["label": "Size", "widget": "radio", "options": ["s": "Small", "m": "Medium"]]
    )
  }

  @Test func `buttons are actions`() throws {
    let actions = try form(
      "<input name=a><button name=go value=draft formnovalidate>Draft</button><button>Send</button>"
    )
    .definition["actions"]
    #expect(actions == ["go_draft": ["label": "Draft", "scope": "none"], "submit": ["label": "Send"]])
  }

  @Test func `a page without a form is not readable`() {
    let input = ImportInput(Array("<p>nothing".utf8), file: "f.html")
    #expect(throws: UnreadableInput.self) { try ImportKind.html.form(of: [input]) }
  }

  @Test func `scripts of the page and of the form are losses`() throws {
    let form = try form("<input name=a><script>a.required = true</script>", attributes: "onsubmit='return v()'")
    #expect(form.losses.map(\.code) == [.script, .script])
    #expect(try self.form("<script type=application/json>{}</script><input name=a>").losses.isEmpty)
  }

  @Test func `a range of times can go over midnight`() throws {
    let form = try form("<input name=a type=time min=22:00 max=02:00>")
    #expect(form.definition["rules"]?.arrayValue?.first?["check"] == "self >= '22:00' || self <= '02:00'")
    #expect(form.definition["rules"]?.arrayValue?.count == 1)
  }

  @Test(arguments: [
    "<input type=hidden name=a value=0><input type=checkbox name=a value=1>",
    "<input type=checkbox name=a value=1><input type=hidden name=a value=0>",
  ])
  func `a hidden value for the empty box leaves the box`(controls: String) throws {
    let form = try form(controls)
    #expect(form.definition["schema"]?["properties"]?["a"]?["type"] == "boolean")
    #expect(form.losses.map(\.code) == [.checkboxValue])
    #expect(form.losses[0].message.contains("\"0\""))
  }

  @Test func `a template of a row is a list of rows, with the row that it describes`() throws {
    let form = try form(
      "<div data-formd-field=items><fieldset data-formd-row=items><input name='items[0].sku' value=a></fieldset>"
        + "<template data-formd-row=items><fieldset><legend>Items <span data-formd-number></span></legend>"
        + "<label for='items[].sku'>Article</label><input id='items[].sku' name='items[].sku' required>"
        + "<template data-formd-row='items[].notes'><input name='items[].notes[]'></template>"
        + "<button type=button data-formd-remove>-</button></fieldset></template></div>"
        + "<button type=button data-formd-add=items>+</button><template><input name=other></template>"
    )
    #expect(form.losses == [])
    let row: JSON = [
      "type": "object", "required": ["sku"],
      "properties": ["sku": ["type": "string"], "notes": ["type": "array", "items": ["type": "string"]]],
    ]
    #expect(form.definition["schema"]?["properties"] == ["items": ["type": "array", "items": row]])
    #expect(form.definition["fields"]?["items"]?["label"] == "Items")
    #expect(form.definition["fields"]?["/items/*/sku"]?["label"] == "Article")
    #expect(form.definition["actions"] == nil)
  }

  @Test func `the steps and actions of a page for the client for browsers are those of the form`() throws {
    let form = try form(
      "<section data-formd-step=one aria-label=One><input name=a><button type=button data-formd-show=two>&gt;</button>"
        + "</section><section data-formd-step=two><h2>Two</h2><input name='b.c'></section>"
        + "<button name=action value=send>Send</button>",
      attributes: "data-formd-form=f"
    )
    #expect(form.losses == [])
    #expect(
      form.definition["steps"] == [
        ["id": "one", "label": "One", "fields": ["a"]], ["id": "two", "label": "Two", "fields": ["b"]],
      ]
    )
    #expect(form.definition["actions"] == ["send": ["label": "Send"]])
  }

  @Test func `names of rows without positions, and names that are pointers`() throws {
    let schema = try form("<input name='r[][s]'><input name='r[][s]'><input name='/a.b/c'>").definition["schema"]
    #expect(
      schema?["properties"] == [
        "r": ["type": "array", "items": ["type": "object", "properties": ["s": ["type": "string"]]]],
        "a.b": ["type": "object", "properties": ["c": ["type": "string"]]],
      ]
    )
  }

  @Test(arguments: ["2026-02-28T10:00", "2024-02-29 10:00:05", "2000-02-29T00:00", "12026-12-31T23:59:59.5"])
  func `a local date and time of a browser is accepted`(text: String) throws {
    #expect(try Self.matches("datetime-local", text))
  }

  @Test(arguments: ["2026-02-29T10:00", "2026-02-30T10:00", "1900-02-29T10:00", "2026-04-31T10:00", "2026-13-01T10:00"])
  func `a day that does not exist is refused`(text: String) throws {
    #expect(try !Self.matches("datetime-local", text))
  }

  private static func matches(_ type: String, _ text: String) throws -> Bool {
    let pattern = try #require(InputPattern.of(type))
    return text.range(of: pattern, options: .regularExpression) != nil
  }
}
