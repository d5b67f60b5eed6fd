internal import JSON
internal import Texts

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
    case .names(let names): names.contains { $0.hasSameUTF8(as: name) }
    case .all(let exceptions): !exceptions.contains { $0.hasSameUTF8(as: name) }
    }
  }

  /// What at least one of both reads.
  func union(_ other: ReadSet) -> ReadSet {
    switch (self, other) {
    case (.names(let a), .names(let b)):
      return .names(Self.sorted(Set((a + b).map { UTF8Key(text: $0) })))
    case (.all(let a), .names(let b)), (.names(let b), .all(let a)):
      let read = Set(b.map { UTF8Key(text: $0) })
      return .all(except: a.filter { !read.contains(UTF8Key(text: $0)) })
    case (.all(let a), .all(let b)):
      return .all(except: Self.sorted(Set(a.map { UTF8Key(text: $0) }).intersection(b.map { UTF8Key(text: $0) })))
    }
  }

  private static func sorted(_ names: Set<UTF8Key>) -> [String] {
    names.map(\.text).sorted { $0.precedesInUTF8($1) }
  }
}
