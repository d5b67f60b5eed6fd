internal import DocumentProperties
internal import Forms
public import JSON

/// The output document: written whole, or as the merge patch of the changes.
extension Engine {
  /// Writes the session's document as JSON. If the session watches parts of it, only these parts are written.
  ///
  /// - Parameter onlyPublic: whether the values of lookups and the results of actions are left out, unless the form
  ///   calls them public.
  public func writeDocument(of session: Session, onlyPublic: Bool = false, into buffer: OutputBuffer) {
    session.writeDocument(onlyPublic: onlyPublic, into: buffer)
  }

  /// Writes the merge patch (RFC 7396) of a turn of that session.
  ///
  /// - Precondition: the turn is the engine's last one.
  public func writePatch(of turn: Turn, in session: Session, into buffer: OutputBuffer) {
    checkIsLast(turn)
    session.writePatch(changeList.all, into: buffer)
  }

  /// Writes the merge patch from the old values of some cells to their current ones.
  ///
  /// - Parameters:
  ///   - changes: the changes of several turns, one per cell, with the oldest value, by ascending cell. Cells that have
  ///     their old value again are left out.
  ///   - onlyPublic: as for ``writeDocument(of:onlyPublic:into:)``.
  public func writePatch(
    of session: Session,
    _ changes: [DocumentChange],
    onlyPublic: Bool = false,
    into buffer: OutputBuffer
  ) {
    session.writePatch(changes, onlyPublic: onlyPublic, into: buffer)
  }
}

extension Session {
  /// The document as a value: for tests, for snapshots, and for clients in the same process.
  public var document: JSON {
    let buffer = OutputBuffer()
    writeDocument(into: buffer)
    // The writer's own output always reads back.
    return (try? JSON(parsing: buffer.copiedBytes)) ?? .null
  }

  /// The merge patch as a value: see ``Engine/writePatch(of:_:onlyPublic:into:)``.
  public func patch(_ changes: [DocumentChange]) -> JSON {
    let buffer = OutputBuffer()
    writePatch(changes, into: buffer)
    return (try? JSON(parsing: buffer.copiedBytes)) ?? .null
  }

  // MARK: Cells

  func cellValue(_ cell: Int) -> DocumentValue {
    if let isSet = flag(of: tables.pointee.cells.at(cell)) { return .bool(isSet) }
    switch form.layout.cell(cell) {
    case .form(.errors): return .errors(formErrors)
    case .form(.step): return currentStep.map { .text(form.steps[$0].id) } ?? .absent
    // The change itself has the new state of such a cell.
    case .rowMessages, .field(_, .order): return .absent
    case .message(let field):
      return fields[field].displayed.map { .text(form.message(of: $0, locale: localeIndex)) } ?? .absent
    case .field(let field, .errors): return .errors(fields[field].errors)
    case .field(let field, .options): return DocumentValue(documentOptions(of: field))
    case .field(let field, .text): return inputText(of: field).map { .text($0) } ?? .absent
    case .field(let field, .reason): return reason(of: field).map { .text($0) } ?? .absent
    case .lookup(let lookup, let property): return documentValue(ofLookup: lookup, property)
    case .action(let action, .attempts): return .integer(Int(actions[action].attempts))
    case .action(let action, .result): return actions[action].outcome?.result.map { .json($0) } ?? .absent
    case .action(let action, .error): return actions[action].outcome?.error.map { .json($0) } ?? .absent
    case .action(let action, .message): return actions[action].outcome?.message.map { .text($0) } ?? .absent
    case .action(let action, .reason): return reason(ofAction: action).map { .text($0) } ?? .absent
    case .output(let output): return outputs[output].map { .json($0) } ?? .absent
    case .form, .field, .step, .action: preconditionFailure("\(form.layout.cell(cell)) has no content")
    }
  }

  /// The value of a cell that holds a flag, or nil for any other cell.
  private func flag(of cell: Reference<FormTables.CellEntry>) -> Bool? {
    let (owner, bit) = (Int(cell.pointee.owner), cell.pointee.bit)
    switch cell.pointee.kind {
    case .flagOfForm: return flags.contains(bit: bit)
    case .flagOfField: return fields[owner].flags.contains(bit: bit)
    case .flagOfStep: return steps[owner].flags.contains(bit: bit)
    case .flagOfAction: return actions[owner].flags.contains(bit: bit)
    default: return nil
    }
  }

  // MARK: Writing

  func writeDocument(onlyPublic: Bool = false, into buffer: OutputBuffer) {
    let watched = extras?.watched
    var writer = GroupedWriter(tables, behind: tables.pointee.beginning)
    for cell in 0..<form.layout.count {
      if let watched, !watched[cell] { continue }
      let entry = tables.pointee.cells.at(cell)
      if watched == nil { writer.openBlocks(before: entry, into: buffer) }
      if entry.pointee.kind == .rows || entry.pointee.kind == .rowMessages {
        writeRows(at: entry, onlyPublic: onlyPublic, &writer, into: buffer)
        continue
      }
      let value = onlyPublic && !isPublic(cell) ? .absent : cellValue(cell)
      if case .absent = value {
        // The object around an absent cell is written in any case.
        writer.enter(entry, into: buffer)
        continue
      }
      writer.key(of: entry, into: buffer)
      write(value, into: buffer)
    }
    writer.finish(isDocument: watched == nil, into: buffer)
  }

  func writePatch(_ changes: [DocumentChange], onlyPublic: Bool = false, into buffer: OutputBuffer) {
    let watched = extras?.watched
    let differing = changes.compactMap { change in
      var change = change
      if onlyPublic, !isPublic(change.cell) { return nil as DocumentChange? }
      return (watched?[change.cell] ?? true) && dropUnchanged(of: &change) ? change : nil
    }
    DocumentChanges.with(differing) { writePatch($0, onlyPublic: onlyPublic, into: buffer) }
  }

  /// Whether clients that get only what is public get that cell. Rows have cells of their own: see ``RowWriter``.
  private func isPublic(_ cell: Int) -> Bool {
    switch form.layout.cell(cell) {
    case .lookup(let lookup, .value): form.lookups[lookup].isPublic
    case .action(let action, .result): form.actions[action].isPublic
    default: true
    }
  }

  /// Writes a patch, straight from the cells.
  @inline(__always)
  fileprivate func writePatch(
    _ changes: DocumentChanges,
    onlyPublic: Bool = false,
    into buffer: OutputBuffer
  ) {
    guard changes.count > 0 else { return buffer.append("{}") }
    // Most patches have only such cells, and then only the last cell has to be known.
    var last = tables.pointee.beginning
    for position in 0..<changes.count {
      let change = changes.at(position)
      let cell = tables.pointee.cells.at(change.pointee.cell)
      if _slowPath(!cell.pointee.isFlat) {
        return writeRest(changes, from: position, behind: last, onlyPublic: onlyPublic, into: buffer)
      }
      let isSet = change.borrowed.pointee.flag()
      buffer.append(upTo: cell.bytesMax &+ Self.flagBytesMax) {
        let target = cell.writeKey(behind: last, at: $0)
        return isSet.map { Self.write($0, at: target) } ?? target
      }
      if isSet == nil { writeValue(change, at: cell, into: buffer) }
      last = cell
    }
    buffer.append(upTo: Reference<FormTables.CellEntry>.endBytesMax) { last.writeEnd(at: $0) }
  }

  /// Writes the rest of a patch, whatever its cells are.
  @inline(never)
  private func writeRest(
    _ changes: DocumentChanges,
    from first: Int,
    behind last: Reference<FormTables.CellEntry>,
    onlyPublic: Bool,
    into buffer: OutputBuffer
  ) {
    var writer = GroupedWriter(tables, behind: last)
    for position in first..<changes.count {
      let change = changes.at(position)
      let cell = tables.pointee.cells.at(change.pointee.cell)
      if cell.pointee.kind == .rowMessages || cell.pointee.kind == .rows {
        writeRows(change, at: cell, onlyPublic: onlyPublic, &writer, into: buffer)
        continue
      }
      writer.key(of: cell, into: buffer)
      if let isSet = change.borrowed.pointee.flag() {
        buffer.write(isSet)
      } else {
        writeValue(change, at: cell, into: buffer)
      }
    }
    writer.finish(isDocument: false, into: buffer)
  }

  /// The most bytes that ``write(_:at:)`` writes.
  private static let flagBytesMax = MemoryLayout<UInt64>.size

  /// Writes `true` or `false` as a whole word, which overwrites the bytes behind it. Returns the position behind the
  /// text.
  @inline(__always)
  private static func write(_ isSet: Bool, at target: OutputPosition) -> OutputPosition {
    let word: UInt64 = isSet ? 0x6575_7274 : 0x65_736c_6166
    return target.writing(word, count: isSet ? 4 : 5)
  }

  /// Writes the value of a cell that does not hold a flag, behind its name.
  @inline(__always)
  private func writeValue(
    _ change: Reference<DocumentChange>,
    at entry: Reference<FormTables.CellEntry>,
    into buffer: OutputBuffer
  ) {
    let owner = Int(entry.pointee.owner)
    switch entry.pointee.kind {
    case .errorsOfField: writeErrors(of: owner, into: buffer)
    case .output:
      let isText: Void? = outputs.at(owner).borrowed.pointee.withText { buffer.write($0) }
      if isText == nil { writeJSONChange(change, into: buffer) }
    case .value: writeJSONChange(change, into: buffer)
    default: writeOther(change.pointee.cell, into: buffer)
    }
  }

  @inline(never)
  private func writeOther(_ cell: Int, into buffer: OutputBuffer) { write(cellValue(cell), into: buffer) }

  /// Drops the parts of a change that have their old content again. Returns whether anything is left.
  func dropUnchanged(of change: inout DocumentChange) -> Bool {
    switch change.old {
    case .rows(var before):
      guard before.dropUnchanged(of: list(ofCell: change.cell)) else { return false }
      change.old = .rows(before)
    case .messages(var before):
      guard before.dropUnchanged(in: self) else { return false }
      change.old = .messages(before)
    default: return cellValue(change.cell) != change.old
    }
    return true
  }

  func list(ofCell cell: Int) -> RowList { list(of: Int(tables.pointee.cells[cell].owner)) }

  // MARK: Rows

  private func writeRows(
    _ change: Reference<DocumentChange>,
    at cell: Reference<FormTables.CellEntry>,
    onlyPublic: Bool,
    _ writer: inout GroupedWriter,
    into buffer: OutputBuffer
  ) {
    switch change.pointee.old {
    case .rows(let before): writeRows(before, at: cell, onlyPublic: onlyPublic, &writer, into: buffer)
    case .messages(let before): write(before, at: cell, &writer, into: buffer)
    default: break
    }
  }

  private func writeRows(
    at cell: Reference<FormTables.CellEntry>,
    onlyPublic: Bool,
    _ writer: inout GroupedWriter,
    into buffer: OutputBuffer
  ) {
    let field = Int(cell.pointee.owner)
    guard cell.pointee.kind == .rows else {
      forEachRow { row in
        for field in row.ownFields {
          guard let text = row.message(of: field) else { continue }
          writer.name(row.address(of: field), at: cell, into: buffer)
          buffer.write(text)
        }
      }
      return
    }
    guard isList(field) else { return writer.enter(cell, into: buffer) }
    var members = writer.members(at: cell, into: buffer)
    RowWriter(buffer: buffer, session: self, onlyPublic: onlyPublic).writeWhole(list(of: field), &members)
    writer.close(members)
  }

  private func writeRows(
    _ before: ListBefore,
    at cell: Reference<FormTables.CellEntry>,
    onlyPublic: Bool,
    _ writer: inout GroupedWriter,
    into buffer: OutputBuffer
  ) {
    var members = writer.members(at: cell, into: buffer)
    let rows = RowWriter(buffer: buffer, session: self, onlyPublic: onlyPublic)
    rows.writePatch(before, of: list(of: Int(cell.pointee.owner)), &members)
    writer.close(members)
  }

  private func write(
    _ before: MessagesBefore,
    at cell: Reference<FormTables.CellEntry>,
    _ writer: inout GroupedWriter,
    into buffer: OutputBuffer
  ) {
    for (address, text) in before.changed(in: self) {
      writer.name(address, at: cell, into: buffer)
      if let text { buffer.write(text) } else { buffer.append("null") }
    }
  }

  /// Calls with each row. A row comes after the row that contains it.
  private func forEachRow(_ body: (Row) -> Void) {
    forEachInstance { if let row = $0.row { body(row) } }
  }

  // MARK: Values

  /// Objects are patched member by member. All other values are replaced.
  @inline(never)
  private func writeJSONChange(_ change: Reference<DocumentChange>, into buffer: OutputBuffer) {
    guard case .json(let new) = cellValue(change.pointee.cell) else {
      return write(cellValue(change.pointee.cell), into: buffer)
    }
    if case .json(let old) = change.pointee.old {
      writeChange(from: old, to: new, into: buffer)
    } else {
      buffer.write(new)
    }
  }

  func writeChange(from old: JSON?, to new: JSON?, into buffer: OutputBuffer) {
    if case .object? = new, case .object? = old, let new, let patch = old?.mergePatch(to: new) {
      buffer.write(patch)
    } else {
      buffer.write(new ?? .null)
    }
  }

  func write(_ value: DocumentValue, into buffer: OutputBuffer) {
    switch value {
    case .absent: buffer.append("null")
    case .bool(let flag): buffer.write(flag)
    case .integer(let number): buffer.write(number)
    case .text(let text): buffer.write(text)
    case .json(let json): buffer.write(json)
    case .errors(let errors): writeErrors(errors, into: buffer)
    case .rows, .messages: preconditionFailure("rows are written by what has changed of them")
    }
  }

  @inline(__always)
  private func writeErrors(of field: Int, into buffer: OutputBuffer) {
    // Most fields have none, or one prepared error, so nothing is copied.
    switch fields.at(field).borrowed.pointee.content.errors {
    case .none: buffer.append("[]")
    case .one(.prepared(let reference)) where list(of: reference).count > 0: buffer.append(list(of: reference))
    default: writeErrors(fields[field].errors, into: buffer)
    }
  }

  /// Writes the list of that error alone, in brackets.
  @inline(__always)
  private func list(of error: PreparedErrorReference) -> PreparedBytes {
    tables.pointee.errorLists[Int(error.number.rawValue) &* Int(tables.pointee.localeCount) &+ localeIndex]
  }

  @inline(never)
  private func writeErrors(_ errors: ErrorList, into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "["))
    switch errors {
    case .none: break
    case .one(let error): write(error, into: buffer)
    case .many(let all):
      for (position, error) in all.enumerated() {
        if position > 0 { buffer.append(byte: UInt8(ascii: ",")) }
        write(error, into: buffer)
      }
    }
    buffer.append(byte: UInt8(ascii: "]"))
  }

  private func write(_ error: FieldError, into buffer: OutputBuffer) {
    switch error {
    case .prepared(let reference):
      let list = list(of: reference)
      if list.count > 0 {
        buffer.append(list[1..<list.count - 1])
      } else {
        form.errors[reference.number].write(locale: localeIndex, into: buffer)
      }
    case .detailed(let detail):
      writeErrorJSON(
        code: detail.code,
        path: detail.path,
        severity: detail.severity,
        source: detail.source,
        message: detail.message,
        parameters: detail.parameters,
        into: buffer
      )
    }
  }
}
