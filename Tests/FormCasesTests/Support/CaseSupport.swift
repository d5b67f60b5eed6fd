import FormCases
import Forms
import JSON
import Testing

/// Compiles a definition in JSON; each problem in it fails the test.
func form(_ definition: String) throws -> Form {
  let compilation = Form.compile(Array(definition.utf8), file: "t.form.json")
  for diagnostic in compilation.diagnostics { Issue.record("\(diagnostic)") }
  return try #require(compilation.form)
}

/// A file of these cases, in JSON.
func file(cases: String) throws -> LoadedTestFile {
  try LoadedTestFile(Array("{\"cases\": [\n\(cases)\n]}".utf8), path: "t.test.json")
}

/// The results of these cases, in JSON.
func results(_ definition: String, cases: String, observer: CoverageObserver? = nil) throws -> [CaseResult] {
  CaseRunner(try file(cases: cases), of: try form(definition), observer: observer).run()
}

/// The reasons why the only case fails, in lines; empty if it passes.
func failure(_ definition: String, _ testCase: String) throws -> [String] {
  let result = try #require(try results(definition, cases: testCase).first)
  return result.failure.map { [$0.moment.text] + $0.lines(file: "t.test.json") } ?? []
}

/// A form with an email that must have an @, and an action that asks a service.
let loginForm = """
  {"form": "t", "schema": {"type": "object", "required": ["email"], "properties": {"email": {"type": "string", "maxLength": 99}}},
   "rules": [{"id": "email.shape", "field": "email", "check": "self.contains('@')", "message": "No @."}],
   "actions": {"login": {"run": {"http": {"service": "accounts", "method": "POST", "path": "/login", "query": {"n": "size(values.email)"},
      "json": {"email": "values.email"}}},
     "outcomes": [{"when": "response.status == 200", "success": "response.body"}, {"failure": "response.kind"}]}},
   "outputs": {"length": "size(values.email)"}}
  """

/// A form with a list of rows and a total.
let rowsForm = """
  {"form": "t", "schema": {"type": "object", "properties": {"items": {"type": "array", "maxItems": 9, "items": {"type": "object",
     "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 99}}}}}},
   "rules": [{"id": "even", "field": "/items/*/n", "check": "self % 2 == 0", "message": "Odd."}],
   "outputs": {"/items/*/twice": "row.n * 2", "total": "outputs['/items/*/twice'].sum()"}}
  """
