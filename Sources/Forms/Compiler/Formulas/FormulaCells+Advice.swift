internal import JSON
internal import Texts

/// What advice about a wrong name has to know of the cells.
extension FormulaCells {
  /// Whether the rows of a template are inside rows of another.
  func isInOuterRow(_ template: Int) -> Bool { (templates[template].parent ?? 0) > 0 }

  /// The address of an output that each row of a list has, found by its name alone.
  func outputsInRows(named name: String) -> String? {
    outputs.first {
      $0.template > 0 && (JSONPointer(address: $0.address)?.tokens.last?.hasSameUTF8(as: name) ?? false)
    }?
    .address
  }

  /// Whether there is a check of that id whose answer no formula can read.
  func lacksResult(check id: String) -> Bool { check(id).map { !checks[$0.number].hasResult } ?? false }

  /// The address of the field of a check that each row of a list has.
  func fieldInRows(ofCheck id: String) -> String? {
    check(id).flatMap { template(of: $0.field) > 0 ? shapes[$0.field].address : nil }
  }

  /// The address of a field that is in rows; nil if the form has none.
  var addressInRow: String? {
    shapes.last { $0.position.template > 0 && $0.position.list == nil }?.address
      ?? shapes.first { $0.position.template > 0 }?.address
  }

  /// The address of a lookup that each row of a list has, found by its name alone.
  func lookupInRows(named name: String) -> String? {
    lookups.first {
      $0.template > 0 && (JSONPointer(address: $0.address)?.tokens.last?.hasSameUTF8(as: name) ?? false)
    }?
    .address
  }

  /// Whether a field, an output or a lookup of rows has that address.
  func hasRowCell(at address: String) -> Bool {
    fieldIndex.field(at: address).map { shapes[$0].position.template > 0 }
      ?? (outputIndex[UTF8Key(text: address)] != nil || lookupIndex[UTF8Key(text: address)] != nil)
  }
}
