import CustomResources
import Testing

@Suite struct `Rules for changes` {
  @Test func `are evaluated where there was something before`() throws {
    let definition = try definition(
      spec: object(
        #""a": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "immutable"}]}, "#
          + #""b": {"type": "string"}"#
      )
    )
    #expect(try definition.judge(spec: #"{"a": "x"}"#).lines == [])
    #expect(try definition.judge(spec: #"{"a": "x"}"#, old: #"{"a": "x"}"#).lines == [])
    #expect(try definition.judge(spec: #"{"a": "y"}"#, old: #"{"a": "x"}"#).lines == ["/spec/a: immutable"])
    // It was set, and it was taken away.
    #expect(try definition.judge(spec: #"{"a": "y"}"#, old: #"{"b": "x"}"#).lines == [])
    #expect(try definition.judge(spec: #"{"b": "y"}"#, old: #"{"a": "x"}"#).lines == [])
  }

  @Test func `with an optional oldSelf are evaluated on what is new, too`() throws {
    let definition = try definition(
      spec: object(
        #""a": {"type": "integer"}"#,
        rules: [rule("oldSelf.hasValue() ? self.a >= oldSelf.value().a : self.a == 0", #""optionalOldSelf": true"#)]
      )
    )
    #expect(try definition.judge(spec: #"{"a": 0}"#).lines == [])
    #expect(try definition.judge(spec: #"{"a": 1}"#).lines.count == 1)
    #expect(try definition.judge(spec: #"{"a": 1}"#, old: #"{"a": 0}"#).lines == [])
    #expect(try definition.judge(spec: #"{"a": 1}"#, old: #"{"a": 2}"#).lines.count == 1)
  }

  @Test func `find the elements of a list by their keys, and the values of a map by their names`() throws {
    let size = #"{"type": "integer", "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]}"#
    let definition = try definition(
      spec: object(
        #""l": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "k"], "items": "#
          + #"{"type": "object", "properties": {"n": {"type": "string"}, "k": {"type": "integer", "default": 1}, "size": \#(size)}}}, "#
          + #""m": {"type": "object", "additionalProperties": \#(size)}"#
      )
    )
    let old =
      #"{"l": [{"n": "a", "size": 3}, {"n": "b", "size": 5}, {"n": "a", "k": 2, "size": 9}], "m": {"x": 1, "y": 2}}"#
    #expect(
      try definition.judge(
        spec:
          #"{"l": [{"n": "b", "size": 4}, {"n": "new", "size": 0}, {"n": "a", "k": 1, "size": 3}], "m": {"y": 1, "z": 0}}"#,
        old: old
      ).lines == ["/spec/l/0/size: failed rule: self >= oldSelf", "/spec/m/y: failed rule: self >= oldSelf"]
    )
  }

  @Test func `compare sets and maps without their order, also deep inside`() throws {
    let definition = try definition(
      spec: #"""
        {"type": "object", "properties": {
          "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
          "map": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a-n"], "items":
            {"type": "object", "properties": {"a-n": {"type": "string"}, "v": {"type": "integer"}}}},
          "list": {"type": "array", "items": {"type": "integer"}},
          "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
         "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}
        """#
    )
    let old =
      #"{"set": ["a", "b"], "map": [{"a-n": "x", "v": 1}, {"a-n": "y", "v": 2}], "list": [1, 2], "free": {"z": 1}}"#
    func isEqual(_ spec: String) throws -> Bool { try definition.judge(spec: spec, old: old).lines.isEmpty }
    #expect(
      try isEqual(
        #"{"set": ["b", "a"], "map": [{"a-n": "y", "v": 2}, {"v": 1, "a-n": "x"}], "list": [1, 2], "free": {"z": 1}}"#
      )
    )
    #expect(
      try !isEqual(
        #"{"set": ["b", "c"], "map": [{"a-n": "x", "v": 1}, {"a-n": "y", "v": 2}], "list": [1, 2], "free": {"z": 1}}"#
      )
    )
    #expect(
      try !isEqual(
        #"{"set": ["a", "b"], "map": [{"a-n": "x", "v": 1}, {"a-n": "y", "v": 3}], "list": [1, 2], "free": {"z": 1}}"#
      )
    )
    #expect(
      try !isEqual(
        #"{"set": ["a", "b"], "map": [{"a-n": "x", "v": 1}, {"a-n": "y", "v": 2}], "list": [2, 1], "free": {"z": 1}}"#
      )
    )
    #expect(
      try !isEqual(
        #"{"set": ["a", "b"], "map": [{"a-n": "x", "v": 1}, {"a-n": "y", "v": 2}], "list": [1, 2], "free": {"z": 2}}"#
      )
    )
  }

  @Test func `add sets without what is there twice`() throws {
    let definition = try definition(
      spec: object(
        #""s": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}"#,
        rules: [rule("(self.s + ['a', 'c']).size() == 3")]
      )
    )
    #expect(try definition.judge(spec: #"{"s": ["a", "b"]}"#).lines == [])
  }

  @Test func `what an update leaves as it was is let through`() throws {
    let definition = try definition(
      spec: object(
        #""a": {"type": "integer", "maximum": 5}, "b": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 5"}]}, "#
          + #""l": {"type": "array", "items": {"type": "object", "properties": "#
          + #"{"c": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 5"}]}}}}"#
      )
    )
    let old = #"{"a": 9, "b": 9, "l": [{"c": 9}]}"#
    func tolerated(_ spec: String) throws -> [Bool] {
      try definition.judge(spec: spec, old: old).faults.map(\.isTolerated)
    }
    #expect(try tolerated(old) == [true, true, true])
    #expect(try tolerated(#"{"a": 8, "b": 8, "l": [{"c": 9}, {}]}"#) == [false, false, false])
    #expect(try definition.judge(spec: old).faults.map(\.isTolerated) == [false, false, false])
  }
}
