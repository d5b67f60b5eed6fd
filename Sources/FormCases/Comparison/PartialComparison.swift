package import JSON

/// Compares an expected value with the actual value.
///
/// - An object may have more members than expected.
/// - A list must have exactly the expected elements.
/// - null stands for an absent value.
package enum PartialComparison {
  /// One location at which the values differ.
  package struct Difference: Hashable, Sendable {
    /// The location, relative to the compared value.
    package var pointer: JSONPointer
    /// The expected value; null: none.
    package var expected: JSON
    /// The actual value; nil: none.
    package var got: JSON?
  }

  /// All differences; none if the values agree.
  package static func differences(
    expected: JSON,
    got: JSON?,
    at pointer: JSONPointer = .root
  ) -> [Difference] {
    switch (expected, got) {
    case (.null, nil), (.null, .null?): return []
    case (.object(let wanted), .object(let present)?):
      return wanted.flatMap { member in
        differences(expected: member.value, got: present[member.name], at: pointer.appending(member.name))
      }
    case (.array(let wanted), .array(let present)?) where wanted.count == present.count:
      return zip(wanted, present).enumerated().flatMap { position, pair in
        differences(expected: pair.0, got: pair.1, at: pointer.appending(position))
      }
    default:
      return expected == got ? [] : [Difference(pointer: pointer, expected: expected, got: got)]
    }
  }

  /// Whether the actual value has everything that is expected.
  package static func agrees(expected: JSON, got: JSON?) -> Bool { differences(expected: expected, got: got).isEmpty }
}
