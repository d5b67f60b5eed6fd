internal import JSON

extension SchemaCompiler {
  /// Refuses references that lead back to where they started without a step into the instance: evaluating them would never
  /// end. (Core, section 9.4.1: a schema must not be run into such a loop.)
  mutating func refuseReferenceLoops() {
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
          reportLoop(from: top.schema, to: target)
          return
        }
      }
    }
  }

  private mutating func reportLoop(from: Int, to: Int) {
    let origin = place(from)
    let target = place(to)
    registry.report(
      .referenceLoop,
      at: firstLocation(of: from),
      nil,
      "the references from \(target) lead to \(origin), and that one leads back to \(target): no instance can be checked"
    )
  }

  private func place(_ schema: Int) -> String {
    let source = tables.sources[schema]
    return "\(source.uri)#\(registry.pointer(of: Int(source.place), upTo: Int(source.resourcePlace)))"
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
