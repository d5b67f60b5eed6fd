import Forms
internal import Foundation
import JSON
internal import SourceTexts
import Testing

private func compilation(of text: some Sequence<UInt8>) -> FormCompilation {
  Form.compile(ScannedText(json: SourceText(Array(text)), limits: Form.jsonLimits), file: "t.form.json")
}

private func compilation(of text: String) -> FormCompilation { compilation(of: text.utf8) }

@Suite struct `A definition whose text is broken` {
  private static var examples: [URL] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../protocol/examples").standardizedFileURL
    // Without files the tests would have no cases, and pass.
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
      fatalError("there are no files at \(folder.path)")
    }
    return names.filter { $0.hasSuffix(".form.json") }.sorted().map { folder.appendingPathComponent($0) }
  }

  @Test(arguments: examples) func `has one problem wherever it ends`(_ file: URL) throws {
    let bytes = Array(try Data(contentsOf: file))
    let end = bytes.lastIndex { $0 > 0x20 } ?? 0
    for count in stride(from: 1, through: end, by: 601) where bytes[count] & 0xc0 != 0x80 {
      let found = compilation(of: bytes[..<count])
      // A half-typed name may equal the name of a member before it.
      let others = found.diagnostics.filter { $0.code != SyntaxProblem.Code.duplicateKey.rawValue }
      #expect(others.count == 1 && found.form == nil, "\(count): \(found.diagnostics)")
    }
  }

  @Test(
    arguments: [
      (#""felds": {}, "#, ["unclosed", "unknownKey"]),
      (#""fields": {"a": {"lable": "A"}, "#, ["unclosed", "unknownKey"]),
      (#""fields": {"b": {"label": "A"}, "#, ["unclosed", "unknownField"]),
      (#""rules": [{"id": "r", "check": "values.b == ''", "message": "m"}, "#, ["expression", "unclosed"]),
      (#""rules": [{"id": "r", "check": "outputs.later && steps.later.isValid", "message": "m"}, "#, ["unclosed"]),
      (#""actions": {"go": {"scope": "later", "#, ["unclosed"]),
      (#""steps": [], "actions": {"go": {"scope": "later"}, "#, ["unclosed", "unknownStep"]),
      (#""outputs": {"x": "text('later')", "#, ["unclosed"]),
      (#""texts": {}, "outputs": {"x": "text('never')", "#, ["unclosed", "unknownText"]),
    ]
  )
  func `is judged up to its end while it is written from top to bottom`(_ typed: String, _ codes: [String]) {
    let text = #"{"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}, "#
    #expect(compilation(of: text + typed).diagnostics.map(\.code).sorted() == codes)
  }

  /// A number on its way to 0.01, and a text on its way to one.
  @Test(arguments: ["0", "0.", "0.0", "-", "-1", "1e", "\"a"])
  func `is told nothing of a value that ends with it`(_ typed: String) {
    let text = #"{"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "number", "multipleOf": "#
    #expect(compilation(of: text + typed).diagnostics.map(\.code) == ["unclosed"])
  }

  @Test(arguments: ["0 ", "0,", "0}", "-1\n", "\"a\""])
  func `is told what is wrong with a value that has its end`(_ typed: String) {
    let text = #"{"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "number", "multipleOf": "#
    #expect(compilation(of: text + typed).diagnostics.map(\.code).sorted() == ["schema", "unclosed"])
  }

  /// The parts that are left out, and all messages.
  @Test(
    arguments: [
      ("a comma", #", "fields""#, #" "fields""#, ["missingComma", "unknownKey"]),
      ("a colon", #""fields":"#, #""fields""#, ["missingColon", "unknownKey"]),
      ("a value", #""label": "A""#, #""label":"#, ["missingValue", "unknownKey"]),
      ("a member", #""label": "A""#, #""lab""#, ["missingColon", "unknownKey"]),
      ("a quote", #""label": "A"}"#, #""label": "A}"#, ["unclosedString", "unknownKey"]),
      ("the schema", #"{"type": "object", "properties": {"a": {"type": "string"}}}"#, "", ["missingValue"]),
      ("a property", #""a": {"type": "string"}"#, #""a""#, ["missingColon", "unknownKey"]),
      ("a required rule's check", #""check": "values.a != 'x'","#, #""check": ,"#, ["missingValue", "unknownKey"]),
      ("nothing, and there is a comment", #""rules""#, #"/* why */ "rules""#, ["comment", "unknownKey"]),
      ("the bracket of an object", #"{"label": "A"}}"#, #"{"label": "A"}"#, ["unclosed"]),
    ]
  )
  func `is told what follows from no slip`(_ what: String, _ part: String, _ instead: String, _ codes: [String]) throws
  {
    let text = #"""
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "fields": {"a": {"label": "A"}},
       "rules": [{"id": "r", "field": "a", "check": "values.a != 'x'", "message": "No."}], "outputs": {"o": "size(values.a)"},
       "actions": {"go": {"lable": "Go"}}}
      """#
    #expect(compilation(of: text).diagnostics.map(\.code) == ["unknownKey"])
    let broken = text.replacing(part, with: instead)
    #expect(broken != text)
    #expect(compilation(of: broken).diagnostics.map(\.code) == codes)
  }

  @Test(
    arguments: [
      ("values.emial != ''", "values.emial"), ("1 + size(values.email, 2) > 0", "size(values.email, 2)"),
      ("siz(values.email) > 0", "siz"), ("values.email +", ""), ("true && (1 + 'x')", "1 + 'x'"),
      ("values.email.startswith('é')", "startswith"), ("'x", "'x"), ("values.email == \"a\" \"b\"", "\"b\""),
      ("values.\\u0065mial == 'é'", "values.\\u0065mial"), ("1 == $", "$"),
    ]
  )
  func `or only a formula is: the range is that of the name or part`(_ formula: String, _ part: String) throws {
    let escaped = formula.replacing("\"", with: "\\\"")
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"email": {"type": "string"}}},
       "rules": [{"id": "é", "field": "email", "message": "No.",
         "check": "\(escaped)"}]}
      """
    let diagnostic = try #require(compilation(of: text).diagnostics.first)
    let span = try #require(diagnostic.span)
    #expect(diagnostic.code == "expression")
    #expect(String(decoding: Array(text.utf8)[span.bytes], as: UTF8.self) == part.replacing("\"", with: "\\\""))
    let position = try #require(diagnostic.position)
    let range = span.range(in: .utf32)
    #expect(position.line == 3 && range.start.line == 2)
    #expect(range.start.character < position.column && position.column - 1 <= range.end.character)
  }

  @Test func `is read wherever it ends, with columns of rows and formulas that are cut`() {
    let text = Array(
      #"""
      {"form": "t", "schema": {"properties": {"items": {"type": "array", "maxItems": 9, "items": {"properties": {"n": {"type": "integer"}}}}}},
       "outputs": {"before": "1", "/items/*/net": "row.n * 2", "sum": "outputs['/items/*/net'].sum()", "after": "form.isValid ? 1 : 2"}}
      """#.utf8
    )
    for count in text.indices { #expect(compilation(of: text[..<count]).form == nil, "\(count)") }
    #expect(compilation(of: text).form != nil)
  }

  @Test func `or lacks a member: what is marked is the name of what lacks it`() throws {
    let text =
      #"{"form": "t", "schema": {"properties": {"a": {}}}, "rules": [{"id": "r"}], "actions": {"go": {"run": {"http": {}}}}}"#
    let found = compilation(of: text).diagnostics.filter { $0.code == "missingKey" }
    let marked = found.compactMap(\.span).map { String(decoding: Array(text.utf8)[$0.bytes], as: UTF8.self) }
    #expect(marked.contains("{") && marked.contains("\"http\""))
  }
}
