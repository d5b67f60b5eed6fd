public import Forms
public import JSON

/// How many rows there would be.
extension Session {
  /// Whether its form has lists with rows.
  public var hasRows: Bool { tables.pointee.hasRows }

  /// How many rows there are after an input, in all lists: never fewer than there will be.
  public func rowCount(after input: Input) -> Int {
    switch input {
    case .insert(let list, _, _, let values):
      values.reduce(rowCount) { $0 + 1 + form.rowCount(in: $1, ofElement: list) }
    case .set(let field, let value): rowCount(after: CollectionOfOne(FieldChange(field: field, value: value)))
    case .change(let changes, _, _, _): rowCount(after: changes)
    case .reset(keepValues: false):
      lists.reduce(0) { $0 + form.rowCount(in: .array($1.initial.map(\.value)), of: $1.field) }
    case .focus, .blur, .leave, .remove, .move, .fail, .tap, .show, .setLocale, .reset, .flush, .timer, .effect:
      rowCount
    }
  }

  /// How many there are after changes of values.
  private func rowCount(after changes: some Sequence<FieldChange>) -> Int {
    // Two changes may replace the same rows: a list, and the object around it.
    var replaced: Set<Int> = []
    var made = 0
    for change in changes where change.field != FieldChange.root {
      if change.path.isEmpty {
        noteReplacedRows(by: change, in: &replaced)
        made += form.rowCount(in: change.value, of: change.field)
      } else if form.fields[change.field].element != nil {
        made += 1 + form.rowCount(in: change.value, ofElement: change.field)
      }
    }
    return rowCount - replaced.count + made
  }

  /// Notes the rows inside of a field that gets a value as a whole.
  private func noteReplacedRows(by change: FieldChange, in replaced: inout Set<Int>) {
    guard let instance = instance(of: change.row) else { return }
    instance.forEachPlace(from: change.field) { place in
      if let row = place.instance.row, place.field == row.element, place.instance !== instance {
        replaced.insert(row.id)
      }
    }
  }
}

extension Form {
  /// How many rows a session begins with that is opened with those values, or with what the schema gives.
  public func rowCount(in values: JSONObject?) -> Int {
    children(of: nil).reduce(0) { $0 + rowCount(in: values?[fields[$1].name] ?? fields[$1].initial, of: $1) }
  }

  /// How many rows a field has whose value that is, those inside of its rows included.
  func rowCount(in value: JSON?, of field: Int) -> Int {
    if fields[field].element != nil {
      return (value?.arrayValue ?? []).reduce(0) { $0 + 1 + rowCount(in: $1, ofElement: field) }
    }
    guard fields[field].unit != nil else { return 0 }
    return children(of: field).reduce(0) {
      $0 + rowCount(in: value?.objectValue?[fields[$1].name] ?? fields[$1].initial, of: $1)
    }
  }

  /// The same for what is inside of one row of a list.
  func rowCount(in value: JSON?, ofElement list: Int) -> Int {
    fields[list].element.map { rowCount(in: value ?? fields[$0].initial, of: $0) } ?? 0
  }
}
