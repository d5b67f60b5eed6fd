internal import Formats
internal import JSON

/// The locations of the schemas of a program: each location knows its parent, so that no pointer is stored twice.
struct LocationTable: Sendable {
  struct Entry: Sendable {
    /// -1 for the root of a document.
    var parent: Int32
    /// Empty for a root.
    var token: String
  }

  var entries: [Entry] = []

  /// The pointer that leads from `ancestor` to a location; from the root of the document if `ancestor` is not around
  /// the location.
  func pointer(of location: Int32, from ancestor: Int32 = -1) -> JSONPointer {
    var tokens: [String] = []
    var current = location
    while current != ancestor, entries[Int(current)].parent >= 0 {
      tokens.append(entries[Int(current)].token)
      current = entries[Int(current)].parent
    }
    return JSONPointer(tokens: tokens.reversed())
  }
}

extension Program {
  /// The location of a schema in its resource.
  func pointer(of schema: Int32) -> JSONPointer {
    let source = sources[Int(schema)]
    return locations.pointer(of: source.location, from: source.resourceLocation)
  }

  /// The location of a schema in its document.
  func documentPointer(of schema: Int32) -> JSONPointer {
    locations.pointer(of: sources[Int(schema)].location)
  }

  /// The absolute location of a keyword of a schema: the URI of its resource, and a pointer as fragment.
  func absoluteLocation(of schema: Int32, _ tokens: [String]) -> String {
    let location = JSONPointer(tokens: pointer(of: schema).tokens + tokens)
    // A pointer as a fragment: RFC 6901, section 6.
    return sources[Int(schema)].uri + "#"
      + PercentEncoding.encoded(location.description, keeping: URISyntax.isInFragment)
  }
}
