internal import CEL
internal import JSON
internal import Texts

/// One schema of a definition's tree: what its values are made of. What else it says of them, ``OpenAPISchema`` hands to JSON Schema.
final class StructuralSchema: Sendable {
  /// What values consist of.
  enum Shape: Sendable {
    /// Members that are listed.
    case object([Property])
    /// Members of any names with values of one schema.
    case map(StructuralSchema)
    /// Elements of one schema.
    case list(StructuralSchema, ListKind)
    /// A text, in a format.
    case text(String?)
    case integer
    case number
    case truth
    /// A whole number or a text (`x-kubernetes-int-or-string`).
    case integerOrText
    /// Nobody knows.
    case unknown
  }

  /// A member that is listed.
  struct Property: Sendable {
    let name: String
    /// Its name in expressions; nil where these cannot read it.
    let readableName: String?
    let schema: StructuralSchema
  }

  /// How the elements of a list are told apart (`x-kubernetes-list-type`).
  enum ListKind: Sendable {
    case atomic
    case set
    /// By the members of those names.
    case map(keys: [String])
  }

  /// The node's number in its tree.
  let id: Int
  /// Where the schema stands in the one of its version.
  let location: JSONPointer
  let shape: Shape
  /// The type of its values in expressions; nil where these cannot have them.
  let type: CELType?
  let isNullable: Bool
  /// Whether members that are not listed stay (`x-kubernetes-preserve-unknown-fields`).
  let keepsUnknown: Bool
  /// Whether its values are resources of their own, with apiVersion, kind and metadata.
  let isResource: Bool
  /// Whether what it holds is one value, of which parts are not followed from one version of an object to the next.
  let isAtomic: Bool
  /// What stands in the place of an absent value.
  let defaultValue: JSON?
  /// Whether it or a schema inside of it has rules.
  let hasRules: Bool
  private let properties: [UTF8Key: Property]

  init(
    id: Int,
    location: JSONPointer,
    shape: Shape,
    type: CELType?,
    source: JSON,
    isResource: Bool,
    hasRules: Bool
  ) {
    self.id = id
    self.location = location
    self.shape = shape
    self.type = type
    isNullable = source["nullable"] == true
    keepsUnknown = source["x-kubernetes-preserve-unknown-fields"] == true || source["additionalProperties"] == true
    self.isResource = isResource
    isAtomic = source["x-kubernetes-map-type"] == "atomic"
    defaultValue = source["default"]
    self.hasRules = hasRules
    var properties: [UTF8Key: Property] = [:]
    if case .object(let listed) = shape {
      for property in listed { properties[UTF8Key(text: property.name)] = property }
    }
    self.properties = properties
  }

  /// The member of that name, where it is listed.
  func property(named name: String) -> Property? { properties[UTF8Key(text: name)] }

  /// The schema of the member of that name; nil where there is none.
  func schema(ofMember name: String) -> StructuralSchema? {
    if case .map(let values) = shape { return values }
    return property(named: name)?.schema
  }

  /// What the server knows of every resource, listed or not.
  static let resourceMembers: Set<String> = ["apiVersion", "kind", "metadata"]
}
