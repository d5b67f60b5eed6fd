/// `[a, b, ?c]`
final class ListNode: PlanNode, @unchecked Sendable {
  private let elements: [(node: PlanNode, isOptional: Bool)]
  private let id: Int

  init(_ elements: [(node: PlanNode, isOptional: Bool)], id: Int) {
    self.elements = elements
    self.id = id
  }

  override var writtenLevels: Int {
    elements.map { $0.isOptional ? 1 : 1 + min($0.node.writtenLevels, ConstantNode.allLevels - 1) }.min()
      ?? ConstantNode.allLevels
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    var fault: Value?
    for (node, isOptional) in elements {
      let value = node.evaluate(&frame)
      if value.isErrorOrUnknown {
        fault = fault.map { $0.fault(with: value) ?? $0 } ?? value
      } else if !isOptional {
        values.append(value)
      } else if case .optional(let optional) = value {
        if let inner = optional.value { values.append(inner) }
      } else {
        return Value.failure(.noSuchOverload, "no such overload: an optional is needed after '?'").located(id)
      }
    }
    return fault ?? .list(values)
  }
}

/// `{a: b, ?c: d}`
final class MapNode: PlanNode, @unchecked Sendable {
  struct Entry: Sendable {
    let key: PlanNode
    let value: PlanNode
    let isOptional: Bool
  }

  private let entries: [Entry]
  private let id: Int

  init(_ entries: [Entry], id: Int) {
    self.entries = entries
    self.id = id
  }

  /// A map with an optional entry may lack the key as intended.
  override var writtenLevels: Int {
    entries.map { $0.isOptional ? 0 : 1 + min($0.value.writtenLevels, ConstantNode.allLevels - 1) }.min()
      ?? ConstantNode.allLevels
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    var map = MapValue(capacity: entries.count)
    var fault: Value?
    for entry in entries {
      let key = entry.key.evaluate(&frame)
      var value = entry.value.evaluate(&frame)
      if let found = key.fault(with: value) {
        fault = fault.map { $0.fault(with: found) ?? $0 } ?? found
        continue
      }
      if entry.isOptional {
        guard case .optional(let optional) = value else {
          return Value.failure(.noSuchOverload, "no such overload: an optional is needed after '?'").located(id)
        }
        guard let inner = optional.value else { continue }
        value = inner
      }
      guard frame.spend(key.contentSteps(in: frame)) else { return Frame.budgetExceeded.located(id) }
      if let failed = map.addEntry(value, for: key) { return failed.located(id) }
    }
    return fault ?? .map(map)
  }
}

/// A list that is absent if one of its elements is, for functions that need all of them.
final class CompleteListNode: PlanNode, @unchecked Sendable {
  private let list: PlanNode

  init(_ list: PlanNode) { self.list = list }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = list.evaluate(&frame)
    guard case .list(let list) = value else { return value }
    guard frame.spend(list.count) else { return Frame.budgetExceeded }
    return list.elements.contains(where: \.isNull) ? .null : value
  }
}
