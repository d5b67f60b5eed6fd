package import JSON
package import JSONSchema

/// The definition of a kind of resources that Kubernetes does not know by itself (`apiextensions.k8s.io/v1`).
package struct CustomResourceDefinition: Sendable {
  /// A version of the kind.
  package struct Version: Sendable {
    /// Its name, such as `v1`.
    package let name: String
    /// Whether the server has it.
    package let isServed: Bool
    /// Whether objects are kept in it.
    package let isStored: Bool
    /// What its objects are.
    package let schema: ResourceSchema
  }

  /// The group of the kind: `example.com`.
  package let group: String
  /// The kind: `Shop`.
  package let kind: String
  /// The versions, in the order in which they stand there.
  package let versions: [Version]

  /// Whether a document is a definition.
  package static func isDefinition(_ document: JSON) -> Bool {
    document["kind"]?.stringValue == "CustomResourceDefinition"
  }

  /// Reads a definition, and compiles its schemas and rules.
  ///
  /// - Parameters:
  ///   - document: the definition.
  ///   - limits: bounds for schemas and rules, and for judging by them.
  /// - Throws: ``DefinitionError`` with everything that is wrong.
  package init(_ document: JSON, limits: SchemaLimits = SchemaLimits()) throws(DefinitionError) {
    var faults: [DefinitionFault] = []
    func text(_ path: [String]) -> String {
      if let text = document.value(at: path[...])?.stringValue, !text.isEmpty { return text }
      faults.append(
        DefinitionFault(
          at: JSONPointer(tokens: path),
          code: path[path.count - 1],
          "a definition has \(path.joined(separator: ".")), a text"
        )
      )
      return ""
    }
    let version = document["apiVersion"]?.stringValue ?? ""
    if version != Self.apiVersion {
      faults.append(
        DefinitionFault(
          at: JSONPointer(tokens: ["apiVersion"]),
          code: "apiVersion",
          "definitions of \(Self.apiVersion) are known, and this one is of \(version.isEmpty ? "nothing" : version)"
        )
      )
      throw DefinitionError(faults: faults)
    }
    group = text(["spec", "group"])
    kind = text(["spec", "names", "kind"])
    let place = JSONPointer(tokens: ["spec", "versions"])
    var versions: [Version] = []
    for (index, version) in (document["spec"]?["versions"]?.arrayValue ?? []).enumerated() {
      let pointer = place.appending(index)
      let name = text(pointer.tokens + ["name"])
      do throws(DefinitionError) {
        versions.append(
          Version(
            name: name,
            isServed: version["served"] != false,
            isStored: version["storage"] == true,
            schema: try ResourceSchema(
              version["schema"]?["openAPIV3Schema"] ?? [
                "x-kubernetes-preserve-unknown-fields": true, "type": "object",
              ],
              at: pointer.appending("schema").appending("openAPIV3Schema"),
              limits: limits
            )
          )
        )
      } catch {
        faults += error.faults
      }
    }
    if versions.isEmpty, faults.isEmpty {
      faults.append(DefinitionFault(at: place, code: "versions", "a definition has at least one version"))
    }
    self.versions = versions
    if !faults.isEmpty { throw DefinitionError(faults: faults) }
  }

  private static let apiVersion = "apiextensions.k8s.io/v1"

  /// The version in which objects are kept.
  package var storedVersion: Version { versions.first(where: \.isStored) ?? versions[0] }

  /// What it defines, as people say it: `Shop (example.com/v1, v2)`.
  package var summary: String { "\(kind) (\(group)/\(versions.map(\.name).joined(separator: ", ")))" }
}

extension CustomResourceDefinition {
  /// Why an object is none of its objects.
  package enum Mismatch: Error, Sendable {
    /// It is of another kind or group.
    case kind
    /// It is of a version that the server does not have.
    case version(String)
  }

  /// The version that an object is of.
  ///
  /// - Throws: why there is none.
  package func version(of object: JSON) throws(Mismatch) -> Version {
    let (group, version) = Self.groupAndVersion(of: object)
    guard object["kind"]?.stringValue == kind, group == self.group else { throw .kind }
    guard let found = versions.first(where: { $0.name == version && $0.isServed }) else { throw .version(version) }
    return found
  }

  /// What `apiVersion` says: `("example.com", "v1")`, or `("", "v1")`.
  package static func groupAndVersion(of object: JSON) -> (group: String, version: String) {
    let text = object["apiVersion"]?.stringValue ?? ""
    guard let slash = text.firstIndex(of: "/") else { return ("", text) }
    return (String(text[..<slash]), String(text[text.index(after: slash)...]))
  }
}
