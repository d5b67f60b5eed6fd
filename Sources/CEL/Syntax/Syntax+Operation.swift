extension Syntax {
  /// The node of that id, here or below.
  func node(withID id: Int) -> Syntax? {
    if self.id == id { return self }
    var found: Syntax?
    forEachChild { if found == nil { found = $0.node(withID: id) } }
    return found
  }

  /// The operation of the node, with types in place of its operands: `int / int`, `join(list)`, `list[int]`; nil if the
  /// node is not an operation.
  func spelled(withOperands types: [String]) -> String? {
    switch kind {
    case .call(let call):
      if let operation = BinaryOperator(function: call.function), types.count == 2 {
        return "\(types[0]) \(operation.sign) \(types[1])"
      }
      switch (call.function, types.count) {
      case ("_[_]", 2), ("_[?_]", 2): return "\(types[0])[\(types[1])]"
      case ("!_", 1): return "!\(types[0])"
      case ("-_", 1): return "-\(types[0])"
      case ("_?_:_", 1): return "\(types[0]) ? :"
      default: return "\(call.function)(\(types.joined(separator: ", ")))"
      }
    case .select(let selection): return "\(types[0]).\(selection.field)"
    case .comprehension(let comprehension): return "\(types[0]).\(comprehension.macro.rawValue)()"
    default: return nil
    }
  }
}
