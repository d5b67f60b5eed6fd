public import JSON

/// The output formats of the standard that are rendered here (core, section 12.4).
public enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  /// Whether the instance is valid.
  case flag
  /// Every failure, or every annotation, in a flat list.
  case basic
  /// Failures, or annotations, in a tree that follows the schemas.
  case detailed
}

extension Evaluation {
  /// The evaluation in one of the standard's formats.
  ///
  /// If a limit was reached before there was a verdict, `valid` is null, and `error` names the limit: the standard does
  /// not know this case.
  ///
  /// - Parameters:
  ///   - format: which one.
  ///   - locale: in which language errors are worded.
  ///   - failuresMax: the largest number of failures in the output; `omitted` then says how many more there are, which
  ///     the standard does not know either.
  public func output(_ format: OutputFormat, locale: String = "en", failuresMax: Int = .max) -> JSON {
    if case .undecided(let bound) = verdict {
      return [
        "valid": .null, "keywordLocation": "", "instanceLocation": "", "error": .string(bound.message(locale: locale)),
      ]
    }
    switch format {
    case .flag:
      return ["valid": .bool(isValid)]
    case .basic:
      var units = OutputUnits()
      if isValid {
        for annotation in annotations { units.append(annotation.outputUnit) }
      } else {
        for failure in failures.prefix(failuresMax) { units.append(failure, locale: locale) }
      }
      return .object(root(units.units, failuresMax: failuresMax))
    case .detailed:
      var tree = OutputTree()
      if isValid {
        for annotation in annotations { tree.insert(annotation.outputUnit, at: annotation.keywordLocation) }
      } else {
        for failure in failures.prefix(failuresMax) { tree.insert(failure, locale: locale) }
      }
      return .object(root(tree.units(isValid: isValid), failuresMax: failuresMax))
    }
  }

  private func root(_ units: [JSON], failuresMax: Int) -> JSONObject {
    var root: JSONObject = ["valid": .bool(isValid), "keywordLocation": "", "instanceLocation": ""]
    if !units.isEmpty { root[isValid ? "annotations" : "errors"] = .array(units) }
    if failures.count > failuresMax { root["omitted"] = .integer(Int64(failures.count - failuresMax)) }
    return root
  }
}

/// Output units in a flat list.
private struct OutputUnits {
  private(set) var units: [JSON] = []
  /// The failures in the output: one keyword reports one value once, even if several ways lead to it.
  private var told: Set<[String]> = []

  mutating func append(_ unit: JSONObject) { units.append(.object(unit)) }

  /// A failure with its causes. The failures that have to be corrected come before the alternatives that they would
  /// make hold.
  mutating func append(_ failure: Failure, locale: String) {
    let comesLast = failure.keyword == .anyOf || failure.keyword == .oneOf
    if comesLast { for cause in failure.causes { append(cause, locale: locale) } }
    let unit = failure.outputUnit(locale: locale)
    let location = [
      failure.instanceLocation.description, failure.absoluteKeywordLocation, failure.message(locale: locale),
    ]
    if told.insert(location).inserted { append(unit) }
    if !comesLast { for cause in failure.causes { append(cause, locale: locale) } }
  }
}

extension Failure {
  /// The failure as an output unit, without its causes.
  func outputUnit(locale: String) -> JSONObject {
    [
      "valid": false, "keywordLocation": .string(keywordLocation.description),
      "absoluteKeywordLocation": .string(absoluteKeywordLocation),
      "instanceLocation": .string(instanceLocation.description), "error": .string(message(locale: locale)),
    ]
  }
}

extension Annotation {
  /// The annotation as an output unit.
  var outputUnit: JSONObject {
    [
      "valid": true, "keywordLocation": .string(keywordLocation.description),
      "absoluteKeywordLocation": .string(absoluteKeywordLocation),
      "instanceLocation": .string(instanceLocation.description), "annotation": value,
    ]
  }
}
