/// A formula with a name and parameters. A call of the name stands for the formula with the arguments in place of the
/// parameters, so it has the types of the arguments and is typed at each call.
package struct NamedFormula: Sendable {
  /// The names of the parameters, in order.
  package let parameters: [String]
  /// The formula; nil if it is wrong, so that its calls are not reported, too. Calls of other named formulas in it are
  /// expanded already.
  package let body: ParsedExpression?

  package init(parameters: [String], body: ParsedExpression?) {
    self.parameters = parameters
    self.body = body
  }

  /// More nodes than an expression may have with the bodies of all formulas that it calls. Bodies that call others
  /// twice double their size with each level.
  static let nodesMax = 20_000
}

extension Parser {
  /// Whether a word cannot name anything in an expression.
  package static func isReserved(_ word: String) -> Bool {
    reserved.contains(word) || ["true", "false", "null", "in"].contains(word)
  }

  /// Expands the call of a named formula: each parameter is bound to its argument around the formula's body. Returns
  /// nil if the name is none.
  mutating func expandNamed(_ name: String, _ arguments: [Syntax], at byte: Int) -> Syntax? {
    guard let function = functions[name] else { return nil }
    guard let body = function.body?.root else { return node(.invalid, at: byte) }
    guard arguments.count == function.parameters.count else {
      let expected = function.parameters.count
      let call = "\(name)(\(function.parameters.joined(separator: ", ")))"
      errors.report(
        "\(call) takes \(expected) argument\(expected == 1 ? "" : "s"), and this call has \(arguments.count)",
        at: byte,
        in: byte..<byte + name.utf8.count
      )
      return node(.invalid, at: byte)
    }
    let first = nodeCount
    guard first + body.nodeCount <= NamedFormula.nodesMax else {
      errors.report(
        "with the formulas that it calls, the expression has more than \(NamedFormula.nodesMax) parts",
        at: byte,
        in: byte..<byte + name.utf8.count
      )
      return node(.invalid, at: byte)
    }
    noteCall(of: name)
    // Of formulas that are nothing but a call, the innermost counts. So there are no more origins than nodes.
    let origins = (function.body?.origins ?? []).map { ($0.nodes.upperBound - 1, $0.function) }
    let inner = Dictionary(origins, uniquingKeysWith: { first, _ in first })
    var copier = BodyCopier(function: name, parameters: function.parameters, inner: inner, byte: byte)
    var result = copier.copy(body, into: &self)
    // The innermost formulas are first: an error names the formula in which it is written.
    for origin in copier.copied { noteOrigin(origin.nodes, of: origin.function) }
    if copier.copied.last?.nodes != first..<nodeCount { noteOrigin(first..<nodeCount, of: name) }
    for (parameter, argument) in zip(function.parameters, arguments).reversed() {
      result = node(
        .comprehension(
          Comprehension(
            macro: .bind,
            range: argument,
            variable: copier.bound(parameter),
            secondVariable: nil,
            bodies: [result]
          )
        ),
        at: byte
      )
    }
    return result
  }
}

/// Copies the body of a named formula into the expression that calls it. Parameters get names that no source can spell,
/// and all other names mean what they mean outside of loops: a variable of a loop around the call does not change them.
private struct BodyCopier {
  let function: String
  let parameters: [String]
  /// The formulas that the body calls, by the last node of the body of each.
  let inner: [Int: String]
  let byte: Int
  /// The copies of the bodies of these formulas.
  private(set) var copied: [(nodes: Range<Int>, function: String)] = []
  /// The variables of the loops in the body around the current node.
  private var variables: [String] = []

  init(function: String, parameters: [String], inner: [Int: String], byte: Int) {
    self.function = function
    self.parameters = parameters
    self.inner = inner
    self.byte = byte
  }

  /// The name that a parameter has in the copy.
  func bound(_ parameter: String) -> String { "@\(function):\(parameter)" }

  private func name(of identifier: String) -> String {
    if variables.contains(identifier) || identifier.utf8.first == UInt8(ascii: "@") { return identifier }
    if parameters.contains(identifier) { return bound(identifier) }
    return identifier.utf8.first == UInt8(ascii: ".") ? identifier : "." + identifier
  }

  mutating func copy(_ node: Syntax, into parser: inout Parser) -> Syntax {
    let first = parser.nodeCount
    let copy = copyNode(node, into: &parser)
    // The root of a formula's body is the last of its nodes.
    if let function = inner[node.id] { copied.append((first..<parser.nodeCount, function)) }
    return copy
  }

  private mutating func copyNode(_ node: Syntax, into parser: inout Parser) -> Syntax {
    let kind: Syntax.Kind
    switch node.kind {
    case .literal, .invalid: kind = node.kind
    case .identifier(let name):
      let isFree = !variables.contains(name) && !parameters.contains(name)
      if isFree { return parser.identifier(name, root: self.name(of: name), at: byte) }
      kind = .identifier(self.name(of: name))
    case .select(let selection):
      kind = .select(
        .init(
          operand: copy(selection.operand, into: &parser),
          field: selection.field,
          isTest: selection.isTest,
          isOptional: selection.isOptional
        )
      )
    case .call(let call):
      var target: Syntax?
      if let written = call.target { target = copy(written, into: &parser) }
      kind = .call(.init(target: target, function: call.function, arguments: copy(call.arguments, into: &parser)))
    case .list(let elements):
      var copies: [Syntax.Element] = []
      for element in elements {
        copies.append(.init(value: copy(element.value, into: &parser), isOptional: element.isOptional))
      }
      kind = .list(copies)
    case .map(let entries):
      var copies: [Syntax.Entry] = []
      for entry in entries {
        let key = copy(entry.key, into: &parser)
        copies.append(.init(key: key, value: copy(entry.value, into: &parser), isOptional: entry.isOptional))
      }
      kind = .map(copies)
    case .record(let name, let fields):
      var copies: [Syntax.Field] = []
      for field in fields {
        copies.append(
          .init(name: field.name, value: copy(field.value, into: &parser), isOptional: field.isOptional)
        )
      }
      kind = .record(name: name, fields: copies)
    case .comprehension(let comprehension):
      let range = copy(comprehension.range, into: &parser)
      let count = variables.count
      variables.append(comprehension.variable)
      if let second = comprehension.secondVariable { variables.append(second) }
      let bodies = copy(comprehension.bodies, into: &parser)
      variables.removeSubrange(count...)
      kind = .comprehension(
        Comprehension(
          macro: comprehension.macro,
          range: range,
          variable: comprehension.variable,
          secondVariable: comprehension.secondVariable,
          bodies: bodies
        )
      )
    }
    return parser.node(kind, at: byte)
  }

  private mutating func copy(_ nodes: [Syntax], into parser: inout Parser) -> [Syntax] {
    var copies: [Syntax] = []
    for node in nodes { copies.append(copy(node, into: &parser)) }
    return copies
  }
}
