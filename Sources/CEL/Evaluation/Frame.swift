internal import Budgets
internal import Formats
internal import JSON

/// The state of one evaluation: the variables that it reads, the variables that its macros bind, and the rest of its
/// budget.
struct Frame: ~Copyable {
  /// The values of the declared variables, by slot. The caller of the evaluation keeps them alive.
  let slots: UnsafeBufferPointer<Value>
  /// The values that comprehensions have bound; the planner gave each its slot.
  let locals: UnsafeMutableBufferPointer<Value>
  /// The rest of the budget of this evaluation and all other evaluations of the turn. The caller of the evaluation owns
  /// its memory.
  let budget: UnsafeMutablePointer<WorkBudget>
  /// Whether the result of an operation on null is null.
  let spreadsAbsence: Bool
  /// The content of ``fault``; nil for null. The frame, which is never copied, owns one reference to it. It releases
  /// the reference only if there is one, so that an evaluation without a fault makes no call for that.
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

  /// Why the last `condition` was neither true nor false. It is behind a reference, so that a frame is small.
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

  /// A variable in its slot, without a copy; the frame must have the slot.
  @inline(__always)
  func borrowed(slot: Int) -> UnsafePointer<Borrowed<Value>> { (slots.baseAddress! + slot).borrowed }

  /// Whether that is absent, so that the results of operations on it are absent, too.
  @inline(__always)
  func isAbsent(_ value: Value) -> Bool {
    guard spreadsAbsence, case .null = value else { return false }
    return true
  }

  /// Whether a call could not read an empty text, such as `timestamp('')`. An absent text reads as an empty one, so the
  /// result is absent, too.
  func isAbsent(_ result: Value, of argument: Value) -> Bool {
    guard spreadsAbsence, case .error = result else { return false }
    return argument.isEmptyText
  }

  /// The result for an operand of a type that the operation does not take.
  func mismatch(_ value: Value) -> Value { isAbsent(value) ? .null : .error(.noSuchOverload) }

  /// The failure of an evaluation that would take too long.
  static let budgetExceeded = Value.failure(
    .budgetExceeded,
    "the expression takes too many steps; limit the length of the texts and lists that it reads"
  )
}

/// The outcome of a condition.
enum Truth {
  case no
  case yes
  /// An error, an unknown, no boolean, or absent; `Frame.fault` has the value.
  case faulted
}
