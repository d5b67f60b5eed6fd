package import JSON
package import JSONSchema

/// What a schema says of an object.
package struct ResourceJudgment: Sendable {
  /// Why nobody knows whether the object is right.
  package enum Doubt: Sendable {
    /// Applying the schema was given up.
    case schema(EvaluationBound)
    /// Evaluating rules was given up, at that one.
    case rule(String)
  }

  /// What is wrong.
  package fileprivate(set) var faults: [ResourceFault] = []
  /// Whether there may be more than is told.
  package fileprivate(set) var isCut = false
  /// The members that the schema does not know, which the server drops.
  package fileprivate(set) var dropped: [JSONPointer] = []
  /// Whether rules were left out, because the object is not of the shape that they are about.
  package fileprivate(set) var leftOutRules = false
  /// Why nobody knows; nil where that is known.
  package fileprivate(set) var doubt: Doubt?
}

extension ResourceSchema {
  /// So many failures of the schema are collected.
  private static let failuresMax = 10_000

  /// Judges an object as the server does: what it does not know is dropped, defaults come in, the schema is applied, then the rules.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - old: the object that it takes the place of; nil where it is new.
  ///   - locale: the language of messages.
  package func judge(_ object: JSON, replacing old: JSON? = nil, locale: String = "en") -> ResourceJudgment {
    var judgment = ResourceJudgment()
    let object = root.completed(root.pruned(object, at: .root, dropped: &judgment.dropped))
    var droppedBefore: [JSONPointer] = []
    let old = old.map { root.completed(root.pruned($0, at: .root, dropped: &droppedBefore)) }
    let evaluation = values.evaluate(object, limit: Self.failuresMax, telling: .foundValues)
    if case .undecided(let bound) = evaluation.verdict {
      judgment.doubt = .schema(bound)
      return judgment
    }
    judgment.isCut = evaluation.isCut
    for leaf in evaluation.failures.flatMap(\.leaves) {
      judgment.faults.append(
        ResourceFault(
          pointer: leaf.instanceLocation,
          code: leaf.keyword.rawValue,
          message: leaf.message(locale: locale),
          keywordLocation: leaf.keywordLocation,
          isLack: leaf.parameters.missingProperty != nil
        )
      )
    }
    root.addFaults(of: object, at: .root, to: &judgment.faults)
    for index in judgment.faults.indices {
      let tokens = judgment.faults[index].pointer.tokens
      judgment.faults[index].isTolerated = root.isUnchanged(at: tokens[...], in: object, old: old)
    }
    let blocks = evaluation.failures.contains { failure in
      Self.blocking.contains(failure.keyword)
        && !root.isUnchanged(at: failure.instanceLocation.tokens[...], in: object, old: old)
    }
    if root.hasRules, blocks {
      judgment.leftOutRules = true
      return judgment
    }
    var evaluator = RuleEvaluator(self)
    evaluator.evaluate(object, old: old, by: root)
    judgment.faults += evaluator.faults
    judgment.doubt = evaluator.unfinished.map { .rule($0) }
    return judgment
  }

  /// Where one of these does not hold, rules are not evaluated: they could count on it (`k8s.io/apiextensions-apiserver`,
  /// "hasBlockingErr").
  private static let blocking: Set<Keyword> = [.required, .type, .enum, .maxLength, .maxItems, .maxProperties]
}
