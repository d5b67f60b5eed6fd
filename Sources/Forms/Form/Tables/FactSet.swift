public import DocumentProperties

/// Some of the facts about one owner: a field, a rule, a check, a step, a lookup, an action, an output, or the form.
/// Bit `n` is the owner's `n`-th fact. A node uses it to report which of its facts have changed.
///
/// It is for the engine alone, and public only so that the engine can inline it: a `package` declaration of another
/// module is never inlined. An `OptionSet` adds generic calls, which would cost a change of the login form
/// some thousand instructions.
@frozen public struct FactSet: Equatable, Sendable {
  /// The bits.
  public let rawValue: UInt32

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

/// The facts about a field: each of its properties, then the facts that are not properties.
extension FactSet {
  /// A property of a field.
  @inlinable public init(field property: FieldProperty) { self.init(rawValue: 1 << UInt32(property.rawValue)) }

  /// A fact about a field that is not a property, by its number among them.
  @inlinable init(ofField number: Int) { self.init(rawValue: 1 << UInt32(FieldProperty.count + number)) }

  /// See ``FieldProperty/isDirty``. Comes from outside.
  @inlinable public static var isDirty: FactSet { FactSet(field: .isDirty) }
  /// See ``FieldProperty/isTouched``. Comes from outside.
  @inlinable public static var isTouched: FactSet { FactSet(field: .isTouched) }
  /// See ``FieldProperty/isEdited``. Comes from outside.
  @inlinable public static var isEdited: FactSet { FactSet(field: .isEdited) }
  /// See ``FieldProperty/isFocused``. Comes from outside.
  @inlinable public static var isFocused: FactSet { FactSet(field: .isFocused) }
  /// See ``FieldProperty/isVisible``.
  @inlinable public static var isVisible: FactSet { FactSet(field: .isVisible) }
  /// See ``FieldProperty/isEnabled``.
  @inlinable public static var isEnabled: FactSet { FactSet(field: .isEnabled) }
  /// See ``FieldProperty/isRequired``.
  @inlinable public static var isRequired: FactSet { FactSet(field: .isRequired) }
  /// See ``FieldProperty/isValid``.
  @inlinable public static var isValid: FactSet { FactSet(field: .isValid) }
  /// See ``FieldProperty/isPending``.
  @inlinable public static var isPending: FactSet { FactSet(field: .isPending) }
  /// See ``FieldProperty/errors``.
  @inlinable public static var errors: FactSet { FactSet(field: .errors) }
  /// See ``FieldProperty/options``.
  @inlinable public static var options: FactSet { FactSet(field: .options) }
  /// See ``FieldProperty/isEmpty``. The fact also changes when formulas begin or cease to read the value as absent
  /// because of its type.
  @inlinable public static var isEmpty: FactSet { FactSet(field: .isEmpty) }
  /// The rows of a list, their order, and which rows count: see ``FieldProperty/order``.
  @inlinable public static var rows: FactSet { FactSet(field: .order) }

  /// The value that inputs, or the formula that gives the value, have set. For a field with fields below it: the part
  /// of its value that they do not hold. Comes from outside, except when a formula gives the value.
  @inlinable public static var ownValue: FactSet { FactSet(ofField: 0) }
  /// The other conditions for showing a message: an edit in progress, a tap, an error of an outcome. Comes from
  /// outside, except when a formula gives the value.
  @inlinable public static var attention: FactSet { FactSet(ofField: 1) }
  /// Whether the value is the formula's that suggests it. Comes from outside.
  @inlinable public static var follows: FactSet { FactSet(ofField: 2) }
  /// Whether a field with fields below it is there for the schema.
  @inlinable public static var isJudged: FactSet { FactSet(ofField: 3) }
  /// The value as the schema and checks see it: with the values of the fields below it, and whether it is shown.
  @inlinable public static var content: FactSet { FactSet(ofField: 4) }
  /// The value as formulas read it.
  @inlinable public static var value: FactSet { FactSet(ofField: 5) }
  /// The schema's errors for the value alone.
  @inlinable public static var schemaErrors: FactSet { FactSet(ofField: 6) }
  /// The errors of object-level keywords of the schema for the field.
  @inlinable public static var objectErrors: FactSet { FactSet(ofField: 7) }
  /// The shown message.
  @inlinable public static var message: FactSet { FactSet(ofField: 8) }
  /// Whether an earlier row has the same value.
  @inlinable public static var isDuplicate: FactSet { FactSet(ofField: 9) }
  /// Whether the value is not among the options.
  @inlinable public static var isNotOffered: FactSet { FactSet(ofField: 10) }

  /// Whether a row is blank, and its list ignores blank rows.
  @inlinable public static var isBlank: FactSet { FactSet(ofField: 11) }
  /// The value that inputs have given to a field of a row. Comes from outside.
  @inlinable public static var given: FactSet { FactSet(ofField: 12) }

  /// How many facts there are about a field.
  @inlinable public static var fieldStride: Int { FieldProperty.count + 13 }
}

/// The facts about the form as a whole: each of its properties, then the facts that are not properties.
extension FactSet {
  /// A property of the form.
  @inlinable public init(form property: FormProperty) { self.init(rawValue: 1 << UInt32(property.rawValue)) }

  /// A fact about the form that is not a property, by its number among them.
  @inlinable init(ofForm number: Int) { self.init(rawValue: 1 << UInt32(FormProperty.count + number)) }

  /// Top-level members that are not fields.
  @inlinable public static var otherMembers: FactSet { FactSet(ofForm: 0) }
  /// The errors of object-level keywords of the schema that belong to no field.
  @inlinable public static var formObjectErrors: FactSet { FactSet(ofForm: 1) }
  /// Whether the form is invalid only because of checks whose service failed.
  @inlinable public static var formHasOnlyFailures: FactSet { FactSet(ofForm: 2) }
  /// The date in the session's zone.
  @inlinable public static var today: FactSet { FactSet(ofForm: 3) }
  /// The time at the last look at the clock.
  @inlinable public static var now: FactSet { FactSet(ofForm: 4) }
  /// The context. Comes from outside.
  @inlinable public static var context: FactSet { FactSet(ofForm: 5) }
  /// The initial values that formulas read. Comes from outside.
  @inlinable public static var initials: FactSet { FactSet(ofForm: 6) }

  /// How many facts there are about the form as a whole.
  @inlinable public static var formStride: Int { FormProperty.count + 7 }
}

/// The facts about rules, checks, steps, lookups, actions and outputs.
extension FactSet {
  /// The result of a rule.
  @inlinable public static var ruleResult: FactSet { FactSet(rawValue: 1 << 0) }

  /// The progress of a check.
  @inlinable public static var progress: FactSet { FactSet(rawValue: 1 << 0) }
  /// Whether a tap has asked for a check.
  @inlinable public static var isWanted: FactSet { FactSet(rawValue: 1 << 1) }
  /// The part of a check's answer that formulas read.
  @inlinable public static var checkResult: FactSet { FactSet(rawValue: 1 << 2) }
  /// How many facts there are about a check.
  @inlinable public static var checkStride: Int { 3 }

  /// A property of a step, a lookup or an action. They have no other facts.
  @inlinable public init(step property: StepProperty) { self.init(rawValue: 1 << UInt32(property.rawValue)) }
  /// See ``init(step:)``.
  @inlinable public init(lookup property: LookupProperty) { self.init(rawValue: 1 << UInt32(property.rawValue)) }
  /// See ``init(step:)``.
  @inlinable public init(action property: ActionProperty) { self.init(rawValue: 1 << UInt32(property.rawValue)) }

  /// The value of an output.
  @inlinable public static var output: FactSet { FactSet(rawValue: 1 << 0) }

  /// The values of an output in all rows of a list.
  @inlinable public static var column: FactSet { FactSet(rawValue: 1 << 0) }

  /// A value in the row above.
  @inlinable public static var above: FactSet { FactSet(rawValue: 1 << 0) }

  /// The index of a row among the rows that count, and which row is above it.
  @inlinable public static var index: FactSet { FactSet(rawValue: 1 << 0) }
}
