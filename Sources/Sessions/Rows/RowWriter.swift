internal import Forms
internal import JSON

/// Writes a list's rows as they stand in the document. A row says whether it is valid; whatever else is as it usually is, it leaves out.
struct RowWriter {
  let buffer: OutputBuffer
  let session: Session

  // MARK: Whole

  /// The members `order` and `rows` of a list.
  func writeWhole(_ list: RowList, _ members: inout Members) {
    members.name("order")
    writeOrder(list)
    members.name("rows")
    var rows = Members(buffer)
    for row in list.rows {
      rows.name("\(row.id)")
      writeWhole(row)
    }
    rows.end()
  }

  private func writeOrder(_ list: RowList) {
    buffer.append(byte: UInt8(ascii: "["))
    for (position, row) in list.rows.enumerated() {
      if position > 0 { buffer.append(byte: UInt8(ascii: ",")) }
      buffer.append(byte: UInt8(ascii: "\""))
      buffer.write(row.id)
      buffer.append(byte: UInt8(ascii: "\""))
    }
    buffer.append(byte: UInt8(ascii: "]"))
  }

  private func writeWhole(_ row: Row) {
    let view = RowView(row)
    var members = Members(buffer)
    for kind in DocumentLayout.FieldCell.allCases where kind != .order {
      if kind == .isValid || !view.isUsual(row.element, kind) { write(view, row.element, kind, &members) }
    }
    writeRest(of: row.element, view, &members)
    let outputs = row.ownOutputs.filter { row.outputs[$0] != nil }
    if !outputs.isEmpty {
      members.name("outputs")
      var inner = Members(buffer)
      for output in outputs {
        inner.name(row.form.outputs[output].name)
        buffer.write(row.outputs[output] ?? .null)
      }
      inner.end()
    }
    members.end()
  }

  /// What a field's object has behind its own cells: its rows, and the fields right below it.
  private func writeRest(of field: Int, _ view: RowView, _ members: inout Members) {
    if view.row.isList(field) {
      let list = view.row.list(of: field)
      if !list.rows.isEmpty { writeWhole(list, &members) }
    }
    let there = view.row.childrenInRow(of: field).filter { view.isThere[$0 - view.first] }
    guard !there.isEmpty else { return }
    members.name("fields")
    var inner = Members(buffer)
    for child in there {
      inner.name(view.row.form.fields[child].name)
      writeWhole(child, view)
    }
    inner.end()
  }

  private func writeWhole(_ field: Int, _ view: RowView) {
    var members = Members(buffer)
    for kind in DocumentLayout.FieldCell.allCases where kind != .order && !view.isUsual(field, kind) {
      write(view, field, kind, &members)
    }
    writeRest(of: field, view, &members)
    members.end()
  }

  private func write(_ view: RowView, _ field: Int, _ kind: DocumentLayout.FieldCell, _ members: inout Members) {
    members.name(kind.name)
    session.write(view.row.cellValue(view.row.cell(field, kind)), into: buffer)
  }

  // MARK: Patches

  /// The members `order` and `rows` of a list's patch, as far as they have changed.
  func writePatch(_ before: ListBefore, _ members: inout Members) {
    let list = before.list
    let known = before.order.map(Set.init)
    if before.order != nil {
      members.name("order")
      writeOrder(list)
    }
    let present = before.order == nil ? [] : Set(list.rows.map(\.id))
    let gone = (before.order ?? []).filter { !present.contains($0) }
    let fresh = known.map { known in list.rows.filter { !known.contains($0.id) } } ?? []
    if gone.isEmpty, fresh.isEmpty, before.rows.isEmpty { return }
    members.name("rows")
    var rows = Members(buffer)
    for id in gone {
      rows.name("\(id)")
      buffer.append("null")
    }
    for row in fresh {
      rows.name("\(row.id)")
      writeWhole(row)
    }
    for row in before.rows {
      rows.name("\(row.row.id)")
      writePatch(row)
    }
    rows.end()
  }

  private func writePatch(_ before: RowBefore) {
    let row = before.row
    let (now, then) = (RowView(row), RowView(row, before))
    var members = Members(buffer)
    for kind in DocumentLayout.FieldCell.allCases where kind != .order && before.has(row.cell(row.element, kind)) {
      if kind == .isValid || !now.isUsual(row.element, kind) {
        write(now, row.element, kind, &members)
      } else {
        members.name(kind.name)
        buffer.append("null")
      }
    }
    writePatchOfRest(of: row.element, before, now, then, &members)
    writePatchOfOutputs(before, &members)
    members.end()
  }

  private func writePatchOfOutputs(_ before: RowBefore, _ members: inout Members) {
    let row = before.row
    let changed = row.ownOutputs.filter { before.has(row.cell(ofOutput: $0)) }
    guard !changed.isEmpty else { return }
    members.name("outputs")
    guard row.ownOutputs.contains(where: { row.outputs[$0] != nil }) else { return buffer.append("null") }
    var inner = Members(buffer)
    for output in changed {
      let old: JSON? = if case .json(let json)? = before.cells[row.cell(ofOutput: output)] { json } else { nil }
      // What was not there yet is not told that it is not there.
      if old == nil, row.outputs[output] == nil { continue }
      inner.name(row.form.outputs[output].name)
      session.writeChange(from: old, to: row.outputs[output], into: buffer)
    }
    inner.end()
  }

  private func writePatchOfRest(
    of field: Int,
    _ before: RowBefore,
    _ now: RowView,
    _ then: RowView,
    _ members: inout Members
  ) {
    let row = before.row
    if row.isList(field), case .rows(let inner)? = before.cells[row.cell(field, .order)] {
      let had = !(inner.order ?? inner.list.rows.map(\.id)).isEmpty
      if inner.list.rows.isEmpty {
        if had { members.null("order", "rows") }
      } else if had {
        writePatch(inner, &members)
      } else {
        writeWhole(inner.list, &members)
      }
    }
    let children = row.childrenInRow(of: field)
    let isAnyThere = children.contains { now.isThere[$0 - now.first] }
    let wasAnyThere = children.contains { then.isThere[$0 - now.first] }
    let touched = children.filter {
      then.isChanged[$0 - now.first] && (now.isThere[$0 - now.first] || then.isThere[$0 - now.first])
    }
    guard !touched.isEmpty else { return }
    guard isAnyThere else { return wasAnyThere ? members.null("fields") : () }
    members.name("fields")
    var inner = Members(buffer)
    for child in touched {
      inner.name(row.form.fields[child].name)
      switch (then.isThere[child - now.first], now.isThere[child - now.first]) {
      case (_, false): buffer.append("null")
      case (false, true): writeWhole(child, now)
      case (true, true): writePatch(of: child, before, now, then)
      }
    }
    inner.end()
  }

  private func writePatch(of field: Int, _ before: RowBefore, _ now: RowView, _ then: RowView) {
    var members = Members(buffer)
    for kind in DocumentLayout.FieldCell.allCases where kind != .order && before.has(before.row.cell(field, kind)) {
      if now.isUsual(field, kind) {
        // It may not have stood there before.
        if then.isUsual(field, kind) { continue }
        members.name(kind.name)
        buffer.append("null")
      } else {
        write(now, field, kind, &members)
      }
    }
    writePatchOfRest(of: field, before, now, then, &members)
    members.end()
  }
}

/// The members of an object that is being written.
struct Members {
  private let buffer: OutputBuffer
  private(set) var isFirst = true

  init(_ buffer: OutputBuffer) {
    self.buffer = buffer
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// The rest of an object that is open already.
  ///
  /// - Parameter isFirst: whether it has no member yet.
  init(_ buffer: OutputBuffer, isFirst: Bool) {
    self.buffer = buffer
    self.isFirst = isFirst
  }

  mutating func name(_ name: String) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    isFirst = false
    buffer.write(name)
    buffer.append(byte: UInt8(ascii: ":"))
  }

  mutating func null(_ names: String...) {
    for name in names {
      self.name(name)
      buffer.append("null")
    }
  }

  func end() { buffer.append(byte: UInt8(ascii: "}")) }
}

/// Which fields of a row stand in its document: now, or before what has changed.
private struct RowView {
  let row: Row
  let first: Int
  private let before: RowBefore?
  /// By field of the template: whether its object stands there.
  private(set) var isThere: [Bool]
  /// By field: whether a cell of it, or of a field below it, has changed.
  private(set) var isChanged: [Bool]

  init(_ row: Row, _ before: RowBefore? = nil) {
    self.row = row
    self.before = before
    let fields = row.ownFields
    first = fields.lowerBound
    isThere = [Bool](repeating: false, count: fields.count)
    isChanged = isThere
    for field in fields.reversed() {
      let place = field - first
      if DocumentLayout.FieldCell.allCases.contains(where: { !isUsual(field, $0) }) { isThere[place] = true }
      if let before, DocumentLayout.FieldCell.allCases.contains(where: { before.has(row.cell(field, $0)) }) {
        isChanged[place] = true
      }
      let parent = Int(row.tables.pointee.fields[field].parent)
      guard parent >= 0 else { continue }
      if isThere[place] { isThere[parent - first] = true }
      if isChanged[place] { isChanged[parent - first] = true }
    }
  }

  /// Whether a cell is as most are, and so not there.
  func isUsual(_ field: Int, _ kind: DocumentLayout.FieldCell) -> Bool {
    let cell = row.cell(field, kind)
    if kind == .order {
      guard row.isList(field) else { return true }
      if case .rows(let inner)? = before?.cells[cell], let order = inner.order { return order.isEmpty }
      return row.list(of: field).rows.isEmpty
    }
    return switch before?.cells[cell] ?? row.cellValue(cell) {
    case .bool(let flag): flag == kind.usual
    case .errors(let errors): errors.isEmpty
    // Noted where the same errors have other texts now: they are told in any case.
    case .absent: kind != .errors
    default: true
    }
  }
}

extension DocumentLayout.FieldCell {
  /// What a cell usually holds.
  fileprivate var usual: Bool {
    switch self {
    case .isVisible, .isEnabled, .isValid: true
    case .isRequired, .isPending, .isDirty, .isTouched, .isEmpty, .errors, .order: false
    }
  }
}

extension Row {
  /// The fields right below one of the row's.
  func childrenInRow(of field: Int) -> [Int] { Array(form.children(of: field)) }
}
