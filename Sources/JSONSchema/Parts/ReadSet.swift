/// Which members of an object a keyword looks at.
public enum ReadSet: Hashable, Sendable {
  /// Those only; sorted by name, none twice.
  case names([String])
  /// Every member, and every one that might be added, but not those.
  case all(except: [String])

  /// Nothing.
  public static let nothing = ReadSet.names([])
  /// Every member.
  public static let everything = ReadSet.all(except: [])

  /// Whether a change of that member can change what the keyword says.
  public func contains(_ name: String) -> Bool {
    switch self {
    case .names(let names): names.contains { $0.utf8.elementsEqual(name.utf8) }
    case .all(let exceptions): !exceptions.contains { $0.utf8.elementsEqual(name.utf8) }
    }
  }

  /// What at least one of both reads.
  func union(_ other: ReadSet) -> ReadSet {
    switch (self, other) {
    case (.names(let a), .names(let b)): .names(Self.joined(a, b))
    case (.all(let a), .names(let b)), (.names(let b), .all(let a)):
      .all(except: a.filter { !ReadSet.names(b).contains($0) })
    case (.all(let a), .all(let b)): .all(except: a.filter { ReadSet.names(b).contains($0) })
    }
  }

  private static func joined(_ a: [String], _ b: [String]) -> [String] {
    guard !b.isEmpty else { return a }
    var result = a
    for name in b where !ReadSet.names(result).contains(name) { result.append(name) }
    return result.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
