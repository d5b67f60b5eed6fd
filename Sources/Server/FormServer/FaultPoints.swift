/// The points at which tests break the server. A release build has no faults: every value is returned unchanged.
struct FaultPoints<Fault: Equatable> {
  #if DEBUG
    /// The fault that a test has put in.
    var planted: Fault?
  #endif

  /// The value, or its replacement if that fault is planted.
  @inline(__always)
  func through<Value>(_ point: Fault, _ value: Value, broken: @autoclosure () -> Value) -> Value {
    #if DEBUG
      if planted == point { return broken() }
    #endif
    return value
  }
}
