internal import JSON
internal import TextFormats

/// The places of the schemas of a program: each place knows its parent, so that no pointer is stored twice.
struct PlaceTable: Sendable {
  struct Place: Sendable {
    /// -1 for the root of a document.
    var parent: Int32
    /// Empty for a root.
    var token: String
  }

  var places: [Place] = []

  /// The pointer that leads from `ancestor` to a place; from the root of the document if `ancestor` is not around the
  /// place.
  func pointer(of place: Int32, from ancestor: Int32 = -1) -> JSONPointer {
    var tokens: [String] = []
    var current = place
    while current != ancestor, places[Int(current)].parent >= 0 {
      tokens.append(places[Int(current)].token)
      current = places[Int(current)].parent
    }
    return JSONPointer(tokens: tokens.reversed())
  }
}

extension Program {
  /// The place of a schema in its resource.
  func pointer(of schema: Int32) -> JSONPointer {
    let source = sources[Int(schema)]
    return places.pointer(of: source.place, from: source.resourcePlace)
  }

  /// The place of a schema in its document.
  func documentPointer(of schema: Int32) -> JSONPointer {
    places.pointer(of: sources[Int(schema)].place)
  }

  /// The absolute location of a keyword of a schema: the URI of its resource, and a pointer as fragment.
  func absoluteLocation(of schema: Int32, _ tokens: [String]) -> String {
    let place = JSONPointer(tokens: pointer(of: schema).tokens + tokens)
    // A pointer as a fragment: RFC 6901, section 6.
    return sources[Int(schema)].uri + "#" + PercentEncoding.encoded(place.description, keeping: URISyntax.isInFragment)
  }
}
