internal import JSON
internal import Texts

/// An expression that was read without errors: its syntax tree and the positions of its nodes.
public struct ParsedExpression: Sendable {
  /// The unchanged source.
  public let source: String
  /// The tree, macros expanded.
  public let root: Syntax
  /// The byte of the source at which each node is reported, by the node's id.
  let bytes: [Int]
  /// The bytes of the source that each node covers, including the nodes inside it, by the node's id.
  let extents: [Range<Int>]
  /// The nodes that come from the bodies of named formulas, with the names of these, the innermost formulas first. They
  /// are reported at the call.
  var origins: [(nodes: Range<Int>, function: String)] = []

  /// The named formulas that the source itself calls.
  package var functionsCalled: Set<String> = []

  /// A message about a node, with the name of the formula whose body has the node.
  func message(_ text: String, about node: Syntax) -> String {
    origins.first { $0.nodes.contains(node.id) }.map { "in \($0.function)(): \(text)" } ?? text
  }

  /// Whether a node is written in the source itself, and not in the body of a named formula.
  func isWritten(_ node: Syntax) -> Bool { !origins.contains { $0.nodes.contains(node.id) } }

  /// The byte of the source at which a node is reported: an operator at its sign, a selection at its field, a call at
  /// its name.
  package func byte(of node: Syntax) -> Int { bytes[node.id] }

  /// The code points of the source that a node covers, including the nodes inside it.
  package func extent(of node: Syntax) -> Range<Int> {
    let extent = extents[node.id]
    let first = source.utf8.prefix(extent.lowerBound).count { $0 & 0xc0 != 0x80 }
    return first..<first + source.utf8.dropFirst(extent.lowerBound).prefix(extent.count).count { $0 & 0xc0 != 0x80 }
  }

  /// The position of a byte in the source.
  func position(ofByte offset: Int) -> LineColumn { source.withCodeUnits { LineColumn(offset: offset, in: $0) } }

  /// The expression written out again: parsing it yields an equal tree.
  public var printed: String { Printer.print(root) }
}

/// How sources are read.
public struct ParserOptions: Sendable {
  /// Whether macros are expanded; without it `has(a.b)` is a call like every other.
  public var expandsMacros = true
  /// By function: a variable, as its names in order, that each call gets as a further, last argument. The function
  /// needs to know it, and the author of a call does not have to write it.
  package var contextArguments: [String: [String]] = [:]
  /// By name: the variables of the list that replaces the name.
  package var lists: [String: [String]] = [:]
  /// By name: the formula that replaces calls of the name.
  package var functions: [String: NamedFormula] = [:]
  /// Whether the macros that only the conformance suite has (`cel.block`, `cel.index`, `cel.iterVar`) are expanded.
  package var expandsBlockMacros = false
  /// How large an expression may be.
  public var limits = ExpressionLimits()

  /// The defaults.
  public init() {}
}
