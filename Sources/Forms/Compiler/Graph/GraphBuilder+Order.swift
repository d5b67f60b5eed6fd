internal import Budgets
internal import CEL
internal import DocumentProperties
internal import JSON

/// The order in which the nodes are computed, and the report of a cycle.
extension GraphBuilder {
  /// Node numbers in an order in which each node comes after the writers of its facts (Kahn). Nodes in a cycle, or
  /// after one, are left out: `missing` gives for each node how many writers it still waits for.
  ///
  /// - Parameter waitsForRowAbove: whether a value in the row above comes after the writer of the value, too.
  func sorted(waitsForRowAbove: Bool) -> (order: [Int], missing: [Int]) {
    let readers = reads.transposed(nodeCount: facts.count)
    func waits(_ node: Int, _ fact: Int) -> Bool { waitsForRowAbove || !isInRowAbove(fact, of: node) }
    var missing = nodes.indices.map { node in
      reads[node].reduce(0) { $0 + (waits(node, Int($1)) ? writers[Int($1)].count : 0) }
    }
    var order = nodes.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for fact in writes[order[next]] {
        for reader in readers[Int(fact)].map(Int.init) where waits(reader, Int(fact)) {
          missing[reader] -= 1
          if missing[reader] == 0 { order.append(reader) }
        }
      }
      next += 1
    }
    return (order, missing)
  }

  /// Whether a node reads a fact of the row above.
  private func isInRowAbove(_ fact: Int, of node: Int) -> Bool {
    if case .above = nodes[node] { facts.isAboutField(fact) } else { false }
  }

  /// The number of names that a report of a cycle lists.
  private static let cycleNamesMax = 12

  /// Follows writers that cannot be computed until one repeats.
  func cycle(among missing: [Int]) -> Outcome {
    guard var current = nodes.indices.first(where: { missing[$0] > 0 }) else {
      preconditionFailure("no cycle in a graph that could not be ordered")
    }
    var path: [Int] = []
    var visited: Set<Int> = []
    while visited.insert(current).inserted {
      path.append(current)
      let node = current
      let sources = reads[node].lazy.filter { !isInRowAbove(Int($0), of: node) }.flatMap { writers[Int($0)] }
      guard let source = sources.first(where: { missing[Int($0)] > 0 }) else {
        preconditionFailure("node \(nodes[current]) is stuck without a reason")
      }
      current = Int(source)
    }
    let cycle = Array(path[path.firstIndex(of: current)!...])
    let pointers = cycle.compactMap { formulas(of: nodes[$0]).first.flatMap { JSONPointer($0.pointer) } }
      .prefix(Self.cycleNamesMax)
    // An output of rows has two nodes: first the row's, then the column of all rows.
    var names: [String] = []
    for name in cycle.map({ name(of: nodes[$0]) }) where name != names.last { names.append(name) }
    if names.count > 1, names.last == names.first { names.removeLast() }
    let more = names.count - Self.cycleNamesMax
    if more > 0 { names.replaceSubrange(Self.cycleNamesMax..., with: ["(\(more) more)"]) }
    return .cycle(names + [names[0]], Array(pointers))
  }

  func name(of node: Graph.Node) -> String {
    switch node {
    case .visible(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).visible"
    case .blank(let field):
      "\(FieldAddress.spelling(of: Array(fields[field].path.dropLast()), among: "fields")).blankRows"
    case .stepVisible(let step): "\(FieldAddress.spelling(ofStep: steps[step].id)).visible"
    case .enabled(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).enabled"
    case .required(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).required"
    case .computed(let field):
      "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).\(fields[field].nameOfValue)"
    case .value(let field): FieldAddress.spelling(of: fields[field].path, among: "values")
    case .judged(let field): FieldAddress.spelling(of: fields[field].path, among: "values")
    case .objectKeyword(let keyword): "schema\(objectKeywords[keyword].location)"
    case .rule(let rule): "rule \(rules[rule].id)"
    case .check(let check): "check \(checks[check].id)"
    case .field(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).isValid"
    case .formErrors: "errors"
    case .form: "form.isValid"
    case .step(let step): "\(FieldAddress.spelling(ofStep: steps[step].id)).isValid"
    case .lookup(let lookup): Printer.print(chain: ["lookups", lookups[lookup].address])
    case .action(let action): "actions.\(actions[action].name).enabled"
    case .output(let output): Printer.print(chain: ["outputs", outputs[output].address])
    case .unique(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).isValid"
    case .options(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).options"
    case .offered(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).isValid"
    case .trigger(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).resetWhen"
    case .above(let above):
      Printer.print(chain: ["above"] + fields[slots.aboves[above].field].path.drop { $0 != "*" }.dropFirst())
    case .column(let column): Printer.print(chain: ["outputs", outputs[slots.columns[column].output].address])
    }
  }
}
