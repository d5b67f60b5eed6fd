internal import JSON
internal import Texts

/// Which members of an object a keyword looks at.
public enum ReadSet: Hashable, Sendable {
  /// Only these members; sorted by name, none twice.
  case names([String])
  /// Every member, and every one that might be added, except these.
  case all(except: [String])

  /// Nothing.
  public static let nothing = ReadSet.names([])
  /// Every member.
  public static let everything = ReadSet.all(except: [])

  /// Whether a change of that member can change the result of the keyword.
  public func contains(_ name: String) -> Bool {
    switch self {
    case .names(let names): names.contains { $0.hasSameUTF8(as: name) }
    case .all(let exceptions): !exceptions.contains { $0.hasSameUTF8(as: name) }
    }
  }
}
