internal import JSON

/// The names of members that may be secrets, or hold some: the members below which any schema is `writeOnly`, under any
/// condition.
///
/// More values than the actual secrets count as secrets: a member counts by its name alone, at any location.
struct SecretNames {
  private var names: Set<String> = []
  /// A secret is not known by a member's name: it is in a list, under a pattern, or is the instance.
  private var isEverywhere = false

  init(_ program: Program) {
    var waiting = program.sources.indices.filter { program.sources[$0].value["writeOnly"]?.boolValue == true }
    guard !waiting.isEmpty else { return }
    isEverywhere = program.keepsScope
    // Against the edges, to the members' names.
    var sources = [[Int32]](repeating: [], count: program.sources.count)
    var namesBySchema: [Int32: [String]] = [:]
    for (schema, source) in program.sources.enumerated() {
      for instruction in program.written[source.written.range] {
        for target in instruction.inPlaceSchemas(lists: program.lists) { sources[Int(target)].append(Int32(schema)) }
        guard instruction.operation == .properties else {
          for target in program.innerSchemas(instruction) { sources[Int(target)].append(Int32(schema)) }
          continue
        }
        for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
          namesBySchema[entry.schema, default: []].append(entry.name)
        }
      }
    }
    var isReached = [Bool](repeating: false, count: sources.count)
    for schema in waiting { isReached[schema] = true }
    while let next = waiting.popLast() {
      if next == Int(program.root) { isEverywhere = true }
      names.formUnion(namesBySchema[Int32(next)] ?? [])
      for source in sources[next] where !isReached[Int(source)] {
        isReached[Int(source)] = true
        waiting.append(Int(source))
      }
    }
  }

  /// Whether any value may be a secret.
  var areAny: Bool { isEverywhere || !names.isEmpty }

  /// Whether the value at a path may be a secret, or a part of one.
  func holds(_ path: [String]) -> Bool {
    isEverywhere || !names.isEmpty && path.contains { names.contains($0) }
  }
}
