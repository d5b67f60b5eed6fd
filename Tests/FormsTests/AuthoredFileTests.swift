import Forms
import JSON
internal import SourceTexts
import Testing

@Suite struct `Forms in other languages` {
  @Test(arguments: ["login.form.json", "a/login.form.jsonc", "/b/login.form.yaml", "login.form.yml"])
  func `a form has the name of its file`(_ file: String) {
    let text = Array(#"{"schema": {"properties": {"a": {"type": "string"}}}}"#.utf8)
    #expect(Form.compile(text, file: file).form?.name == "login")
  }

  @Test func `a file says its kind and its name`() {
    #expect(AuthoredFile.form.stem(of: "a/login.form.yaml") == "a/login")
    #expect(AuthoredFile.test.stem(of: "a/login.form.yaml") == nil)
    #expect(AuthoredFile.form.stem(of: "login.json") == nil)
    #expect(AuthoredFile.test.paths(of: "a") == ["a.test.json", "a.test.jsonc", "a.test.yaml", "a.test.yml"])
  }

  @Test func `two files of one name are an error`() {
    let files = ["a/x.form.json", "a/x.form.yml", "a/y.form.json", "a/y.test.json"]
    func clash(_ path: String) -> String? { AuthoredFile.form.clash(of: path, exists: files.contains)?.message }
    #expect(clash("a/x.form.json") == "there is also x.form.yml")
    #expect(clash("a/x.form.yml") == "there is also x.form.json")
    #expect(clash("a/y.form.json") == nil && clash("a/y.test.json") == nil && clash("-") == nil)
  }

  @Test func `JSON with comments needs the name of it`() {
    let text = Array(
      """
      // Why.
      {"schema": {"properties": {"a": {"type": "string"}, }}, /* more */ }
      """.utf8
    )
    #expect(Form.compile(text, file: "a.form.jsonc").form != nil)
    let refused = Form.compile(text, file: "a.form.json")
    #expect(refused.form == nil && refused.diagnostics.map(\.code).contains("comment"))
  }

  private static let yaml = """
    # A name, twice.
    schema:
      properties:
        first: &name {type: string, maxLength: 40}
        last: *name
        count: {type: integer}
    outputs:
      whole: >-
        values.first
        + ' '
        + values.last
      twice: |
        // A comment of CEL.
        values.count
          * 2
    """

  @Test func `anchors, comments and formulas over several lines`() throws {
    let form = try #require(Form.compile(Array(Self.yaml.utf8), file: "a.form.yaml").form)
    #expect(form.fields.map(\.name) == ["first", "last", "count"])
    #expect(form.outputs.map(\.name) == ["whole", "twice"])
  }

  @Test(arguments: [
    ("+ values.last", "+ values.lasst", "11:7", "expression"), ("* 2", "* twoo", "15:9", "expression"),
    ("count: {type", "count: {tpye: {}, type", "6:13", "unknownKeyword"), ("outputs:", "outpust:", "7:1", "unknownKey"),
    ("last: *name", "last: *nam", "5:11", "alias"), ("twice: |", "whole: |", "12:3", "duplicateKey"),
  ])
  func `a finding has the line and column of the file`(_ old: String, _ new: String, _ at: String, _ code: String) {
    let text = Self.yaml.replacing(old, with: new)
    let found = Form.compile(Array(text.utf8), file: "a.form.yaml").diagnostics
    #expect(found.first.map { "\($0.position.map(\.description) ?? "?") \($0.code)" } == "\(at) \(code)", "\(found)")
  }
}
