import CustomResources
import JSON
import Testing

@Suite struct `The schema of a definition` {
  @Test(
    arguments: [
      (object(#""a": {"type": "integer", "minimum": 1, "exclusiveMinimum": true}"#), #"{"a": 1}"#, "/spec/a: "),
      (object(#""a": {"type": "integer", "minimum": 1, "exclusiveMinimum": true}"#), #"{"a": 2}"#, nil),
      (object(#""a": {"type": "string", "nullable": true, "enum": ["x"]}"#), #"{"a": null}"#, nil),
      (object(#""a": {"type": "string", "nullable": true, "enum": ["x"]}"#), #"{"a": "y"}"#, "/spec/a: "),
      // Null is no value there, and so it is not there.
      (object(#""a": {"type": "string"}"#), #"{"a": null}"#, nil),
      (
        #"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}"#, #"{"a": null}"#,
        "\"a\" is required"
      ),
      (object(#""a": {"x-kubernetes-int-or-string": true}"#), #"{"a": "5%"}"#, nil),
      (object(#""a": {"x-kubernetes-int-or-string": true}"#), #"{"a": 1.5}"#, "/spec/a: "),
      // Patterns are RE2's.
      (object(#""a": {"type": "string", "pattern": "^(?i)abc\\z"}"#), #"{"a": "ABC"}"#, nil),
      (object(#""a": {"type": "string", "pattern": "^(?i)abc\\z"}"#), #"{"a": "ABCD"}"#, "/spec/a: "),
      (object(#""a": {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}"#), #"{"a": "::1"}"#, nil),
      (
        object(#""a": {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}"#), #"{"a": "x"}"#,
        "/spec/a: "
      ),
      (object(#""a": {"type": "string", "format": "duration"}"#), #"{"a": "1h30m"}"#, nil),
      (object(#""a": {"type": "string", "format": "duration"}"#), #"{"a": "2 weeks"}"#, nil),
      (object(#""a": {"type": "string", "format": "duration"}"#), #"{"a": "PT1H"}"#, "a duration"),
      (object(#""a": {"type": "string", "format": "byte"}"#), #"{"a": "aGVsbG8="}"#, nil),
      (object(#""a": {"type": "string", "format": "byte"}"#), #"{"a": "ä"}"#, "base64"),
      (object(#""a": {"type": "string", "format": "cidr"}"#), #"{"a": "10.0.0.0/33"}"#, "a network"),
      (object(#""a": {"type": "string", "format": "mac"}"#), #"{"a": "00:00:5e:00:53:0g"}"#, "a MAC address"),
      (object(#""a": {"type": "string", "format": "mac"}"#), #"{"a": "00-00-5e-00-53-01"}"#, nil),
      (object(#""a": {"type": "string", "format": "date-time"}"#), #"{"a": "yesterday"}"#, "/spec/a: "),
      (object(#""a": {"type": "string", "format": "made-up"}"#), #"{"a": "x"}"#, nil),
      (
        object(#""a": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}"#),
        #"{"a": [1, 2, 1]}"#, "/spec/a/2: "
      ),
      (
        object(
          #""a": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"], "items": "#
            + #"{"type": "object", "properties": {"n": {"type": "string"}, "v": {"type": "integer"}}}}"#
        ), #"{"a": [{"n": "x", "v": 1}, {"n": "x", "v": 2}]}"#, "the same \"n\" as element 0"
      ),
      (
        object(#""a": {"type": "object", "additionalProperties": {"type": "integer"}}"#), #"{"a": {"x": "y"}}"#,
        "/spec/a/x: "
      ),
      (
        object(#""a": {"type": "object", "x-kubernetes-embedded-resource": true}"#), #"{"a": {"kind": "X"}}"#,
        "\"apiVersion\" is required"
      ),
    ] as [(String, String, String?)]
  )
  func `is applied`(spec: String, value: String, words: String?) throws {
    let lines = try definition(spec: spec).judge(spec: value).lines
    if let words {
      #expect(lines.count == 1 && lines[0].contains(words), "\(lines)")
    } else {
      #expect(lines == [])
    }
  }

  @Test func `speaks of the metadata, too`() throws {
    let definition = try definition(
      schema:
        #"{"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}}}"#
    )
    let judgment = try definition.judge(
      object:
        #"{"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "long", "labels": {"a": 1}, "uid": "x"}}"#
    )
    #expect(judgment.lines.count == 2, "\(judgment.lines)")
    #expect(judgment.dropped == [])
  }

  @Test func `what it does not know is dropped, unless it is kept`() throws {
    let definition = try definition(
      spec: object(
        #""a": {"type": "string"}, "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "#
          + #""properties": {"known": {"type": "object", "properties": {"b": {"type": "string"}}}}}, "#
          + #""list": {"type": "array", "items": {"type": "object", "properties": {"c": {"type": "string"}}}}"#
      )
    )
    let judgment = try definition.judge(
      spec: #"{"a": "x", "z": 1, "free": {"y": 1, "known": {"x": 1}}, "list": [{"c": "c"}, {"w": 1}]}"#
    )
    #expect(judgment.dropped.map(\.description) == ["/spec/z", "/spec/free/known/x", "/spec/list/1/w"])
    #expect(judgment.faults.isEmpty && judgment.doubt == nil)
  }

  @Test func `defaults are there before it is applied`() throws {
    let definition = try definition(
      spec: #"""
        {"type": "object", "required": ["a"], "properties": {
          "a": {"type": "integer", "default": 5}, "b": {"type": "integer", "nullable": true, "default": 1},
          "o": {"type": "object", "default": {}, "properties": {"p": {"type": "string", "default": "q"}}},
          "m": {"type": "object", "additionalProperties": {"type": "integer", "default": 7}},
          "l": {"type": "array", "items": {"type": "object", "properties": {"r": {"type": "integer", "default": 3}}}}},
         "x-kubernetes-validations": [
          {"rule": "self.a == 5"}, {"rule": "!has(self.b)"}, {"rule": "self.o.p == 'q'"},
          {"rule": "self.m.x == 7"}, {"rule": "self.l[0].r == 3"}]}
        """#
    )
    #expect(try definition.judge(spec: #"{"b": null, "m": {"x": null}, "l": [{}]}"#).lines == [])
    let wrong = try definition.judge(spec: #"{"a": 6, "b": 2, "o": {"p": "z"}, "m": {"x": 8}, "l": [{"r": 4}]}"#)
    #expect(wrong.lines.count == 5, "\(wrong.lines)")
  }

  @Test func `rules are left out where it is not met in a way that they could stumble over`() throws {
    let definition = try definition(
      spec: object(
        #""a": {"type": "integer", "maximum": 5}, "b": {"type": "string", "maxLength": 2}"#,
        rules: [rule("self.a < 3")]
      )
    )
    let tooLarge = try definition.judge(spec: #"{"a": 7}"#)
    #expect(tooLarge.lines.count == 2 && !tooLarge.leftOutRules, "\(tooLarge.lines)")
    for spec in [#"{"a": "x"}"#, #"{"a": 7, "b": "xxx"}"#] {
      let judgment = try definition.judge(spec: spec)
      #expect(judgment.leftOutRules && !judgment.lines.contains { $0.contains("failed rule") }, "\(judgment.lines)")
    }
  }
}
