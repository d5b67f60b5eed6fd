/// The points at which tests break the engine, to show that they would notice. The engine sends values through here at
/// named points. A release build has no faults: every value comes back unchanged, and the compiler removes the test.
struct Faults {
  #if DEBUG
    /// The fault that a test has put in.
    var planted: Mutation?
    private var changeCount = 0
    private var heldBack: [DocumentChange] = []
  #endif

  /// The value, or its replacement if that fault is planted.
  @inline(__always)
  func through<Value>(_ point: Mutation, _ value: consuming Value, broken: @autoclosure () -> Value) -> Value {
    #if DEBUG
      if planted == point { return broken() }
    #endif
    return value
  }

  /// The changes of a turn, before they are sent.
  @inline(__always)
  mutating func tamper(with changes: inout ChangeList) {
    #if DEBUG
      switch planted {
      case .dropNote:
        changes.removeAll { _ in
          changeCount += 1
          return changeCount % 7 == 0
        }
      case .swapTurns:
        let told = heldBack
        heldBack = Array(changes.all)
        changes.removeAll()
        for change in told { changes.insert(change.cell, was: change.old) }
      default: break
      }
    #endif
  }
}
