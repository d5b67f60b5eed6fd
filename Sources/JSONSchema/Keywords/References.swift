internal import JSON

// `$ref` and `$dynamicRef` (core, section 8.2.3), and `$recursiveRef` of draft 2019-09.

extension KeywordRule {
  /// References.
  static let references: [KeywordRule] = [
    KeywordRule(.ref) { $0.compileReference($1, $2, &$3) },
    KeywordRule(.dynamicRef, from: .draft2020) { $0.compileReference($1, $2, &$3) },
    KeywordRule(.recursiveRef, from: .draft2019, upTo: .draft2019) { $0.compileReference($1, $2, &$3) },
  ]
}

extension SchemaCompiler {
  mutating func compileReference(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let name = keyword.rawValue
    guard let reference = value.stringValue else {
      report(work, name, "\(name) must be a string")
      return
    }
    guard let target = registry.resolve(reference, from: work.location) else {
      let absent = registry.absentDocument(of: reference, from: work.location)
      let reason = absent.map { ": there is no document \($0)" } ?? ""
      report(work, name, "\(reference) leads to no schema\(reason)", kind: .unresolvedReference)
      return
    }
    let schema = schema(at: target.location)
    switch keyword {
    case .dynamicRef:
      if let anchor = target.dynamicAnchor {
        work.emit(.dynamicReference, keyword, addDynamicReference(named: anchor, initial: schema))
        return
      }
    case .recursiveRef:
      let resource = registry.resources[registry.locations[target.location].resource]
      if resource.dynamicAnchors[SchemaRegistry.recursiveAnchor] != nil {
        let anchor = SchemaRegistry.recursiveAnchor
        work.emit(.dynamicReference, keyword, addDynamicReference(named: anchor, initial: schema))
        return
      }
    default:
      break
    }
    work.emit(.reference, keyword, schema)
  }
}
