internal import Budgets
internal import JSON
internal import JSONSchema
internal import Texts

/// The schema taken apart by its objects: see ``SchemaUnit``.
extension ObjectTree {
  /// The objects that the schema describes, the root first.
  var units: [SchemaUnit] {
    var fields = [Int?](repeating: nil, count: objects.count)
    for (index, member) in members.enumerated() { if let object = member.object { fields[object] = index } }
    var first = 0
    return zip(fields, objects).map { field, object in
      defer { first += object.parts.keywords.count }
      return SchemaUnit(
        field: field,
        object: object.parts,
        keywords: first..<first + object.parts.keywords.count,
        others: object.others,
        areOthersSecret: object.areOthersSecret
      )
    }
  }

  /// The object-level keywords of all units, with the root's first.
  ///
  /// - Parameter budget: the budget that pays for finding the members that they read.
  func objectKeywords(budget: CompileBudget) -> [ObjectKeyword] {
    var membersOfObject = [[Int]](repeating: [], count: objects.count)
    for (index, member) in members.enumerated() { membersOfObject[member.owner].append(index) }
    var keywords: [ObjectKeyword] = []
    for (unit, object) in objects.enumerated() where !object.parts.keywords.isEmpty {
      let own = membersOfObject[unit]
      let index = Dictionary(
        own.map { (UTF8Key(text: members[$0].name), $0) },
        uniquingKeysWith: { first, _ in first }
      )
      for (position, keyword) in object.parts.keywords.enumerated() {
        let fields: [Int]
        let readsOtherMembers: Bool
        switch keyword.reads {
        case .names(let names) where budget.spend(names.count):
          fields = names.compactMap { index[UTF8Key(text: $0)] }.sorted()
          readsOtherMembers = fields.count < names.count
        case .all(let exceptions) where budget.spend(exceptions.count + own.count):
          let spared = Set(exceptions.compactMap { index[UTF8Key(text: $0)] })
          fields = own.filter { !spared.contains($0) }
          readsOtherMembers = true
        default:
          fields = []
          readsOtherMembers = false
        }
        keywords.append(
          ObjectKeyword(
            unit: unit,
            number: position,
            location: keyword.keywordLocation,
            fields: fields,
            readsOtherMembers: readsOtherMembers,
            readsPresenceAlone: keyword.readsPresenceAlone || keyword.readsCountAlone,
            reachesInside: keyword.reachesInside
          )
        )
      }
    }
    return keywords
  }
}
