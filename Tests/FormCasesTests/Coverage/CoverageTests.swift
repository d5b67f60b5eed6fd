import FormCases
import Testing

/// The report names exactly the parts that no case reaches.
struct CoverageTests {
  private let definition = """
    {"form": "t", "schema": {"type": "object", "properties": {
       "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9},
       "items": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"n": {"type": "string", "maxLength": 9}}}}}},
     "fields": {"b": {"visible": "values.a != ''", "required": "true"}, "/items/*/n": {"visible": "values.a != 'hide'"}},
     "rules": [{"id": "short", "field": "a", "check": "size(self) < 5", "message": "Long."}],
     "checks": [{"id": "free", "field": "a", "run": {"http": {"service": "s", "path": "/free", "query": {"a": "self"}}},
       "outcomes": [{"when": "response.status == 200", "valid": true}, {"code": "taken", "message": "Taken."}]}],
     "lookups": {"l": {"run": {"http": {"service": "s", "path": "/l"}}}},
     "steps": [{"id": "one", "fields": ["a"]}, {"id": "two", "fields": ["b"], "visible": "values.a != 'skip'"}],
     "actions": {"go": {"scope": "one", "enabled": "values.a == 'go'",
         "outcomes": [{"when": "values.a == 'go'", "success": "1"}, {"failure": "2"}]},
       "plain": {"scope": "none", "enabled": "true"}},
     "outputs": {"o": "values.a == 'go' ? dyn(1) : null", "/items/*/o": "row.n"}}
    """

  private func gaps(_ cases: String) throws -> [String] {
    let observer = CoverageObserver()
    for result in try results(definition, cases: cases, observer: observer) where result.failure != nil {
      Issue.record("\(result.name): \(result.failure?.lines(file: "t") ?? [])")
    }
    return CoverageReport(of: try form(definition), observer).gaps.map(\.text)
  }

  private let lookup = #"{"http": {"path": "/l"}, "response": {"body": [1]}}"#

  @Test
  func `of a session that is opened only nearly nothing is reached`() throws {
    #expect(
      try gaps(#"{"name": "a", "answers": [\#(lookup)]}"#) == [
        "rules.short.check never fails: size(self) < 5", "fields.b.visible never shows its field: values.a != ''",
        "fields['/items/*/n'].visible never hides its field: values.a != 'hide'",
        "fields['/items/*/n'].visible never shows its field: values.a != 'hide'",
        "check free: outcome 0 is never taken: response.status == 200",
        "check free: outcome 1 is never taken (for all other answers)", "check free: its service never fails",
        "lookup l never fails", "steps.two.visible never hides its step: values.a != 'skip'",
        "actions.go.enabled never enables its action: values.a == 'go'",
        "action go: outcome 0 is never taken: values.a == 'go'",
        "action go: outcome 1 is never taken (for all other answers)", "action plain is never done",
        "outputs.o never has a value: values.a == 'go' ? dyn(1) : null",
        "outputs['/items/*/o'] never has a value: row.n",
      ]
    )
  }

  @Test
  func `cases that go everywhere leave nothing out`() throws {
    #expect(
      try gaps(
        """
        {"name": "a", "given": {"items": [{"n": "x"}]}, "answers": [\(lookup), {"http": {"path": "/free"}}],
         "steps": [{"change": "a", "value": "go"}, {"tap": "go"}, {"tap": "plain"}, {"change": "a", "value": "much too"}]},
        {"name": "b", "given": {"items": [{"n": "x"}]}, "answers": [
           {"http": {"path": "/l"}, "response": {"kind": "refused"}}, {"http": {"path": "/free"}, "response": {"status": 409}},
           {"http": {"path": "/free"}, "response": {"kind": "refused"}}, {"http": {"path": "/free"}, "times": "any"}],
         "steps": [{"change": "a", "value": "skip"}, {"change": "a", "value": "no"}, {"change": "a", "value": "hide"}]},
        {"name": "c", "answers": [\(lookup)], "given": {"a": "go"}, "steps": [{"tap": "plain"}]}
        """
      ) == ["action go: outcome 1 is never taken (for all other answers)"]
    )
  }
}
