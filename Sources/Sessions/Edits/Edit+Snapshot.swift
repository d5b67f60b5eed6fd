internal import Forms
internal import JSON
internal import Texts

/// Edits in snapshots. An edit is a part of its own, which is written once. The rows that are gone and can come back
/// have the parts that they had before.
extension PartWriter {
  /// An edit, or nil if the session does not have it any more.
  func edit(_ number: Int, of session: Session) -> [UInt8]? {
    guard let edits = session.extras?.edits else { return nil }
    func has(_ edit: Edit) -> Bool { edit.number == number }
    if let edit = edits.undo.first(where: has) { return self.edit(edit, isRedo: false, of: session.form) }
    return edits.redo.first(where: has).flatMap { self.edit($0, isRedo: true, of: session.form) }
  }

  private func edit(_ edit: Edit, isRedo: Bool, of form: Form) -> [UInt8]? {
    part { object in
      object.write("number", edit.number)
      if isRedo { object.name("isRedo").write(true) }
      object.array("values", edit.values) { out, old in
        var object = ObjectWriter(out)
        object.write("row", old.row)
        if old.field != FieldChange.root { object.write("field", form.fields[old.field].address) }
        object.write("value", old.value)
        if old.follows { object.name("follows").write(true) }
        if old.isRemoved { object.name("isRemoved").write(true) }
        object.write("typed", old.typed)
        object.end()
      }
      object.array("lists", edit.lists) { out, old in
        var object = ObjectWriter(out)
        object.write("row", old.row)
        object.write("field", form.fields[old.field].address)
        object.write("start", old.start)
        object.write("count", old.count)
        object.array("before", old.before) { $0.write($1) }
        object.array("gone", old.gone) { $0.write($1.id) }
        object.end()
      }
    }
  }
}

extension Engine {
  /// Makes the edits of a snapshot, in the order of their numbers. An edit that is damaged is left out, with the edits
  /// that depend on it.
  func restoreEdits(of session: Session, from kept: ReadSnapshot) {
    guard session.form.hasUndo, !kept.edits.isEmpty else { return }
    beginEdits(of: session)
    guard let edits = session.extras?.edits else { return }
    let before = edits.bytes
    let rows = restoreGoneRows(of: session, from: kept)
    for json in kept.edits.sorted(by: { Self.number(of: $0) < Self.number(of: $1) }) {
      var edit = Edit()
      edit.number = Self.number(of: json)
      edit.values = (json["values"]?.arrayValue ?? []).compactMap { oldValue($0, session.form) }
      for list in json["lists"]?.arrayValue ?? [] {
        guard let old = oldRows(list, session.form, rows) else { continue }
        edit.rowBytes += old.gone.reduce(0) { $0 + (rows[$1.id]?.bytes ?? 0) }
        for row in old.gone { edits.restored(row) }
        edit.lists.append(old)
      }
      if edit.number > 0, !edit.isEmpty { edits.restore(edit, isRedo: json["isRedo"]?.boolValue ?? false) }
    }
    session.computedBytes += edits.bytes - before
    tellEdits(of: session)
  }

  private static func number(of edit: JSON) -> Int { Int(clamping: max(edit["number"]?.integerValue ?? 0, 0)) }

  private func oldValue(_ json: JSON, _ form: Form) -> Edit.OldValue? {
    let row = Int(clamping: json["row"]?.integerValue ?? 0)
    guard let address = json["field"]?.stringValue else {
      return Edit.OldValue(row: row, field: FieldChange.root, value: json["value"])
    }
    guard let field = form.field(at: address) else { return nil }
    return Edit.OldValue(
      row: row,
      field: field,
      value: json["value"],
      follows: json["follows"]?.boolValue ?? false && form.fields[field].mayFollow,
      isRemoved: json["isRemoved"]?.boolValue ?? false,
      typed: json["typed"]?.stringValue
    )
  }

  private func oldRows(_ json: JSON, _ form: Form, _ rows: [Int: (row: Row, bytes: Int)]) -> Edit.OldRows? {
    guard let address = json["field"]?.stringValue, let field = form.field(at: address),
      form.fields[field].element != nil
    else { return nil }
    func numbers(_ name: String) -> [Int] {
      (json[name]?.arrayValue ?? []).compactMap { $0.integerValue.map { Int(clamping: $0) } }
    }
    func number(_ name: String) -> Int { max(Int(clamping: json[name]?.integerValue ?? 0), 0) }
    return Edit.OldRows(
      row: number("row"),
      field: field,
      start: number("start"),
      before: numbers("before"),
      count: number("count"),
      gone: numbers("gone").compactMap { rows[$0]?.row }
    )
  }

  /// Makes the rows that are gone and can come back, and takes them out again.
  private func restoreGoneRows(of session: Session, from kept: ReadSnapshot) -> [Int: (row: Row, bytes: Int)] {
    var places: [Int: (owner: Int, list: String)] = [:]
    for list in kept.edits.flatMap({ $0["lists"]?.arrayValue ?? [] }) {
      guard let address = list["field"]?.stringValue else { continue }
      for id in list["gone"]?.arrayValue ?? [] {
        places[Int(clamping: id.integerValue ?? 0)] = (Int(clamping: list["row"]?.integerValue ?? 0), address)
      }
    }
    var made: [Row] = []
    // A row comes after the row around it.
    for id in places.keys.sorted() where session.instance(of: id) == nil {
      guard let place = places[id], let owner = session.instance(of: place.owner),
        let field = session.form.field(at: place.list), owner.ownFields.contains(field), owner.isList(field)
      else { continue }
      let list = owner.list(of: field)
      let row = makeRow(of: .some(nil), in: list, isComplete: true, id: id)
      restore(row, kept.rows[id] ?? ReadInstance(), kept)
      row.forEachInstance { _ = storeInitialValues(of: $0) }
      made.append(row)
    }
    var rows: [Int: (row: Row, bytes: Int)] = [:]
    // The inner rows go before the rows around them, so that no row goes twice.
    for row in made.reversed() {
      let before = session.contentBytes
      discard(row)
      updateDirty(row.list.field, of: row.list.owner)
      rows[row.id] = (row, before - session.contentBytes)
    }
    return rows
  }
}
