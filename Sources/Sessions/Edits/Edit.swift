internal import Forms
internal import JSON

/// The changes of one input of a user: the old values and the old rows, so that the user can take them back.
struct Edit {
  /// The old value of a field, or of all top-level members that are not fields (``FieldChange/root``).
  struct OldValue {
    /// The identity of the row that contains the field, or 0 for the form.
    let row: Int
    let field: Int
    /// As in ``FieldState/value``. Nil if it followed its formula.
    var value: JSON?
    /// Whether the value was the one of the field's formula.
    var follows = false
    /// Whether an input had removed the object.
    var isRemoved = false
    /// The text that the user had typed for the value.
    var typed: String?

    /// Its share of ``Edit/bytes``.
    var bytes: Int { 96 + value.bytes + (typed?.utf8.count ?? 0) }
  }

  /// The old rows of a list, as far as they differ.
  struct OldRows {
    /// The identity of the row that contains the list, or 0 for the form.
    let row: Int
    let field: Int
    /// The position of the first row that differs.
    var start = 0
    /// The identities of the rows from there on that differ, before the edit.
    var before: [Int]
    /// The number of rows in their place after the edit.
    var count = 0
    /// The rows among ``before`` that are gone. They keep their state, and can come back.
    var gone: [Row] = []

    /// Its share of ``Edit/bytes``, without the rows that are gone.
    var bytes: Int { 96 + 8 * (before.count + gone.count) }
  }

  /// Distinguishes it from the session's other edits. Later edits have higher numbers.
  var number = 0
  /// In the order of their changes. No field is there twice.
  var values: [OldValue] = []
  /// In the order of their changes. No list is there twice.
  var lists: [OldRows] = []
  /// The bytes of removed rows, which the edit keeps so that it can be taken back.
  var rowBytes = 0

  /// Bytes of memory, approximately.
  var bytes: Int { values.reduce(64) { $0 + $1.bytes } + lists.reduce(rowBytes) { $0 + $1.bytes } }

  var isEmpty: Bool { values.isEmpty && lists.isEmpty }
}

extension ValueID {
  init(_ old: Edit.OldValue) { self = .field(old.field, row: old.row) }

  init(_ old: Edit.OldRows) { self = .field(old.field, row: old.row) }
}

extension Edit.OldValue {
  /// The state of a field now.
  init(_ field: Int, in instance: Instance) {
    let state = instance.fields.at(field)
    let follows = state.pointee.flags.contains(.follows)
    self.init(
      row: instance.rowID,
      field: field,
      value: follows ? nil : state.pointee.value,
      follows: follows,
      isRemoved: state.pointee.flags.contains(.isRemoved),
      typed: follows ? nil : instance.typedText(of: field)
    )
  }

  /// Whether nothing about the field has changed.
  func isCurrent(in instance: Instance) -> Bool {
    hasValue(in: instance)
      && (field == FieldChange.root || instance.fields[field].flags.contains(.isRemoved) == isRemoved)
  }

  /// Whether the field has the old value.
  func hasValue(in instance: Instance) -> Bool {
    if field == FieldChange.root {
      return value.isIdentical(to: instance.session.extras?.otherMembers.now.map { .object($0) })
    }
    let now = Edit.OldValue(field, in: instance)
    return now.follows == follows && now.value.isIdentical(to: value)
  }
}

extension Edit.OldRows {
  /// Leaves out the rows at both ends that do not differ.
  ///
  /// - Returns: whether any row differs.
  mutating func compare(with now: [Int]) -> Bool {
    var (start, end) = (0, 0)
    let common = min(before.count, now.count)
    while start < common, before[start] == now[start] { start += 1 }
    while end < common - start, before[before.count - 1 - end] == now[now.count - 1 - end] { end += 1 }
    self.start = start
    count = now.count - start - end
    before = Array(before[start..<(before.count - end)])
    return count > 0 || !before.isEmpty
  }
}
