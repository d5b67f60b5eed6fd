/// Faults that tests plant where several clients have a session, to show that they would notice.
package enum SharingFault: CaseIterable, Sendable {
  /// Nobody is told what others enter.
  case forgetOthers
  /// Who typed at the same time as another is not told what counts.
  case forgetContest
  /// An update that says nothing to a client counts as told.
  case countUntold
  /// Who leaves a field ends the editing for all.
  case leaveForAll
  /// Whoever goes stays in the fields.
  case stayInside
  /// An event that nobody hears is not kept.
  case forgetEvents
  /// Who attaches is told again what was told before.
  case repeatEvents
  /// What was held back for a client that went is kept for nobody.
  case keepHeldBack
}

/// Where tests break the server. A release build has no faults: every value comes back as it went in.
struct SharingFaults {
  #if DEBUG
    /// The fault that a test has put in.
    var planted: SharingFault?
  #endif

  /// The value; or what stands for it where that fault is planted.
  @inline(__always)
  func through<Value>(_ point: SharingFault, _ value: Value, broken: @autoclosure () -> Value) -> Value {
    #if DEBUG
      if planted == point { return broken() }
    #endif
    return value
  }
}
