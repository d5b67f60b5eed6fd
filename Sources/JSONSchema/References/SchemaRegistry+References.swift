internal import Formats
internal import JSON

extension SchemaRegistry {
  // MARK: References

  /// The target of a reference.
  struct Target {
    var location: Int
    /// The plain-name fragment, if it has one and the location is a dynamic anchor of that name.
    var dynamicAnchor: String?
  }

  /// Resolves a reference in the schema at `location`; nil if it leads nowhere.
  mutating func resolve(_ reference: String, from location: Int) -> Target? {
    let absolute = uri(of: reference, from: location)
    guard let resource = load(absolute.withoutFragment, from: location) else { return nil }
    guard let fragment = absolute.fragment.flatMap({ PercentEncoding.decoded($0) }) else {
      return absolute.fragment == nil ? Target(location: resources[resource].location) : nil
    }
    if fragment.isEmpty { return Target(location: resources[resource].location) }
    if fragment.utf8.first == UInt8(ascii: "/") {
      guard let pointer = JSONPointer(fragment) else { return nil }
      var current = resources[resource].location
      for token in pointer.tokens {
        guard let next = child(of: current, token) else { return nil }
        // A location inside an unknown keyword was not scanned, and belongs to the resource around it. A scanned
        // location with an `$id` is a resource of its own.
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

  /// The URI of the document that a reference asks for, if that document is missing; nil if it exists.
  mutating func absentDocument(of reference: String, from location: Int) -> String? {
    let document = uri(of: reference, from: location).withoutFragment
    return load(document, from: location) == nil ? document : nil
  }

  /// The URI of a reference, with a fragment if the reference has one.
  func uri(of reference: String, from location: Int) -> URIReference {
    resources[locations[location].resource].uri.resolving(URIReference(reference))
  }

  /// Every location that has that dynamic anchor, with its resource.
  func dynamicAnchors(_ name: String) -> [(resource: Int, location: Int)] {
    (resourcesWithDynamicAnchor[name] ?? []).compactMap { resource in
      resources[resource].dynamicAnchors[name].map { (resource, $0) }
    }
  }
}
