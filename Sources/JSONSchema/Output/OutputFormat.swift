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
  /// Where a bound was reached before there was a verdict, `valid` is null, and `error` says which: the standard knows no such case.
  ///
  /// - Parameters:
  ///   - format: which one.
  ///   - locale: in which language errors are worded.
  public func output(_ format: OutputFormat, locale: String = "en") -> JSON {
    if case .undecided(let bound) = verdict {
      return [
        "valid": .null, "keywordLocation": "", "instanceLocation": "", "error": .string(bound.message(locale: locale)),
      ]
    }
    switch format {
    case .flag:
      return ["valid": .bool(isValid)]
    case .basic:
      var units: [JSON] = []
      if isValid {
        units = annotations.map { .object($0.outputUnit) }
      } else {
        for failure in failures { failure.appendOutputUnits(to: &units, locale: locale) }
      }
      return .object(Self.root(isValid: isValid, units))
    case .detailed:
      var tree = OutputTree()
      if isValid {
        for annotation in annotations { tree.insert(annotation.outputUnit, at: annotation.keywordLocation) }
      } else {
        for failure in failures { tree.insert(failure, locale: locale) }
      }
      return .object(Self.root(isValid: isValid, tree.units(isValid: isValid)))
    }
  }

  private static func root(isValid: Bool, _ units: [JSON]) -> JSONObject {
    var root: JSONObject = ["valid": .bool(isValid), "keywordLocation": "", "instanceLocation": ""]
    if !units.isEmpty { root[isValid ? "annotations" : "errors"] = .array(units) }
    return root
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

  func appendOutputUnits(to units: inout [JSON], locale: String) {
    units.append(.object(outputUnit(locale: locale)))
    for cause in causes { cause.appendOutputUnits(to: &units, locale: locale) }
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
