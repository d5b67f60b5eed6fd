/// `a.field` on maps, records and optionals of them.
final class SelectNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let field: String
  private let reading: Reading
  private let levels: Int
  private let id: Int

  init(_ operand: PlanNode, _ field: String, reading: Reading, id: Int) {
    self.operand = operand
    self.field = field
    self.reading = reading
    self.id = id
    levels = operand.writtenLevels
  }

  override var absent: Value { reading.absent }
  override var writtenLevels: Int { max(0, levels - 1) }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = given(&frame)
    if case .null = value { return reading.absent }
    return value
  }

  override func given(_ frame: inout Frame) -> Value {
    let value = operand.evaluate(&frame)
    switch value {
    case .map(let map):
      return map[field].map { reading($0) }
        ?? (frame.spreadsAbsence && levels == 0 ? .null : Value.noSuchKey(.string(field)).located(id))
    case .null where frame.spreadsAbsence:
      return .null
    case .optional(let optional):
      guard let inner = optional.value else { return .optional(.none) }
      return reading(inner.optionalField(field)).located(id)
    case .error, .unknown:
      return value
    default:
      return Self.hasNoFields(value, field).located(id, of: [value])
    }
  }

  static func hasNoFields(_ value: Value, _ field: String) -> Value {
    let type = value.runtimeType?.name ?? "error"
    return .failure(.noSuchOverload, "no such overload: a value of type \(type) has no field '\(field)'")
  }
}

/// `a.?field`
final class OptionalSelectNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let field: String
  private let reading: Reading
  private let id: Int

  init(_ operand: PlanNode, _ field: String, reading: Reading, id: Int) {
    self.operand = operand
    self.field = field
    self.reading = reading
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = operand.evaluate(&frame)
    switch value {
    case .error, .unknown: return value
    case .optional(let optional):
      guard let inner = optional.value else { return value }
      return reading(inner.optionalField(field)).located(id)
    case .null where frame.spreadsAbsence: return .optional(nil)
    default: return reading(value.optionalField(field)).located(id)
    }
  }
}

/// `has(a.field)`
final class FieldTestNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let field: String
  private let id: Int

  init(_ operand: PlanNode, _ field: String, id: Int) {
    self.operand = operand
    self.field = field
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    var value = operand.evaluate(&frame)
    while case .optional(let optional) = value {
      guard let inner = optional.value else { return .no }
      value = inner
    }
    switch value {
    case .map(let map): return map[field].map { frame.isAbsent($0) } ?? true ? .no : .yes
    case .error, .unknown: return fail(value, id: id, &frame)
    case .null where frame.spreadsAbsence: return .no
    default: return fail(SelectNode.hasNoFields(value, field), id: id, &frame)
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `has(a.b.c)` of a variable `a`: a value on the way that is absent or not a map has no members.
final class TreeTestNode: PlanNode, @unchecked Sendable {
  private let root: PlanNode
  private let names: [String]
  private let id: Int

  init(_ root: PlanNode, _ names: [String], id: Int) {
    self.root = root
    self.names = names
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    var value = root.evaluate(&frame)
    if value.isErrorOrUnknown { return fail(value, id: id, &frame) }
    for name in names {
      guard case .map(let map) = value, let member = map[name] else { return .no }
      value = member
    }
    return frame.isAbsent(value) ? .no : .yes
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// If absence spreads: `has(a.b)` if `a.b` is the name of a variable, and `a.b == null` and `a.b != null` of any value.
final class PresenceNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  /// Whether it is true for an absent value.
  private let isNegated: Bool
  private let id: Int

  init(_ operand: PlanNode, isNegated: Bool, id: Int) {
    self.operand = operand
    self.isNegated = isNegated
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let value = operand.given(&frame)
    if value.isErrorOrUnknown { return fail(value, id: id, &frame) }
    return frame.isAbsent(value) == isNegated ? .yes : .no
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

extension Value {
  /// An optional of the field; none if the map does not have it. A value that cannot have fields is an error even here.
  fileprivate func optionalField(_ field: String) -> Value {
    switch self {
    case .map(let map): .optional(map[field])
    case .optional(let optional): optional.value?.optionalField(field) ?? self
    default: SelectNode.hasNoFields(self, field)
    }
  }
}

/// `a[b]` and `a[?b]`
final class IndexNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let index: PlanNode
  private let isOptional: Bool
  private let reading: Reading
  private let levels: Int
  private let id: Int

  init(_ operand: PlanNode, _ index: PlanNode, isOptional: Bool, reading: Reading, id: Int) {
    self.operand = operand
    self.index = index
    self.isOptional = isOptional
    self.reading = reading
    self.id = id
    levels = operand.writtenLevels
  }

  override var absent: Value { reading.absent }
  override var writtenLevels: Int { isOptional ? 0 : max(0, levels - 1) }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = given(&frame)
    if case .null = value { return reading.absent }
    return value
  }

  override func given(_ frame: inout Frame) -> Value {
    let container = operand.evaluate(&frame)
    let key = index.evaluate(&frame)
    if let fault = container.fault(with: key) { return fault }
    if frame.isAbsent(container) || frame.isAbsent(key) { return isOptional ? .optional(nil) : .null }
    guard frame.spend(key.contentSteps(in: frame)) else { return Frame.budgetExceeded.located(id) }
    if isOptional { return reading(container.optionalElement(at: key)).located(id) }
    let element = container.element(at: key)
    if frame.spreadsAbsence, case .map = container, case .error(let error) = element, error.kind == .noSuchKey,
      levels == 0 || key.isEmptyText
    {
      return .null
    }
    return reading(element).located(id, of: [container, key])
  }
}
