internal import DocumentProperties
internal import Forms
internal import JSON

/// Writes the document's content for a list's rows. A row says whether it is valid. It leaves out all other members
/// with their usual content.
struct RowWriter {
  let buffer: OutputBuffer
  let session: Session
  /// Whether the values of lookups are left out that the form does not call public.
  let onlyPublic: Bool

  /// The members of a field's object before its rows.
  private static let fieldProperties = FieldProperty.inDocument.filter { $0 != .order }

  // MARK: Whole

  /// The members `order` and `rows` of a list.
  func writeWhole(_ list: RowList, _ members: inout Members) {
    members.name("order")
    buffer.write(texts: list.ids)
    members.name("rows")
    var rows = Members(buffer)
    for row in list.rows {
      rows.name(row.id)
      writeWhole(row)
    }
    rows.end()
  }

  private func writeWhole(_ row: Row) {
    let view = RowView(row)
    var members = Members(buffer)
    for kind in Self.fieldProperties {
      if kind == .isValid || !view.isUsual(row.element, kind) { write(view, row.element, kind, &members) }
    }
    writeRest(of: row.element, view, &members)
    var lookups: Members?
    for lookup in row.ownLookups where hasObject(lookup, of: row) {
      members.open("lookups", &lookups)
      lookups?.name(row.form.lookups[lookup].name)
      writeWhole(lookup: lookup, of: row)
    }
    lookups?.end()
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

  /// The properties of a lookup that the client may see.
  private func properties(ofLookup lookup: Int, of row: Row) -> [LookupProperty] {
    let isPublic = !onlyPublic || row.form.lookups[lookup].isPublic
    return LookupProperty.allCases.filter { isPublic || $0 != .value }
  }

  /// Whether a lookup's object exists in the row's document. It does not if the lookup does not ask and has found
  /// nothing.
  private func hasObject(_ lookup: Int, of row: Row) -> Bool {
    properties(ofLookup: lookup, of: row).contains { !$0.isUsual(row.documentValue(ofLookup: lookup, $0)) }
  }

  private func writeWhole(lookup: Int, of row: Row) {
    var members = Members(buffer)
    for property in properties(ofLookup: lookup, of: row) {
      let value = row.documentValue(ofLookup: lookup, property)
      if property.isUsual(value) { continue }
      members.name(property.name)
      session.write(value, into: buffer)
    }
    members.end()
  }

  /// Writes the members of a field's object behind its own cells: its rows, and the fields right below it.
  private func writeRest(of field: Int, _ view: RowView, _ members: inout Members) {
    if view.row.isList(field) {
      let list = view.row.list(of: field)
      if !list.rows.isEmpty { writeWhole(list, &members) }
    }
    var inner: Members?
    for child in view.row.form.children(of: field) where view.isThere(child) {
      members.open("fields", &inner)
      inner?.name(view.row.form.fields[child].name)
      writeWhole(child, view)
    }
    inner?.end()
  }

  private func writeWhole(_ field: Int, _ view: RowView) {
    var members = Members(buffer)
    for kind in Self.fieldProperties where !view.isUsual(field, kind) {
      write(view, field, kind, &members)
    }
    writeRest(of: field, view, &members)
    members.end()
  }

  private func write(_ view: RowView, _ field: Int, _ kind: FieldProperty, _ members: inout Members) {
    members.name(kind.name)
    session.write(view.row.cellValue(view.row.cell(field, kind)), into: buffer)
  }

  // MARK: Patches

  /// The members `order` and `rows` of a list's patch, if they have changed.
  func writePatch(_ before: ListBefore, of list: RowList, _ members: inout Members) {
    var rows: Members?
    if before.order != nil {
      members.name("order")
      buffer.write(texts: list.ids)
      for id in before.gone {
        members.open("rows", &rows)
        rows?.name(id)
        buffer.append("null")
      }
      if before.hasFresh(in: session) {
        for (position, id) in list.ids.enumerated() where before.isFresh(id) {
          members.open("rows", &rows)
          rows?.name(id)
          writeWhole(list.rows[position])
        }
      }
    }
    for changed in before.rows where !before.isFresh(changed.id) {
      guard let row = session.extras?.rows[changed.id] else { continue }
      members.open("rows", &rows)
      rows?.name(changed.id)
      writePatch(row, changed)
    }
    rows?.end()
  }

  private func writePatch(_ row: Row, _ before: RowBefore) {
    let (now, then) = (RowView(row), RowView(row, before))
    var members = Members(buffer)
    for kind in Self.fieldProperties where before.has(row.cell(row.element, kind)) {
      if kind == .isValid || !now.isUsual(row.element, kind) {
        write(now, row.element, kind, &members)
      } else {
        members.name(kind.name)
        buffer.append("null")
      }
    }
    writePatchOfRest(of: row.element, before, now, then, &members)
    writePatchOfLookups(of: row, before, &members)
    writePatchOfOutputs(of: row, before, &members)
    members.end()
  }

  private func writePatchOfLookups(of row: Row, _ before: RowBefore, _ members: inout Members) {
    func old(_ lookup: Int, _ property: LookupProperty) -> DocumentValue {
      before[row.cell(ofLookup: lookup, property)] ?? row.documentValue(ofLookup: lookup, property)
    }
    let changed = row.ownLookups.filter { lookup in
      properties(ofLookup: lookup, of: row).contains { before.has(row.cell(ofLookup: lookup, $0)) }
    }
    func wasThere(_ lookup: Int) -> Bool {
      properties(ofLookup: lookup, of: row).contains { !$0.isUsual(old(lookup, $0)) }
    }
    if changed.isEmpty { return }
    guard row.ownLookups.contains(where: { hasObject($0, of: row) }) else {
      // A patch does not remove a member that did not exist before.
      return row.ownLookups.contains(where: wasThere) ? members.null("lookups") : ()
    }
    var lookups: Members?
    for lookup in changed {
      let isThere = hasObject(lookup, of: row)
      if !isThere, !wasThere(lookup) { continue }
      members.open("lookups", &lookups)
      lookups?.name(row.form.lookups[lookup].name)
      if !isThere {
        buffer.append("null")
      } else if !wasThere(lookup) {
        writeWhole(lookup: lookup, of: row)
      } else {
        writePatch(ofLookup: lookup, of: row, before, from: old)
      }
    }
    lookups?.end()
  }

  private func writePatch(
    ofLookup lookup: Int,
    of row: Row,
    _ before: RowBefore,
    from old: (Int, LookupProperty) -> DocumentValue
  ) {
    var members = Members(buffer)
    for property in properties(ofLookup: lookup, of: row) where before.has(row.cell(ofLookup: lookup, property)) {
      let (was, now) = (old(lookup, property), row.documentValue(ofLookup: lookup, property))
      if was == now { continue }
      members.name(property.name)
      if property.isUsual(now) {
        buffer.append("null")
      } else if case .json(let was) = was, case .json(let now) = now {
        session.writeChange(from: was, to: now, into: buffer)
      } else {
        session.write(now, into: buffer)
      }
    }
    members.end()
  }

  private func writePatchOfOutputs(of row: Row, _ before: RowBefore, _ members: inout Members) {
    let changed = row.ownOutputs.filter { before.has(row.cell(ofOutput: $0)) }
    guard !changed.isEmpty else { return }
    members.name("outputs")
    guard row.ownOutputs.contains(where: { row.outputs[$0] != nil }) else { return buffer.append("null") }
    var inner = Members(buffer)
    for output in changed {
      let old: JSON? = if case .json(let json)? = before[row.cell(ofOutput: output)] { json } else { nil }
      // A patch does not remove a member that did not exist before.
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
    let row = now.row
    if row.isList(field), case .rows(let inner)? = before[row.cell(field, .order)] {
      let list = row.list(of: field)
      let had = (inner.order?.count ?? list.rows.count) > 0
      if list.rows.isEmpty {
        if had { members.null("order", "rows") }
      } else if had {
        writePatch(inner, of: list, &members)
      } else {
        writeWhole(list, &members)
      }
    }
    var inner: Members?
    for child in row.form.children(of: field) where before.hasChanged(child, in: row) {
      let (isThere, wasThere) = (now.isThere(child), then.isThere(child))
      if !isThere && !wasThere { continue }
      if inner == nil, !isThere, !row.form.children(of: field).contains(where: now.isThere) {
        return members.null("fields")
      }
      members.open("fields", &inner)
      inner?.name(row.form.fields[child].name)
      switch (wasThere, isThere) {
      case (_, false): buffer.append("null")
      case (false, true): writeWhole(child, now)
      case (true, true): writePatch(of: child, before, now, then)
      }
    }
    inner?.end()
  }

  private func writePatch(of field: Int, _ before: RowBefore, _ now: RowView, _ then: RowView) {
    var members = Members(buffer)
    for kind in Self.fieldProperties where before.has(now.row.cell(field, kind)) {
      if now.isUsual(field, kind) {
        // The member may not have existed before.
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

  /// The name of a row: its identity.
  mutating func name(_ row: Int) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    isFirst = false
    buffer.append(byte: UInt8(ascii: "\""))
    buffer.write(row)
    buffer.append("\":")
  }

  /// Opens an object inside, unless it is open.
  mutating func open(_ name: String, _ inner: inout Members?) {
    if inner != nil { return }
    self.name(name)
    inner = Members(buffer)
  }

  mutating func null(_ names: String...) {
    for name in names {
      self.name(name)
      buffer.append("null")
    }
  }

  func end() { buffer.append(byte: UInt8(ascii: "}")) }
}

/// The document's content for the fields of a row, either now or before the changes.
private struct RowView {
  let row: Row
  private let before: RowBefore?

  init(_ row: Row, _ before: RowBefore? = nil) {
    self.row = row
    self.before = before
  }

  /// Whether a field's object exists there, because the field, or a field below it, has an unusual cell.
  func isThere(_ field: Int) -> Bool {
    (field..<Int(row.tables.pointee.fields[field].end)).contains { !isUsual($0) }
  }

  /// Whether all cells of a field are usual, and so not written.
  private func isUsual(_ field: Int) -> Bool {
    var flags = row.fields[field].flags
    var hasErrors = !row.fields[field].errors.isEmpty
    var hasRows = row.isList(field) && !row.list(of: field).rows.isEmpty
    var hasOptions = row.instanceExtras?.options[field]?.json != nil
    var hasText = row.inputText(of: field) != nil
    var hasReason = row.reason(of: field) != nil
    for change in before?.changes(of: field, in: row) ?? [] {
      switch change.old {
      case .bool(let old):
        guard let flag = row.fieldProperty(change.cell)?.flag else { continue }
        if old { flags.insert(flag) } else { flags.remove(flag) }
      case .errors(let errors): hasErrors = !errors.isEmpty
      case .rows(let inner): if let order = inner.order { hasRows = !order.isEmpty }
      case .json: hasOptions = true
      case .absent where row.fieldProperty(change.cell) == .options: hasOptions = false
      case .text where row.fieldProperty(change.cell) == .reason: hasReason = true
      case .absent where row.fieldProperty(change.cell) == .reason: hasReason = false
      case .text: hasText = true
      case .absent where row.fieldProperty(change.cell) == .text: hasText = false
      // This is noted if the same errors have other texts now, and then they are sent in any case.
      default: hasErrors = true
      }
    }
    return flags.intersection(.inDocument) == .usual && !hasErrors && !hasRows && !hasOptions
      && !hasText && !hasReason
  }

  /// Whether a cell is usual, and so not written.
  func isUsual(_ field: Int, _ kind: FieldProperty) -> Bool {
    if let flag = kind.flag {
      guard case .bool(let old)? = before?[row.cell(field, kind)] else {
        return row.fields[field].flags.contains(flag) == FieldFlags.usual.contains(flag)
      }
      return old == FieldFlags.usual.contains(flag)
    }
    let old = before?[row.cell(field, kind)]
    if kind == .text { return old.map { $0 == .absent } ?? (row.inputText(of: field) == nil) }
    if kind == .reason { return old.map { $0 == .absent } ?? (row.reason(of: field) == nil) }
    if kind == .options { return old.map { $0 == .absent } ?? (row.instanceExtras?.options[field]?.json == nil) }
    return switch old {
    case nil: row.fields[field].errors.isEmpty
    case .errors(let errors): errors.isEmpty
    default: false
    }
  }
}

extension LookupProperty {
  /// Whether its value is usual, and so not written in rows.
  fileprivate func isUsual(_ value: DocumentValue) -> Bool { value == (self == .isLoading ? .bool(false) : .absent) }
}

extension FieldFlags {
  /// The flags that the document shows.
  fileprivate static let inDocument = FieldFlags(where: \.isInDocument)
}
