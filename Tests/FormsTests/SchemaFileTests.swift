import Forms
import Foundation
import JSON
internal import SourceTexts
import Testing

/// Schemas in files next to a form, in a folder that `deinit` removes.
final class SchemaFileTests {
  private let folder = NSTemporaryDirectory() + "formd-schemas-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/forms/parts", withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/forms/" + name))
  }

  /// Compiles a form with that schema. Returns the result and its messages without the folder's name.
  private func compile(_ schema: String, rest: String = "") -> (compilation: FormCompilation, said: [String]) {
    let compilation = Form.compile(
      Array(#"{"form": "t", "schema": \#(schema)\#(rest)}"#.utf8),
      file: folder + "/forms/t.form.json",
      followsFiles: true
    )
    return (compilation, compilation.diagnostics.map { $0.description.replacing(folder + "/forms/", with: "") })
  }

  @Test
  func `a schema can be a file beside the form, and parts of it in others`() throws {
    try write(
      ##"{"properties": {"name": {"$ref": "#/$defs/name"}, "home": {"$ref": "parts/address.json"}}, "$defs": {"name": {"type": "string"}}}"##,
      "t.schema.json"
    )
    try write(
      #"{"properties": {"city": {"type": "string", "maxLength": 5}}, "required": ["city"]}"#,
      "parts/address.json"
    )
    let (compilation, said) = compile(
      #"{"$ref": "t.schema.json"}"#,
      rest: #", "fields": {"/home/city": {"label": "City"}}, "outputs": {"o": "size(values.home.city)"}"#
    )
    let form = try #require(compilation.form, "\(said)")
    #expect(said == [])
    #expect(form.fields.map(\.address) == ["name", "home", "/home/city"])
    let schema = JSON.object(form.annotatedSchema(locale: nil))
    #expect(schema["properties"]?["home"] == ["$ref": "#/$defs/address-1"])
    #expect(schema["$defs"]?["address-1"]?["properties"]?["city"]?["title"] == "City")
  }

  @Test
  func `what is wrong in a file is told with its name and place`() throws {
    try write(
      """
      {"properties": {
         "city": {"type": "strang"},
         "zip": {"maxlength": 5, "$ref": "nothing.json"}},
       "required": ["zip", "cty"]}
      """,
      "parts/address.json"
    )
    let broken = compile(#"{"properties": {"a": {"$ref": "parts/address.json"}}}"#)
    #expect(
      broken.said == [
        #"parts/address.json:2:21: error: "strang" is not a type; the types are null, boolean, number, string, array, object, integer [/properties/city/type]"#,
        """
        parts/address.json:3:36: error: nothing.json leads to no schema: there is no file parts/nothing.json [/properties/zip/$ref]
            write the file's path relative to the file that refers to it
        """,
        """
        parts/address.json:4:22: error: the schema requires "cty" and has no such property [/required/1]
            did you mean "city"?
        """,
      ]
    )
    try write(
      """
      {"properties": {
         "city": {"type": "string"},
         "zip": {"maxlength": 5}},
       "required": ["zip", "cty"]}
      """,
      "parts/address.json"
    )
    let worse = compile(#"{"properties": {"a": {"$ref": "parts/address.json"}}}"#)
    #expect(
      worse.said == [
        """
        parts/address.json:3:12: warning: "maxlength" is not a keyword of JSON Schema, so it has no effect [/properties/zip/maxlength]
            did you mean "maxLength"?
        """,
        """
        parts/address.json:4:22: error: the schema requires "cty" and has no such property [/required/1]
            did you mean "city"?
        """,
      ]
    )
  }

  @Test
  func `a file that is no JSON is told once, by itself`() throws {
    try write("{\"a\": 1,\n}", "a.json")
    let (_, said) = compile(##"{"properties": {"a": {"$ref": "a.json"}, "b": {"$ref": "a.json#/x"}}}"##)
    #expect(said.count == 1 && said[0].hasPrefix("a.json:2:1: error: "), "\(said)")
  }

  @Test
  func `a place that a file does not have is told with the file's name`() throws {
    try write(#"{"$defs": {"city": {}}}"#, "parts/a.json")
    let (_, said) = compile(##"{"properties": {"a": {"$ref": "parts/a.json#/$defs/cty"}}}"##)
    #expect(
      said == [
        "t.form.json:1:55: error: parts/a.json#/$defs/cty leads to no schema: the file parts/a.json has no /$defs/cty [/schema/properties/a/$ref]"
      ]
    )
  }

  @Test
  func `a file that is not there is told with who refers to it`() {
    let (_, said) = compile(#"{"$ref": "settings.schema.json"}"#)
    #expect(
      said == [
        """
        t.form.json:1:34: error: settings.schema.json leads to no schema: there is no file settings.schema.json [/schema/$ref]
            write the file's path relative to the file that refers to it
        """
      ]
    )
  }

  @Test(
    arguments: [
      ("../outside.json", "OUTSIDE/outside.json is not in the folder , or below it"),
      ("%2e%2e/outside.json", "../outside.json is not in the folder , or below it"),
      ("link.json", "link.json is not in the folder , or below it"),
      ("linked/outside.json", "linked/outside.json is not in the folder , or below it"),
      ("/etc/passwd", "a file is given by its path relative to this file, not by an absolute path"),
      ("file:///etc/passwd", "a file is given by its path relative to this file, not by an absolute path"),
      ("https://example.com/a.json", "it is not a file, and schemas are not fetched from a network"),
      ("parts", "the file parts cannot be read (Is a directory)"),
      ("pipe.json", "the file pipe.json cannot be read (It is not a regular file)"),
    ]
  )
  func `a reference that leads out of the folder, or to no file, is refused`(reference: String, reason: String) throws {
    try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/outside.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/forms/link.json",
      withDestinationPath: folder + "/outside.json"
    )
    try FileManager.default.createSymbolicLink(atPath: folder + "/forms/linked", withDestinationPath: folder)
    #expect(mkfifo(folder + "/forms/pipe.json", 0o600) == 0)
    let (compilation, said) = compile(#"{"properties": {"a": {"$ref": "\#(reference)"}}}"#)
    #expect(compilation.form == nil)
    let message =
      "\(reference) leads to no schema: \(reason.replacing("OUTSIDE", with: folder)) [/schema/properties/a/$ref]"
    #expect(said.count == 1 && said[0].contains(message), "\(said)")
  }

  @Test
  func `a link within the folder is followed`() throws {
    try write(#"{"type": "string"}"#, "parts/a.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/forms/link.json",
      withDestinationPath: "parts/a.json"
    )
    let (compilation, said) = compile(#"{"properties": {"a": {"$ref": "link.json"}}}"#)
    #expect(compilation.form?.fields.first?.type == .string, "\(said)")
  }

  @Test
  func `a chain of more files than may be is refused`() throws {
    for number in 0..<120 { try write(#"{"items": {"$ref": "\#(number + 1).json"}}"#, "\(number).json") }
    let (compilation, said) = compile(#"{"properties": {"a": {"$ref": "0.json"}}}"#)
    #expect(compilation.form == nil)
    #expect(
      said.first?.hasPrefix("99.json:1:20: error: 100.json leads to no schema: with 100.json there are more")
        == true,
      "\(said)"
    )
  }

  @Test
  func `files that are too large together are refused`() throws {
    let filler = String(repeating: "x", count: 9 << 20)
    try write(#"{"$comment": "\#(filler)"}"#, "a.json")
    try write(#"{"$comment": "\#(filler)"}"#, "b.json")
    let (compilation, said) = compile(#"{"properties": {"a": {"$ref": "a.json"}, "b": {"$ref": "b.json"}}}"#)
    #expect(compilation.form == nil)
    let words = "with b.json the files have more than 16 MiB; use smaller files"
    #expect(said.count == 1 && said[0].contains(words), "\(said)")
  }

  @Test
  func `a definition that is no file, or comes from a client, may not refer to files`() throws {
    try write("{}", "a.json")
    let text = #"{"form": "t", "schema": {"properties": {"a": {"$ref": "a.json"}}}}"#
    for compilation in [
      Form.compile(Array(text.utf8), file: folder + "/forms/t.form.json"), Form.compile(try JSON(parsing: text)),
    ] {
      let diagnostic = try #require(compilation.diagnostics.first)
      #expect(diagnostic.message == "a.json leads to no schema: this definition cannot refer to files")
      #expect(diagnostic.remedy?.contains("only the daemon's own forms may refer to files") == true)
    }
  }

  @Test
  func `a text in a file that cannot be shown is refused`() throws {
    try write("{\"title\": \"a\(String(repeating: "\u{301}", count: 40))\"}", "a.json")
    let (compilation, said) = compile(#"{"properties": {"a": {"$ref": "a.json"}}}"#)
    #expect(compilation.form == nil)
    #expect(said.first?.hasPrefix("a.json:1:11: error: ") == true, "\(said)")
  }
}
