internal import JSON

/// Where a field is in the tree of the form's fields.
struct FieldPosition {
  let name: String
  let path: [String]
  let parent: Int?
  let end: Int
  let list: Int?
  let element: Int?
  let template: Int
  let owner: Int
  let property: Int?
  let unit: Int?

  /// The field around it: see ``Field/around``.
  var around: Int? { parent ?? list }

  /// The field's address: see ``Field/address``.
  let address: String
}
