internal import Texts

/// The attributes that must be known before an evaluation can have a result.
public final class UnknownSet: Sendable {
  /// The attributes as written, such as `values.email`; sorted, none twice.
  public let attributes: [String]

  /// Takes the attributes in any order. One that is repeated counts once.
  public init(_ attributes: some Sequence<String>) {
    self.attributes = Set(attributes).sorted { $0.utf8Order($1) < 0 }
  }

  /// The missing attributes of two values together.
  public func union(_ other: UnknownSet) -> UnknownSet {
    self === other ? self : UnknownSet(attributes + other.attributes)
  }
}

extension UnknownSet: Equatable {
  public static func == (left: UnknownSet, right: UnknownSet) -> Bool { left.attributes == right.attributes }
}
