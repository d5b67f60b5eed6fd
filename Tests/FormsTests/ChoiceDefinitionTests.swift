import Forms
internal import JSON
internal import SourceTexts
import Testing

/// What a definition says of choices.
@Suite struct `Choices of a definition` {
  private func diagnostics(_ schema: String, _ field: String) -> [String] {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": \(schema)}}, "fields": {"a": {\(field)}}}
      """
    return Form.compile(Array(text.utf8)).diagnostics.map { "\($0.pointer): \($0.code)" }
  }

  @Test(arguments: [
    (#"{"enum": ["x", "y"]}"#, #""options": [{"value": "x", "label": {"en": "X"}, "icon": 1}]"#),
    (#"{"type": "string", "maxLength": 9}"#, #""options": [{"value": "x"}], "other": true"#),
    (#"{"type": "string", "maxLength": 9}"#, #""options": "['x']", "other": true"#),
    (#"{"type": "integer"}"#, #""options": [{"value": 1}]"#),
    (#"{}"#, #""options": [{"value": {"a": 1}}], "other": true"#),
  ])
  func `that can be used are accepted`(schema: String, field: String) { #expect(diagnostics(schema, field) == []) }

  @Test(arguments: [
    (#"{"enum": ["x"]}"#, #""options": [{"value": "z"}]"#, "/fields/a/options/0: unknownOption"),
    (#"{"type": "string"}"#, #""options": {"z": "Z"}"#, "/fields/a/options/z: unknownOption"),
    (#"{"enum": ["x"]}"#, #""options": [{"label": "X"}]"#, "/fields/a/options/0: missingKey"),
    (#"{"enum": ["x"]}"#, #""options": [{"value": null}]"#, "/fields/a/options/0: missingKey"),
    (#"{"enum": ["x"]}"#, #""options": ["x"]"#, "/fields/a/options/0: wrongType"),
    (#"{"enum": ["x"]}"#, #""options": [{"value": "x", "disabled": 1}]"#, "/fields/a/options/0/disabled: wrongType"),
    (#"{"enum": ["x"]}"#, #""options": [{"value": "x"}, {"value": "x"}]"#, "/fields/a/options/1: duplicateOption"),
    (#"{"enum": ["x"]}"#, #""options": 1"#, "/fields/a/options: wrongType"),
    (#"{"enum": ["x"]}"#, #""options": {"x": "X"}, "other": true"#, "/fields/a/other: conflict"),
    (#"{"type": "string"}"#, #""other": true"#, "/fields/a/other: conflict"),
    (#"{"type": "integer"}"#, #""options": [{"value": 1}], "other": true"#, "/fields/a/other: conflict"),
    (#"{"type": "object", "properties": {"b": {}}}"#, #""options": [{"value": 1}]"#, "/fields/a/options: conflict"),
    (#"{"type": "array", "items": {"type": "string"}}"#, #""options": [{"value": []}]"#, "/fields/a/options: conflict"),
  ])
  func `that cannot be used are reported`(schema: String, field: String, expected: String) {
    #expect(diagnostics(schema, field) == [expected])
  }
}
