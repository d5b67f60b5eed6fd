import CustomResources
import JSON
import Testing

/// A definition whose one version has that schema for `spec`, or for the object as a whole.
func definition(spec: String) throws -> CustomResourceDefinition {
  try definition(schema: #"{"type": "object", "properties": {"spec": \#(spec)}}"#)
}

func definition(schema: String) throws -> CustomResourceDefinition {
  try CustomResourceDefinition(
    JSON(
      parsing: """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "spec": {"group": "example.com", "names": {"kind": "Shop", "plural": "shops"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": \(schema)}}]}}
        """
    )
  )
}

/// What is wrong with a definition whose `spec` has that schema: `code: message`.
func faults(spec: String) throws -> [String] {
  do {
    _ = try definition(spec: spec)
    return []
  } catch let error as DefinitionError {
    return error.faults.map { "\($0.code): \($0.message)" }
  }
}

extension CustomResourceDefinition {
  /// Judges an object with that `spec`.
  func judge(spec: String, old: String? = nil) throws -> ResourceJudgment {
    try judge(object: Self.object(spec), old: old.map(Self.object))
  }

  /// Judges an object.
  func judge(object: String, old: String? = nil) throws -> ResourceJudgment {
    let object = try JSON(parsing: object)
    return try version(of: object).schema.judge(object, replacing: try old.map { try JSON(parsing: $0) })
  }

  private static func object(_ spec: String) -> String {
    #"{"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "corner"}, "spec": \#(spec)}"#
  }
}

extension ResourceJudgment {
  /// Each fault as `/place: message`.
  var lines: [String] { faults.map { "\($0.pointer): \($0.message)" } }
}

/// A schema of an object with those properties and rules.
func object(_ properties: String, rules: [String] = []) -> String {
  #"{"type": "object", "properties": {\#(properties)}, "x-kubernetes-validations": [\#(rules.joined(separator: ", "))]}"#
}

/// A rule, with more members or without.
func rule(_ expression: String, _ more: String = "") -> String {
  "{\"rule\": \(JSON.string(expression))\(more.isEmpty ? "" : ", " + more)}"
}
