import CustomResources
import JSON
import JSONSchema
import Testing

@Suite struct `Rules` {
  private static let shop = object(
    #""size": {"type": "integer"}, "name": {"type": "string"}, "limit": {"x-kubernetes-int-or-string": true}, "#
      + #""namespace": {"type": "string"}, "a-b": {"type": "string"}, "ratio": {"type": "number"}, "#
      + #""wait": {"type": "string", "format": "duration"}, "at": {"type": "string", "format": "date-time"}, "#
      + #""day": {"type": "string", "format": "date"}, "raw": {"type": "string", "format": "byte"}, "#
      + #""tags": {"type": "array", "items": {"type": "string", "nullable": true}}, "#
      + #""labels": {"type": "object", "additionalProperties": {"type": "string"}}, "#
      + #""pod": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}"#
  )

  private static let value = #"""
    {"size": 3, "name": "n", "limit": "5%", "namespace": "x", "a-b": "y", "ratio": 2, "wait": "1h", "at": "2026-11-23T17:00:00Z",
     "day": "2026-11-23", "raw": "aGVsbG8=", "tags": ["a", null], "labels": {"a-b": "c"},
     "pod": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"x": "y"}}, "spec": {"x": 1}}}
    """#

  @Test(
    arguments: [
      ("self.size == 3 && self.ratio == 2.0 && has(self.name)", true),
      ("self.__namespace__ == 'x' && self.a__dash__b == 'y'", true),
      ("type(self.limit) == string && self.limit.endsWith('%')", true),
      ("self.wait == duration('60m') && self.at.getFullYear() == 2026 && self.day < self.at", true),
      ("self.raw == b'hello' && self.tags.size() == 2 && dyn(self.tags[1]) == null", true),
      ("self.labels['a-b'] == 'c' && 'a-b' in self.labels", true),
      ("self.pod.kind == 'Pod' && self.pod.metadata.name == 'p'", true),
      (
        "quantity('1Gi').isGreaterThan(quantity('1G')) && url('https://example.com/a').getHost() == 'example.com'", true
      ),
      ("self.size > 3", false), ("self.?missing.hasValue()", nil), ("self.pod.spec.x == 1", nil),
      ("self.pod.metadata.labels.x == 'y'", nil),
    ] as [(String, Bool?)]
  )
  func `read values by their schema`(expression: String, holds: Bool?) throws {
    let spec = try JSON(parsing: Self.shop)
    guard case .object(var members) = spec else { return }
    members["x-kubernetes-validations"] = [["rule": .string(expression)]]
    let schema = JSON.object(members).description
    guard let holds else {
      #expect(try faults(spec: schema).count == 1)
      return
    }
    let lines = try definition(spec: schema).judge(spec: Self.value).lines
    #expect(lines == (holds ? [] : ["/spec: failed rule: \(expression)"]))
  }

  @Test func `at the root read the kind and the name`() throws {
    let schema = #"""
      {"type": "object", "properties": {"spec": {"type": "object"}}, "x-kubernetes-validations": [
       {"rule": "self.kind == 'Shop' && self.apiVersion == 'example.com/v1' && self.metadata.name.startsWith('x')"}]}
      """#
    #expect(try definition(schema: schema).judge(spec: "{}").lines.map { $0.hasPrefix(": failed rule") } == [true])
    let labels = schema.replacing("self.metadata.name.startsWith('x')", with: "has(self.metadata.labels)")
    #expect(throws: DefinitionError.self) { try definition(schema: labels) }
  }

  @Test func `are not evaluated on what is absent or null`() throws {
    let spec = object(
      #""a": {"type": "string", "x-kubernetes-validations": [{"rule": "false"}]}, "#
        + #""l": {"type": "array", "items": {"type": "string", "nullable": true, "x-kubernetes-validations": [{"rule": "false"}]}}, "#
        + #""m": {"type": "object", "additionalProperties": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 0"}]}}"#
    )
    let definition = try definition(spec: spec)
    #expect(try definition.judge(spec: #"{"a": null, "l": [null], "m": {"x": 1}}"#).lines == [])
    #expect(
      try definition.judge(spec: #"{"a": "", "l": [null, "x"], "m": {"x": 0}}"#).lines == [
        "/spec/a: failed rule: false", "/spec/l/1: failed rule: false", "/spec/m/x: failed rule: self > 0",
      ]
    )
  }

  @Test(
    arguments: [
      (#""message": " too small ""#, "/spec: too small"),
      (#""messageExpression": "'at least ' + string(self.size + 1)""#, "/spec: at least 2"),
      (#""message": "m", "messageExpression": "string(1 / (self.size - 1))""#, "/spec: m"),
      (#""message": "m", "messageExpression": "'  '""#, "/spec: m"),
      (#""message": "m", "messageExpression": "'a\\nb'""#, "/spec: m"),
      (#""messageExpression": "'a\\nb'""#, "/spec: failed rule: self.size > 1"),
      (#""fieldPath": ".size", "message": "m""#, "/spec/size: m"),
      (#""fieldPath": "['deep'].down['a.b']", "message": "m""#, "/spec/deep/down/a.b: m"),
    ]
  )
  func `say what their author wants`(more: String, line: String) throws {
    let spec = object(
      #""size": {"type": "integer"}, "deep": {"type": "object", "properties": {"down": "#
        + #"{"type": "object", "additionalProperties": {"type": "string"}}}}"#,
      rules: [rule("self.size > 1", more)]
    )
    #expect(try definition(spec: spec).judge(spec: #"{"size": 1}"#).lines == [line])
  }

  @Test func `have reasons and places`() throws {
    let spec = object(
      #""a": {"type": "integer"}"#,
      rules: [rule("true"), rule("self.a == 2", #""reason": "FieldValueForbidden""#)]
    )
    let fault = try #require(try definition(spec: spec).judge(spec: #"{"a": 1}"#).faults.first)
    #expect(fault.code == "FieldValueForbidden")
    #expect(fault.keywordLocation.description == "/properties/spec/x-kubernetes-validations/1")
  }

  @Test func `that fail are failures with their reason`() throws {
    let spec = object(
      #""a": {"type": "integer"}, "b": {"x-kubernetes-int-or-string": true}"#,
      rules: [rule("self.a > 0", #""message": "m""#), rule("self.b < 3")]
    )
    let lines = try definition(spec: spec).judge(spec: #"{"b": "x"}"#).lines
    #expect(
      lines.count == 2 && lines[0].contains("no such key") && lines[0].hasSuffix("evaluating rule: m"),
      "\(lines)"
    )
    #expect(lines[1].contains("no such overload"), "\(lines)")
  }

  @Test func `in an allOf count as if they stood outside`() throws {
    let spec = #"""
      {"type": "object", "properties": {"a": {"type": "integer"}},
       "allOf": [{"properties": {"a": {"x-kubernetes-validations": [{"rule": "self > 1"}]}},
                  "x-kubernetes-validations": [{"rule": "has(self.a)"}]}]}
      """#
    #expect(try definition(spec: spec).judge(spec: #"{"a": 1}"#).lines == ["/spec/a: failed rule: self > 1"])
    #expect(try definition(spec: spec).judge(spec: "{}").lines == ["/spec: failed rule: has(self.a)"])
  }

  @Test func `that take too long leave it open`() throws {
    let text = object(
      #""l": {"type": "array", "items": {"type": "integer"}}"#,
      rules: [rule("self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))")]
    )
    let schema = try ResourceSchema(JSON(parsing: text), at: .root, limits: SchemaLimits(evaluationStepsMax: 10_000))
    let object: JSON = ["l": .array(Array(repeating: 1, count: 100))]
    guard case .rule(let rule)? = schema.judge(object).doubt else {
      Issue.record("there is a verdict")
      return
    }
    #expect(rule.hasPrefix("self.l.all"))
  }
}
