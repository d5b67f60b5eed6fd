internal import Budgets
internal import CPCRE2

/// A pattern that PCRE2 has compiled.
///
/// `@unchecked Sendable`: `code` is written only in `init`; PCRE2 documents a compiled pattern, machine code included,
/// as read-only while matching and so safe to share between threads (pcre2api, "Multithreading"). All that matching
/// writes is in the `MatchScratch` of the thread.
final class CompiledPattern: @unchecked Sendable {
  /// Nil if the pattern is too large for PCRE2, whose offsets have 16 bits; then only the automaton runs it.
  private let code: OpaquePointer?
  private let isJustInTime: Bool
  private let shape: PatternShape
  /// The same pattern for one pass without PCRE2, if it is of that kind; owned.
  let quick: QuickPattern?
  /// The same pattern without backtracking, for texts for which backtracking costs too much; nil when the pattern needs
  /// it.
  private let automaton: AutomatonProgram?

  private static let nestingMax: UInt32 = 1_000

  /// Up to this length of a text, in UTF-8 code units, even quadratic work is cheap.
  private static let shortTextMax = 4_096
  /// The same if many searches go through one text.
  private static let sharedTextMax = 512
  /// The same for patterns without an automaton: a longer text is refused as too costly.
  private static let backtrackingTextMax = 16_384

  /// How many steps of a matcher cost a unit of work: a step of PCRE2 takes about a nanosecond, one of the automaton
  /// two.
  private static let stepsPerUnit = 25
  private static let automatonStepsPerUnit = 12

  /// Compiles `pattern`.
  init(_ pattern: ParsedPattern) throws(PatternError) {
    let emitter = try PatternEmitter.emit(pattern)
    var options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C | PCRE2_MATCH_UNSET_BACKREF
    if emitter.foldsCase { options |= PCRE2_CASELESS }
    var status: Int32 = 0
    var offset = 0
    // The parsers limit nesting; the emitter adds groups of its own, which must not reach PCRE2's limit of 250.
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_parens_nest_limit_8(context, Self.nestingMax)
    let compiled = emitter.bytes.withUnsafeBufferPointer { bytes in
      pcre2_compile_8(bytes.baseAddress, bytes.count, options, &status, &offset, context)
    }
    shape = PatternShape(pattern.root)
    guard let compiled else {
      let error = Self.error(status, at: emitter.sourceOffset(of: offset))
      guard error.reason == .tooLarge,
        let program = AutomatonProgram(pattern, instructionsMax: AutomatonProgram.largeInstructionsMax)
      else { throw error }
      (code, isJustInTime, quick, automaton) = (nil, false, nil, program)
      return
    }
    code = compiled
    isJustInTime = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0
    quick = QuickPattern(pattern.root)
    automaton = shape.repeats ? AutomatonProgram(pattern) : nil
  }

  /// Compiles an expression of our own, written in the syntax of PCRE2.
  init(native source: String) throws(PatternError) {
    var status: Int32 = 0
    var offset = 0
    let options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL
    let bytes = Array(source.utf8)
    guard let compiled = pcre2_compile_8(bytes, bytes.count, options, &status, &offset, nil) else {
      throw Self.error(status, at: offset)
    }
    code = compiled
    isJustInTime = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0
    shape = PatternShape(.empty)
    quick = nil
    automaton = nil
  }

  deinit {
    pcre2_code_free_8(code)
    quick?.deallocate()
  }

  /// The error for a pattern that PCRE2 refuses although the dialect's parser accepted it.
  private static func error(_ status: Int32, at offset: Int) -> PatternError {
    switch status {
    case 125: return .unsupported("a lookbehind needs a length that is known in advance", at: offset)
    case 147: return .syntax("there is no Unicode property of this name", at: offset)
    case 101, 119, 120, 187: return .tooLarge("the pattern is too large", at: offset)
    default:
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = pcre2_get_error_message_8(status, &buffer, buffer.count)
      return .unsupported(String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self), at: offset)
    }
  }

  /// Whether `text` (valid UTF-8) holds a match, within the bounds that every match has.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> MatchOutcome {
    var budget = WorkBudget(units: .max)
    return matches(text, budget: &budget)
  }

  /// The same, spending from a budget; `tooCostly` also when that has too little left. The cost depends on the text's
  /// length and on the matcher's steps.
  @inline(__always)
  func matches(_ text: UnsafeBufferPointer<UInt8>, budget: inout WorkBudget) -> MatchOutcome {
    // The worst patterns take some 65 ns for each byte of a long text.
    guard budget.spend(1 + text.count >> 1) else { return .tooCostly }
    if let quick { return quick.matches(text) ? .match : .noMatch }
    if isLong(text.count) {
      if let automaton { return matches(text, by: automaton, &budget) }
      if text.count > Self.backtrackingTextMax { return .tooCostly }
    }
    if let scratch = MatchScratch.current {
      let outcome = matches(text, from: 0, with: scratch, &budget)
      if outcome != .tooCostly || budget.isSpent { return outcome }
    }
    return automaton.map { matches(text, by: $0, &budget) } ?? .tooCostly
  }

  /// The range of the first match that begins at `start` or later. It spends from a budget: for each two bytes that
  /// were looked at, and for the matcher's steps. Groups are not reported.
  func firstRange(
    in text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    budget: inout WorkBudget
  ) -> SearchOutcome {
    var outcome = SearchOutcome.tooCostly
    if !isLong(text.count - start), let scratch = MatchScratch.current {
      switch matches(text, from: start, with: scratch, &budget) {
      case .match:
        if let offsets = pcre2_get_ovector_pointer_8(scratch.pointee.single) {
          // Looking behind may end a match before it begins.
          outcome = .found(PatternMatch(ranges: [offsets[0]..<max(offsets[0], offsets[1])]))
        }
      case .noMatch: outcome = .notFound
      case .tooCostly: break
      }
    }
    if outcome == .tooCostly, !budget.isSpent, let automaton {
      switch search(text, from: start, by: automaton, wantsEnd: true, &budget) {
      case .found(let range): outcome = .found(PatternMatch(ranges: [range]))
      case .notFound: outcome = .notFound
      case .tooCostly: break
      }
    }
    var end = text.count
    if case .found(let match) = outcome { end = match.range.upperBound }
    return budget.spend(1 + (end - start) >> 1) ? outcome : .tooCostly
  }

  /// Whether a match begins at `start` or later, by PCRE2 alone, which does not report its number of steps. So it gets
  /// few steps first, and ten times as many each time they were too few. Nearly all texts need only the first attempt,
  /// and the charge is right to a factor of ten.
  private func matches(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    with scratch: UnsafeMutablePointer<MatchScratch>,
    _ budget: inout WorkBudget
  ) -> MatchOutcome {
    let stepsMax = stepsMax(count: text.count - start)
    var steps = min(stepsMax, MatchScratch.stepsMin)
    while true {
      scratch.pointee.limitSteps(steps)
      let context = scratch.pointee.context
      let status = run(text, from: start, options: 0, into: scratch.pointee.single, context: context)
      if status >= 0 { return .match }
      if status == PCRE2_ERROR_NOMATCH { return .noMatch }
      guard status == PCRE2_ERROR_MATCHLIMIT, budget.spend(steps / Self.stepsPerUnit), steps < stepsMax else {
        return .tooCostly
      }
      steps = min(steps * 10, stepsMax)
    }
  }

  /// The cost limit of all searches in one text together.
  struct Budget {
    /// Some tens of milliseconds.
    static let automatonStepsMax = 20_000_000

    /// Steps of the automaton that are left.
    var automatonSteps = Self.automatonStepsMax
    /// Whether many searches share this budget, so that each must stay small.
    var isShared: Bool
  }

  /// The first match in `text` (valid UTF-8) that begins at `start` or later.
  func search(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    groupCount: Int,
    budget: inout Budget
  ) -> SearchOutcome {
    let count = text.count - start
    let isLong = isLong(count) || (budget.isShared && shape.isUnbounded && text.count > Self.sharedTextMax)
    if !isLong || (automaton == nil && count <= Self.backtrackingTextMax) {
      let outcome = search(text, from: start, pairs: groupCount + 1, isShared: budget.isShared)
      guard outcome == .tooCostly, automaton != nil else { return outcome }
    }
    guard let automaton else { return .tooCostly }
    switch Automaton.search(automaton, in: text.span, from: start, wantsEnd: true, steps: &budget.automatonSteps) {
    case .notFound: return .notFound
    case .tooCostly: return .tooCostly
    case .found(let range):
      if groupCount == 0 { return .found(PatternMatch(ranges: [range])) }
      // Only the groups are still unknown, and there is one position to look for them.
      return search(text, from: range.lowerBound, pairs: groupCount + 1, isAnchored: true)
    }
  }

  /// Whether a text of this length is too long for PCRE2, or any is. A pattern with unbounded repetition that may begin
  /// anywhere can read to the end of the text from each position. PCRE2 does not count these loops as steps.
  @inline(__always)
  private func isLong(_ count: Int) -> Bool {
    code == nil || count > Self.shortTextMax && shape.isUnbounded && !shape.isAnchored
  }

  /// How many steps PCRE2 may take from one position of a text, so that all positions together stay bounded: its count
  /// begins again at each position.
  @inline(__always)
  private func stepsMax(count: Int, isShared: Bool = false) -> Int {
    // With an automaton to fall back on, PCRE2 gets fewer steps.
    let total = automaton == nil ? 20_000_000 : isShared ? 100_000 : 2_000_000
    let starts = shape.isAnchored ? 1 : max(count, 1)
    return min(max(total / starts, MatchScratch.stepsMin), MatchScratch.stepsMax)
  }

  private func matches(
    _ text: UnsafeBufferPointer<UInt8>,
    by automaton: AutomatonProgram,
    _ budget: inout WorkBudget
  ) -> MatchOutcome {
    switch search(text, from: 0, by: automaton, wantsEnd: false, &budget) {
    case .found: .match
    case .notFound: .noMatch
    case .tooCostly: .tooCostly
    }
  }

  /// - Parameter wantsEnd: whether the end of the match is to be found, too.
  private func search(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    by automaton: AutomatonProgram,
    wantsEnd: Bool,
    _ budget: inout WorkBudget
  ) -> Automaton.Outcome {
    let unitsMax = Budget.automatonStepsMax / Self.automatonStepsPerUnit
    let stepsMax = min(unitsMax, budget.unitsLeft) * Self.automatonStepsPerUnit
    var stepsLeft = stepsMax
    let outcome = Automaton.search(automaton, in: text.span, from: start, wantsEnd: wantsEnd, steps: &stepsLeft)
    return budget.spend((stepsMax - stepsLeft) / Self.automatonStepsPerUnit) ? outcome : .tooCostly
  }

  private func search(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    pairs: Int,
    isShared: Bool = false,
    isAnchored: Bool = false
  ) -> SearchOutcome {
    let options = isAnchored ? PCRE2_ANCHORED : 0
    guard let scratch = MatchScratch.current else { return .tooCostly }
    scratch.pointee.limitSteps(
      isAnchored ? MatchScratch.stepsMax : stepsMax(count: text.count - start, isShared: isShared)
    )
    let context = scratch.pointee.context
    guard pairs > MatchScratch.pairsMax else {
      let space = scratch.pointee.groups
      return result(text, from: start, options: options, pairs: pairs, into: space, context: context)
    }
    guard let own = pcre2_match_data_create_8(UInt32(clamping: pairs), nil) else { return .tooCostly }
    defer { pcre2_match_data_free_8(own) }
    return result(text, from: start, options: options, pairs: pairs, into: own, context: context)
  }

  private func result(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    options: UInt32,
    pairs: Int,
    into data: OpaquePointer,
    context: OpaquePointer
  ) -> SearchOutcome {
    let status = run(text, from: start, options: options, into: data, context: context)
    guard status >= 0 else { return status == PCRE2_ERROR_NOMATCH ? .notFound : .tooCostly }
    guard let offsets = pcre2_get_ovector_pointer_8(data) else { return .tooCostly }
    let ranges = (0..<pairs).map { index -> Range<Int>? in
      guard index < Int(status) else { return nil }
      let (low, high) = (offsets[2 * index], offsets[2 * index + 1])
      // Unset groups are PCRE2_UNSET, the largest size.
      return low <= high && high <= text.count ? low..<high : nil
    }
    return .found(PatternMatch(ranges: ranges))
  }

  @inline(__always)
  private func run(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    options: UInt32,
    into data: OpaquePointer,
    context: OpaquePointer
  ) -> Int32 {
    guard let code else { return PCRE2_ERROR_MATCHLIMIT }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { empty in
      // An empty buffer may have no address, but PCRE2 wants one.
      let base = text.baseAddress ?? UnsafePointer(empty.baseAddress)
      // The machine code was compiled for searching: only the interpreter can match anchored at `start`.
      return isJustInTime && options == 0
        ? pcre2_jit_match_8(code, base, text.count, start, 0, data, context)
        : pcre2_match_8(code, base, text.count, start, options | PCRE2_NO_UTF_CHECK, data, context)
    }
  }
}
