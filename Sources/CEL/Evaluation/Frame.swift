internal import JSON
internal import TextFormats

/// What one evaluation works on: the variables it reads, the variables its macros bind, and what it may still spend.
struct Frame: ~Copyable {
  /// The values of the declared variables, by slot. The caller of the evaluation keeps them alive.
  let slots: UnsafeBufferPointer<Value>
  /// The values that comprehensions have bound; the planner gave each its place.
  let locals: UnsafeMutableBufferPointer<Value>
  /// What the evaluation and all others of the turn may still spend. The caller of the evaluation keeps it in its place.
  let budget: UnsafeMutablePointer<WorkBudget>
  /// Whether what is computed from null is null.
  let spreadsAbsence: Bool
  /// What is behind ``fault``; nil for null. The frame, which nobody copies, owns one reference to it: it lets go of it where there is one,
  /// and an evaluation without a fault makes no call for that.
  private var keptFault: Unmanaged<KeptFault>?

  @inline(__always)
  init(
    slots: UnsafeBufferPointer<Value>,
    locals: UnsafeMutableBufferPointer<Value>,
    budget: UnsafeMutablePointer<WorkBudget>,
    spreadsAbsence: Bool
  ) {
    self.slots = slots
    self.locals = locals
    self.budget = budget
    self.spreadsAbsence = spreadsAbsence
    keptFault = nil
  }

  @inline(__always)
  deinit {
    if let keptFault { keptFault.release() }
  }

  /// Why the last `condition` was neither true nor false. It lies behind a reference, so that a frame is small.
  var fault: Value {
    get { keptFault?.takeUnretainedValue().value ?? .null }
    set {
      if let keptFault { keptFault.release() }
      keptFault = newValue.isNull ? nil : .passRetained(KeptFault(newValue))
    }
  }

  private final class KeptFault {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// Spends steps.
  /// - Returns: false if there were not so many.
  @inline(__always)
  func spend(_ steps: Int) -> Bool {
    budget.pointee.spend(steps)
  }

  /// A variable as it lies in its slot, which the frame has.
  @inline(__always)
  func borrowed(slot: Int) -> UnsafePointer<Borrowed<Value>> { (slots.baseAddress! + slot).borrowed }

  /// Whether that is absent, so that what is computed from it is, too.
  @inline(__always)
  func isAbsent(_ value: Value) -> Bool {
    guard spreadsAbsence, case .null = value else { return false }
    return true
  }

  /// What comes of an operand of a type that the operation does not take.
  func mismatch(_ value: Value) -> Value { isAbsent(value) ? .null : .error(.noSuchOverload) }

  /// The failure of an evaluation that would take too long.
  static let budgetExceeded = Value.failure(
    .budgetExceeded,
    "the expression takes more steps than it may; bound the texts and lists it reads"
  )
}

/// The outcome of a condition.
enum Truth {
  case no
  case yes
  /// An error, an unknown, no boolean, or absent; `Frame.fault` says what.
  case faulted
}
