#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How much a piece of work may still cost. Formulas, patterns, schemas and normalizing all spend from the one budget
/// of a turn, in one unit: a unit is about one operation of a formula, some nanoseconds to some tens.
///
/// Units are counted, not measured, so that a budget admits the same work on every machine. Time is the last net, for
/// work that costs more than its units say: after every ``lookInterval`` units the budget looks at the CPU time of the
/// thread. CPU time, so that a busy machine ends nothing.
public struct WorkBudget {
  /// How many units are spent between two looks at the clock: a look takes about as long as ten of them.
  public static let lookInterval = 1_024

  /// The units of one turn of a session.
  public static let unitsOfTurn = 1_500_000

  /// Units until the next look; below zero when the budget is spent, and then for good.
  @usableFromInline var unitsToLook: Int
  /// Units behind the next look.
  @usableFromInline var unitsBehind: Int
  /// When the first look was; nil before. Little work never looks, and the little before the first look is not counted.
  @usableFromInline var beginning: Duration?
  private let net: Net?

  /// The last net: an end by time.
  public struct Net {
    /// The CPU time that the work may take.
    public let cpuTimeMax: Duration
    /// Returns the CPU time that the thread has used.
    public let cpuTime: () -> Duration

    /// An end after `cpuTimeMax`, by that clock.
    public init(cpuTimeMax: Duration, cpuTime: @escaping () -> Duration) {
      self.cpuTimeMax = cpuTimeMax
      self.cpuTime = cpuTime
    }
  }

  /// A budget of so many units, with an end by time if there is a net.
  public init(units: Int, net: Net? = nil) {
    unitsToLook = 0
    unitsBehind = 0
    self.net = net
    refill(units: units)
  }

  /// Begins again with that many units, and the whole time of the net.
  @inlinable @inline(__always)
  public mutating func refill(units: Int) {
    unitsToLook = min(units, Self.lookInterval)
    unitsBehind = units &- unitsToLook
    beginning = nil
  }

  /// Whether nothing can be spent any more.
  @inlinable @inline(__always)
  public var isSpent: Bool { unitsToLook < 0 }

  /// How many units are left.
  public var unitsLeft: Int { isSpent ? 0 : unitsToLook + unitsBehind }

  /// Spends units.
  /// - Returns: false if there were not so many, or the time is up; the budget is spent then.
  @inlinable @inline(__always)
  public mutating func spend(_ units: Int) -> Bool {
    unitsToLook = unitsToLook &- units
    return _fastPath(unitsToLook >= 0) || goOn()
  }

  /// Looks at the clock, and continues with the units after this look.
  @usableFromInline @inline(never)
  mutating func goOn() -> Bool {
    let missing = 0 &- unitsToLook
    guard missing >= 0, missing <= unitsBehind, !isTimeUp() else {
      unitsToLook = -1
      unitsBehind = 0
      return false
    }
    let taken = min(unitsBehind, missing + Self.lookInterval)
    unitsBehind -= taken
    unitsToLook += taken
    return true
  }

  private mutating func isTimeUp() -> Bool {
    guard let net else { return false }
    let now = net.cpuTime()
    guard let beginning else {
      beginning = now
      return false
    }
    return now - beginning >= net.cpuTimeMax
  }

  /// The CPU time that the calling thread has used.
  public static func threadCPUTime() -> Duration {
    var time = timespec()
    // It cannot fail for this clock.
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
