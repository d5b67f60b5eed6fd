package import JSON
package import JSONSchema

/// An object that the form's schema describes, taken apart: the values as a whole, or those of a field with fields below it. A list with rows
/// is one, too: its only property is the element, `*`.
package struct SchemaUnit: Sendable {
  /// The field whose value it is; nil for the values as a whole.
  package let field: Int?
  /// What the schema says about it unconditionally.
  package let object: ObjectParts
  /// Its keywords among the form's ``Form/parts``.
  package let parts: Range<Int>
  /// Which members it may have that are no fields.
  package let others: OtherMembers
  /// Whether such a member may be a secret, or hold one.
  package let areOthersSecret: Bool
}

/// A keyword of the schema that looks at an object as a whole.
package struct SchemaPart: Sendable {
  /// The unit of the object.
  package let unit: Int
  /// Its place among the parts of that unit.
  package let index: Int
  /// Where the keyword stands in the schema.
  package let location: JSONPointer
  /// The members that it reads, as fields, in ascending order.
  package let fields: [Int]
  /// Whether it also reads members that are no fields.
  package let readsOthers: Bool
  /// Whether it only reads which members are there, or how many rows, and not what they hold.
  package let readsPresenceAlone: Bool
  /// Whether its errors may stand at any depth below those members.
  package let reachesInside: Bool
}
