import FormImport
import JSON
import SourceTexts
import Testing

/// Inputs of another kind than the one that the person named: the error says what the input is, and what reads it.
struct RecognizedInputTests {
  private static let schema = #"{"type": "object", "properties": {"a": {"type": "string"}}}"#
  private static let survey = #"{"pages": [{"name": "p", "elements": [{"type": "text", "name": "a"}]}]}"#
  private static let openAPI = #"{"openapi": "3.1.0", "components": {"schemas": {"A": {"type": "object"}}}}"#
  private static let form = #"{"form": "f", "schema": {"type": "object"}}"#
  private static let tests = #"{"cases": [{"name": "opens", "expect": {}}]}"#
  private static let pair = #"{"schema": {"type": "object"}, "uiSchema": {}}"#
  private static let uiSchema = #"{"a": {"ui:widget": "textarea"}}"#
  private static let page = "<!DOCTYPE html>\n<form><input name=a></form>"
  private static let yaml = "# a survey\nelements:\n- type: text\n  name: a\n"

  private func expectError(
    _ kind: ImportKind,
    _ texts: [String],
    file: String = "x.json",
    _ message: String,
    _ remedy: String,
    component: String? = nil
  ) {
    let inputs = texts.enumerated().map { ImportInput(Array($0.element.utf8), file: "\($0.offset)\(file)") }
    do throws(UnreadableInput) {
      _ = try kind.form(of: inputs, options: ImportOptions(component: component))
      Issue.record("a form of the kind \(kind) was made of \(texts)")
    } catch {
      let found = error.diagnostics[0]
      #expect(found.message == message)
      #expect(found.remedy == remedy)
    }
  }

  @Test(
    arguments: [
      (.schema, survey, "a survey of SurveyJS", "a JSON Schema", "import it with the kind surveyjs"),
      (.schema, form, "a form of formd", "a JSON Schema", "check this form with formctl check; it needs no import"),
      (.schema, tests, "a file of tests of a form", "a JSON Schema", "run these tests with formctl test"),
      (
        .schema, pair, "a schema and a uiSchema of rjsf", "a JSON Schema",
        "import it with the kind rjsf, as the only file"
      ),
      (
        .schema, uiSchema, "a uiSchema of rjsf", "a JSON Schema",
        "import it with the kind rjsf, as the second file after its schema"
      ),
      (.schema, page, "a page of HTML", "a JSON Schema", "import it with the kind html"),
      (.schema, yaml, "YAML", "a JSON Schema", "give the file a name that ends in .yaml"),
      (.rjsf, openAPI, "a document of OpenAPI", "a JSON Schema", "import it with the kind schema"),
      (.rjsf, survey, "a survey of SurveyJS", "a JSON Schema", "import it with the kind surveyjs"),
      (.rjsf, form, "a form of formd", "a JSON Schema", "check this form with formctl check; it needs no import"),
      (.rjsf, page, "a page of HTML", "a JSON Schema", "import it with the kind html"),
      (
        .rjsf, uiSchema, "a uiSchema of rjsf", "a JSON Schema",
        "import it with the kind rjsf, as the second file after its schema"
      ),
      (
        .surveyjs, schema, "a JSON Schema", "a survey",
        "import it with the kind schema, or as the first file of the kind rjsf"
      ),
      (.surveyjs, form, "a form of formd", "a survey", "check this form with formctl check; it needs no import"),
      (.surveyjs, page, "a page of HTML", "a survey", "import it with the kind html"),
      (.surveyjs, yaml, "YAML", "a survey", "give the file a name that ends in .yaml"),
      (.html, survey, "a survey of SurveyJS", "a page of HTML", "import it with the kind surveyjs"),
      (.html, openAPI, "a document of OpenAPI", "a page of HTML", "import it with the kind schema"),
    ] as [(ImportKind, String, String, String, String)]
  )
  func `an input of another kind is named`(
    kind: ImportKind,
    text: String,
    found: String,
    expected: String,
    remedy: String
  ) {
    expectError(kind, [text], "this looks like \(found), and not like \(expected)", remedy)
  }

  @Test func `the files of an rjsf pair are told apart`() {
    let remedy = "import it with the kind schema, or as the first file of the kind rjsf"
    expectError(.rjsf, [Self.schema, Self.schema], "this looks like a JSON Schema, and not like a uiSchema", remedy)
    expectError(
      .rjsf,
      [Self.pair, Self.uiSchema],
      "this looks like a schema and a uiSchema of rjsf, and not like a JSON Schema",
      "import it with the kind rjsf, as the only file"
    )
  }

  @Test func `a program is not its schema`() {
    expectError(
      .schema,
      ["from pydantic import BaseModel\n\nclass A(BaseModel):\n    a: str\n"],
      file: "user.py",
      "this looks like a program, and not like a JSON Schema",
      "import what model_json_schema() of pydantic or z.toJSONSchema() of zod writes"
    )
  }

  @Test(arguments: ["x.yaml", "x.yml"])
  func `YAML of another kind is named, too`(file: String) {
    let message = "this looks like a survey of SurveyJS, and not like"
    expectError(.schema, [Self.yaml], file: file, "\(message) a JSON Schema", "import it with the kind surveyjs")
    expectError(.html, [Self.yaml], file: file, "\(message) a page of HTML", "import it with the kind surveyjs")
  }

  @Test func `a schema with settings of rjsf in it is a schema`() throws {
    let text = ##"{"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {"type": "string", "ui:widget": "x"}}}}}"##
    let form = try ImportKind.schema.form(of: [ImportInput(Array(text.utf8), file: "x.json")])
    #expect(form.losses.map(\.code) == [.unknownKey])
  }

  @Test(arguments: [ImportKind.schema, .rjsf]) func `values are no schema`(kind: ImportKind) {
    expectError(
      kind,
      [#"{"name": "Kim", "title": "Dr."}"#],
      "this is no JSON Schema: no member of the object is a keyword of it",
      "import the schema of the values, and not the values"
    )
  }

  @Test func `definitions alone are a list of schemas`() throws {
    let one = #"{"$defs": {"A": {"properties": {"a": {"type": "string"}}}}}"#
    let form = try ImportKind.schema.form(of: [ImportInput(Array(one.utf8), file: "x.json")])
    #expect(form.definition["schema"]?["properties"]?["a"]?["type"] == "string")
    expectError(
      .schema,
      [#"{"$defs": {"A": {"type": "object"}, "B": {"type": "object"}}, "title": "All"}"#],
      "this document has 2 schemas in /$defs, and a form is made of one",
      "write --component NAME; its schemas are: A, B"
    )
  }

  @Test(arguments: [#"{"a": 1,}"#, "{", "[1, 2", ""])
  func `a mistake in JSON stays one`(text: String) {
    do throws(UnreadableInput) {
      _ = try ImportKind.schema.form(of: [ImportInput(Array(text.utf8), file: "x.json")])
      Issue.record("a form was made of \(text)")
    } catch {
      #expect(!error.diagnostics[0].message.contains("looks like"))
    }
  }
}
