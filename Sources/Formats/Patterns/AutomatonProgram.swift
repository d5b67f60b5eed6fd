/// A pattern as instructions for ``Automaton``. Not every pattern has one: looking around and references back need
/// backtracking, and large counts need too much room.
struct AutomatonProgram: Sendable {
  enum Instruction: Sendable {
    /// One character of `sets[index]`, then the next instruction.
    case consume(set: Int)
    /// Goes on at both instructions; the first has priority.
    case split(first: Int, second: Int)
    case jump(Int)
    case anchor(PatternAnchor)
    case match
  }

  /// Beyond this a repetition has been unrolled too often for the automaton to be of use.
  private static let instructionsMax = 10_000
  /// The same if PCRE2 cannot be used: enough for every pattern that repeats little.
  static let largeInstructionsMax = 250_000

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [CharacterTest] = []
  /// By code point: the set that contains only it.
  private var setOfScalar: [UInt32: Int] = [:]
  private let instructionsMax: Int

  /// Translates `pattern`; nil when it cannot be done within so many instructions.
  init?(_ pattern: ParsedPattern, instructionsMax: Int = Self.instructionsMax) {
    self.instructionsMax = instructionsMax
    guard !pattern.needsBacktracking, emit(pattern.root), append(.match) else { return nil }
  }

  private mutating func append(_ instruction: Instruction) -> Bool {
    instructions.append(instruction)
    return instructions.count <= instructionsMax
  }

  private mutating func emit(_ node: PatternNode) -> Bool {
    switch node {
    case .empty:
      return true
    case .scalar, .set:
      guard let index = addSet(of: node) else { return false }
      return append(.consume(set: index))
    case .sequence(let nodes):
      for inner in nodes where !emit(inner) { return false }
      return true
    case .alternation(let nodes):
      return emit(alternation: nodes)
    case .capture(let inner, _):
      return emit(inner)
    case .repetition(let inner, let minimum, let maximum, let isLazy, _):
      return emit(inner, minimum: minimum, maximum: maximum, isLazy: isLazy)
    case .anchor(let anchor):
      return append(.anchor(anchor))
    case .look, .backreference:
      return false
    }
  }

  /// Adds the characters that `node` consumes; nil when it is more than one character, or its characters are not known.
  private mutating func addSet(of node: PatternNode) -> Int? {
    var set: PatternSet
    switch node {
    case .scalar(let scalar, let foldsCase):
      if !foldsCase, let known = setOfScalar[scalar] { return known }
      set = PatternSet([scalar...scalar])
      let isLetter = PatternReader.isLetter(scalar)
      // K and S have a third form beyond ASCII (Kelvin sign, long s): PCRE2 decides on these two.
      if foldsCase, isLetter, scalar | 0x20 != 0x6B, scalar | 0x20 != 0x73 {
        set.insert(scalar ^ 0x20)
      } else {
        set.foldsCase = foldsCase && (isLetter || scalar >= 0x80)
      }
    case .set(let given): set = given
    default: return nil
    }
    guard let test = CharacterTest(set) else { return nil }
    if case .scalar(let scalar, false) = node { setOfScalar[scalar] = sets.count }
    sets.append(test)
    return sets.count - 1
  }

  private mutating func emit(alternation nodes: [PatternNode]) -> Bool {
    var jumps: [Int] = []
    for (index, inner) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      let split = instructions.count
      if !isLast, !append(.split(first: split + 1, second: 0)) { return false }
      guard emit(inner) else { return false }
      if !isLast {
        jumps.append(instructions.count)
        guard append(.jump(0)) else { return false }
        instructions[split] = .split(first: split + 1, second: instructions.count)
      }
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
    return true
  }

  private mutating func emit(_ inner: PatternNode, minimum: Int, maximum: Int?, isLazy: Bool) -> Bool {
    guard minimum <= instructionsMax, (maximum ?? 0) <= instructionsMax else { return false }
    // One character repeated shares its set between the copies.
    let shared = addSet(of: inner)
    func copy(_ program: inout AutomatonProgram) -> Bool {
      if let shared { return program.append(.consume(set: shared)) }
      return program.emit(inner)
    }
    for _ in 0..<minimum where !copy(&self) { return false }
    guard let maximum else {
      let split = instructions.count
      guard append(.jump(0)), copy(&self), append(.jump(split)) else { return false }
      instructions[split] = Self.split(body: split + 1, rest: instructions.count, isLazy: isLazy)
      return true
    }
    var splits: [Int] = []
    for _ in minimum..<maximum {
      splits.append(instructions.count)
      guard append(.jump(0)), copy(&self) else { return false }
    }
    for split in splits { instructions[split] = Self.split(body: split + 1, rest: instructions.count, isLazy: isLazy) }
    return true
  }

  private static func split(body: Int, rest: Int, isLazy: Bool) -> Instruction {
    isLazy ? .split(first: rest, second: body) : .split(first: body, second: rest)
  }
}
