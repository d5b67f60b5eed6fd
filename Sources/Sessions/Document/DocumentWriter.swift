internal import Forms
public import JSON

/// The output document: written whole, or as the merge patch of what changed.
extension Engine {
  /// Writes the session's document as JSON; only what the session watches, if it watches anything.
  public func writeDocument(of session: Session, into buffer: OutputBuffer) {
    session.writeCells(0..<session.form.layout.count, into: buffer)
  }

  /// Writes the merge patch (RFC 7396) from what the changed cells held to what they hold now.
  ///
  /// - Parameter changes: at most one per cell, in ascending order: those of several turns, with the first old value of each cell.
  ///   Cells that hold again what they held are left out.
  public func writePatch(of session: Session, _ changes: [DocumentChange], into buffer: OutputBuffer) {
    session.writePatch(changes, skippingUnchanged: true, into: buffer)
  }

  /// Writes the merge patch of the last ``turn``, which was this session's.
  public func writePatch(of session: Session, into buffer: OutputBuffer) {
    session.writePatch(turn.changes, skippingUnchanged: false, into: buffer)
  }
}

extension Session {
  /// The document as a value: for tests, for snapshots, and for clients in the same process.
  public var document: JSON {
    let buffer = OutputBuffer()
    writeCells(0..<form.layout.count, into: buffer)
    // The writer's own output always reads back.
    return (try? JSON(parsing: Array(buffer.bytes))) ?? .null
  }

  /// The merge patch as a value; see ``Engine/writePatch(of:_:into:)``.
  public func patch(_ changes: [DocumentChange]) -> JSON {
    let buffer = OutputBuffer()
    writePatch(changes, skippingUnchanged: true, into: buffer)
    return (try? JSON(parsing: Array(buffer.bytes))) ?? .null
  }

  /// Whether a cell holds that value.
  func holds(_ value: DocumentValue, in cell: Int) -> Bool {
    switch (form.layout.cell(cell), value) {
    case (.isValid, .bool(let old)): flags.contains(.isValid) == old
    case (.isPending, .bool(let old)): flags.contains(.isPending) == old
    case (.isDirty, .bool(let old)): flags.contains(.isDirty) == old
    case (.field(let field, let cell), .bool(let old)) where cell != .errors:
      fields[field].flags.contains(cell.flag) == old
    default: cellValue(cell) == value
    }
  }

  /// What a cell holds.
  func cellValue(_ cell: Int) -> DocumentValue {
    switch form.layout.cell(cell) {
    case .isValid: .bool(flags.contains(.isValid))
    case .isPending: .bool(flags.contains(.isPending))
    case .isDirty: .bool(flags.contains(.isDirty))
    case .errors: .errors(formErrors)
    case .message(let field):
      fields[field].displayed.map { .text(form.message(of: $0, locale: localeIndex)) } ?? .absent
    case .field(let field, .errors): .errors(fields[field].errors)
    case .field(let field, let cell): .bool(fields[field].flags.contains(cell.flag))
    case .action(let action, let cell):
      switch cell {
      case .isEnabled: .bool(actions[action].isEnabled)
      case .isLoading: .bool(actions[action].isLoading)
      case .attempts: .integer(Int(actions[action].attempts))
      case .result: actions[action].outcome?.result.map { .json($0) } ?? .absent
      case .error: actions[action].outcome?.error.map { .json($0) } ?? .absent
      case .message: actions[action].outcome?.message.map { .text($0) } ?? .absent
      }
    case .output(let output): outputs[output].map { .json($0) } ?? .absent
    }
  }

  // MARK: Writing

  func writeCells(_ cells: Range<Int>, into buffer: OutputBuffer) {
    var writer = GroupedWriter(buffer: buffer, form: form)
    // These members stand even when they are empty, so that a client need not ask whether they do.
    for cell in cells {
      if let watched = extras?.watched, !watched[cell] { continue }
      let address = form.layout.cell(cell)
      let value = cellValue(cell)
      if case .absent = value {
        writer.enter(address)
        continue
      }
      writer.key(of: address)
      write(value, into: buffer)
    }
    writer.finish(isDocument: extras?.watched == nil)
  }

  func writePatch(_ changes: [DocumentChange], skippingUnchanged: Bool, into buffer: OutputBuffer) {
    var writer = GroupedWriter(buffer: buffer, form: form)
    for change in changes {
      if skippingUnchanged {
        if let watched = extras?.watched, !watched[change.cell] { continue }
        if holds(change.old, in: change.cell) { continue }
      }
      let cell = form.layout.cell(change.cell)
      writer.key(of: cell)
      if case .field(let field, let truth) = cell, truth != .errors {
        buffer.write(fields[field].flags.contains(truth.flag))
        continue
      }
      let value = cellValue(change.cell)
      switch (change.old, value) {
      case (_, .absent): buffer.append("null")
      case (.json(let old), .json(let new)):
        if case .object = old, case .object = new, let patch = old.mergePatch(to: new) {
          buffer.write(patch)
        } else {
          buffer.write(new)
        }
      default: write(value, into: buffer)
      }
    }
    writer.finish(isDocument: false)
  }

  private func write(_ value: DocumentValue, into buffer: OutputBuffer) {
    switch value {
    case .absent: buffer.append("null")
    case .bool(let flag): buffer.write(flag)
    case .integer(let number): buffer.write(number)
    case .text(let text): buffer.write(text)
    case .json(let json): buffer.write(json)
    case .errors(let errors): write(errors, into: buffer)
    }
  }

  private func write(_ errors: ErrorList, into buffer: OutputBuffer) {
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
      buffer.append(form.errors[reference.address].json[localeIndex])
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

extension DocumentLayout.FieldCell {
  /// The flag behind a cell that is a truth value.
  var flag: FieldFlags {
    switch self {
    case .isVisible: .isVisible
    case .isEnabled: .isEnabled
    case .isRequired: .isRequired
    case .isValid: .isValid
    case .isPending: .isPending
    case .isDirty: .isDirty
    case .isTouched: .isTouched
    case .errors: preconditionFailure("the errors of a field are no flag")
    }
  }
}
