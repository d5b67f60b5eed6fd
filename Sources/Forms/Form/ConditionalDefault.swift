package import JSON
package import JSONSchema

/// A default of the schema that a field has while branches of the schema hold.
package struct ConditionalDefault: Sendable {
  /// The default.
  package let value: JSON
  /// The branches that must hold; none for the default that the schema gives in any case.
  package let branches: [Branch]

  /// A branch of the schema.
  package struct Branch: Sendable {
    /// Decides whether it holds.
    package let condition: BranchCondition
    /// The field whose value it is about; nil for the values as a whole.
    package let field: Int?
    /// The template whose instances have the members of that value.
    package let template: Int
    /// The members that decide, as fields, in ascending order.
    package let members: [Int]
    /// Whether members that are not fields decide, too.
    package let readsOtherMembers: Bool
  }
}
