/// A node of the syntax tree of an expression.
///
/// Macros do not stay calls: they become nodes of their own (`test` selections, comprehensions, bindings), because each
/// binds names. The node still has the name of its macro, so that the printer writes the source.
public struct Syntax: Sendable {
  /// The number by which the checker and the planner know the node: unique in its tree, counted from 0 in order of
  /// creation.
  public let id: Int
  /// The kind of the node.
  public let kind: Kind
  /// The number of nodes on the longest way down to a leaf. The parser bounds it, so recursion over a tree is safe.
  package let depth: Int
  /// The number of nodes of the tree below and with this one.
  package let nodeCount: Int

  /// The kinds of nodes.
  public indirect enum Kind: Sendable {
    /// A value that is written out.
    case literal(Literal)
    /// A name; it begins with a dot if the source says that it is resolved from the root.
    case identifier(String)
    /// A member of an operand, or a test whether the operand has one.
    case select(Selection)
    /// A call of a function or operator.
    case call(Call)
    /// `[a, b]`
    case list([Element])
    /// `{k: v}`
    case map([Entry])
    /// The construction of a record: `Name{field: value}`.
    case record(name: String, fields: [Field])
    /// A macro that binds names.
    case comprehension(Comprehension)
    /// A position at which the parser found no expression; a tree with such a node always comes with errors.
    case invalid
  }

  /// A field selection: `operand.field`, `operand.?field` or `has(operand.field)`.
  public struct Selection: Sendable {
    /// The value that the field is selected from.
    public let operand: Syntax
    /// The field's name.
    public let field: String
    /// Whether this is the argument of `has`.
    public let isTest: Bool
    /// Whether it is written `.?`.
    public let isOptional: Bool
  }

  /// A call of a function or operator. Operators have the names the specification gives them, such as `_+_`.
  public struct Call: Sendable {
    /// The receiver; nil for a call without one.
    public let target: Syntax?
    /// The function's name.
    public let function: String
    /// `_&&_` and `_||_` have two or more, every other operator as many as its name has underscores.
    public let arguments: [Syntax]

    /// The operands that the function is called with.
    /// - Parameter withTarget: whether the target is the first of it, and not a part of the function's name.
    func operands(withTarget: Bool) -> [Syntax] {
      guard withTarget, let target else { return arguments }
      return [target] + arguments
    }
  }

  /// An element of a list literal.
  public struct Element: Sendable {
    /// The element.
    public let value: Syntax
    /// Whether it is written with `?`: the element is there only if the optional has a value.
    public let isOptional: Bool
  }

  /// An entry of a map literal.
  public struct Entry: Sendable {
    /// The entry's key.
    public let key: Syntax
    /// The entry's value.
    public let value: Syntax
    /// Whether the key is written with `?`: the entry is there only if the optional has a value.
    public let isOptional: Bool
  }

  /// A field of a record construction.
  public struct Field: Sendable {
    /// The field's name.
    public let name: String
    /// The field's value.
    public let value: Syntax
    /// Whether the name is written with `?`: the field is set only if the optional has a value.
    public let isOptional: Bool
  }

  init(id: Int, kind: Kind) {
    self.id = id
    self.kind = kind
    var deepest = 0
    var count = 1
    Self.forEachChild(of: kind) {
      deepest = max(deepest, $0.depth)
      count += $0.nodeCount
    }
    self.depth = deepest + 1
    nodeCount = count
  }
}

extension Syntax {
  /// Calls `body` with each direct child, in the order of the source.
  package func forEachChild(_ body: (Syntax) -> Void) {
    Self.forEachChild(of: kind, body)
  }

  private static func forEachChild(of kind: Kind, _ body: (Syntax) -> Void) {
    switch kind {
    case .literal, .identifier, .invalid:
      break
    case .select(let selection):
      body(selection.operand)
    case .call(let call):
      if let target = call.target { body(target) }
      call.arguments.forEach(body)
    case .list(let elements):
      for element in elements { body(element.value) }
    case .map(let entries):
      for entry in entries {
        body(entry.key)
        body(entry.value)
      }
    case .record(_, let fields):
      for field in fields { body(field.value) }
    case .comprehension(let comprehension):
      body(comprehension.range)
      comprehension.bodies.forEach(body)
    }
  }

  /// The dotted name that this node spells (`a.b.c`, `.a.b`), if it consists only of plain selections on a name.
  package var qualifiedName: String? {
    switch kind {
    case .identifier(let name): name
    case .select(let selection) where !selection.isTest && !selection.isOptional:
      selection.operand.qualifiedName.map { $0 + "." + selection.field }
    default: nil
    }
  }

  /// The names of a chain, even if some are in brackets: `a`, `b`, `c` of `a['b'].c`, too.
  package var memberChain: [String]? {
    var fields: [String] = []
    var node = self
    while let (operand, field) = node.namedPart {
      fields.append(field)
      node = operand
    }
    guard case .identifier(let root) = node.kind else { return nil }
    fields.append(root)
    fields.reverse()
    return fields
  }

  /// The names of the chain whose end `has` asks for: `a`, `b`, `c` of `has(a['b'].c)`; nil if the node is not such a
  /// test.
  package var testedChain: [String]? {
    guard case .select(let selection) = kind, selection.isTest else { return nil }
    return selection.operand.memberChain.map { $0 + [selection.field] }
  }

  /// The source of that chain, by which a host declares its meaning: see ``Printer/print(chain:)``.
  package var memberName: String? {
    var name = ""
    return Printer.write(chain: self, into: &name) ? name : nil
  }

  /// The operand and the name of a plain selection: `a.b` or `a['b']`.
  package var namedPart: (operand: Syntax, name: String)? {
    switch kind {
    case .select(let selection) where !selection.isTest && !selection.isOptional:
      return (selection.operand, selection.field)
    case .call(let call) where call.function == "_[_]" && call.target == nil && call.arguments.count == 2:
      guard case .literal(.string(let name)) = call.arguments[1].kind else { return nil }
      return (call.arguments[0], name)
    default: return nil
    }
  }

  /// The name at the root of a chain of selections, if there is one.
  package var rootIdentifier: String? {
    switch kind {
    case .identifier(let name): name
    case .select(let selection): selection.operand.rootIdentifier
    default: namedPart?.operand.rootIdentifier
    }
  }
}

extension Syntax: Equatable {
  /// Equality of structure: ids are not compared, names and literals are.
  public static func == (left: Syntax, right: Syntax) -> Bool {
    guard left.depth == right.depth else { return false }
    switch (left.kind, right.kind) {
    case (.literal(let a), .literal(let b)): return a == b
    case (.identifier(let a), .identifier(let b)): return a == b
    case (.select(let a), .select(let b)):
      return a.field == b.field && a.isTest == b.isTest && a.isOptional == b.isOptional && a.operand == b.operand
    case (.call(let a), .call(let b)):
      return a.function == b.function && a.target == b.target && a.arguments == b.arguments
    case (.list(let a), .list(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isOptional == $1.isOptional && $0.value == $1.value }
    case (.map(let a), .map(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy { $0.isOptional == $1.isOptional && $0.key == $1.key && $0.value == $1.value }
    case (.record(let name, let a), .record(let otherName, let b)):
      return name == otherName && a.count == b.count
        && zip(a, b).allSatisfy { $0.isOptional == $1.isOptional && $0.name == $1.name && $0.value == $1.value }
    case (.comprehension(let a), .comprehension(let b)):
      return a.macro == b.macro && a.variable == b.variable && a.secondVariable == b.secondVariable
        && a.range == b.range && a.bodies == b.bodies
    case (.invalid, .invalid): return true
    default: return false
    }
  }
}
