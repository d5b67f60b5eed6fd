/// The edges of a graph in two flat arrays. The edges of the node `n` lead to `targets[starts[n] ..< starts[n + 1]]`.
package struct AdjacencyList: Sendable {
  private(set) var starts: [Int32] = [0]
  private(set) var targets: [Int32] = []

  /// The nodes that edges start from.
  var nodeCount: Int { starts.count - 1 }

  /// Adds the next node, with its edges.
  mutating func append(_ edges: some Sequence<Int>) {
    for target in edges { targets.append(Int32(target)) }
    starts.append(Int32(targets.count))
  }

  /// The nodes that the edges of a node lead to.
  package subscript(node: Int) -> ArraySlice<Int32> { targets[Int(starts[node])..<Int(starts[node + 1])] }

  /// The reversed edges. Each node's edges are in ascending order.
  ///
  /// - Parameter count: the number of nodes that edges lead to.
  func transposed(nodeCount count: Int) -> AdjacencyList {
    var transposed = AdjacencyList()
    transposed.starts = [Int32](repeating: 0, count: count + 1)
    for target in targets { transposed.starts[Int(target) + 1] += 1 }
    for node in 0..<count { transposed.starts[node + 1] += transposed.starts[node] }
    transposed.targets = [Int32](repeating: 0, count: targets.count)
    var next = transposed.starts
    for node in 0..<nodeCount {
      for target in self[node] {
        transposed.targets[Int(next[Int(target)])] = Int32(node)
        next[Int(target)] += 1
      }
    }
    return transposed
  }
}
