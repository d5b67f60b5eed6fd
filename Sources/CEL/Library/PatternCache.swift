internal import Formats
internal import Synchronization
internal import Texts

/// Patterns that are not constant in their expression, kept so that the same text is not compiled at each evaluation.
///
/// A process-wide table with a lock is safe to share: a compiled pattern is immutable, and which entries are there
/// changes only how long a call takes.
enum PatternCache {
  /// Room for the patterns that forms compute; when it is full all are dropped, which costs one compilation each.
  private static let countMax = 256
  /// Longer patterns are not kept: they would let a stranger fill the memory.
  private static let keptLengthMax = 1_000

  private static let patterns = Mutex<[UTF8Key: Pattern]>([:])

  /// The pattern of that source in RE2's dialect.
  static func pattern(_ source: String) -> Result<Pattern, EvaluationError> {
    let key = UTF8Key(text: source)
    if let known = patterns.withLock({ $0[key] }) { return .success(known) }
    do {
      let pattern = try Pattern(source, dialect: .re2)
      if source.utf8.count <= keptLengthMax {
        patterns.withLock { table in
          if table.count >= countMax { table.removeAll(keepingCapacity: true) }
          table[key] = pattern
        }
      }
      return .success(pattern)
    } catch {
      return .failure(EvaluationError(.invalidPattern, "invalid regular expression: \(error)"))
    }
  }

  /// The failure of a match that reached its bounds.
  static let tooCostly = Value.failure(.tooLarge, "matching the regular expression took too many steps")
}
