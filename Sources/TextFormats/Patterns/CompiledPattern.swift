internal import CPCRE2

/// A pattern that PCRE2 has compiled.
///
/// `@unchecked Sendable`: `code` is written only in `init`; PCRE2 documents a compiled pattern, machine code included,
/// as read-only while matching and so safe to share between threads (pcre2api, "Multithreading"). All that matching
/// writes is in the `MatchScratch` of the thread.
final class CompiledPattern: @unchecked Sendable {
  private let code: OpaquePointer
  private let isJustInTime: Bool

  /// Compiles `pattern`.
  init(_ pattern: ParsedPattern) throws(PatternError) {
    let emitter = try PatternEmitter.emit(pattern)
    var options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C | PCRE2_MATCH_UNSET_BACKREF
    if emitter.foldsCase { options |= PCRE2_CASELESS }
    var status: Int32 = 0
    var place = 0
    let compiled = emitter.bytes.withUnsafeBufferPointer { bytes in
      pcre2_compile_8(bytes.baseAddress, bytes.count, options, &status, &place, nil)
    }
    guard let compiled else { throw Self.error(status, at: emitter.sourceOffset(of: place)) }
    code = compiled
    isJustInTime = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0
  }

  /// Compiles an expression of our own, written in the syntax of PCRE2.
  init(native source: String) throws(PatternError) {
    var status: Int32 = 0
    var place = 0
    let options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL
    let bytes = Array(source.utf8)
    guard let compiled = pcre2_compile_8(bytes, bytes.count, options, &status, &place, nil) else {
      throw Self.error(status, at: place)
    }
    code = compiled
    isJustInTime = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0
  }

  deinit { pcre2_code_free_8(code) }

  /// What PCRE2 refuses although the dialect's parser took it.
  private static func error(_ status: Int32, at offset: Int) -> PatternError {
    switch status {
    case 125: return .unsupported("looking behind needs a length that is known in advance", at: offset)
    case 147: return .syntax("there is no Unicode property of this name", at: offset)
    case 120, 101, 187: return .tooLarge("the pattern is too large", at: offset)
    default:
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = pcre2_get_error_message_8(status, &buffer, buffer.count)
      return .unsupported(String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self), at: offset)
    }
  }

  /// Whether `text` (valid UTF-8) holds a match.
  @inline(__always)
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> MatchOutcome {
    let status = MatchScratch.withCurrent { scratch in
      run(text, from: 0, into: scratch.single, context: scratch.context)
    }
    guard let status else { return .tooCostly }
    if status >= 0 { return .match }
    return status == PCRE2_ERROR_NOMATCH ? .noMatch : .tooCostly
  }

  /// The first match in `text` (valid UTF-8) that begins at `start` or later.
  func search(_ text: UnsafeBufferPointer<UInt8>, from start: Int, groupCount: Int) -> SearchOutcome {
    let pairs = groupCount + 1
    let outcome = MatchScratch.withCurrent { scratch -> SearchOutcome in
      guard pairs > MatchScratch.pairsMax else {
        return result(text, from: start, pairs: pairs, into: scratch.groups, context: scratch.context)
      }
      guard let own = pcre2_match_data_create_8(UInt32(clamping: pairs), nil) else { return .tooCostly }
      defer { pcre2_match_data_free_8(own) }
      return result(text, from: start, pairs: pairs, into: own, context: scratch.context)
    }
    return outcome ?? .tooCostly
  }

  private func result(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    pairs: Int,
    into data: OpaquePointer,
    context: OpaquePointer
  ) -> SearchOutcome {
    let status = run(text, from: start, into: data, context: context)
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
    into data: OpaquePointer,
    context: OpaquePointer
  ) -> Int32 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { empty in
      // An empty buffer may have no address, but PCRE2 wants one.
      let base = text.baseAddress ?? UnsafePointer(empty.baseAddress)
      return isJustInTime
        ? pcre2_jit_match_8(code, base, text.count, start, 0, data, context)
        : pcre2_match_8(code, base, text.count, start, PCRE2_NO_UTF_CHECK, data, context)
    }
  }
}
