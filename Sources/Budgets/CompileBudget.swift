/// How much work the compiling of one text may do. The compiling code spends from it during its work, and stops when
/// the budget refuses more.
///
/// It counts and never looks at a clock, so that a text compiles on every machine or on none. A unit is a small piece
/// of work: a schema keyword, some bytes of a formula, an edge of a graph; it takes at most about a microsecond and
/// some hundred bytes.
///
/// A reference, since one compiling has one budget, which all its parts spend from; used by one thread at a time.
package final class CompileBudget {
  /// Why compiling may not go on.
  package enum End: Sendable {
    /// More work than ``workMax`` was asked for.
    case exhausted
    /// The caller wants no result any more.
    case cancelled
  }

  /// The largest number of units to spend.
  package let workMax: Int
  /// The units that were spent; never more than were asked for, and beyond ``workMax`` when the last ones were too
  /// many.
  package private(set) var spent = 0
  /// Why compiling may not go on; nil while it may.
  package private(set) var end: End?
  private let isCancelled: @Sendable () -> Bool
  /// When so many were spent, the caller is asked.
  private var nextCheck = 0

  /// The units between two checks with the caller.
  private static let checkInterval = 1000
  /// How many names may still be compared with ones that do not exist.
  private var comparisonsLeft = 200_000

  /// A budget of that size.
  ///
  /// - Parameters:
  ///   - workMax: the units that may be spent.
  ///   - isCancelled: asked at the start and each 1,000 units or so: whether to end.
  package init(workMax: Int = .max, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.workMax = workMax
    self.isCancelled = isCancelled
  }

  /// Takes units off before their work is done.
  ///
  /// - Returns: whether the work may be done; once false, always false.
  package func spend(_ units: Int = 1) -> Bool {
    guard end == nil else { return false }
    let (sum, overflows) = spent.addingReportingOverflow(units)
    spent = overflows ? .max : sum
    if spent > workMax {
      end = .exhausted
    } else if spent >= nextCheck {
      nextCheck = spent.addingReportingOverflow(Self.checkInterval).partialValue
      if isCancelled() { end = .cancelled }
    }
    return end == nil
  }

  /// Asks for a search among that many names for the one that was meant.
  ///
  /// - Returns: whether to search. Suggestions have a limit apart from the work, and none are made beyond it: the
  ///   search for them must not reduce the problems that are reported for a definition.
  package func mayCompare(_ names: Int) -> Bool {
    guard comparisonsLeft > 0 else { return false }
    comparisonsLeft -= names
    return true
  }

  /// Whether work may go on.
  package var mayGoOn: Bool { end == nil }
}
