/// Runs a pattern without ever going back in the text: all ways to match advance together (K. Thompson, "Regular
/// expression search algorithm", 1968, with the priorities of R. Pike's `sam`). For every pattern, time is bounded by
/// the length of the text times the length of the program. It is used if backtracking would explode.
struct Automaton {
  enum Outcome {
    /// The leftmost match, and among equally left ones the match that the pattern prefers.
    case found(Range<Int>)
    case notFound
    case tooCostly
  }

  /// The ways to match that are alive, in order of priority. `sparse` is the position of a way in `instructions`, so
  /// that no instruction has two ways.
  private struct Threads {
    var instructions: [Int]
    var starts: [Int]
    var sparse: [Int]
    var count = 0

    init(size: Int) {
      instructions = Array(repeating: 0, count: size)
      starts = Array(repeating: 0, count: size)
      sparse = Array(repeating: 0, count: size)
    }

    @inline(__always)
    func contains(_ instruction: Int) -> Bool {
      let index = sparse[instruction]
      return index < count && instructions[index] == instruction
    }

    @inline(__always)
    mutating func append(_ instruction: Int, start: Int) {
      instructions[count] = instruction
      starts[count] = start
      sparse[instruction] = count
      count += 1
    }
  }

  private let program: AutomatonProgram
  /// Steps that are left.
  private var steps: Int
  private var stack: [Int] = []

  private init(_ program: AutomatonProgram, steps: Int) {
    self.program = program
    self.steps = steps
  }

  /// Searches `text` from `start` on. With `wantsEnd` false any match is reported as soon as there is one. Spends from
  /// `steps`.
  static func search(
    _ program: AutomatonProgram,
    in text: Span<UInt8>,
    from start: Int,
    wantsEnd: Bool,
    steps: inout Int
  ) -> Outcome {
    var automaton = Automaton(program, steps: steps)
    defer { steps = automaton.steps }
    return automaton.search(text, from: start, wantsEnd: wantsEnd)
  }

  private mutating func search(_ text: Span<UInt8>, from start: Int, wantsEnd: Bool) -> Outcome {
    let size = program.instructions.count
    var current = Threads(size: size)
    var next = Threads(size: size)
    var found: Range<Int>?
    var index = start
    while true {
      // A new way begins here only while none has matched: the leftmost wins.
      if found == nil { add(0, start: index, to: &current, text: text, at: index) }
      if current.count == 0 { break }
      let (scalar, length) = index < text.count ? text.scalar(at: index) : (0, 0)
      next.count = 0
      var position = 0
      while position < current.count {
        let instruction = current.instructions[position]
        let begin = current.starts[position]
        position += 1
        steps -= 1
        switch program.instructions[instruction] {
        case .match:
          found = begin..<index
          if !wantsEnd { return .found(begin..<index) }
          // Ways of lower priority are out.
          position = current.count
        case .consume(let set):
          if length > 0, program.sets[set].contains(scalar) {
            add(instruction + 1, start: begin, to: &next, text: text, at: index + length)
          }
        case .split, .jump, .anchor:
          break
        }
      }
      if steps < 0 { return .tooCostly }
      if length == 0 { break }
      index += length
      swap(&current, &next)
      if current.count == 0, found != nil { break }
    }
    return found.map { .found($0) } ?? .notFound
  }

  /// Adds the way at `instruction` and all that it leads to without consuming.
  private mutating func add(
    _ instruction: Int,
    start: Int,
    to threads: inout Threads,
    text: Span<UInt8>,
    at index: Int
  ) {
    stack.append(instruction)
    while let instruction = stack.popLast() {
      if threads.contains(instruction) { continue }
      steps -= 1
      threads.append(instruction, start: start)
      switch program.instructions[instruction] {
      case .jump(let target): stack.append(target)
      case .split(let first, let second):
        stack.append(second)
        stack.append(first)
      case .anchor(let anchor): if holds(anchor, text, at: index) { stack.append(instruction + 1) }
      case .consume, .match: break
      }
    }
  }

  private func holds(_ anchor: PatternAnchor, _ text: Span<UInt8>, at index: Int) -> Bool {
    switch anchor {
    case .textStart: index == 0
    case .textEnd: index == text.count
    case .lineStart: index == 0 || text[index - 1] == 0x0A
    case .lineEnd: index == text.count || text[index] == 0x0A
    case .wordBoundary: isWord(text, index - 1) != isWord(text, index)
    case .noWordBoundary: isWord(text, index - 1) == isWord(text, index)
    }
  }

  private func isWord(_ text: Span<UInt8>, _ index: Int) -> Bool {
    guard index >= 0, index < text.count else { return false }
    return ASCII.isLetterOrDigit(text[index]) || text[index] == UInt8(ascii: "_")
  }
}
