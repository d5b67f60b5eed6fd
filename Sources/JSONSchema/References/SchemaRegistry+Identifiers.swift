internal import Formats
internal import JSON

extension SchemaRegistry {
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
    var dialect = dialect(of: location)
    if !dialect.draft.hidesSiblingsOfReferences || members["$ref"] == nil {
      readIdentifier(members, at: location, isDocument: isDocument)
      readAnchors(members, at: location)
      dialect = self.dialect(of: location)
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
    guard let inner = child(of: location, keyword) else { return }
    switch (nesting, value) {
    case (.value, .object), (.valueOrElements, .object):
      scan(inner, depth: depth + 1)
    case (.elements, .array(let elements)), (.valueOrElements, .array(let elements)):
      for index in elements.indices {
        guard case .object = elements[index], let element = child(of: inner, String(index)) else { continue }
        scan(element, depth: depth + 1)
      }
    case (.members, .object(let entries)), (.someMembers, .object(let entries)):
      for entry in entries {
        guard case .object = entry.value, let member = child(of: inner, entry.name) else { continue }
        scan(member, depth: depth + 1)
      }
    default:
      break
    }
  }

  private mutating func readIdentifier(_ members: JSONObject, at location: Int, isDocument: Bool) {
    let resource = locations[location].resource
    let draft = resources[resource].dialect.draft
    let keyword = draft.identifierKeyword
    guard let id = members[keyword]?.stringValue else { return }
    let reference = URIReference(id)
    var anchor: String?
    if let fragment = reference.fragment, !fragment.isEmpty {
      if draft.hasAnchorsInIdentifiers {
        anchor = fragment
      } else {
        report(.badValue, at: location, keyword, "an $id must not have a fragment; use $anchor")
      }
      if id.utf8.first == UInt8(ascii: "#") {
        if let anchor { resources[resource].anchors[anchor] = location }
        return
      }
    }
    defer { if let anchor { resources[locations[location].resource].anchors[anchor] = location } }
    var uri = resources[resource].uri.resolving(reference)
    uri.fragment = nil
    let text = uri.withoutFragment
    guard text.utf8.count <= Self.identifierMax else {
      report(.tooLarge, at: location, keyword, "the identifier is longer than \(Self.identifierMax) bytes")
      return
    }
    if isDocument {
      resources[resource].uri = uri
      if let other = resourceByURI[text], other != resource {
        report(.duplicateIdentifier, at: location, keyword, "another schema has the identifier \(text)")
      }
      resourceByURI[text] = resource
      return
    }
    if let other = resourceByURI[text] {
      // Before 2019-09 people wrote "#", or the identifier of the whole, into schemas inside.
      if draft.hasAnchorsInIdentifiers, other == resource { return }
      report(.duplicateIdentifier, at: location, keyword, "another schema has the identifier \(text)")
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
    guard draft >= .draft2019 else { return }
    if let anchor = members["$anchor"]?.stringValue {
      if resources[resource].anchors[anchor] != nil {
        report(.duplicateIdentifier, at: location, "$anchor", "the anchor \(anchor) is used twice")
      }
      resources[resource].anchors[anchor] = location
    }
    if draft == .draft2020, let anchor = members["$dynamicAnchor"]?.stringValue {
      if resources[resource].dynamicAnchors[anchor] != nil {
        report(.duplicateIdentifier, at: location, "$dynamicAnchor", "the anchor \(anchor) is used twice")
      }
      addDynamicAnchor(anchor, of: resource, at: location)
    }
    if draft == .draft2019, members["$recursiveAnchor"]?.boolValue == true {
      addDynamicAnchor(Self.recursiveAnchor, of: resource, at: location)
    }
  }

  private mutating func addDynamicAnchor(_ name: String, of resource: Int, at location: Int) {
    if resources[resource].dynamicAnchors.updateValue(location, forKey: name) == nil {
      resourcesWithDynamicAnchor[name, default: []].append(resource)
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
    // The address of the newest draft, which does not serve a schema any more.
    if uri == "http://json-schema.org/schema" || uri == "https://json-schema.org/schema" {
      return Dialect(options.draft)
    }
    // A meta-schema may name itself as its meta-schema.
    guard dialectsInProgress.insert(uri).inserted else { return nil }
    defer { dialectsInProgress.remove(uri) }
    guard let resource = load(uri, from: location) else {
      let drafts = SchemaDraft.allCases.map(\.rawValue).joined(separator: ", ")
      report(
        .unknownDialect,
        at: location,
        "$schema",
        "the meta-schema \(uri) is not available; the known drafts are \(drafts)"
      )
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
          report(.unknownVocabulary, at: location, "$schema", "\(uri) requires the unknown vocabulary \(entry.name)")
        }
      }
    }
    dialects[uri] = dialect
    return dialect
  }
}
