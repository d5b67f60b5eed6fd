internal import JSON

/// The failures of shared schemas for the objects and arrays of one instance. If several ways lead to a value, each
/// reports its failures without evaluating it again. (``JudgmentCache`` keeps whether they hold.)
struct FoundFailures {
  private struct Key: Hashable {
    var address: UInt
    var schema: Int32
  }

  private struct Found {
    var failures: [Failure]
    /// How long the ways were that the failures' locations begin with.
    var instanceDepth: Int
    var keywordDepth: Int
  }

  /// The largest number of failures that are kept.
  private static let failuresMax = 20_000

  private var found: [Key: Found] = [:]
  private var failuresLeft = failuresMax

  /// Keeps the failures of a schema for the container at an address.
  mutating func keep(_ failures: [Failure], of schema: Int32, at address: UInt, instanceDepth: Int, keywordDepth: Int) {
    guard failuresLeft > failures.total else { return }
    failuresLeft -= failures.total
    found[Key(address: address, schema: schema)] = Found(
      failures: failures,
      instanceDepth: instanceDepth,
      keywordDepth: keywordDepth
    )
  }

  /// The failures of a schema for the container at an address, with paths from the current location; nil if they are
  /// not known.
  func failures(of schema: Int32, at address: UInt, instancePath: [String], keywordPath: [String]) -> [Failure]? {
    guard let found = found[Key(address: address, schema: schema)] else { return nil }
    func told(_ failure: Failure) -> Failure {
      var moved = failure
      let instance = instancePath + failure.instanceLocation.tokens.dropFirst(found.instanceDepth)
      moved.instanceLocation = JSONPointer(tokens: instance)
      moved.keywordLocation = JSONPointer(
        tokens: keywordPath + failure.keywordLocation.tokens.dropFirst(found.keywordDepth)
      )
      moved.causes = failure.causes.map(told)
      return moved
    }
    return found.failures.map(told)
  }
}
