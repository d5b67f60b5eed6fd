import CustomResources
import JSON
import Testing

@Suite struct DefinitionTests {
  @Test(
    arguments: [
      (#"{"kind": "CustomResourceDefinition"}"#, "of nothing"),
      (#"{"apiVersion": "apiextensions.k8s.io/v1beta1"}"#, "v1beta1"),
      (#"{"apiVersion": "apiextensions.k8s.io/v1"}"#, "spec.group"),
      (
        #"{"apiVersion": "apiextensions.k8s.io/v1", "spec": {"group": "a.b", "names": {"kind": "A"}, "versions": []}}"#,
        "at least one version"
      ),
    ]
  )
  func `what is no definition is refused`(text: String, words: String) throws {
    let document = try JSON(parsing: text)
    let error = try #require(throws: DefinitionError.self) { try CustomResourceDefinition(document) }
    #expect(error.faults.contains { $0.message.contains(words) }, "\(error.faults)")
  }

  @Test(
    arguments: [
      (object(#""a": {"type": "strng"}"#), "badValue"),
      (object(#""a": {"type": "string", "pattern": "("}"#), "badPattern"),
      (object(#""a": {"type": "integer"}"#, rules: [rule("self.b > 1")]), "rule: rule 1:6: nothing is named 'self.b'"),
      (object(#""a": {"type": "integer"}"#, rules: [rule("self.a")]), "must be of type bool"),
      (object(#""a": {"x-kubernetes-int-or-string": true}"#, rules: [rule("self.a")]), "must be of type bool"),
      (object("", rules: [rule("")]), "rule: a rule is an expression"),
      (object("", rules: [#"{"rule": 5}"#]), "rule: rule is a text"),
      (object("", rules: [rule("true", #""message": "a\nb""#)]), "message: a message has no line breaks"),
      (object("", rules: [rule("true", #""reason": "Nope""#)]), "reason: the reasons are FieldValueInvalid"),
      (object("", rules: [rule("true", #""messageExpression": "1""#)]), "must be of type string"),
      (object("", rules: [rule("true", #""optionalOldSelf": true"#)]), "the rule does not use oldSelf"),
      (object("", rules: [rule("true", #""fieldPath": ".a""#)]), "the schema has no \"a\""),
      (
        object(
          #""l": {"type": "array", "items": {"type": "string"}}"#,
          rules: [rule("true", #""fieldPath": ".l[0]""#)]
        ),
        "no position of a list"
      ),
      (
        object(
          #""l": {"type": "array", "items": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}}"#
        ),
        "x-kubernetes-list-type map"
      ),
      (
        object(
          #""m": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": "#
            + #"{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}}}"#
        ),
        "oldSelf cannot be used here"
      ),
      (
        object(#""a": {"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{"rule": "true"}]}"#),
        "there can be no rule here"
      ),
      (
        #"{"type": "object", "oneOf": [{"x-kubernetes-validations": [{"rule": "true"}]}]}"#,
        "rules cannot stand within oneOf"
      ),
      (object("", rules: [rule("graphemes('a') == 1")]), "graphemes"),
      // What a schema does not say is not there.
      (
        object(
          #""a": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}"#,
          rules: [rule("self.a.b == 1")]
        ),
        "'self.a.b'"
      ),
    ]
  )
  func `what is wrong with a schema or a rule is told`(spec: String, words: String) throws {
    let faults = try faults(spec: spec)
    #expect(faults.count == 1 && faults[0].contains(words), "\(faults)")
  }

  @Test func `the place of a fault is that in the document and in the rule`() throws {
    let error = try #require(throws: DefinitionError.self) {
      try definition(spec: object(#""a": {"type": "integer"}"#, rules: [rule("self.a > 0 && self.b")]))
    }
    let fault = try #require(error.faults.first)
    #expect(
      fault.pointer.description
        == "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations/0/rule"
    )
    #expect(fault.codePoints?.extent == 14..<20)
  }

  @Test func `an object is of the version that its apiVersion names`() throws {
    let definition = try CustomResourceDefinition(
      JSON(
        parsing: """
          {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
           "spec": {"group": "example.com", "names": {"kind": "Shop"}, "versions": [
            {"name": "v1", "served": true, "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}},
            {"name": "v2", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}},
            {"name": "v0", "served": false, "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
          """
      )
    )
    #expect(definition.storedVersion.name == "v2")
    #expect(definition.summary == "Shop (example.com/v1, v2, v0)")
    func version(_ apiVersion: String, _ kind: String) -> String {
      do throws(CustomResourceDefinition.Mismatch) {
        return try definition.version(of: ["apiVersion": .string(apiVersion), "kind": .string(kind)]).name
      } catch {
        switch error {
        case .kind: return "kind"
        case .version(let name): return "no \(name)"
        }
      }
    }
    #expect(version("example.com/v1", "Shop") == "v1")
    #expect(version("example.com/v0", "Shop") == "no v0")
    #expect(version("example.com/v9", "Shop") == "no v9")
    #expect(version("example.org/v1", "Shop") == "kind")
    #expect(version("v1", "Shop") == "kind")
    #expect(version("example.com/v1", "Shops") == "kind")
  }
}
