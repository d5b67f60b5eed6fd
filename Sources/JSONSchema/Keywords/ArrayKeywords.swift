internal import JSON

// `prefixItems`, `items`, `contains` (core, section 10.3.1) and the assertions about arrays (validation, section 6.4).

extension SchemaCompiler {
  mutating func compileItems(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let isNew = work.dialect.draft == .draft2020
    switch keyword {
    case .prefixItems:
      compilePrefix(keyword, value, &work)
    case .items:
      if !isNew, case .array = value {
        compilePrefix(keyword, value, &work)
      } else {
        let start = isNew ? work.members["prefixItems"]?.arrayValue?.count ?? 0 : 0
        work.emit(.items, keyword, child(work, "items"), Int32(clamping: start))
      }
    case .additionalItems:
      // It needs an array of `items` beside it.
      guard let prefix = work.members["items"]?.arrayValue else { return }
      work.emit(.items, keyword, child(work, "additionalItems"), Int32(clamping: prefix.count))
    default:
      let counts = work.has(.validation) && work.dialect.draft.has(.minContains)
      let atLeast = counts ? work.members["minContains"].flatMap { count(.minContains, $0, work) } ?? 1 : 1
      let atMost = counts ? work.members["maxContains"].flatMap { count(.maxContains, $0, work) } ?? -1 : -1
      work.emit(.contains, keyword, child(work, "contains"), atLeast, atMost)
    }
  }

  private mutating func compilePrefix(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    guard let elements = value.arrayValue, !elements.isEmpty || keyword == .items else {
      report(work, keyword.rawValue, "\(keyword.rawValue) must be an array with at least one schema")
      return
    }
    let schemas = elements.indices.map { child(work, keyword.rawValue, String($0)) }
    work.emit(.prefixItems, keyword, tables.addList(schemas), Int32(schemas.count))
  }

  mutating func compileArrayAssertion(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .uniqueItems:
      guard let isOn = value.boolValue else {
        report(work, "uniqueItems", "uniqueItems must be true or false")
        return
      }
      if isOn { work.emit(.uniqueItems, keyword) }
    case .maxItems:
      if let limit = count(keyword, value, work) { work.emit(.maxItems, keyword, limit) }
    case .minItems:
      if let limit = count(keyword, value, work) { work.emit(.minItems, keyword, limit) }
    default:
      // Read with `contains`; without it they only have to be counts.
      if work.members["contains"] == nil { _ = count(keyword, value, work) }
    }
  }
}

/// Finding equal elements.
enum Duplicates {
  private static let quadraticMax = 16

  /// The positions of the first two equal elements, or nil if all differ.
  static func first(in elements: [JSON]) -> (Int, Int)? {
    guard elements.count > 1 else { return nil }
    if elements.count <= quadraticMax {
      for later in 1..<elements.count {
        for earlier in 0..<later where elements[earlier] == elements[later] { return (earlier, later) }
      }
      return nil
    }
    let hashes = elements.map(\.hashValue)
    // A hash table of positions is a tenth of a dictionary of values, and stays in the processor's cache.
    var places: [Int32] = Array(repeating: -1, count: 1 << (Int.bitWidth - (2 * elements.count).leadingZeroBitCount))
    for (position, hash) in hashes.enumerated() {
      var place = hash & (places.count - 1)
      while places[place] >= 0 {
        let earlier = Int(places[place])
        if hashes[earlier] == hash, elements[earlier] == elements[position] { return (earlier, position) }
        place = (place + 1) & (places.count - 1)
      }
      places[place] = Int32(position)
    }
    return nil
  }
}
