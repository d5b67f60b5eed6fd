package import JSON

/// Compares what is expected with what is there: an object may have more members, a list has exactly the expected elements, and null
/// stands for what is absent.
package enum PartialComparison {
  /// One place where something else stands.
  package struct Difference: Hashable, Sendable {
    /// Where, from the value that was compared.
    package var place: JSONPointer
    /// What should stand there; null: nothing.
    package var expected: JSON
    /// What stands there; nil: nothing.
    package var got: JSON?
  }

  /// Every place where something else stands than is expected; none for values that agree.
  package static func differences(
    expected: JSON,
    got: JSON?,
    at place: JSONPointer = .root
  ) -> [Difference] {
    switch (expected, got) {
    case (.null, nil), (.null, .null?): return []
    case (.object(let wanted), .object(let present)?):
      return wanted.flatMap { member in
        differences(expected: member.value, got: present[member.name], at: place.appending(member.name))
      }
    case (.array(let wanted), .array(let present)?) where wanted.count == present.count:
      return zip(wanted, present).enumerated().flatMap { position, pair in
        differences(expected: pair.0, got: pair.1, at: place.appending(position))
      }
    default:
      return expected == got ? [] : [Difference(place: place, expected: expected, got: got)]
    }
  }

  /// Whether what is there has all that is expected.
  package static func agrees(expected: JSON, got: JSON?) -> Bool { differences(expected: expected, got: got).isEmpty }
}
