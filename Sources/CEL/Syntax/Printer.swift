/// Writes a syntax tree as source: with the macros that were written and no more brackets than needed.
package enum Printer {
  /// The source of a tree. Parsing it yields an equal tree.
  static func print(_ root: Syntax) -> String {
    var output = ""
    write(root, into: &output)
    return output
  }

  /// The source of a chain of names: `a.b['c.d']`. No two chains have the same.
  ///
  /// - Parameter names: the name at the root, as the source writes it, and the members' names.
  package static func print(chain names: [String]) -> String {
    var output = names.first ?? ""
    for name in names.dropFirst() { write(member: name, into: &output) }
    return output
  }

  /// Writes the selection of a member: `.b`, `['c.d']`.
  package static func write(member name: String, into output: inout String) {
    if isIdentifier(name) {
      output += "."
      output += name
    } else {
      output += "["
      writeQuoted(name, by: "'", into: &output)
      output += "]"
    }
  }

  /// Writes the source of the chain of names that a node is; false if it is not such a chain.
  static func write(chain node: Syntax, into output: inout String) -> Bool {
    if case .identifier(let root) = node.kind {
      output += root
      return true
    }
    guard let (operand, name) = node.namedPart, write(chain: operand, into: &output) else { return false }
    write(member: name, into: &output)
    return true
  }

  /// Whether a text is valid behind a dot.
  package static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
    }
  }

  /// How tightly the written form of a node binds: the precedence of its operator, or one of the three beyond those.
  private static func precedence(of node: Syntax) -> Int {
    switch node.kind {
    case .call(let call):
      if call.function == "_?_:_" { return 0 }
      if call.target == nil, let operation = BinaryOperator(function: call.function) { return operation.precedence }
      return call.function == "!_" || call.function == "-_" ? unaryPrecedence : memberPrecedence
    case .literal(.int(let value)) where value < 0: return unaryPrecedence
    case .literal(.double(let value)) where value.sign == .minus: return unaryPrecedence
    default: return memberPrecedence
    }
  }

  private static let unaryPrecedence = 6
  private static let memberPrecedence = 7

  private static func write(_ node: Syntax, above bound: Int, into output: inout String) {
    let needsBrackets = precedence(of: node) < bound
    if needsBrackets { output += "(" }
    write(node, into: &output)
    if needsBrackets { output += ")" }
  }

  private static func write(_ node: Syntax, into output: inout String) {
    switch node.kind {
    case .literal(let literal): write(literal, into: &output)
    case .identifier(let name): output += name
    case .select(let selection):
      if selection.isTest { output += "has(" }
      write(selection.operand, above: memberPrecedence, into: &output)
      output += selection.isOptional ? ".?" : "."
      output += isPlainName(selection.field) ? selection.field : "`\(selection.field)`"
      if selection.isTest { output += ")" }
    case .call(let call): write(call, into: &output)
    case .list(let elements):
      output += "["
      writeList(elements, into: &output) { element, output in
        if element.isOptional { output += "?" }
        write(element.value, into: &output)
      }
      output += "]"
    case .map(let entries):
      output += "{"
      writeList(entries, into: &output) { entry, output in
        if entry.isOptional { output += "?" }
        write(entry.key, into: &output)
        output += ": "
        write(entry.value, into: &output)
      }
      output += "}"
    case .record(let name, let fields):
      output += name + "{"
      writeList(fields, into: &output) { field, output in
        if field.isOptional { output += "?" }
        output += isPlainName(field.name) ? field.name : "`\(field.name)`"
        output += ": "
        write(field.value, into: &output)
      }
      output += "}"
    case .comprehension(let comprehension): write(comprehension, into: &output)
    case .invalid: output += "<invalid>"
    }
  }

  private static func writeList<Item>(
    _ items: [Item],
    into output: inout String,
    _ write: (Item, inout String) -> Void
  ) {
    for (index, item) in items.enumerated() {
      if index > 0 { output += ", " }
      write(item, &output)
    }
  }

  private static func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isNameStart, name != "in", name != "true", name != "false", name != "null"
    else { return false }
    return name.utf8.allSatisfy { $0.isNameStart || $0.isDigit }
  }

  private static func write(_ call: Syntax.Call, into output: inout String) {
    if let target = call.target {
      write(target, above: memberPrecedence, into: &output)
      output += ".\(call.function)("
      writeList(call.arguments, into: &output) { write($0, into: &$1) }
      output += ")"
      return
    }
    let arguments = call.arguments
    switch (call.function, arguments.count) {
    case ("_?_:_", 3):
      write(arguments[0], above: BinaryOperator.orPrecedence, into: &output)
      output += " ? "
      write(arguments[1], above: BinaryOperator.orPrecedence, into: &output)
      output += " : "
      write(arguments[2], into: &output)
    case ("!_", 1), ("-_", 1):
      output += call.function == "!_" ? "!" : "-"
      // `-(1)` is a call and `-1` a literal, so a number keeps its brackets.
      let bound = call.function == "-_" && arguments[0].isNumber ? memberPrecedence + 1 : unaryPrecedence
      write(arguments[0], above: bound, into: &output)
    case ("_[_]", 2), ("_[?_]", 2):
      write(arguments[0], above: memberPrecedence, into: &output)
      output += call.function == "_[_]" ? "[" : "[?"
      write(arguments[1], into: &output)
      output += "]"
    case ("math.@max", 1...), ("math.@min", 1...):
      output += call.function == "math.@max" ? "math.greatest(" : "math.least("
      if arguments.count == 1, case .list(let elements) = arguments[0].kind, elements.count > 2,
        elements.allSatisfy({ !$0.isOptional })
      {
        writeList(elements, into: &output) { write($0.value, into: &$1) }
      } else {
        writeList(arguments, into: &output) { write($0, into: &$1) }
      }
      output += ")"
    default:
      writePlain(call, into: &output)
    }
  }

  private static func writePlain(_ call: Syntax.Call, into output: inout String) {
    let arguments = call.arguments
    guard let operation = BinaryOperator(function: call.function), arguments.count >= 2 else {
      output += "\(call.function)("
      writeList(arguments, into: &output) { write($0, into: &$1) }
      output += ")"
      return
    }
    for (index, argument) in arguments.enumerated() {
      if index > 0 { output += " \(operation.sign) " }
      // All operators associate to the left, save that a chain of one logical operator is one node.
      let bound = index == 0 && !operation.isLogical ? operation.precedence : operation.precedence + 1
      write(argument, above: bound, into: &output)
    }
  }

  private static func write(_ comprehension: Comprehension, into output: inout String) {
    if comprehension.macro == .fold {
      output += "fold("
      write(comprehension.range, into: &output)
      output += ", "
      write(comprehension.bodies[0], into: &output)
      output += ", \(comprehension.variable), \(comprehension.secondVariable ?? ""), "
      write(comprehension.body, into: &output)
      output += ")"
      return
    }
    if comprehension.macro == .bind {
      output += "cel.bind(\(comprehension.variable), "
      write(comprehension.range, into: &output)
    } else {
      write(comprehension.range, above: memberPrecedence, into: &output)
      let isSingle = comprehension.macro == .existsOne && comprehension.secondVariable == nil
      output += isSingle ? ".exists_one(" : ".\(comprehension.macro.rawValue)("
      output += comprehension.variable
      if let second = comprehension.secondVariable { output += ", \(second)" }
    }
    for body in comprehension.bodies {
      output += ", "
      write(body, into: &output)
    }
    output += ")"
  }

  private static func write(_ literal: Literal, into output: inout String) {
    switch literal {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .int(let value): output += String(value)
    case .uint(let value): output += "\(value)u"
    case .double(let value):
      let text = "\(value)"
      output += text.utf8.contains(UInt8(ascii: ".")) || text.utf8.contains(UInt8(ascii: "e")) ? text : text + ".0"
    case .string(let value): writeQuoted(value, by: "\"", into: &output)
    case .bytes(let value):
      output += "b\""
      for byte in value {
        let digits = String(byte, radix: 16)
        output += digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
      }
      output += "\""
    }
  }

  private static func writeQuoted(_ value: String, by quote: Unicode.Scalar, into output: inout String) {
    output.unicodeScalars.append(quote)
    for scalar in value.unicodeScalars {
      switch scalar {
      case quote, "\\":
        output += "\\"
        output.unicodeScalars.append(scalar)
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      default: output.unicodeScalars.append(scalar)
      }
    }
    output.unicodeScalars.append(quote)
  }
}

extension Syntax {
  fileprivate var isNumber: Bool {
    switch kind {
    case .literal(.int), .literal(.double): true
    default: false
    }
  }
}
