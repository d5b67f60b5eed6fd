package import FormProtocol
internal import Forms
internal import JSON
package import JSONRPC
package import Sessions

// The methods that feed a session. Names become numbers, and unknown names are refused before anything is changed.

extension FieldChangeParams: InputCall {
  package static let cause = Cause.fieldChange

  /// - Throws: `unknownField` for an unknown address. `invalidParams` for a computed field, a read-only one that the
  ///   user changes, and a path that the field's value does not have.
  package func input(for session: Session) throws(RPCError) -> Input {
    // Most changes are of this kind: the user has typed. The engine prepares such a change by itself.
    if let field, case .string? = value, origin == .user, !isComposing, !commit,
      let number = session.field(named: field), !session.refusesUser(number)
    {
      return .set(field: number, to: value)
    }
    var changes: [FieldChange] = []
    if let values {
      for member in values {
        changes.append(try change(member.name, member.value, session, at: Self.path(of: member.name)))
      }
    } else if let field, let value {
      let change = try change(field.text, value, session, at: "/field")
      if origin == .user, !isComposing, !commit, session.isPlain(change) {
        return .set(field: change.field, to: change.value)
      }
      changes = [change]
    } else {
      throw .invalidParams([.init(path: "/field", code: .required, expected: "field and value, or values")])
    }
    let origin = origin.sessionOrigin
    do throws(Unacceptable) {
      return .prepared(try session.prepare(changes, origin: origin, isComposing: isComposing, commit: commit))
    } catch {
      throw Self.noSuchValue(values.map { Self.path(of: $0[error.position].name) } ?? "/field")
    }
  }

  /// The change of the value at an address.
  private func change(
    _ address: String,
    _ value: JSON,
    _ session: Session,
    at path: String
  ) throws(RPCError) -> FieldChange {
    let target = try session.resolve(field: address, at: path)
    if session.isComputed(target) { throw .computedField(path) }
    if !origin.sessionOrigin.mayChangeReadOnly, session.isReadOnly(target) { throw .readOnlyField(path) }
    return FieldChange(row: target.row, field: target.field ?? FieldChange.root, path: target.rest, value: value)
  }

  /// The location of one of several addresses in the params.
  private static func path(of address: String) -> String {
    "/values/" + JSONPointer.escape(String(address.unicodeScalars.prefix(256)))
  }

  /// The error for a JSON Pointer that does not exist in the field's value: nothing is changed, and nothing is lost
  /// silently.
  private static func noSuchValue(_ path: String) -> RPCError {
    RPCError.invalidParams([
      .init(
        path: path,
        code: .value,
        expected: "a position in the field's value, or the position after its last element"
      )
    ])
  }
}

extension FieldFocusParams: InputCall {
  package static let cause = Cause.fieldFocus

  /// - Throws: `unknownField` for an unknown address.
  package func input(for session: Session) throws(RPCError) -> Input {
    if let field = session.field(named: field) { return .focus(field: field) }
    let (row, field) = try session.fieldAndRow(at: self.field.text)
    return .focus(field: field, row: row)
  }
}

extension FieldBlurParams: InputCall {
  package static let cause = Cause.fieldBlur

  /// - Throws: `unknownField` for an unknown address.
  package func input(for session: Session) throws(RPCError) -> Input {
    if let field = session.field(named: field) { return .blur(field: field) }
    let (row, field) = try session.fieldAndRow(at: self.field.text)
    return .blur(field: field, row: row)
  }
}

extension FieldFailParams: InputCall {
  package static let cause = Cause.fieldFail

  /// - Throws: `unknownField` for an unknown address.
  package func input(for session: Session) throws(RPCError) -> Input {
    let (row, field) = try session.fieldAndRow(at: self.field)
    return .fail(field: field, row: row, message: message)
  }
}

extension FieldInsertParams: InputCall {
  package static let cause = Cause.fieldInsert

  /// - Throws: `unknownField` for an unknown address and for a row that is gone. `invalidParams` for a value that is
  ///   not a list with rows, a read-only list, and a position that the list does not have.
  package func input(for session: Session) throws(RPCError) -> Input {
    let target = try session.resolve(field: field)
    guard let list = target.field, session.isList(target) else {
      throw .unsuitableTarget("/field", "the address of a list with rows")
    }
    if session.isReadOnly(target) { throw .readOnlyField("/field") }
    let position = try Self.position(at, in: target, session)
    let rows = values.map { $0.map { JSON?.some($0) } } ?? [value]
    guard session.mayInsert(rows, into: target) else {
      throw .unsuitableTarget("/field", "a list, and rows that are not nested too deeply")
    }
    return .insert(list: list, row: target.row, at: position, rows)
  }

  /// - Throws: `unknownField` if the list, or the row around it, went before the rows could be inserted.
  package func answer(to turn: borrowing Turn) throws(RPCError) -> InsertAnswer {
    let rows = turn.rows.map { Int64($0) }
    guard let row = rows.first else { throw .unknownField(field, closest: nil) }
    return values == nil
      ? InsertAnswer(revision: turn.revision, row: row) : InsertAnswer(revision: turn.revision, rows: rows)
  }

  /// The position of the row before which the new rows are put.
  private static func position(
    _ reference: RowReference?,
    in list: ResolvedAddress,
    _ session: Session
  ) throws(RPCError) -> Int {
    let rows = session.rows(of: list)
    switch reference {
    case nil: return rows.count
    case .position(let position)?:
      guard position <= rows.count else { throw .unsuitableTarget("/at", "a position from 0 to \(rows.count)") }
      return position
    case .identity(let row)?:
      return try session.position(ofRow: Int(clamping: row), in: list, at: "/at")
    }
  }
}

extension FieldRemoveParams: InputCall {
  package static let cause = Cause.fieldRemove

  /// - Throws: `unknownField` for an unknown address and for a row that is gone. `invalidParams` for a computed or
  ///   read-only field, a row of a read-only list, and a member that does not exist.
  package func input(for session: Session) throws(RPCError) -> Input {
    let target = try session.resolve(field: field)
    if session.isRow(target) {
      if session.isInReadOnlyList(target.row) { throw .readOnlyField("/field") }
      return .remove(row: target.row)
    }
    if session.isComputed(target) { throw .computedField("/field") }
    if session.isReadOnly(target) { throw .readOnlyField("/field") }
    let change = FieldChange(row: target.row, field: target.field ?? FieldChange.root, path: target.rest, value: nil)
    do throws(Unacceptable) {
      return .prepared(try session.prepare([change], commit: true))
    } catch {
      throw .unsuitableTarget("/field", "a row, or an existing member")
    }
  }
}

extension FieldMoveParams: InputCall {
  package static let cause = Cause.fieldMove

  /// - Throws: `unknownField` for an unknown address and for a row that is gone. `invalidParams` for a value that is
  ///   not a row, a row of a read-only list, and a position that the list does not have.
  package func input(for session: Session) throws(RPCError) -> Input {
    let target = try session.resolve(field: field)
    guard session.isRow(target), let list = session.list(of: target.row) else {
      throw .unsuitableTarget("/field", "the address of a row")
    }
    if session.isReadOnly(list) { throw .readOnlyField("/field") }
    let rows = session.rows(of: list)
    let own = rows.firstIndex(of: target.row) ?? 0
    switch to {
    case .position(let position):
      guard position < rows.count else { throw .unsuitableTarget("/to", "a position from 0 to \(rows.count - 1)") }
      return .move(row: target.row, to: position)
    case .identity(let other):
      let position = try session.position(ofRow: Int(clamping: other), in: list, at: "/to")
      // Without the row itself, the rows behind it move one position forward.
      return .move(row: target.row, to: position > own ? position - 1 : position)
    }
  }
}

extension FieldToggleParams: InputCall {
  package static let cause = Cause.fieldToggle

  /// - Throws: `unknownField` for an unknown address. `invalidParams` for a field that is not a multiple choice, a
  ///   read-only field, and an empty value.
  package func input(for session: Session) throws(RPCError) -> Input {
    let target = try session.resolve(field: field)
    guard let list = target.field, session.isList(target), let element = session.form.fields[list].element,
      session.form.isChoice(element)
    else { throw .unsuitableTarget("/field", "the address of a multiple choice: a list whose elements have choices") }
    if session.isReadOnly(target) { throw .readOnlyField("/field") }
    guard let value = session.normalized(value, asElementOf: target), !value.isNull else {
      throw .invalidParams([.init(path: "/value", code: .value, expected: "a value of a choice")])
    }
    let rows = session.rows(of: target)
    let values = session.values(of: target)
    let marked = zip(rows, values).filter { $1 == value }.map(\.0)
    if let row = marked.first, marked.count == 1 { return .remove(row: row) }
    if marked.isEmpty {
      guard session.mayInsert([value], into: target) else {
        throw .unsuitableTarget("/field", "a list that can have one more element")
      }
      return .insert(list: list, row: target.row, at: rows.count, [value])
    }
    let rest = FieldChange(row: target.row, field: list, value: .array(values.filter { $0 != value }))
    return .change([rest], commit: true)
  }
}

extension StepShowParams: InputCall {
  package static let cause = Cause.stepShow

  /// - Throws: `unknownStep` for an unknown or hidden step.
  package func input(for session: Session) throws(RPCError) -> Input {
    let number = try session.form.number(ofStep: step)
    guard session.isVisible(step: number) else { throw .hiddenStep(step) }
    return .show(step: number)
  }
}

extension ActionTapParams: InputCall {
  package static let cause = Cause.actionTap

  /// - Throws: `unknownAction` for an unknown action.
  package func input(for session: Session) throws(RPCError) -> Input {
    .tap(action: try session.form.number(ofAction: action))
  }

  /// The answer at once. A tap that waits for its outcome is answered later.
  package func answer(to turn: borrowing Turn) -> TapAnswer { TapAnswer(turn) }
}

extension ActionCancelParams: InputCall {
  package static let cause = Cause.actionCancel

  /// - Throws: `unknownAction` for an unknown action.
  package func input(for session: Session) throws(RPCError) -> Input {
    .cancel(action: try session.form.number(ofAction: action))
  }
}

extension SessionUndoParams: InputCall {
  package static let cause = Cause.sessionUndo

  /// - Throws: `invalidParams` for a session of a form without undo.
  package func input(for session: Session) throws(RPCError) -> Input {
    if !session.hasUndo { throw .noUndo }
    return .undo
  }
}

extension SessionRedoParams: InputCall {
  package static let cause = Cause.sessionRedo

  /// - Throws: `invalidParams` for a session of a form without undo.
  package func input(for session: Session) throws(RPCError) -> Input {
    if !session.hasUndo { throw .noUndo }
    return .redo
  }
}

extension SessionResetParams: InputCall {
  package static let cause = Cause.sessionReset

  /// - Throws: `unknownField` for an unknown address.
  package func input(for session: Session) throws(RPCError) -> Input {
    guard let field else { return .reset(keepValues: keepValues) }
    let (row, number) = try session.fieldAndRow(at: field)
    return .resetField(field: number, row: row)
  }
}

extension SessionSetLocaleParams: InputCall {
  package static let cause = Cause.sessionSetLocale

  /// - Throws: `invalidParams` for a locale that is too long.
  package func input(for session: Session) throws(RPCError) -> Input {
    try InvalidParams.checkLength(of: locale, at: "/locale")
    return .setLocale(locale)
  }
}

extension SessionSetContextParams: InputCall {
  package static let cause = Cause.sessionSetContext

  /// - Throws: `invalidParams` for a context that the form does not admit.
  package func input(for session: Session) throws(RPCError) -> Input {
    .setContext(try session.form.admitted(context: context) ?? [:])
  }
}

extension Session {
  /// Whether the list of a row is read-only.
  fileprivate func isInReadOnlyList(_ row: Int) -> Bool { list(of: row).map(isReadOnly) ?? false }

  /// The position of a row in a list.
  ///
  /// - Throws: `unknownField` for a row that does not exist, with the reason if the row existed before.
  fileprivate func position(ofRow row: Int, in list: ResolvedAddress, at path: String) throws(RPCError) -> Int {
    if let position = rows(of: list).firstIndex(of: row) { return position }
    // The address shows the state of the row.
    let address = self.address(of: ResolvedAddress(row: list.row, field: list.field, rest: ["#\(row)"]))
    _ = try resolve(field: address, at: path)
    throw .unknownField(address, closest: nil)
  }
}
