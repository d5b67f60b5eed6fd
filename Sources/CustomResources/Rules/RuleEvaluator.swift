internal import CEL
internal import JSON
internal import JSONSchema
internal import TextFormats

/// Evaluates the rules of a schema on an object, and on all that is in it.
struct RuleEvaluator {
  private let schema: ResourceSchema
  private var budget: WorkBudget
  /// What the rules found.
  private(set) var faults: [ResourceFault] = []
  /// The rule at which evaluating was given up; nil where it was not.
  private(set) var unfinished: String?

  init(_ schema: ResourceSchema) {
    self.schema = schema
    budget = WorkBudget(units: schema.limits.evaluationStepsMax)
  }

  /// Evaluates the rules of a value and of its parts.
  ///
  /// - Parameters:
  ///   - value: the value; null has no rules.
  ///   - old: what was there before; nil where nothing was, or it cannot be known what.
  ///   - node: its schema.
  ///   - pointer: where it stands.
  ///   - isUnchanged: whether what it is a part of is as it was.
  mutating func evaluate(
    _ value: JSON,
    old: JSON?,
    by node: StructuralSchema,
    at pointer: JSONPointer = .root,
    isUnchanged: Bool = false
  ) {
    guard node.hasRules, !value.isNull, unfinished == nil else { return }
    let old = old.flatMap { $0.isNull ? nil : $0 }
    let isUnchanged = old.map { $0 == value } ?? isUnchanged
    if let rules = schema.rules[node.id] {
      evaluate(rules, on: node.value(of: value), old.map { node.value(of: $0) }, at: pointer, isUnchanged)
    }
    for part in node.parts(of: value, old: old) {
      evaluate(part.value, old: part.old, by: part.schema, at: pointer.appending(part.token), isUnchanged: isUnchanged)
    }
  }

  private mutating func evaluate(
    _ rules: [ValidationRule],
    on value: Value,
    _ old: Value?,
    at pointer: JSONPointer,
    _ isUnchanged: Bool
  ) {
    for rule in rules where unfinished == nil {
      if rule.usesOldSelf, old == nil, !rule.isOldSelfOptional { continue }
      let oldSelf: Value =
        rule.isOldSelfOptional ? .optional(old) : old ?? .failure(.noSuchVariable, "there is no oldSelf")
      let slots = [value, oldSelf]
      let result = evaluate(rule.program, slots)
      switch result {
      case .bool(true): continue
      case .error(let error) where Self.isGivingUp(error): unfinished = rule.source
      default:
        faults.append(
          ResourceFault(
            pointer: JSONPointer(tokens: pointer.tokens + (result == false ? rule.fieldPath : [])),
            code: rule.reason.rawValue,
            message: message(of: rule, result, slots),
            keywordLocation: rule.location,
            isTolerated: isUnchanged && !rule.usesOldSelf
          )
        )
      }
    }
  }

  private mutating func evaluate(_ program: Program, _ slots: [Value]) -> Value {
    slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }
  }

  private static func isGivingUp(_ error: EvaluationError) -> Bool {
    error.kind == .budgetExceeded || error.kind == .tooLarge
  }

  private mutating func message(of rule: ValidationRule, _ result: Value, _ slots: [Value]) -> String {
    if case .error(let error) = result { return "\(error), evaluating rule: \(rule.message ?? rule.source)" }
    guard let expression = rule.messageExpression, case .string(let text) = evaluate(expression, slots) else {
      return rule.defaultMessage
    }
    let message = text.trimmingSpaces
    let isUsable = !message.isEmpty && message.utf8.count <= Self.messageBytesMax && !message.utf8.contains(0x0a)
    return isUsable ? message : rule.defaultMessage
  }

  /// A longer message is not shown.
  private static let messageBytesMax = 5_120
}
