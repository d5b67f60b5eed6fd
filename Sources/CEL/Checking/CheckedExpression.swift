/// An expression whose names are resolved and whose types are inferred.
public struct CheckedExpression: Sendable {
  /// The expression as the parser read it.
  public let parsed: ParsedExpression
  /// The type of the result.
  public let type: CELType
  /// The type of each node, by its id.
  let types: [CELType]
  /// The reference of each name and call, by the node's id.
  private(set) var references: [Reference?]

  /// The target of a node's reference.
  enum Reference: Sendable {
    /// A declared variable; the node may be a chain of selections that spells its name.
    case variable(VariableDeclaration)
    /// A variable that a comprehension binds.
    case local(String)
    case constant(Value)
    /// The overloads that may be meant, and whether the target is an argument (and not a part of the function's name).
    case overloads([Overload], takesTarget: Bool)
    /// A record to be constructed.
    case record(RecordDeclaration)
  }

  /// The type that was inferred for a node of the tree.
  public func type(of node: Syntax) -> CELType { types[node.id] }

  /// Lets a call mean another overload, which takes the same arguments and gives the same type.
  package mutating func replaceOverloads(of call: Syntax, by overload: Overload) {
    guard case .overloads(_, let takesTarget) = references[call.id] else { return }
    references[call.id] = .overloads([overload], takesTarget: takesTarget)
  }

  /// Whether a call in the expression may mean one of those overloads.
  package func calls(anyOf overloadIDs: [String]) -> Bool {
    references.contains { reference in
      guard case .overloads(let overloads, _) = reference else { return false }
      return overloads.contains { overloadIDs.contains($0.id) }
    }
  }

  /// The ids of the overloads that a call may mean; one, unless types are left to the evaluation.
  public func overloadIDs(of node: Syntax) -> [String] {
    if case .overloads(let overloads, _) = references[node.id] { overloads.map(\.id) } else { [] }
  }
}
