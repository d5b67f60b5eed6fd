public import JSON

/// One way in which an instance does not meet a schema. Failures are data; ``message(locale:)`` words them.
///
/// A failure contains a value of the instance only if ``found`` was asked for, and never a secret. Names, positions,
/// counts and types do not count as secrets.
public struct Failure: Hashable, Sendable {
  /// Why it failed.
  public enum Kind: String, Hashable, Sendable {
    /// The instance does not meet the keyword.
    case invalid
    /// It could not be found out within the bounds on work: a regular expression that runs away, or references that
    /// multiply.
    case tooCostly
    /// It could not be found out within the bound on depth.
    case tooDeep
  }

  /// Why it failed.
  public var kind: Kind
  /// The keyword that is not met.
  public var keyword: Keyword
  /// The location of the value that does not meet the keyword.
  public var instanceLocation: JSONPointer
  /// The way to the keyword from the schema that was evaluated, through every reference that was followed.
  public var keywordLocation: JSONPointer
  /// The keyword's own location: the URI of its schema resource (empty if it has none) and a pointer inside it.
  public var absoluteKeywordLocation: String
  /// The parameters of the message.
  public var parameters: FailureParameters
  /// The value at that location, if the caller asked for it (``EvaluationDetails/foundValues``) and it is not a secret.
  public var found: FoundValue?
  /// For `anyOf`, `oneOf`, `contains` and `propertyNames`: why the schemas inside did not hold.
  public var causes: [Failure]

  public init(
    kind: Kind,
    keyword: Keyword,
    instanceLocation: JSONPointer,
    keywordLocation: JSONPointer,
    absoluteKeywordLocation: String,
    parameters: FailureParameters,
    found: FoundValue? = nil,
    causes: [Failure]
  ) {
    self.kind = kind
    self.keyword = keyword
    self.instanceLocation = instanceLocation
    self.keywordLocation = keywordLocation
    self.absoluteKeywordLocation = absoluteKeywordLocation
    self.parameters = parameters
    self.found = found
    self.causes = causes
  }
}

extension Failure {
  /// The failures that have to be corrected. If a failure only says that no alternative holds, these are its causes and
  /// their leaves; else the failure itself.
  public var leaves: [Failure] {
    switch keyword {
    case .anyOf, .oneOf: causes.isEmpty ? [self] : causes.flatMap(\.leaves)
    default: [self]
    }
  }
}

/// The parameters of a failure's message, by keyword.
public enum FailureParameters: Hashable, Sendable {
  /// No parameters: the keyword's name says enough.
  case none
  /// A bound and the actual count: lengths, items, members, matches of `contains`.
  case count(limit: Int, actual: Int)
  /// A bound on a number.
  case limit(JSON)
  /// `type`: the names of the types that are wanted and the one that was found.
  case types(expected: [String], actual: String)
  /// `required`: the member that is missing.
  case missing(property: String)
  /// `dependentRequired`: the member that is missing because another is there.
  case dependency(property: String, missing: String)
  /// `enum`, or `const` with one value: the allowed values.
  case allowed([JSON])
  /// `pattern`: the regular expression.
  case pattern(String)
  /// `format`: its name.
  case format(String)
  /// `additionalProperties`, `unevaluatedProperties`, `propertyNames`: the member that is not allowed.
  case property(String)
  /// `items`, `unevaluatedItems`: the position of the element that is not allowed.
  case item(Int)
  /// `uniqueItems`: the positions of two equal elements.
  case duplicates(first: Int, second: Int)
  /// `oneOf`: the positions of the schemas that hold, two at least.
  case matches([Int])
  /// The limit that the evaluation reached when it was given up.
  case bound(EvaluationBound)
}

extension FailureParameters {
  /// The parameters as a JSON object: `limit`, `actual`, `expected`, `missing`, `property`, `allowed`, `pattern`,
  /// `format`, `item`, `first`, `second`, `matches`.
  public var object: JSONObject {
    switch self {
    case .none, .bound: [:]
    case .count(let limit, let actual): ["limit": .integer(Int64(limit)), "actual": .integer(Int64(actual))]
    case .limit(let limit): ["limit": limit]
    case .types(let expected, let actual):
      ["expected": .array(expected.map { .string($0) }), "actual": .string(actual)]
    case .missing(let property): ["missing": .string(property)]
    case .dependency(let property, let missing): ["property": .string(property), "missing": .string(missing)]
    case .allowed(let values): ["allowed": .array(values)]
    case .pattern(let source): ["pattern": .string(source)]
    case .format(let name): ["format": .string(name)]
    case .property(let name): ["property": .string(name)]
    case .item(let position): ["item": .integer(Int64(position))]
    case .duplicates(let first, let second): ["first": .integer(Int64(first)), "second": .integer(Int64(second))]
    case .matches(let positions): ["matches": .array(positions.map { .integer(Int64($0)) })]
    }
  }

  /// The member that is missing, for `required` and `dependentRequired`.
  public var missingProperty: String? {
    switch self {
    case .missing(let property), .dependency(_, let property): property
    default: nil
    }
  }
}
