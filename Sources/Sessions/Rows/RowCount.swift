public import Forms
public import JSON

/// How many rows there would be.
extension Session {
  /// Whether its form has lists with rows.
  public var hasRows: Bool { tables.pointee.hasRows }

  /// Whether ``growthBound(of:)`` holds: no input makes rows, or resets fields that it does not name.
  public var hasGrowthBound: Bool { !tables.pointee.hasRows && !tables.pointee.resetsFields }

  /// An upper bound on the number of rows in all lists after an input.
  public func rowCount(after input: Input) -> Int {
    switch input {
    case .insert(let list, _, _, let values):
      values.reduce(rowCount) { $0 + 1 + form.rowCount(in: $1, ofElement: list) } + rowCountOfTriggers
    case .set(let field, let value):
      rowCount(after: CollectionOfOne(FieldChange(field: field, value: value))) + rowCountOfTriggers
    case .change(let changes, _, _, _): rowCount(after: changes) + rowCountOfTriggers
    case .reset(keepValues: false): lists.reduce(0) { $0 + initialRowCount(of: $1) }
    case .resetField(let field, let row): rowCount + initialRowCount(inside: field, row: row)
    case .undo: rowCount + rowCountOfTriggers + rowCountOfTakingBack(.undo)
    case .redo: rowCount + rowCountOfTriggers + rowCountOfTakingBack(.redo)
    case .remove, .move, .blur, .leave, .tap, .flush, .timer: rowCount + rowCountOfTriggers
    case .focus, .fail, .show, .cancel, .setLocale, .setContext, .reset, .effect: rowCount
    }
  }

  /// The most rows that come back if the user's input changes all triggers.
  private var rowCountOfTriggers: Int {
    guard tables.pointee.resetsFields else { return 0 }
    var count = 0
    forEachInstance { instance in
      for field in instance.ownFields {
        if !form.fields[field].trigger.isEmpty { count += initialRowCount(inside: field, row: instance.rowID) }
        if form.fields[field].clearsWhenHidden { count += form.rowCount(in: form.fields[field].initial, of: field) }
      }
    }
    return count
  }

  /// The number of rows that a reset of a field can bring back.
  private func initialRowCount(inside field: Int, row: Int) -> Int {
    var count = 0
    instance(of: row)?.forEachField(from: field) { live in
      if live.instance.isList(live.field) { count += initialRowCount(of: live.instance.list(of: live.field)) }
    }
    return count
  }

  private func initialRowCount(of list: RowList) -> Int {
    form.rowCount(in: .array(list.initial.map(\.value)), of: list.field)
  }

  /// The number of rows after changes of values.
  private func rowCount(after changes: some Sequence<FieldChange>) -> Int {
    // Two changes may replace the rows of one list: its own change, and a change of the object around it.
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

  /// Notes the rows inside a field that gets a value as a whole.
  private func noteReplacedRows(by change: FieldChange, in replaced: inout Set<Int>) {
    guard let instance = instance(of: change.row) else { return }
    instance.forEachField(from: change.field) { live in
      if let row = live.instance.row, live.field == row.element, live.instance !== instance {
        replaced.insert(row.id)
      }
    }
  }
}

extension Form {
  /// The number of rows of a session that is opened with those values, or with the schema's defaults.
  public func rowCount(in values: JSONObject?) -> Int {
    children(of: nil).reduce(0) { $0 + rowCount(in: values?[fields[$1].name] ?? fields[$1].initial, of: $1) }
  }

  /// The number of rows of a field with that value, including the rows inside its rows.
  func rowCount(in value: JSON?, of field: Int) -> Int {
    if fields[field].element != nil {
      return (value?.arrayValue ?? []).reduce(0) { $0 + 1 + rowCount(in: $1, ofElement: field) }
    }
    guard fields[field].unit != nil else { return 0 }
    return children(of: field).reduce(0) {
      $0 + rowCount(in: value?.objectValue?[fields[$1].name] ?? fields[$1].initial, of: $1)
    }
  }

  /// The number of rows inside one row of a list.
  func rowCount(in value: JSON?, ofElement list: Int) -> Int {
    fields[list].element.map { rowCount(in: value ?? fields[$0].initial, of: $0) } ?? 0
  }
}
