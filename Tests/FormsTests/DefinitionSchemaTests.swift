import Forms
import Foundation
import JSON
import JSONSchema
import Testing

/// The definition's own schema, which editors complete from, agrees with the compiler.
@Suite struct `The schema of definitions` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func read(_ path: String) throws -> JSON {
    try JSON(parsing: Array(try Data(contentsOf: root.appending(path: path))))
  }

  private func schema() throws -> Schema { try Schema.compile(Self.read("protocol/schema/form.schema.json")) }

  @Test(arguments: [
    "login", "join", "nickname", "search", "feedback", "signup", "invoice", "payment", "address", "booking", "settings",
    "expenses", "claim", "approval", "member", "login-sql", "join-sql",
  ])
  func `every example is valid`(_ name: String) throws {
    let failures = try schema().failures(of: Self.read("protocol/examples/\(name)/\(name).form.json"))
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test
  func `protocol schema form schema json is what definitions are read by (FORMD_REWRITE=1 rewrites it)`() throws {
    let file = Self.root.appending(path: "protocol/schema/form.schema.json")
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" {
      try Data(DefinitionSchema.text.utf8).write(to: file, options: .atomic)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == DefinitionSchema.text)
  }

  @Test func `it meets its own meta-schema`() throws {
    let meta = try Schema.compile(["$ref": "https://json-schema.org/draft/2020-12/schema"])
    #expect(try meta.validate(Self.read("protocol/schema/form.schema.json")))
  }

  /// A definition around one block.
  private static func with(_ block: String) -> String {
    #"{"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}, \#(block)}"#
  }

  static let broken: [String] = [
    #"{"form": "t"}"#, #"{"schema": {"type": "object", "properties": {"a": {}}}, "form": 1}"#, "[]", "7",
    with(#""messages": []"#), with(#""messages": {"required": 1}"#), with(#""fields": {"": {"label": "x"}}"#),
    with(#""felds": {}"#), with(#""fields": []"#), with(#""fields": {"a": {"lable": "x"}}"#),
    with(#""fields": {"a": {"label": 7}}"#),
    with(#""fields": {"a": {"show": "never"}}"#), with(#""fields": {"a": {"normalize": ["shout"]}}"#),
    with(#""fields": {"a": {"normalize": "trim"}}"#), with(#""fields": {"a": {"throttle": "1s", "debounce": "1s"}}"#),
    with(#""fields": {"a": {"debounce": "soon"}}"#), with(#""fields": {"a": {"secret": "yes"}}"#),
    with(#""fields": {"a": {"visible": 7}}"#),
    with(#""fields": {"a": {"options": ["x"]}}"#), with(#""fields": {"a": {"options": {"x": 7}}}"#),
    with(#""fields": {"a": {"label": {}}}"#), with(#""fields": {"a": {"emptyAs": "gone"}}"#),
    with(#""fields": {"a": {"normalize": [{"remove": 7}]}}"#), with(#""fields": {"a": {"normalize": [{}]}}"#),
    with(#""fields": {"a": {"normalize": [{"keep": "x"}]}}"#),
    with(#""fields": {"a": {"normalize": [{"replace": "x"}]}}"#),
    with(#""fields": {"a": {"normalize": [{"replace": ["x"]}]}}"#),
    with(#""fields": {"a": {"normalize": [{"replace": ["x", 7]}]}}"#),
    with(#""fields": {"a": {"normalize": [{"remove": "x", "replace": ["x", "y"]}]}}"#),
    with(#""fields": {"a": {"computed": 7}}"#), with(#""fields": {"a": {"computed": "'x'", "suggested": "'y'"}}"#),
    with(#""read": "numbers""#), with(#""read": {"number": {"group": "."}}"#), with(#""read": {"date": []}"#),
    with(#""read": {"number": {}, "date": ["d.M.y"]}"#), with(#""read": {"currency": {"code": "euro"}}"#),
    with(#""read": {"number": {"decimal": "5"}}"#), with(#""read": false"#), with(#""read": [7]"#),
    with(#""fields": {"a": {"read": true}}"#), with(#""fields": {"a": {"read": ["number"]}}"#),
    with(#""fields": {"a": {"resetWhen": 7}}"#), with(#""fields": {"a": {"resetOn": "a"}}"#),
    with(#""fields": {"a": {"resetOn": [7]}}"#), with(#""fields": {"a": {"resetWhen": "today", "resetOn": []}}"#),
    with(#""fields": {"a": {"blankRows": true}}"#), with(#""fields": {"a": {"blankRows": "keep"}}"#),
    with(#""rules": [{"id": "r", "exactlyOne": ["a"]}]"#), with(#""rules": [{"id": "r", "atLeastOne": "a"}]"#),
    with(#""rules": [{"id": "r", "allOrNone": ["a", 7]}]"#),
    with(#""rules": [{"id": "r", "check": "true", "atMostOne": ["a", "b"]}]"#),
    with(#""rules": [{"id": "r", "field": "a", "exactlyOne": ["a", "b"]}]"#),
    with(#""whenHidden": "drop""#), with(#""fields": {"a": {"whenHidden": true}}"#),
    with(#""coerce": "yes""#), with(#""fields": {"a": {"coerce": 1}}"#),
    with(#""rules": {}"#), with(#""rules": [{"check": "true"}]"#), with(#""rules": [{"id": "r"}]"#),
    with(#""rules": [{"id": "r", "check": "true", "severity": "fatal"}]"#),
    with(#""rules": [{"id": "r", "check": "true", "message": "m", "messageExpression": "'m'"}]"#),
    with(#""checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}}]"#),
    with(#""checks": [{"id": "c", "field": "a", "outcomes": [{"valid": true}]}]"#),
    with(#""checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": []}]"#),
    with(
      #""checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": [{"valid": true}], "cache": 1001}]"#
    ),
    with(
      #""checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": [{"valid": true}], "onFailure": "panic"}]"#
    ),
    with(#""actions": {"go": {"scope": 7}}"#), with(#""actions": {"go": {"scope": [7]}}"#),
    with(#""steps": {}"#), with(#""steps": [{"id": "s"}]"#), with(#""steps": [{"fields": []}]"#),
    with(#""steps": [{"id": "s", "fields": [7]}]"#), with(#""steps": [{"id": "s", "fields": "a"}]"#),
    with(#""steps": [{"id": "none", "fields": []}]"#), with(#""steps": [{"id": "s", "fields": [], "titel": "S"}]"#),
    with(#""steps": [{"id": "s", "fields": [], "visible": 7}]"#), with(#""steps": [7]"#),
    with(#""actions": []"#), with(#""actions": {"go": {"flight": "first"}}"#),
    with(#""actions": {"go": {"throttle": {"edges": "both"}}}"#),
    with(#""actions": {"go": {"throttle": {"every": "1s", "edges": "none"}}}"#),
    with(#""actions": {"go": {"throttle": 7}}"#),
    with(#""actions": {"go": {"throttle": "1s", "debounce": "1s"}}"#), with(#""actions": {"go": {"run": {}}}"#),
    with(#""actions": {"go": {"run": {"provider": {"name": "p"}, "sql": {"database": "d", "query": "q"}}}}"#),
    with(#""actions": {"go": {"run": {"http": {"service": "s"}}}}"#),
    with(#""actions": {"go": {"run": {"http": {"service": "s", "path": "x"}}}}"#),
    with(#""actions": {"go": {"run": {"http": {"service": "s", "path": "/", "method": "BREW"}}}}"#),
    with(#""actions": {"go": {"run": {"sql": {"database": "d"}}}}"#),
    with(#""actions": {"go": {"run": {"provider": {}}}}"#),
    with(#""actions": {"go": {"outcomes": {}}}"#),
    with(#""actions": {"go": {"outcomes": [{"success": "1", "failure": "2"}]}}"#),
    with(#""actions": {"go": {"retry": {"times": 0}}}"#), with(#""actions": {"go": {"retry": {"factor": 11}}}"#),
    with(#""fields": {"a": {"key": ["b"]}}"#), with(#""fields": {"a": {"unique": "yes"}}"#),
    with(#""rules": [{"id": "r", "field": ["/a/*"], "check": "true"}]"#),
    with(#""actions": {"go": {"outcomes": [{"failure": "'no'", "fieldErrors": ["x"]}]}}"#),
    with(#""actions": {"go": {"whenPending": "later"}}"#), with(#""outputs": ["1"]"#), with(#""outputs": {"o": 7}"#),
  ]

  @Test(arguments: broken)
  func `what the compiler refuses to read is not valid`(_ text: String) throws {
    #expect(try !schema().validate(JSON(parsing: text)))
    #expect(Form.compile(Array(text.utf8)).form == nil)
  }

  static let sound: [String] = [
    #"""
    {"form": "t", "schema": {"properties": {"tags": {"type": "array", "items": {"type": "string"}},
       "items": {"type": "array", "items": {"properties": {"sku": {"type": "string"}, "serial": {"type": "string"}}}}}},
     "fields": {"items": {"key": "sku"}, "/items/*/serial": {"unique": true}, "/items/*": {"visible": "true"}, "/tags/*": {"label": "Tag"}},
     "rules": [{"id": "r", "field": "/tags/*", "check": "index < 3 && row != 'x'", "message": "{number}"}],
     "steps": [{"id": "s", "fields": ["items"]}], "outputs": {"/items/*/place": "index", "places": "outputs['/items/*/place']"},
     "actions": {"go": {"scope": ["items"], "outcomes": [{"failure": "'no'", "fieldErrors": "{'items.0.sku': 'no'}"}]}}}
    """#,
    #"{"form": "t", "coerce": true, "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": ["number", "null"]}}}, "fields": {"a": {"coerce": false}, "b": {"coerce": true}}}"#,
    #"{"form": "t", "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}}, "fields": {"b": {"computed": "values.a + 1"}, "c": {"suggested": "values.b"}}}"#,
    #"{"form": "t", "read": ["number", {"date": ["dd.MM.yyyy"]}], "schema": {"properties": {"a": {"type": "string"}}}}"#,
    #"{"form": "t", "read": {"currency": {"code": "EUR", "decimal": ",", "group": " "}}, "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "number"}, "c": {"type": "string", "format": "date"}}}, "fields": {"a": {"read": false}, "b": {"read": "percent"}, "c": {"read": {"date": ["yyyy-MM-dd"]}}}}"#,
    #"{"form": "t", "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}}, "fields": {"b": {"computed": "values.a + 1"}, "c": {"suggested": "values.b", "resetOn": ["a"]}, "a": {"resetWhen": "values.c"}}, "rules": [{"id": "r", "exactlyOne": ["a", "b"], "when": "true", "message": "m", "severity": "warning"}, {"id": "s", "atLeastOne": ["a", "b"]}, {"id": "t", "atMostOne": ["a", "c"]}, {"id": "u", "allOrNone": ["b", "c"]}]}"#,
    with(#""messages": {"required": {"en": "{label}"}}, "fields": {"": {"messages": {"maxProperties": "x"}}}"#),
    with(#""whenHidden": "clear", "fields": {"a": {"whenHidden": "keep"}}"#),
    with(#""$comment": "c", "x-mine": 1, "title": {"ko": "폼"}, "locale": "ko", "description": "d""#),
    with(
      #""fields": {"a": {"label": "A", "placeholder": {"en": "p"}, "help": "h", "normalize": ["trim", "collapse", "nfc", "nfkc", "lower", "upper", {"remove": "[ -]"}, {"replace": ["^00", "+"]}], "show": "submit", "throttle": "1.5s", "emptyAs": "keep", "messages": {"required": "r"}, "secret": true, "visible": true, "enabled": "true", "required": "false", "x-y": 1}}"#
    ),
    #"{"form": "t", "schema": {"properties": {"a": {"enum": ["x", 1]}}}, "fields": {"a": {"options": {"x": "X", "1": {"ko": "하나"}}}}}"#,
    with(
      #""rules": [{"id": "r", "field": "a", "when": "true", "check": "self != 'x'", "message": {"en": "m"}, "severity": "warning"}]"#
    ),
    with(
      #""checks": [{"id": "c", "field": "a", "when": "true", "debounce": "300ms", "timeout": "2m", "cache": 7, "onFailure": "warn", "run": {"http": {"service": "s", "path": "/{a}", "headers": {"h": "'v'"}, "query": {"q": "self"}}}, "outcomes": [{"when": "true", "valid": true}, {"code": "x", "messageExpression": "'m'", "severity": "warning"}]}]"#
    ),
    with(
      #""actions": {"go": {"label": "Go", "scope": "none", "enabled": "true", "throttle": {"every": "1s", "edges": "both"}, "flight": "queue", "whenPending": "refuse", "timeout": "1h", "retry": {"times": 3, "delay": "1s", "factor": 1.5, "maxDelay": "1m"}, "run": {"http": {"service": "s", "method": "PUT", "path": "/", "json": {"k": ["values.a", 1, null, true]}}}, "outcomes": [{"when": "true", "success": "1", "message": "m"}, {"failure": "'no'", "messageExpression": "'m'", "fieldErrors": {"a": "'no'"}}]}}"#
    ),
    with(
      #""actions": {"go": {"debounce": "1s", "run": {"sql": {"database": "d", "query": "SELECT :a", "parameters": {"a": "values.a"}}}}}"#
    ),
    with(
      #""actions": {"go": {"throttle": "1s", "run": {"provider": {"name": "p", "arguments": {"k": {"n": ["values.a"]}}}}}}, "outputs": {"o": "1"}"#
    ),
  ]

  @Test(arguments: sound)
  func `what the compiler accepts is valid`(_ text: String) throws {
    let compilation = Form.compile(Array(text.utf8))
    #expect(compilation.form != nil, "\(compilation.diagnostics)")
    let failures = try schema().failures(of: JSON(parsing: text))
    #expect(failures.isEmpty, "\(failures)")
  }
}
