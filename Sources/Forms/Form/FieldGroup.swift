/// Fields that are judged together: some must have a value. A rule says so, or an `anyOf` or `oneOf` of the schema
/// whose branches each require one member.
package struct FieldGroup: Sendable {
  /// How many fields must have a value.
  package let kind: GroupKind
  /// The fields, all of one template.
  package let fields: [Int]
  /// By position in ``fields``: the error of the field.
  package let errors: [ErrorNumber]
  /// The error of all together, at the row, the object or the form around the fields.
  package let whole: ErrorNumber

  /// The error of a field, or of the row, the object or the form around the fields.
  package func error(at field: Int?) -> ErrorNumber {
    field.flatMap { fields.firstIndex(of: $0) }.map { errors[$0] } ?? whole
  }
}

/// How many fields of a group must have a value; the raw value is the key of a rule.
package enum GroupKind: String, CaseIterable, Sendable {
  case exactlyOne, atLeastOne, atMostOne, allOrNone

  /// How many fields a group may have. Each field reads whether the user has left the others.
  static let fieldsMax = 100

  /// Whether so many fields with a value are right.
  ///
  /// - Parameters:
  ///   - given: the number of fields with a value.
  ///   - possible: the number of fields that the user can fill in. While there is none, nothing is asked.
  package func holds(given: Int, possible: Int) -> Bool {
    switch self {
    case _ where possible == 0: true
    case .exactlyOne: given == 1
    case .atLeastOne: given >= 1
    case .atMostOne: given <= 1
    case .allOrNone: given == 0 || given == possible
    }
  }

  /// Whether a field has the error while the group is wrong: the user can correct it there.
  ///
  /// - Parameters:
  ///   - isEmpty: whether that field has no value.
  ///   - isAnyGiven: whether any field of the group has one.
  package func concerns(isEmpty: Bool, isAnyGiven: @autoclosure () -> Bool) -> Bool {
    switch self {
    case .exactlyOne: !isEmpty || !isAnyGiven()
    case .atMostOne: !isEmpty
    case .atLeastOne, .allOrNone: isEmpty
    }
  }
}
