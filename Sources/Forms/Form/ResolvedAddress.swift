/// An address after its resolution: a field, and the path inside its value beyond the fields.
public struct ResolvedAddress: Sendable, Hashable {
  /// The identity of the innermost row on the way; 0 if there is none.
  public let row: Int
  /// The deepest field on the way; nil for a member of the root that is not a field.
  public let field: Int?
  /// The names and positions that lead further, from that field's value; empty for the field itself.
  public let rest: [String]

  package init(row: Int = 0, field: Int?, rest: [String]) {
    self.row = row
    self.field = field
    self.rest = rest
  }
}

/// Why an address leads nowhere.
public enum AddressError: Error, Sendable, Hashable {
  /// It begins with a slash, and is not a valid JSON Pointer.
  case notAPointer
  /// It names a member that an object does not have, or a row that has never been there.
  case unknown
  /// It names a position of a list that has no row there, or `-` before its end.
  case noPosition
  /// It names a row that was removed.
  case removed
  /// It names a row that is in another list.
  case moved
}
