package import JSON
package import JSONSchema

/// An object that the form's schema describes, taken apart: the values as a whole, or the value of a field with fields
/// below it. A list with rows is also one: its only property is the element, `*`.
package struct SchemaUnit: Sendable {
  /// The field whose value it is; nil for the values as a whole.
  package let field: Int?
  /// The schema's unconditional statements about it.
  package let object: ObjectParts
  /// Its keywords among the form's ``Form/objectKeywords``.
  package let keywords: Range<Int>
  /// The members that it may have in addition to fields.
  package let others: OtherMembers
  /// Whether such a member may be a secret, or hold one.
  package let areOthersSecret: Bool
}

/// A keyword of the schema that looks at an object as a whole.
package struct ObjectKeyword: Sendable {
  /// The unit of the object.
  package let unit: Int
  /// Its number among the keywords of that unit.
  package let number: Int
  /// The location of the keyword in the schema.
  package let location: JSONPointer
  /// The members that it reads, as fields, in ascending order.
  package let fields: [Int]
  /// Whether it also reads members that are not fields.
  package let readsOtherMembers: Bool
  /// Whether it reads only the presence of members, or the number of rows, and not the values.
  package let readsPresenceAlone: Bool
  /// Whether its errors may be at any depth below those members.
  package let reachesInside: Bool
  /// Its fields as a group, if it judges only whether they have values.
  package var group: FieldGroup?
}
