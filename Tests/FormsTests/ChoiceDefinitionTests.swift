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

  @Test(arguments: [
    (#"{"type": "string"}"#, #""options": []"#, "/fields/a/options: emptyOptions"),
    (
      #"{"type": "integer", "minimum": 5}"#, #""options": [{"value": 5}, {"value": "abc"}]"#,
      "/fields/a/options/1: unusableOption"
    ),
    (#"{"type": "integer", "minimum": 5}"#, #""options": [{"value": 1}]"#, "/fields/a/options/0: unusableOption"),
    (
      #"{"type": "string"}"#, #""normalize": ["upper"], "options": [{"value": "a"}, {"value": "B"}]"#,
      "/fields/a/options/0: unusableOption"
    ),
    (#"{"enum": ["a", "B"]}"#, #""normalize": ["trim", "upper"]"#, "/fields/a/normalize: unusableOption"),
    (#"{"type": "string", "default": "q"}"#, #""options": [{"value": "a"}]"#, "/schema/properties/a/default: default"),
    (#"{"type": "string"}"#, #""options": [{"value": "a", "lable": "A"}]"#, "/fields/a/options/0/lable: unknownKey"),
    (
      #"{"type": "string"}"#, #""options": [{"value": "a", "disable": true}]"#,
      "/fields/a/options/0/disable: unknownKey"
    ),
  ])
  func `that nobody can choose, and misspelt members, are warnings`(schema: String, field: String, expected: String) {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": \(schema)}}, "fields": {"a": {\(field)}}}
      """
    let found = Form.compile(Array(text.utf8)).diagnostics
    #expect(found.map { "\($0.pointer): \($0.code)" } == [expected], "\(found)")
    #expect(found.allSatisfy { $0.severity == .warning })
  }

  @Test(arguments: [
    (#"{"type": "string", "default": "q"}"#, #""options": [{"value": "a"}], "other": true"#),
    (#"{"type": "array", "items": {"type": "string"}, "default": ["q"]}"#, #""label": "A""#),
    (#"{"type": "string"}"#, #""options": [{"value": "a", "icon": 1, "hint": "h", "x-labels": 1, "sort": 2}]"#),
    (#"{"type": "string", "default": "a"}"#, #""options": [{"value": "a", "disabled": true}]"#),
  ])
  func `that can be chosen are no warnings`(schema: String, field: String) { #expect(diagnostics(schema, field) == []) }

  @Test(arguments: [
    ("[{'value': 'x', 'disabled': 'yes'}]", "\"disabled\" of a choice must be a boolean, and this is of type string"),
    ("[{'value': 'x', 'group': 1}]", "\"group\" of a choice must be a text, and this is of type int"),
    (
      "values.a == 'x' ? [{'value': 'x', 'help': []}] : []",
      "\"help\" of a choice must be a text, and this is of type list(dyn)"
    ),
    (
      "['x'].map(c, {'value': c, 'disabled': 0})", "\"disabled\" of a choice must be a boolean, and this is of type int"
    ),
    (
      "[{'value': 'x'}] + [{'value': 'y', 'group': true}]",
      "\"group\" of a choice must be a text, and this is of type bool"
    ),
  ])
  func `that a formula gives have members of their types`(formula: String, message: String) {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "fields": {"a": {"options": "\(formula)"}}}
      """
    let found = Form.compile(Array(text.utf8)).diagnostics
    #expect(found.map { "\($0.pointer): \($0.message)" } == ["/fields/a/options: \(message)"])
  }

  @Test(arguments: [
    "[{'value': 'x', 'disabled': values.b, 'group': values.a, 'help': dyn(1), 'icon': 3}]",
    "[{'value': 'x', 'disabled': null, 'group': null}]",
  ])
  func `that a formula gives are accepted if their types fit or are not known`(formula: String) {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}},
        "fields": {"a": {"options": "\(formula)"}}}
      """
    #expect(Form.compile(Array(text.utf8)).diagnostics.map(\.message) == [])
  }
}
