internal import Budgets
internal import Formats

/// The macros that go through a list or a map.
final class LoopNode: PlanNode, @unchecked Sendable {
  private let macro: Comprehension.Macro
  private let range: PlanNode
  /// The slot for the index of a list or the key of a map; -1 if there is one variable only.
  private let keyLocal: Int
  /// The slot for the element of a list or the value of a map; for the key of a map if there is one variable only.
  private let elementLocal: Int
  private let reading: Reading
  private let filter: PlanNode?
  private let body: PlanNode
  /// The cost of one round: a step for each node of the body.
  private let roundSteps: Int
  private let id: Int

  init(
    _ macro: Comprehension.Macro,
    _ range: PlanNode,
    keyLocal: Int,
    elementLocal: Int,
    reading: Reading,
    filter: PlanNode?,
    body: PlanNode,
    roundSteps: Int,
    id: Int
  ) {
    self.macro = macro
    self.range = range
    self.keyLocal = keyLocal
    self.elementLocal = elementLocal
    self.reading = reading
    self.filter = filter
    self.body = body
    self.roundSteps = roundSteps
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let values = range.evaluate(&frame)
    var gathered = Gathering(macro)
    switch values {
    case .list(let list):
      let elements = list.elements
      if macro == .map || macro == .transformList { gathered.list.reserveCapacity(elements.count) }
      for index in 0..<elements.count {
        if keyLocal >= 0 { frame.locals[keyLocal] = .int(Int64(index)) }
        frame.locals[elementLocal] = reading(elements[index])
        if let result = round(&frame, &gathered) { return result }
      }
    case .map(let map):
      for entry in map.entries {
        if keyLocal >= 0 { frame.locals[keyLocal] = entry.key }
        frame.locals[elementLocal] = keyLocal >= 0 ? entry.value : entry.key
        if let result = round(&frame, &gathered) { return result }
      }
    case .error, .unknown:
      return values
    case .null where frame.spreadsAbsence:
      return .null
    default:
      return Value.failure(
        .noSuchOverload,
        "no such overload: \(macro.rawValue)() needs a list or map"
      ).located(id, of: [values])
    }
    return gathered.result
  }

  /// Runs one round; a result ends the loop.
  private func round(_ frame: inout Frame, _ gathered: inout Gathering) -> Value? {
    guard frame.spend(roundSteps) else { return Frame.budgetExceeded.located(id) }
    switch macro {
    case .all, .exists, .existsOne, .filter:
      return gathered.judge(body.condition(&frame), frame, self)
    default:
      if let filter {
        switch filter.condition(&frame) {
        case .no: return nil
        case .faulted: return frame.isAbsent(frame.fault) ? nil : frame.fault
        case .yes: break
        }
      }
      let value = body.evaluate(&frame)
      if value.isErrorOrUnknown { return value }
      // The keys of a map are hashed.
      let hashed = macro == .transformMap ? key(frame) : macro == .transformMapEntry ? value : .null
      guard frame.spend(hashed.contentSteps(in: frame)) else { return Frame.budgetExceeded.located(id) }
      return gathered.add(value, key: key(frame), id)
    }
  }

  fileprivate func key(_ frame: borrowing Frame) -> Value { keyLocal >= 0 ? frame.locals[keyLocal] : .null }

  /// The item that a filter keeps: the element of a list, the key of a map.
  fileprivate func item(_ frame: borrowing Frame) -> Value { frame.locals[elementLocal] }
}

/// The results of a loop so far.
private struct Gathering {
  let macro: Comprehension.Macro
  /// The first thing that went wrong in a predicate; a deciding element later on makes it irrelevant.
  var fault: Value?
  var count = 0
  var list: [Value] = []
  var map = MapValue()

  init(_ macro: Comprehension.Macro) { self.macro = macro }

  /// The result of the loop if no round ended it.
  var result: Value {
    switch macro {
    case .all: fault ?? .bool(true)
    case .exists: fault ?? .bool(false)
    case .existsOne: .bool(count == 1)
    case .transformMap, .transformMapEntry: .map(map)
    default: .list(list)
    }
  }

  mutating func judge(_ truth: Truth, _ frame: borrowing Frame, _ loop: LoopNode) -> Value? {
    switch (macro, truth) {
    case (.all, .no): return .bool(false)
    case (.exists, .yes): return .bool(true)
    case (.all, .faulted), (.exists, .faulted):
      // A spent budget ends the loop: no later element can decide the result.
      if frame.budget.pointee.isSpent { return frame.fault }
      fault = fault.map { $0.fault(with: frame.fault) ?? $0 } ?? frame.fault
      return nil
    case (_, .faulted): return frame.isAbsent(frame.fault) ? nil : frame.fault
    case (.existsOne, .yes): count += 1
    case (.filter, .yes): list.append(loop.item(frame))
    default: break
    }
    return nil
  }

  mutating func add(_ value: Value, key: Value, _ id: Int) -> Value? {
    switch macro {
    case .transformMap:
      return map.addEntry(value, for: key)?.located(id)
    case .transformMapEntry:
      guard case .map(let entries) = value else { return Value.error(.noSuchOverload).located(id) }
      for entry in entries.entries {
        if let failed = map.addEntry(entry.value, for: entry.key) { return failed.located(id) }
      }
      return nil
    default:
      list.append(value)
      return nil
    }
  }
}

/// `cel.bind(x, value, body)`. A failed value is bound like every other: it matters only if it is read.
final class BindNode: PlanNode, @unchecked Sendable {
  private let local: Int
  private let value: PlanNode
  private let body: PlanNode

  init(_ local: Int, _ value: PlanNode, _ body: PlanNode) {
    self.local = local
    self.value = value
    self.body = body
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    frame.locals[local] = value.given(&frame)
    return body.evaluate(&frame)
  }

  override func given(_ frame: inout Frame) -> Value {
    frame.locals[local] = value.given(&frame)
    return body.given(&frame)
  }

  override var absent: Value { body.absent }

  override func condition(_ frame: inout Frame) -> Truth {
    frame.locals[local] = value.given(&frame)
    return body.condition(&frame)
  }
}

/// `fold(list, start, a, x, body)`: the body of each element in turn, with what was gathered before.
final class FoldNode: PlanNode, @unchecked Sendable {
  private let range: PlanNode
  private let start: PlanNode
  private let body: PlanNode
  private let locals: (gathered: Int, element: Int)
  private let reading: Reading
  /// The cost of one round: a step for each node of the body.
  private let roundSteps: Int
  private let id: Int

  init(
    _ range: PlanNode,
    _ start: PlanNode,
    _ body: PlanNode,
    locals: (gathered: Int, element: Int),
    reading: Reading,
    roundSteps: Int,
    id: Int
  ) {
    self.range = range
    self.start = start
    self.body = body
    self.locals = locals
    self.reading = reading
    self.roundSteps = roundSteps
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let values = range.evaluate(&frame)
    switch values {
    case .list(let list):
      var gathered = start.given(&frame)
      let elements = list.elements
      for index in 0..<elements.count {
        if gathered.isErrorOrUnknown { return gathered }
        guard frame.spend(roundSteps) else { return Frame.budgetExceeded.located(id) }
        frame.locals[locals.gathered] = gathered
        frame.locals[locals.element] = reading(elements[index])
        gathered = body.given(&frame)
      }
      return gathered
    case .error, .unknown: return values
    case .null where frame.spreadsAbsence: return .null
    default:
      return Value.failure(.noSuchOverload, "no such overload: fold() needs a list").located(id, of: [values])
    }
  }
}

/// `optional.optMap(x, body)` and `optional.optFlatMap(x, body)`.
final class OptionalMapNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let local: Int
  private let body: PlanNode
  private let isFlat: Bool
  private let id: Int

  init(_ operand: PlanNode, _ local: Int, _ body: PlanNode, isFlat: Bool, id: Int) {
    self.operand = operand
    self.local = local
    self.body = body
    self.isFlat = isFlat
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = operand.evaluate(&frame)
    switch value {
    case .optional(let optional):
      guard let inner = optional.value else { return value }
      frame.locals[local] = inner
      let result = body.evaluate(&frame)
      return isFlat || result.isErrorOrUnknown ? result : .optional(result)
    case .error, .unknown: return value
    default: return frame.mismatch(value).located(id)
    }
  }
}
