internal import JSON

/// Which schemas of a program apply which others, to find out about a schema as a whole.
///
/// The nodes are the schemas, and behind them one node for each name of dynamic anchors: a dynamic reference may lead
/// to each of its schemas, and many references to many anchors would make more edges than the schema has characters.
struct SchemaGraph {
  let program: Program

  var nodeCount: Int { program.schemas.count + program.dynamicAnchors.count }

  /// The value that an edge applies its target to.
  enum Edges {
    /// The value itself.
    case inPlace
    /// The value, its members and its elements.
    case all
  }

  /// Calls with each node that a node leads to; once for each time that the node is written.
  func forEachTarget(of node: Int, along edges: Edges, _ body: (Int) -> Void) {
    guard node < program.schemas.count else {
      for anchored in program.dynamicAnchors[node - program.schemas.count].values { body(Int(anchored)) }
      return
    }
    for position in program.sources[node].written.range {
      let instruction = program.written[position]
      for schema in instruction.inPlaceSchemas(lists: program.lists) { body(Int(schema)) }
      if instruction.operation == .dynamicReference {
        let reference = program.dynamicReferences[Int(instruction.a)]
        body(Int(reference.initial))
        body(program.schemas.count + Int(reference.anchor))
      }
      if edges == .all { for schema in program.innerSchemas(instruction) { body(Int(schema)) } }
    }
  }

  /// Every node that can be reached from some, themselves included.
  func reachable(from starts: [Int], along edges: Edges) -> [Int] {
    var isReached = [Bool](repeating: false, count: nodeCount)
    var reached: [Int] = []
    for start in starts where !isReached[start] {
      isReached[start] = true
      reached.append(start)
    }
    var next = 0
    while next < reached.count {
      forEachTarget(of: reached[next], along: edges) { target in
        guard !isReached[target] else { return }
        isReached[target] = true
        reached.append(target)
      }
      next += 1
    }
    return reached
  }
}

extension Program {
  /// The schemas that an instruction applies to members or elements; not to members' names, which are not values.
  func innerSchemas(_ instruction: Instruction) -> [Int32] { instruction.innerSchemas(lists: lists, plans: plans) }
}

extension Instruction {
  /// The schemas that it applies to members or elements; not to members' names, which are not values.
  func innerSchemas(lists: [Int32], plans: [MemberPlan]) -> [Int32] {
    switch operation {
    case .items, .contains, .unevaluatedItems, .unevaluatedProperties: [a]
    case .prefixItems: Array(lists[Int(a)..<Int(a + b)])
    case .properties: plans[Int(a)].names.entries.map(\.schema).filter { $0 >= 0 }
    case .patternProperties: plans[Int(a)].patterns.map(\.schema)
    case .additionalProperties: [plans[Int(a)].additional]
    default: []
    }
  }
}
