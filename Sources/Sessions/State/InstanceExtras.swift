internal import Forms
internal import JSON

/// The part of an instance that most instances of simple forms do not need: checks, lookups, throttles, messages that formulas made, and values
/// of their own.
final class InstanceExtras {
  /// By check address.
  var checks: InstanceStates<CheckState>
  /// By lookup address.
  var lookups: InstanceStates<LookupState>
  /// By field address: throttle or debounce and what they hold back.
  var delays: [Int: Delay<HeldChanges>] = [:]
  /// By field address: of the form, initial values that are not the form's own; of a row, those of the fields that have changed. Of a field
  /// with fields below it as ``FieldState/value`` has them.
  var initialValues: [Int: JSON?] = [:]
  /// By field address: errors of outcomes, each with its action, and of the client's own server; until the value changes or the action runs
  /// again.
  private(set) var serverErrors: [Int: [(action: Int?, error: FieldError)]] = [:]
  /// By rule address: messages that formulas made.
  var ruleMessages: [Int: String] = [:]
  /// By part address: the errors that an object-level keyword has left at fields of this instance (-1: the form). The keyword may be one of
  /// an object around it.
  var partErrors: [Int: [(field: Int, error: FieldError)]] = [:]
  /// By part address: where a keyword of this instance has left errors: the identities of rows, 0 for the form.
  var partTargets: [Int: [Int]] = [:]
  /// By field address: what can be chosen, where a formula says it; of the form, of fields in rows, too, where it is the same for all rows.
  var options: [Int: Options] = [:]

  init(checks: Range<Int>, lookups: Range<Int>) {
    self.checks = InstanceStates(checks, of: CheckState())
    self.lookups = InstanceStates(lookups, of: LookupState())
  }
}

extension InstanceExtras {
  /// Replaces what outcomes and the client's own server have left at a field.
  ///
  /// - Returns: how many bytes more they count for in ``Session/computedBytes``.
  func setServerErrors(_ errors: [(action: Int?, error: FieldError)], of field: Int) -> Int {
    let before = serverErrors[field] ?? []
    serverErrors[field] = errors.isEmpty ? nil : errors
    return errors.reduce(0) { $0 + $1.error.ownBytes } - before.reduce(0) { $0 + $1.error.ownBytes }
  }

  /// What the options count for in ``Session/computedBytes``.
  var optionBytes: Int { options.values.reduce(0) { $0 + $1.bytes } }

  /// What they all count for.
  var serverErrorBytes: Int { serverErrors.values.joined().reduce(0) { $0 + $1.error.ownBytes } }
}

extension FieldError {
  /// The bytes of a text that stands in no definition.
  var ownBytes: Int {
    switch self {
    case .prepared: 0
    case .detailed(let detail): 64 + detail.message.utf8.count
    }
  }
}

/// The checks or the lookups of an instance by their addresses.
struct InstanceStates<State> {
  private var states: [State]
  private let first: Int

  init(_ addresses: Range<Int>, of state: State) {
    first = addresses.lowerBound
    states = [State](repeating: state, count: addresses.count)
  }

  var indices: Range<Int> { first..<first + states.count }

  subscript(address: Int) -> State {
    get { states[address - first] }
    set { states[address - first] = newValue }
    _modify { yield &states[address - first] }
  }

  func contains(where isWanted: (State) -> Bool) -> Bool { states.contains(where: isWanted) }

  func reduce(_ initial: Int, _ next: (Int, State) -> Int) -> Int { states.reduce(initial, next) }
}

extension InstanceStates<CheckState> {
  /// The failures that their services have left.
  var failures: [FieldError] { states.compactMap(\.failure) }
}
