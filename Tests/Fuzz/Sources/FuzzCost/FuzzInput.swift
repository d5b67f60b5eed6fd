/// How far an input came. Inputs that came equally far have similar costs.
public struct Reached: Hashable, Sendable {
  fileprivate let name: String
  fileprivate let isKept: Bool

  /// So far, by that name. libFuzzer changes an input further only if it is kept.
  public init(_ name: String, isKept: Bool = true) {
    self.name = name
    self.isKept = isKept
  }
}

/// Runs one input, as each `LLVMFuzzerTestOneInput` does, and ends the process if the input costs too much. The limit
/// for each byte is a hundred times the cost of inputs that came equally far.
///
/// - Parameters:
///   - start: the input's first byte.
///   - count: how many bytes it has.
///   - test: passes the input to the target's code, and returns how far it came. It runs again if an input seems to
///     cost too much, and must then give an equal result.
/// - Returns: the value that libFuzzer expects.
public func runInput(
  _ start: UnsafePointer<UInt8>?,
  _ count: Int,
  _ test: (UnsafeBufferPointer<UInt8>, inout CostMeter) -> Reached
) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  func run() -> (reached: Reached, used: Duration) {
    var meter = CostMeter()
    let reached = test(input, &meter)
    return (reached, meter.used)
  }
  let (reached, used) = run()
  guard count >= TypicalCosts.bytesMin else { return reached.isKept ? 0 : -1 }
  if let typical = costs[reached], typical.isExceeded(by: used, bytes: count) {
    // A busy machine can slow down one run, but hardly five runs, and no run by seconds.
    var (least, total, runs) = (used, used, 1)
    while runs < 5 && total < .seconds(2) {
      let again = run().used
      least = min(least, again)
      total += again
      runs += 1
    }
    precondition(
      !typical.isExceeded(by: least, bytes: count),
      """
      the input costs too much: \(least) for \(count) bytes, \(Int(typical.times(least, bytes: count))) times what is usual for inputs \
      that came as far (\(reached.name))
      """
    )
  }
  costs[reached, default: TypicalCosts()].add(used, bytes: count)
  return reached.isKept ? 0 : -1
}

/// The costs of inputs, by how far they came.
///
/// `nonisolated(unsafe)`: libFuzzer runs one input after the other, on one thread.
nonisolated(unsafe) private var costs: [Reached: TypicalCosts] = [:]
