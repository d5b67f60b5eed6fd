internal import JSON

extension SchemaCompiler {
  /// A reference that leads back to its start without a step into the instance: evaluating it would never end. (Core,
  /// section 9.4.1: a schema must not be run into such a loop.)
  struct ReferenceLoop {
    /// The schema that leads back.
    var origin: Int
    /// The schema that the reference leads to.
    var target: Int
  }

  /// Refuses loops of references: all, or only those to which the schema of the whole instance leads.
  mutating func refuseReferenceLoops(from root: Int) {
    let loops = referenceLoops(atMost: options.allowsReferenceLoops ? .max : 1)
    if let loop = loops.first(where: { isRefused($0, from: root) }) { report(loop) }
  }

  /// Whether a loop makes a schema useless: see ``CompileOptions/allowsReferenceLoops``.
  func isRefused(_ loop: ReferenceLoop, from root: Int) -> Bool {
    guard options.allowsReferenceLoops else { return true }
    var seen: Set<Int> = [root]
    var waiting = [root]
    while let schema = waiting.popLast() {
      if schema == loop.origin { return true }
      waiting += inPlaceTargets(of: schema).filter { seen.insert($0).inserted }
    }
    return false
  }

  /// The loops of references among the schemas, so many at most.
  func referenceLoops(atMost countMax: Int) -> [ReferenceLoop] {
    var loops: [ReferenceLoop] = []
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: tables.schemas.count)
    for start in tables.schemas.indices where marks[start] == .new {
      var stack: [(schema: Int, edges: [Int], next: Int)] = [(start, inPlaceTargets(of: start), 0)]
      marks[start] = .open
      while let top = stack.last {
        guard top.next < top.edges.count else {
          marks[top.schema] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = top.edges[top.next]
        switch marks[target] {
        case .done:
          continue
        case .new:
          marks[target] = .open
          stack.append((target, inPlaceTargets(of: target), 0))
        case .open:
          loops.append(ReferenceLoop(origin: top.schema, target: target))
          if loops.count == countMax { return loops }
        }
      }
    }
    return loops
  }

  /// Notes a loop as a problem.
  mutating func report(_ loop: ReferenceLoop) {
    registry.report(
      .referenceLoop,
      at: firstLocation(of: loop.origin),
      nil,
      "\(text(of: loop)): no instance can be checked"
    )
  }

  /// The way of a loop, in words.
  func text(of loop: ReferenceLoop) -> String {
    let origin = location(loop.origin)
    let target = location(loop.target)
    return "the references from \(target) lead to \(origin), and that one leads back to \(target)"
  }

  private func location(_ schema: Int) -> String {
    let source = tables.sources[schema]
    return "\(source.uri)#\(registry.pointer(of: Int(source.location), upTo: Int(source.resourceLocation)))"
  }

  private func inPlaceTargets(of schema: Int) -> [Int] {
    var targets: [Int] = []
    for instruction in tables.written[tables.sources[schema].written.range] where instruction.isInPlace {
      targets += instruction.inPlaceSchemas(lists: tables.lists).map(Int.init)
    }
    return targets
  }
}

extension Instruction {
  /// The schemas that it applies to the instance itself; none for a dynamic reference, whose target is not known.
  func inPlaceSchemas(lists: [Int32]) -> [Int32] {
    switch operation {
    case .allOf, .anyOf, .oneOf:
      Array(lists[Int(a)..<Int(a + b)])
    case .not, .reference:
      [a]
    case .conditional:
      [a, b, c].filter { $0 >= 0 }
    case .dependentSchemas:
      stride(from: Int(a) + 1, to: Int(a + b), by: 2).map { lists[$0] }
    default:
      []
    }
  }
}
