internal import JSON

/// Every document, resource and anchor that a compilation has met: what references are resolved against.
///
/// Used only while compiling. Places in documents are numbered; a place knows its parent, so a pointer is never stored twice.
struct SchemaRegistry {
  /// A place in a document.
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
    var uri: URIReference
    var location: Int
    var dialect: Dialect
    var anchors: [String: Int] = [:]
    var dynamicAnchors: [String: Int] = [:]
  }

  private struct ChildKey: Hashable {
    var parent: Int
    var token: UTF8Key
  }

  /// The name under which `$recursiveAnchor: true` is kept among the dynamic anchors: no anchor can be empty.
  static let recursiveAnchor = ""

  private(set) var locations: [Location] = []
  private(set) var resources: [Resource] = []
  /// The URIs of the documents, in the order in which they were loaded.
  private(set) var documents: [String] = []
  private var children: [ChildKey: Int] = [:]
  private var resourceByURI: [String: Int] = [:]
  private(set) var problems: [SchemaCompileError.Problem] = []
  private let options: CompileOptions
  /// Custom dialects by the URI of their meta-schema.
  private var dialects: [String: Dialect] = [:]
  private var dialectsInProgress: Set<String> = []

  init(options: CompileOptions) {
    self.options = options
  }

  // MARK: Documents

  /// Takes a document up; returns its root's location.
  mutating func add(document: JSON, uri: String) -> Int {
    let base = URIReference(uri)
    let location = locations.count
    let resource = resources.count
    locations.append(
      Location(parent: -1, token: "", value: document, resource: resource, document: documents.count)
    )
    documents.append(uri)
    resources.append(Resource(uri: base, location: location, dialect: .standard))
    resourceByURI[base.withoutFragment] = resource
    scan(location, depth: 0, isDocument: true)
    return location
  }

  private mutating func load(_ uri: String) -> Int? {
    if let known = resourceByURI[uri] { return known }
    let document: JSON
    if let text = MetaSchemas.text(of: uri), let parsed = try? JSON(parsing: text) {
      document = parsed
    } else if let supplied = options.resolver(uri) {
      document = supplied
    } else {
      return nil
    }
    let location = add(document: document, uri: uri)
    return locations[location].resource
  }

  // MARK: Places

  /// The place of a member or an element; nil if the value has none of that token.
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

  /// The pointer from the root of the document.
  func pointer(of location: Int) -> JSONPointer {
    pointer(of: location, upTo: -1)
  }

  private func pointer(of location: Int, upTo ancestor: Int) -> JSONPointer {
    var tokens: [String] = []
    var current = location
    while current != ancestor, locations[current].parent >= 0 {
      tokens.append(locations[current].token)
      current = locations[current].parent
    }
    return JSONPointer(tokens: tokens.reversed())
  }

  /// The URI of the resource and the pointer inside it.
  func absolute(_ location: Int) -> (uri: String, pointer: JSONPointer) {
    let resource = resources[locations[location].resource]
    return (resource.uri.withoutFragment, pointer(of: location, upTo: resource.location))
  }

  // MARK: Problems

  mutating func report(_ kind: SchemaCompileError.Problem.Kind, at location: Int, _ keyword: String?, _ text: String) {
    guard problems.count < SchemaCompileError.problemsMax else { return }
    var pointer = pointer(of: location)
    if let keyword { pointer.tokens.append(keyword) }
    let document = documents[locations[location].document]
    let name = locations[location].document == 0 ? "" : document
    let problem = SchemaCompileError.Problem(kind: kind, document: name, pointer: pointer, text: text)
    if !problems.contains(problem) { problems.append(problem) }
  }

  // MARK: Identifiers

  /// Collects the identifiers at and below a schema.
  mutating func scan(_ location: Int, depth: Int, isDocument: Bool = false) {
    guard !locations[location].isScanned else { return }
    locations[location].isScanned = true
    guard depth <= options.limits.schemaDepthMax else {
      report(.tooLarge, at: location, nil, "the schema is nested deeper than \(options.limits.schemaDepthMax) levels")
      return
    }
    guard case .object(let members) = locations[location].value else { return }
    if isDocument { readDialect(members, at: location) }
    var dialect = resources[locations[location].resource].dialect
    let ignoresSiblings = dialect.draft == .draft7 && members["$ref"] != nil
    if !ignoresSiblings {
      readIdentifier(members, at: location, isDocument: isDocument)
      readAnchors(members, at: location)
      dialect = resources[locations[location].resource].dialect
    }
    for member in members {
      guard let nesting = dialect.nesting(of: member.name) else { continue }
      scanKeyword(member.name, nesting, member.value, of: location, depth: depth)
    }
  }

  private mutating func scanKeyword(
    _ keyword: String,
    _ nesting: Dialect.Nesting,
    _ value: JSON,
    of location: Int,
    depth: Int
  ) {
    guard let place = child(of: location, keyword) else { return }
    switch (nesting, value) {
    case (.value, .object), (.valueOrElements, .object):
      scan(place, depth: depth + 1)
    case (.elements, .array(let elements)), (.valueOrElements, .array(let elements)):
      for index in elements.indices {
        guard case .object = elements[index], let element = child(of: place, String(index)) else { continue }
        scan(element, depth: depth + 1)
      }
    case (.members, .object(let entries)), (.someMembers, .object(let entries)):
      for entry in entries {
        guard case .object = entry.value, let member = child(of: place, entry.name) else { continue }
        scan(member, depth: depth + 1)
      }
    default:
      break
    }
  }

  private mutating func readIdentifier(_ members: JSONObject, at location: Int, isDocument: Bool) {
    guard let id = members["$id"]?.stringValue else { return }
    let resource = locations[location].resource
    let reference = URIReference(id)
    if let fragment = reference.fragment, !fragment.isEmpty {
      if resources[resource].dialect.draft == .draft7 {
        // Before 2019-09 an `$id` that is only a fragment was an anchor.
        if id.utf8.first == UInt8(ascii: "#") { resources[resource].anchors[fragment] = location }
      } else {
        report(.badValue, at: location, "$id", "an $id has no fragment; use $anchor")
      }
      if id.utf8.first == UInt8(ascii: "#") { return }
    }
    var uri = resources[resource].uri.resolving(reference)
    uri.fragment = nil
    let text = uri.withoutFragment
    if isDocument {
      resources[resource].uri = uri
      if let other = resourceByURI[text], other != resource {
        report(.duplicateIdentifier, at: location, "$id", "another schema has the identifier \(text)")
      }
      resourceByURI[text] = resource
      return
    }
    if resourceByURI[text] != nil {
      report(.duplicateIdentifier, at: location, "$id", "another schema has the identifier \(text)")
      return
    }
    let fresh = resources.count
    resources.append(Resource(uri: uri, location: location, dialect: resources[resource].dialect))
    resourceByURI[text] = fresh
    locations[location].resource = fresh
    readDialect(members, at: location)
  }

  private mutating func readAnchors(_ members: JSONObject, at location: Int) {
    let resource = locations[location].resource
    let draft = resources[resource].dialect.draft
    guard draft != .draft7 else { return }
    if let anchor = members["$anchor"]?.stringValue {
      if resources[resource].anchors[anchor] != nil {
        report(.duplicateIdentifier, at: location, "$anchor", "the anchor \(anchor) stands twice")
      }
      resources[resource].anchors[anchor] = location
    }
    if draft == .draft2020, let anchor = members["$dynamicAnchor"]?.stringValue {
      if resources[resource].dynamicAnchors[anchor] != nil {
        report(.duplicateIdentifier, at: location, "$dynamicAnchor", "the anchor \(anchor) stands twice")
      }
      resources[resource].dynamicAnchors[anchor] = location
    }
    if draft == .draft2019, members["$recursiveAnchor"]?.boolValue == true {
      resources[resource].dynamicAnchors[Self.recursiveAnchor] = location
    }
  }

  // MARK: Dialects

  private mutating func readDialect(_ members: JSONObject, at location: Int) {
    guard let text = members["$schema"]?.stringValue else { return }
    let uri = URIReference(text).withoutFragment
    if let dialect = dialect(of: uri, at: location) {
      resources[locations[location].resource].dialect = dialect
    }
  }

  private mutating func dialect(of uri: String, at location: Int) -> Dialect? {
    if let known = Dialect.known(uri) ?? dialects[uri] { return known }
    // A meta-schema may name itself as its meta-schema.
    guard dialectsInProgress.insert(uri).inserted else { return nil }
    defer { dialectsInProgress.remove(uri) }
    guard let resource = load(uri) else {
      report(.unknownDialect, at: location, "$schema", "the meta-schema \(uri) cannot be had")
      return nil
    }
    let root = resources[resource].location
    var dialect = resources[resource].dialect
    if case .object(let vocabulary)? = locations[root].value["$vocabulary"] {
      dialect.vocabularies = []
      for entry in vocabulary {
        if let known = Dialect.vocabulary(entry.name) {
          dialect.vocabularies.formUnion(known.set)
          dialect.draft = known.draft
        } else if entry.value.boolValue == true {
          report(.unknownVocabulary, at: location, "$schema", "\(uri) asks for the unknown vocabulary \(entry.name)")
        }
      }
    }
    dialects[uri] = dialect
    return dialect
  }

  // MARK: References

  /// Where a reference leads.
  struct Target {
    var location: Int
    /// The plain-name fragment, if it has one and the place is a dynamic anchor of that name.
    var dynamicAnchor: String?
  }

  /// Resolves a reference that stands in the schema at `location`; nil if it leads nowhere.
  mutating func resolve(_ reference: String, from location: Int) -> Target? {
    let base = resources[locations[location].resource].uri
    let absolute = base.resolving(URIReference(reference))
    guard let resource = load(absolute.withoutFragment) else { return nil }
    guard let fragment = absolute.fragment.flatMap({ URIReference.decoded($0) }) else {
      return absolute.fragment == nil ? Target(location: resources[resource].location) : nil
    }
    if fragment.isEmpty { return Target(location: resources[resource].location) }
    if fragment.utf8.first == UInt8(ascii: "/") {
      guard let pointer = JSONPointer(fragment) else { return nil }
      var current = resources[resource].location
      for token in pointer.tokens {
        guard let next = child(of: current, token) else { return nil }
        // A place that no scan has met (inside an unknown keyword) still belongs to where it stands; what has an `$id` and
        // was met belongs to itself.
        if !locations[next].isScanned { locations[next].resource = locations[current].resource }
        current = next
      }
      scan(current, depth: 0)
      return Target(location: current)
    }
    if let dynamic = resources[resource].dynamicAnchors[fragment] {
      return Target(location: dynamic, dynamicAnchor: fragment)
    }
    return resources[resource].anchors[fragment].map { Target(location: $0) }
  }

  /// The root of the resource that a place belongs to.
  func resourceRoot(of location: Int) -> Int {
    resources[locations[location].resource].location
  }

  /// Every place that has that dynamic anchor, with its resource.
  func dynamicAnchors(_ name: String) -> [(resource: Int, location: Int)] {
    resources.indices.compactMap { resource in
      resources[resource].dynamicAnchors[name].map { (resource, $0) }
    }
  }
}
