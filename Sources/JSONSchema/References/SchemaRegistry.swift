internal import Formats
internal import JSON
internal import Texts

/// Every document, resource and anchor that a compilation has met: references are resolved against them.
///
/// Used only while compiling. Locations in documents are numbered; a location knows its parent, so a pointer is never
/// stored twice.
struct SchemaRegistry {
  /// A location in a document.
  struct Location {
    /// -1 for the root of a document.
    var parent: Int
    /// The last token of its pointer; empty for a root.
    var token: String
    var value: JSON
    /// The resource that it belongs to: the nearest `$id` at or above it.
    var resource: Int
    var document: Int
    /// Identifiers below it have been collected.
    var isScanned = false
  }

  /// A schema resource (core, section 4.3.5): a document, or a part of one that has an `$id`.
  struct Resource {
    /// Absolute, or empty if nothing is known.
    var uri: URIReference {
      didSet { uriText = uri.withoutFragment }
    }
    /// The same as text.
    private(set) var uriText: String
    var location: Int
    var dialect: Dialect
    var anchors: [String: Int] = [:]
    var dynamicAnchors: [String: Int] = [:]

    init(uri: URIReference, location: Int, dialect: Dialect) {
      self.uri = uri
      uriText = uri.withoutFragment
      self.location = location
      self.dialect = dialect
    }
  }

  private struct ChildKey: Hashable {
    var parent: Int
    var token: UTF8Key
  }

  /// The name under which `$recursiveAnchor: true` is kept among the dynamic anchors: no anchor can be empty.
  static let recursiveAnchor = ""

  /// An `$id` is resolved against the one around it, so that long ones inside each other could fill the memory.
  static let identifierMax = 4096

  var locations: [Location] = []
  var resources: [Resource] = []
  /// The URIs of the documents, in the order in which they were loaded.
  private(set) var documents: [String] = []
  private var children: [ChildKey: Int] = [:]
  var resourceByURI: [String: Int] = [:]
  /// The resources that have a dynamic anchor of that name, in the order in which they were met.
  var resourcesWithDynamicAnchor: [String: [Int]] = [:]
  private(set) var problems: [SchemaCompileError.Problem] = []
  let options: CompileOptions
  /// Custom dialects by the URI of their meta-schema.
  var dialects: [String: Dialect] = [:]
  var dialectsInProgress: Set<String> = []

  init(options: CompileOptions) {
    self.options = options
  }

  // MARK: Documents

  /// Takes a document up; returns its root's location.
  ///
  /// - Parameter dialect: the dialect of its keywords if the document does not name one; nil for the dialect of the
  ///   options.
  mutating func add(document: JSON, uri: String, dialect: Dialect? = nil) -> Int {
    let base = URIReference(uri)
    let location = locations.count
    let resource = resources.count
    locations.append(
      Location(parent: -1, token: "", value: document, resource: resource, document: documents.count)
    )
    documents.append(uri)
    resources.append(Resource(uri: base, location: location, dialect: dialect ?? Dialect(options.draft)))
    resourceByURI[base.withoutFragment] = resource
    scan(location, depth: 0, isDocument: true)
    return location
  }

  /// The resource of a URI without a fragment, whose document is taken up when it was not; nil if there is none.
  ///
  /// - Parameter location: the schema with the reference. The document is read in its dialect if it does not name
  ///   another.
  mutating func load(_ uri: String, from location: Int) -> Int? {
    if let known = resourceByURI[uri] { return known }
    if let canonical = MetaSchemas.canonicalURI(uri), let document = MetaSchemas.document(of: canonical) {
      return resourceByURI[canonical] ?? locations[add(document: document, uri: canonical)].resource
    }
    guard let document = options.resolver(uri) else { return nil }
    return locations[add(document: document, uri: uri, dialect: dialect(of: location))].resource
  }

  /// The dialect of a schema's keywords.
  func dialect(of location: Int) -> Dialect { resources[locations[location].resource].dialect }

  // MARK: Locations

  /// The location of a member or an element; nil if the value has none of that token.
  mutating func child(of parent: Int, _ token: String) -> Int? {
    let key = ChildKey(parent: parent, token: UTF8Key(text: token))
    if let known = children[key] { return known }
    let value: JSON
    switch locations[parent].value {
    case .object(let members):
      guard let member = members[token] else { return nil }
      value = member
    case .array(let elements):
      guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return nil }
      value = elements[index]
    default:
      return nil
    }
    let location = locations.count
    locations.append(
      Location(
        parent: parent,
        token: token,
        value: value,
        resource: locations[parent].resource,
        document: locations[parent].document
      )
    )
    children[key] = location
    return location
  }

  /// The same, if the location was asked for before; nil otherwise, too.
  func knownChild(of parent: Int, _ token: String) -> Int? {
    children[ChildKey(parent: parent, token: UTF8Key(text: token))]
  }

  /// The locations of the schemas directly inside a schema, of any kind.
  mutating func innerSchemas(of location: Int) -> [Int] {
    guard case .object(let members) = locations[location].value else { return [] }
    let dialect = dialect(of: location)
    var schemas: [Int] = []
    for member in members {
      guard let nesting = dialect.nesting(of: member.name), let inner = child(of: location, member.name) else {
        continue
      }
      switch (nesting, member.value) {
      case (.elements, .array(let elements)), (.valueOrElements, .array(let elements)):
        schemas += elements.indices.compactMap { child(of: inner, String($0)) }
      case (.members, .object(let entries)):
        schemas += entries.compactMap { child(of: inner, $0.name) }
      case (.someMembers, .object(let entries)):
        schemas += entries.compactMap { $0.value.arrayValue == nil ? child(of: inner, $0.name) : nil }
      case (.value, _), (.valueOrElements, _):
        schemas.append(inner)
      default: break
      }
    }
    return schemas
  }

  /// The pointer from the root of the document.
  func pointer(of location: Int) -> JSONPointer {
    pointer(of: location, upTo: -1)
  }

  /// The pointer from another location above it.
  func pointer(of location: Int, upTo ancestor: Int) -> JSONPointer {
    var tokens: [String] = []
    var current = location
    while current != ancestor, locations[current].parent >= 0 {
      tokens.append(locations[current].token)
      current = locations[current].parent
    }
    return JSONPointer(tokens: tokens.reversed())
  }

  /// The table of all locations, for the program.
  var locationTable: LocationTable {
    LocationTable(entries: locations.map { LocationTable.Entry(parent: Int32($0.parent), token: $0.token) })
  }

  // MARK: Problems

  mutating func report(_ kind: SchemaCompileError.Problem.Kind, at location: Int, _ keyword: String?, _ text: String) {
    var pointer = pointer(of: location)
    if let keyword { pointer.tokens.append(keyword) }
    let document = locations[location].document
    report(kind, at: pointer, ofDocument: document == 0 ? "" : documents[document], text)
  }

  mutating func report(
    _ kind: SchemaCompileError.Problem.Kind,
    at pointer: JSONPointer,
    ofDocument document: String = "",
    _ text: String
  ) {
    guard problems.count < SchemaCompileError.problemsMax else { return }
    let problem = SchemaCompileError.Problem(kind: kind, document: document, pointer: pointer, text: text)
    if !problems.contains(problem) { problems.append(problem) }
  }
}
