internal import Forms
internal import JSON

/// The part of an instance that most instances of simple forms do not need: checks, lookups, throttles, messages that
/// formulas made, and values of their own.
final class InstanceExtras {
  /// By check number.
  var checks: InstanceStates<CheckState>
  /// By lookup number.
  var lookups: InstanceStates<LookupState>
  /// By field number: throttles or debounces, with their delayed changes.
  var delays: [Int: Delay<HeldChanges>] = [:]
  /// By field number. For the form, it has initial values that are not the form's own. For a row, it has the initial
  /// values of the fields that have changed. For a field with fields below it, the value is as in ``FieldState/value``.
  var initialValues: [Int: JSON?] = [:]
  /// By field number: errors of outcomes, each with its action, and of the client's own server. They stay until the
  /// value changes or the action runs again.
  private(set) var serverErrors: [Int: [(action: Int?, error: FieldError)]] = [:]
  /// By rule number: messages that formulas made.
  var ruleMessages: [Int: String] = [:]
  /// By number of the keyword: the errors that an object-level keyword has left at fields of this instance (nil is the
  /// form). The keyword may belong to an object around it.
  var objectKeywordErrors: [Int: [(field: Int?, error: FieldError)]] = [:]
  /// By number of the keyword: the instances in which a keyword of this instance has left errors. They are identities
  /// of rows, or 0 for the form.
  var objectKeywordTargets: [Int: [Int]] = [:]
  /// By field number: the values that can be chosen, if a formula gives them. The form also has the options of fields
  /// in rows, if they are equal for all rows.
  var options: [Int: Options] = [:]
  /// By field number: the texts of inputs, for fields whose texts the document has.
  var inputTexts: [Int: InputText] = [:]
  /// By field number: why the field is not enabled.
  var reasons: [Int: String] = [:]
  /// By field number: the results of the formulas whose changes reset the field.
  var triggers: [Int: [JSON?]] = [:]

  init(checks: Range<Int>, lookups: Range<Int>) {
    self.checks = InstanceStates(checks, of: CheckState())
    self.lookups = InstanceStates(lookups, of: LookupState())
  }
}

extension InstanceExtras {
  /// Replaces the errors at a field from outcomes and from the client's own server.
  ///
  /// - Returns: by how many bytes their share of ``Session/computedBytes`` grows.
  func setServerErrors(_ errors: [(action: Int?, error: FieldError)], of field: Int) -> Int {
    let before = serverErrors[field] ?? []
    serverErrors[field] = errors.isEmpty ? nil : errors
    return errors.reduce(0) { $0 + $1.error.ownBytes } - before.reduce(0) { $0 + $1.error.ownBytes }
  }

  /// The share of ``Session/computedBytes`` that goes with the instance: options, texts of inputs,
  /// reasons and triggers.
  var ownBytes: Int {
    options.values.reduce(0) { $0 + $1.bytes } + inputTexts.values.reduce(0) { $0 + $1.bytes }
      + reasons.values.reduce(0) { $0 + String?($1).bytesOfReason }
      + triggers.values.joined().reduce(0) { $0 + $1.bytes }
  }

  /// The bytes of all these errors.
  var serverErrorBytes: Int { serverErrors.values.joined().reduce(0) { $0 + $1.error.ownBytes } }
}

/// The checks or the lookups of an instance, by their numbers.
struct InstanceStates<State> {
  private var states: [State]
  private let first: Int

  init(_ numbers: Range<Int>, of state: State) {
    first = numbers.lowerBound
    states = [State](repeating: state, count: numbers.count)
  }

  var indices: Range<Int> { first..<first + states.count }

  subscript(number: Int) -> State {
    get { states[number - first] }
    set { states[number - first] = newValue }
    _modify { yield &states[number - first] }
  }

  func reduce(_ initial: Int, _ next: (Int, State) -> Int) -> Int { states.reduce(initial, next) }
}

extension InstanceStates<CheckState> {
  /// The errors that failures of their services have left.
  var failures: [FieldError] { states.compactMap(\.failure) }
}
