internal import Budgets
import Formats
import FuzzCost
import JSON
import JSONSchema

/// The input is a JSON array of a schema and an instance, and perhaps the draft in which the schema is read. Compiling,
/// checking and evaluating must end without a trap, and all ways of asking must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSONSchema(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

/// The budget of one evaluation.
private let units = 20_000

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  guard case .array(let parts)? = try? JSON(parsing: input, numbers: .exact), 2...3 ~= parts.count else {
    return Reached("no pair", isKept: false)
  }
  let draft = parts.count == 3 ? parts[2].stringValue.flatMap { SchemaDraft(rawValue: $0) } : nil
  let limits = SchemaLimits(schemasMax: 2000, evaluationDepthMax: 200, evaluationStepsMax: units)
  let options = CompileOptions(assertsFormat: true, draft: draft ?? .draft2020, limits: limits)
  // The meta-schema has the limits, too.
  let findings = meter.bounded(units: units) { Schema.check(parts[0], options: options) }
  let schema: Schema
  do {
    schema = try Schema.compile(parts[0], options: options)
  } catch {
    precondition(!error.problems.isEmpty, "refused without a problem")
    precondition(!findings.problems.isEmpty, "refused, but the check reports no problem")
    _ = error.description
    return Reached("refused")
  }
  let instance = parts[1]
  let isValid = meter.bounded(units: units) { schema.validate(instance) }
  let failures = meter.bounded(units: units) { schema.failures(of: instance, limit: 10_000) }
  precondition(failures.isEmpty == isValid, "validity and failures disagree")
  // There are as many failures and annotations as the evaluation had time for.
  meter.bounded(units: units) {
    for failure in failures {
      _ = failure.message(locale: "en")
      _ = failure.message(locale: "ko")
    }
  }
  let evaluation = meter.bounded(units: units) { schema.evaluate(instance, limit: 10_000) }
  for format in OutputFormat.allCases { _ = meter.bounded(units: units) { evaluation.output(format) } }
  let objectParts = schema.objectParts()
  // Near the bounds the ways of asking may give up at different points.
  guard !failures.contains(where: \.isGivenUp), !evaluation.failures.contains(where: \.isGivenUp) else {
    return Reached("given up")
  }
  precondition(evaluation.isValid == isValid, "validity and evaluation disagree")
  // Each part is asked for its validity and for its failures.
  if case .object(let object) = instance { meter.bounded(units: 3 * units) { check(objectParts, object, failures) } }
  return Reached("evaluated\(draft.map { ", draft \($0.rawValue)" } ?? "")")
}

/// The parts make up the whole.
private func check(_ parts: ObjectParts, _ object: JSONObject, _ failures: [Failure]) {
  var found: [Failure] = []
  var budget = WorkBudget(units: 2_000_000)
  for (index, property) in parts.properties.enumerated() {
    guard let value = object[property.name] else { continue }
    parts.failures(of: value, property: index, into: &found, limit: 10_000, budget: &budget)
    if case .string(let text) = value, text.utf8.count <= parts.textBytesMax(property: index) {
      precondition(
        parts.isValid(value, property: index, budget: &budget),
        "a text that is accepted by its length is not valid"
      )
    }
  }
  for (index, requirement) in parts.required.enumerated() where object[requirement.name] == nil {
    found.append(parts.failure(missing: index))
  }
  for index in parts.keywords.indices {
    let failures = parts.failures(of: .object(object), keyword: index, limit: 10_000, budget: &budget)
    precondition(
      failures.isEmpty == parts.isValid(.object(object), keyword: index, budget: &budget)
        || failures.contains(where: \.isGivenUp)
    )
    found += failures
  }
  guard !found.contains(where: \.isGivenUp) else { return }
  precondition(Set(found) == Set(failures), "the parts and the whole disagree")
}

extension Failure {
  fileprivate var isGivenUp: Bool { kind != .invalid || causes.contains(where: \.isGivenUp) }
}
