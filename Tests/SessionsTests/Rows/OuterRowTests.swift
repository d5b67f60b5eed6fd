import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// What a row's formulas can read of the rows around it, and values that should be unique.
@Suite struct `Rows around a row` {
  private static let text = """
    {"schema": {"type": "object", "properties": {
        "a": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
          "n": {"type": "integer"},
          "b": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
            "n": {"type": "integer"},
            "c": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}}}}}}}}},
     "functions": {"path": {"is": "indexes.map(i, string(i)).join('.')"}},
     "outputs": {
       "/a/*/b/*/c/*/sum": "outer.outer.n * 100 + outer.n * 10 + row.n",
       "/a/*/b/*/c/*/at": "indexes", "/a/*/at": "indexes", "/a/*/b/*/c/*/path": "path()",
       "sums": "outputs['/a/*/b/*/c/*/sum']", "ats": "outputs['/a/*/b/*/c/*/at']", "outer": "outputs['/a/*/at']",
       "paths": "outputs['/a/*/b/*/c/*/path']"}}
    """

  @Test func `outer.outer and indexes follow the rows`() throws {
    let form = try SessionDriver(text: Self.text)
    form.change("a", [["n": 1], ["n": 2, "b": [["n": 3], ["n": 4, "c": [["n": 5], ["n": 6]]]]]])
    #expect(form["/outputs/sums"] == [245, 246])
    #expect(form["/outputs/ats"] == [[1, 1, 0], [1, 1, 1]] && form["/outputs/outer"] == [[0], [1]])
    #expect(form["/outputs/paths"] == ["1.1.0", "1.1.1"])
    form.change("/a/1/n", 9)
    #expect(form["/outputs/sums"] == [945, 946])
    form.remove("/a/0")
    #expect(form["/outputs/ats"] == [[0, 1, 0], [0, 1, 1]] && form["/outputs/paths"] == ["0.1.0", "0.1.1"])
    form.move("/a/0/b/1", to: 0)
    form.insert("/a/0/b/0/c", at: 0, ["n": 7])
    #expect(form["/outputs/ats"] == [[0, 0, 0], [0, 0, 1], [0, 0, 2]] && form["/outputs/sums"] == [947, 945, 946])
  }

  @Test(arguments: [
    ("indexes", "\"o\"", "only in rows"), ("outer.outer.n", "\"/a/*/b/*/o\"", "outer.outer"),
    ("outer.outer.outer.n", "\"/a/*/b/*/c/*/o\"", "outer.outer"),
    ("outer.outer.x", "\"/a/*/b/*/c/*/o\"", "'outer.outer.x'"),
  ])
  func `what there is not is refused`(formula: String, output: String, message: String) throws {
    let text = Self.text.replacing("\"sums\":", with: "\(output): \"\(formula)\", \"sums\":")
    let found = Form.compile(Array(text.utf8), fallbackName: "t").diagnostics.map(\.description)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func `a member of the name outer goes first`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "array", "maxItems": 5, "items": {"type": "object",
            "properties": {"outer": {"type": "integer"}, "b": {"type": "array", "maxItems": 5, "items": {"type": "object",
              "properties": {"n": {"type": "integer"}}}}}}}}},
         "outputs": {"/a/*/b/*/o": "outer.outer", "all": "outputs['/a/*/b/*/o']"}}
        """
    )
    form.change("a", [["outer": 7, "b": [["n": 1]]]])
    #expect(form["/outputs/all"] == [7])
  }

  @Test func `a value that should be unique can be a warning`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"rows": {"type": "array", "maxItems": 5, "items": {"type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}},
         "fields": {"/rows/*/a": {"unique": {"severity": "warning"}}, "/rows/*/b": {"unique": {}}},
         "actions": {"go": {"outcomes": [{"success": "1"}]}}}
        """
    )
    form.change("rows", [["a": "x", "b": "1"], ["a": "x", "b": "2"]])
    func codes(_ pointer: String) -> [String] {
      form.session.errors().errors.filter { $0.pointer.description == pointer }.map(\.code)
    }
    #expect(codes("/rows/1/a") == ["duplicate"] && form["/isValid"] == true)
    #expect(form.tap("go").outcome == .started)
    form.change("/rows/1/b", "1")
    #expect(codes("/rows/1/b") == ["duplicate"] && form["/isValid"] == false)
    #expect(form.tap("go").outcome == .rejected)
  }

  @Test(arguments: [
    ("{\"severity\": \"x\"}", "unknownValue"), ("{\"message\": \"x\"}", "unknownKey"), ("1", "wrongType"),
  ])
  func `what unique cannot be is reported`(unique: String, code: String) {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object",
          "properties": {"a": {"type": "string"}}}}}}, "fields": {"/rows/*/a": {"unique": \(unique)}}}
      """
    #expect(Form.compile(Array(text.utf8)).diagnostics.contains { "\($0)".contains("/fields/~1rows~1*~1a/unique") })
  }
}
