/// How many schemas of a program judge one value, at most, for each schema that it may be given to.
///
/// Counted along the references, so that schemas which name each other twice at each of many levels count with their
/// real cost. A reference that leads back to itself counts as nothing: the number of rounds depends on the value.
/// Linear in the program.
struct EvaluationCounts {
  /// Counts end here; beyond it does not matter how many.
  private static let told = 1_000_000_000

  private struct Count {
    /// How many schemas judge the value itself.
    var here = 0
    /// How many judge one value inside it, at most.
    var inside = 0

    var most: Int { max(here, inside) }

    static func + (left: Count, right: Count) -> Count {
      Count(here: min(left.here + right.here, told), inside: min(left.inside + right.inside, told))
    }
  }

  private let program: Program
  /// By schema; zero before it is counted.
  private var counts: [Count]

  /// The counts of all schemas.
  init(_ program: Program) {
    self.program = program
    counts = [Count](repeating: Count(), count: program.schemas.count)
    var isOpen = [Bool](repeating: false, count: counts.count)
    for start in counts.indices where counts[start].here == 0 {
      // Depth first, without recursion: a chain of references may be as long as the schema.
      var stack = [start]
      while let schema = stack.last {
        if isOpen[schema] || counts[schema].here > 0 {
          stack.removeLast()
          if isOpen[schema] {
            isOpen[schema] = false
            counts[schema] = count(schema)
          }
          continue
        }
        isOpen[schema] = true
        stack += targets(of: schema).filter { counts[$0].here == 0 && !isOpen[$0] }
      }
    }
  }

  /// How many schemas judge one value, a value given to that schema or one inside it, at most.
  func most(of schema: Int) -> Int { counts[schema].most }

  /// The schemas that a schema names, for the value itself and for the values inside it.
  func targets(of schema: Int) -> [Int] {
    instructions(of: schema).flatMap { (inPlace($0) + inner($0)).map(Int.init) }
  }

  private func instructions(of schema: Int) -> ArraySlice<Instruction> {
    program.written[program.sources[schema].written.range]
  }

  private func inPlace(_ instruction: Instruction) -> [Int32] {
    instruction.operation == .dynamicReference
      ? [program.dynamicReferences[Int(instruction.a)].initial]
      : instruction.inPlaceSchemas(lists: program.lists)
  }

  private func inner(_ instruction: Instruction) -> [Int32] {
    instruction.operation == .propertyNames ? [instruction.a] : program.innerSchemas(instruction)
  }

  private func count(_ schema: Int) -> Count {
    var total = Count(here: 1)
    var elements = Inner()
    var members = Inner()
    for instruction in instructions(of: schema) {
      let inPlace = inPlace(instruction).map { counts[Int($0)] }
      if instruction.operation == .conditional {
        // Of `then` and `else` one is applied.
        let branches = inPlace.dropFirst()
        total = total + inPlace[0]
        total = total + Count(here: branches.map(\.here).max() ?? 0, inside: branches.map(\.inside).max() ?? 0)
      } else {
        total = inPlace.reduce(total, +)
      }
      let inside = inner(instruction).map { counts[Int($0)].most }
      if instruction.appliesTo == .arrays {
        elements.add(inside, of: instruction.operation)
      } else {
        members.add(inside, of: instruction.operation)
      }
    }
    // No value is an element and a member.
    return total + Count(inside: max(elements.most, members.most))
  }

  /// How many schemas judge one of the elements or one of the members, as far as one schema says so.
  private struct Inner {
    /// By schemas that share the values out: members by name, elements by position, and the rest of them.
    private var shared = 0
    /// By schemas that may be for any value.
    private var any = 0

    var most: Int { min(shared + any, told) }

    mutating func add(_ counts: [Int], of operation: Instruction.Operation) {
      switch operation {
      case .contains, .patternProperties: any = counts.reduce(any) { min($0 + $1, told) }
      default: shared = max(shared, counts.max() ?? 0)
      }
    }
  }
}
