import Forms
import JSON
internal import SourceTexts
import Testing

@Suite struct `Hints for clients` {
  private func compile(_ field: String) -> FormCompilation {
    let list = #"{"type": "array", "maxItems": 3, "items": {"properties": {"b": {}}}}"#
    let text = #"{"schema": {"properties": {"a": \#(list)}}, "fields": {"/a/*/b": \#(field)}}"#
    return Form.compile(Array(text.utf8), file: "t.form.json")
  }

  @Test func `they are passed on as they are, in rows too`() throws {
    let hints: JSONObject = [
      "autocomplete": "email", "inputMode": "email", "accept": ["image/*"], "maxBytes": 5, "mediaTypes": ["image/png"],
      "group": "g", "ui": ["any": [1, .null]],
    ]
    let form = try #require(compile(JSON.object(hints).description).form)
    #expect(form.fields.first { $0.address == "/a/*/b" }?.hints == hints)
    #expect(form.fields.first { $0.address == "a" }?.hints == [:])
  }

  @Test(arguments: [
    (#"{"inputMode": "number"}"#, "unknownValue"), (#"{"accept": "image/*"}"#, "wrongType"),
    (#"{"mediaTypes": [1]}"#, "wrongType"), (#"{"maxBytes": 0}"#, "wrongType"), (#"{"ui": []}"#, "wrongType"),
    (#"{"group": {}}"#, "wrongType"), (#"{"autocomplete": true}"#, "wrongType"),
  ])
  func `another type is an error at its place`(_ field: String, _ code: String) throws {
    let compilation = compile(field)
    let found = try #require(compilation.diagnostics.first)
    #expect(compilation.form == nil && found.code == code)
    #expect(found.pointer.tokens.prefix(2) == ["fields", "/a/*/b"] && found.pointer.tokens.count == 3)
  }
}
