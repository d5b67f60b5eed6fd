/// Some of the facts about one owner: a field, a rule, a check, a step, a lookup, an action, an output, or the form.
/// Bit `n` is the owner's `n`-th fact. A node uses it to report which of its facts have changed.
///
/// It is for the engine alone, and public only so that the engine can inline it: a `package` declaration of another
/// module is never inlined. An `OptionSet` adds generic calls. With them a change of the login form would take 4,554
/// and 7,108 instructions, more than it takes now.
@frozen public struct FactSet: Equatable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// The facts of those bits.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No fact.
  @inlinable public static var none: FactSet { FactSet(rawValue: 0) }

  /// The facts that either set has.
  @inlinable
  public static func | (left: FactSet, right: FactSet) -> FactSet {
    FactSet(rawValue: left.rawValue | right.rawValue)
  }

  /// Adds the facts of another set.
  @inlinable
  public static func |= (left: inout FactSet, right: FactSet) { left = left | right }

  /// The index of a set's only fact among the facts of its owner.
  package var bit: Int { rawValue.trailingZeroBitCount }

  /// Each of its facts alone.
  package var all: [FactSet] {
    var all: [FactSet] = []
    all.reserveCapacity(rawValue.nonzeroBitCount)
    var rest = rawValue
    while rest != 0 {
      let lowest: UInt32 = 1 << rest.trailingZeroBitCount
      all.append(FactSet(rawValue: lowest))
      rest ^= lowest
    }
    return all
  }
}

/// The facts about a field. The first five come from outside, except when a formula that gives the value writes them.
extension FactSet {
  /// The value that inputs, or the formula that gives the value, have set. For a field with fields below it: the part
  /// of its value that they do not hold.
  @inlinable public static var ownValue: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether the value differs from the initial one.
  @inlinable public static var isDirty: FactSet { FactSet(rawValue: 1 << 1) }
  /// Whether the user has left the field once.
  @inlinable public static var isTouched: FactSet { FactSet(rawValue: 1 << 2) }
  /// Whether the user has changed the value once.
  @inlinable public static var isEdited: FactSet { FactSet(rawValue: 1 << 3) }
  /// The other conditions for showing a message: an edit in progress, a tap, an error of an outcome.
  @inlinable public static var attention: FactSet { FactSet(rawValue: 1 << 4) }
  /// Whether the field is shown.
  @inlinable public static var isVisible: FactSet { FactSet(rawValue: 1 << 5) }
  /// Whether the field can be changed.
  @inlinable public static var isEnabled: FactSet { FactSet(rawValue: 1 << 6) }
  /// Whether the field must have a value.
  @inlinable public static var isRequired: FactSet { FactSet(rawValue: 1 << 7) }
  /// Whether a field with fields below it is there for the schema.
  @inlinable public static var isJudged: FactSet { FactSet(rawValue: 1 << 8) }
  /// The value as the schema and checks see it: with the values of the fields below it, and whether it is shown.
  @inlinable public static var content: FactSet { FactSet(rawValue: 1 << 9) }
  /// Whether there is a value, and one that formulas can read.
  @inlinable public static var presence: FactSet { FactSet(rawValue: 1 << 10) }
  /// The value as formulas read it.
  @inlinable public static var value: FactSet { FactSet(rawValue: 1 << 11) }
  /// The schema's errors for the value alone.
  @inlinable public static var schemaErrors: FactSet { FactSet(rawValue: 1 << 12) }
  /// The errors of object-level keywords of the schema for the field.
  @inlinable public static var objectErrors: FactSet { FactSet(rawValue: 1 << 13) }
  /// Whether the field is valid.
  @inlinable public static var isValid: FactSet { FactSet(rawValue: 1 << 14) }
  /// Whether a check of the field is under way.
  @inlinable public static var isPending: FactSet { FactSet(rawValue: 1 << 15) }
  /// The shown message.
  @inlinable public static var message: FactSet { FactSet(rawValue: 1 << 16) }
  /// The errors.
  @inlinable public static var errors: FactSet { FactSet(rawValue: 1 << 17) }

  /// The rows of a list, their order, and which rows are shown.
  @inlinable public static var rows: FactSet { FactSet(rawValue: 1 << 18) }

  /// Whether an earlier row has the same value.
  @inlinable public static var isDuplicate: FactSet { FactSet(rawValue: 1 << 19) }

  /// The options of the value, as a formula computes them.
  @inlinable public static var options: FactSet { FactSet(rawValue: 1 << 20) }

  /// Whether the value is not among the options.
  @inlinable public static var isNotOffered: FactSet { FactSet(rawValue: 1 << 21) }

  /// Whether the value is the formula's that suggests it. Comes from outside.
  @inlinable public static var follows: FactSet { FactSet(rawValue: 1 << 22) }

  /// Whether the user is in the field. Comes from outside.
  @inlinable public static var isFocused: FactSet { FactSet(rawValue: 1 << 23) }

  /// How many facts there are about a field.
  @inlinable public static var fieldStride: Int { 24 }
}

/// The facts about the form as a whole.
extension FactSet {
  /// The session's locale.
  @inlinable public static var formLocale: FactSet { FactSet(rawValue: 1 << 0) }
  /// Top-level members that are not fields.
  @inlinable public static var formOthers: FactSet { FactSet(rawValue: 1 << 1) }
  /// Whether a value differs from the initial one.
  @inlinable public static var formIsDirty: FactSet { FactSet(rawValue: 1 << 2) }
  /// The errors of object-level keywords of the schema that belong to no field.
  @inlinable public static var formObjectErrors: FactSet { FactSet(rawValue: 1 << 3) }
  /// The errors of no field.
  @inlinable public static var formErrors: FactSet { FactSet(rawValue: 1 << 4) }
  /// Whether the form is valid.
  @inlinable public static var formIsValid: FactSet { FactSet(rawValue: 1 << 5) }
  /// Whether a check is under way.
  @inlinable public static var formIsPending: FactSet { FactSet(rawValue: 1 << 6) }

  /// Whether the form is invalid only because of checks whose service failed.
  @inlinable public static var formHasOnlyFailures: FactSet { FactSet(rawValue: 1 << 7) }

  /// The date in the session's zone.
  @inlinable public static var today: FactSet { FactSet(rawValue: 1 << 8) }
  /// The time at the last look at the clock.
  @inlinable public static var now: FactSet { FactSet(rawValue: 1 << 9) }

  /// How many facts there are about the form as a whole.
  @inlinable public static var formStride: Int { 10 }
}

/// The facts about rules, checks, steps, lookups, actions and outputs.
extension FactSet {
  /// The outcome of a rule.
  @inlinable public static var outcome: FactSet { FactSet(rawValue: 1 << 0) }

  /// The progress of a check.
  @inlinable public static var progress: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether a tap has asked for a check.
  @inlinable public static var isWanted: FactSet { FactSet(rawValue: 1 << 1) }
  /// The part of a check's answer that formulas read.
  @inlinable public static var checkResult: FactSet { FactSet(rawValue: 1 << 2) }
  /// How many facts there are about a check.
  @inlinable public static var checkStride: Int { 3 }

  /// Whether a step is shown.
  @inlinable public static var stepIsVisible: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether its fields are valid.
  @inlinable public static var stepIsValid: FactSet { FactSet(rawValue: 1 << 1) }
  /// Whether a check of one of the step's fields is under way.
  @inlinable public static var stepIsPending: FactSet { FactSet(rawValue: 1 << 2) }
  /// Whether the user has left one of its fields once.
  @inlinable public static var stepIsTouched: FactSet { FactSet(rawValue: 1 << 3) }
  /// How many facts there are about a step.
  @inlinable public static var stepStride: Int { 4 }

  /// The value that a lookup has found.
  @inlinable public static var lookupValue: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether it asks.
  @inlinable public static var lookupIsLoading: FactSet { FactSet(rawValue: 1 << 1) }
  /// Why it has failed.
  @inlinable public static var lookupError: FactSet { FactSet(rawValue: 1 << 2) }
  /// How many facts there are about a lookup.
  @inlinable public static var lookupStride: Int { 3 }

  /// Whether an action is enabled.
  @inlinable public static var actionIsEnabled: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether a run is under way.
  @inlinable public static var actionIsLoading: FactSet { FactSet(rawValue: 1 << 1) }
  /// How often an action was started.
  @inlinable public static var actionAttempts: FactSet { FactSet(rawValue: 1 << 2) }
  /// The result of the last success.
  @inlinable public static var actionResult: FactSet { FactSet(rawValue: 1 << 3) }
  /// The error of the last run.
  @inlinable public static var actionError: FactSet { FactSet(rawValue: 1 << 4) }
  /// The message of the last outcome.
  @inlinable public static var actionMessage: FactSet { FactSet(rawValue: 1 << 5) }
  /// How many facts there are about an action.
  @inlinable public static var actionStride: Int { 6 }

  /// The value of an output.
  @inlinable public static var output: FactSet { FactSet(rawValue: 1 << 0) }

  /// The values of an output in all rows of a list.
  @inlinable public static var column: FactSet { FactSet(rawValue: 1 << 0) }

  /// The position of a row in its list.
  @inlinable public static var index: FactSet { FactSet(rawValue: 1 << 0) }
}
