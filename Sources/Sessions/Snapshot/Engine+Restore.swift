internal import CEL
public import Forms
public import JSON
internal import Texts

/// Why a snapshot cannot be restored.
public struct SnapshotError: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String
}

extension Engine {
  /// Makes a session from a snapshot of ``Session/snapshot(includingSecrets:)``.
  ///
  /// `today` is what it is now; `now` says what it said, until the next tap or tick. Checks and lookups that were under way run again. Runs of actions that were under way are lost: a request must not be sent twice.
  ///
  /// - Returns: the session, and what restoring it caused: effects that checks and lookups want at once.
  /// - Throws: ``SnapshotError`` when the snapshot is of another version or form, or names a zone that is not known here.
  public func restore(
    _ form: Form,
    from snapshot: JSON,
    at now: Instant
  ) throws(SnapshotError) -> (session: Session, turn: Turn) {
    guard snapshot["version"]?.integerValue == 2 else {
      throw SnapshotError(description: "the snapshot is of a version that is not known here")
    }
    guard snapshot["form"]?.stringValue?.hasSameUTF8(as: form.name) ?? false else {
      throw SnapshotError(description: "the snapshot is not of the form \"\(form.name)\"")
    }
    let options = OpenOptions(
      locale: snapshot["locale"]?.stringValue,
      zone: try zone(of: snapshot),
      runsChecks: false
    )
    let session = open(form, options: options, at: now).session
    session.flags.remove(.skipsChecks)
    session.flags.formUnion(SessionFlags(rawValue: UInt8(truncatingIfNeeded: snapshot["flags"]?.integerValue ?? 0)))
    session.revision = Int(snapshot["revision"]?.integerValue ?? 0)
    session.sequence = Int32(clamping: snapshot["sequence"]?.integerValue ?? 0)
    session.lastRun = Int32(clamping: snapshot["lastRun"]?.integerValue ?? 0)
    let turn = recompute(session, at: now) {
      restoreClock(of: session, from: snapshot)
      // Rows that the form gives have identities that those of the snapshot may have.
      for list in session.lists { discardRows(of: list) }
      restoreParts(of: session, from: snapshot)
      session.madeExtras.rows.begin(behind: Int(snapshot["lastRow"]?.integerValue ?? 0))
      if let others = snapshot["initialOthers"]?.objectValue {
        session.madeExtras.others.initial = others
        session.valueBytes += JSON.object(others).approximateBytes
      }
      setOthers(snapshot["others"]?.objectValue, in: session)
      session.madeExtras.formServerErrors = serverErrors(from: snapshot["server"], session)
      session.computedBytes += session.madeExtras.formServerErrors.reduce(0) { $0 + $1.error.ownBytes }
      updateFormDirty(session)
      restoreSteps(of: session, from: snapshot)
      restoreActions(of: session, from: snapshot["actions"])
    }
    if let watched = snapshot["watched"]?.arrayValue, watched.count == form.layout.count {
      session.madeExtras.watched = watched.map { $0.boolValue ?? false }
    }
    return (session, turn)
  }

  private func zone(of snapshot: JSON) throws(SnapshotError) -> Zone {
    guard let name = snapshot["zone"]?.stringValue else { return .utc }
    guard let zone = Zone(named: name) else {
      throw SnapshotError(description: "the snapshot is of the time zone \"\(name)\", which is not known here")
    }
    return zone
  }

  private func restoreClock(of session: Session, from snapshot: JSON) {
    guard let zone = session.zone, let time = snapshot["now"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) else {
      return
    }
    setClock(of: session, zone: zone, time: time)
    initializeTimeSlots(of: session)
  }

  /// What a session and each of its rows have.
  private func restoreParts(of instance: Instance, from snapshot: JSON) {
    for list in instance.lists {
      let kept = snapshot["lists"]?[instance.form.fields[list.field].address]
      restoreRows(of: list, from: kept?["rows"]?.arrayValue ?? [], initial: kept?["initial"]?.arrayValue ?? [])
    }
    restoreFields(of: instance, from: snapshot)
    countEditing(in: instance)
    restoreChecks(of: instance, from: snapshot["checks"])
    restoreLookups(of: instance, from: snapshot["lookups"])
    let wanted = snapshot["wanted"]?.arrayValue ?? []
    for index in instance.ownChecks where wanted.contains(.string(instance.form.checks[index].id)) {
      instance.madeOwn.checks[index].isWanted = true
    }
  }

  /// The rows of a snapshot take the place of those that the form gives.
  private func restoreRows(of list: RowList, from kept: [JSON], initial: [JSON]) {
    discardRows(of: list)
    list.rows = kept.map { kept in
      let id = Int(kept["id"]?.integerValue ?? 0)
      let row = makeRow(of: .some(nil), in: list, isComplete: true, id: id)
      restoreParts(of: row, from: kept)
      return row
    }
    list.setInitial(initial.map { (Int($0["id"]?.integerValue ?? 0), $0["value"] ?? .null) })
    list.hasInitialRows = list.rows.map(\.id) == list.initial.map(\.id)
    updateIndex(of: list)
    updateDirty(list.field, of: list.owner)
  }

  private func discardRows(of list: RowList) {
    for row in list.rows { discard(row) }
    list.rows = []
  }

  private func restoreFields(of instance: Instance, from snapshot: JSON) {
    let session = instance.session
    for index in instance.ownFields {
      let field = instance.form.fields[index]
      let row = instance.tables.pointee.fields[index]
      let kept = snapshot["fields"]?[field.address]
      let flags = FieldFlags(rawValue: UInt32(truncatingIfNeeded: kept?["flags"]?.integerValue ?? 0)).intersection(
        .sticky
      )
      if field.valueFormula != nil {
        restoreFollowing(flags.symmetricDifference(field.flagsOfFollowing), of: index, in: instance)
      }
      if !instance.fields[index].flags.contains(.follows) {
        setValue(snapshot["values"]?[field.address], of: index, in: instance)
      }
      if let initial = kept?["initial"]?.arrayValue {
        instance.setInitialValue(initial.first, of: index)
      } else if instance.template != 0 {
        instance.forgetInitialValue(of: index)
      }
      updateDirty(index, of: instance)
      instance.fields[index].flags.formUnion(flags.subtracting([.follows, .beganFollowing]))
      store(flags.contains(.isTouched), in: row.isTouchedSlot, of: instance)
      storeEditing(of: index, in: instance)
      // Opening the session has chosen messages; those of the snapshot replace them.
      instance.fields[index].displayed = nil
      if row.messageSlot >= 0 { _ = store("", in: row.messageSlot, of: instance) }
      if let code = kept?["displayed"]?.stringValue {
        // Only the code counts: the field's errors supply the rest when the field is computed.
        instance.fields[index].displayed = .detailed(
          ErrorDetail(code: code, severity: .error, source: .schema, message: "")
        )
      }
      setServerErrors(of: index, in: instance) { $0 = serverErrors(from: kept?["server"], session) }
      for held in kept?["held"]?.arrayValue ?? [] {
        let path = held["path"]?.arrayValue?.compactMap(\.stringValue) ?? []
        hold(
          FieldChange(row: instance.rowID, field: index, path: path, value: held["value"]),
          origin: held["origin"]?.stringValue.flatMap(Origin.init(rawValue:)) ?? .user,
          isComposing: held["composing"]?.boolValue ?? false,
          in: instance
        )
      }
    }
  }

  private func serverErrors(from kept: JSON?, _ session: Session) -> [(action: Int?, error: FieldError)] {
    (kept?.arrayValue ?? []).map { said in
      if let cell = said["fault"]?.stringValue {
        let action = said["action"]?.stringValue.flatMap { session.form.action(named: $0) }
        return (action, .detailed(ErrorDetail(faultOf: cell, in: session)))
      }
      let error = ErrorDetail(
        code: "server",
        path: said["path"]?.stringValue ?? "",
        severity: .error,
        source: .server,
        message: said["message"]?.stringValue ?? ""
      )
      return (said["action"]?.stringValue.flatMap { session.form.action(named: $0) }, .detailed(error))
    }
  }

  /// The step that the user had gone to, and how many fields of each have been left.
  private func restoreSteps(of session: Session, from snapshot: JSON) {
    for (index, field) in session.form.fields.enumerated() {
      guard let step = field.step, session.fields[index].flags.contains(.isTouched) else { continue }
      countTouched(true, inStep: step, session)
    }
    if let step = snapshot["step"]?.stringValue.flatMap({ session.form.step(named: $0) }) { choose(step, in: session) }
  }

  /// How many fields right below each are being edited.
  private func countEditing(in instance: Instance) {
    for index in instance.ownFields where instance.fields[index].flags.contains(.isEditing) {
      Place(index, in: instance).around?.group.pointee.editing += 1
    }
  }

  private func restoreActions(of session: Session, from snapshot: JSON?) {
    for (index, action) in session.form.actions.enumerated() {
      guard let kept = snapshot?[action.name] else { continue }
      setAttempts(Int32(clamping: kept["attempts"]?.integerValue ?? 0), index, session)
      let outcome = ActionOutcomeState(
        result: kept["result"],
        error: kept["error"],
        message: kept["message"]?.stringValue
      )
      setOutcome(outcome, index, session)
    }
  }

  private func restoreLookups(of instance: Instance, from snapshot: JSON?) {
    for index in instance.ownLookups {
      guard let kept = snapshot?[instance.form.lookups[index].address] else { continue }
      let answer: LookupAnswer = kept["error"]?.stringValue.map { .failed($0) } ?? .value(kept["value"])
      restoreLookup(index, kept["value"], kept["key"].map { ($0, answer) }, in: instance)
    }
  }

  private func restoreChecks(of instance: Instance, from snapshot: JSON?) {
    for index in instance.ownChecks {
      let check = instance.form.checks[index]
      guard let kept = snapshot?[check.id], let key = kept["key"] else { continue }
      let verdict = verdict(of: index, from: kept, instance.session)
      let answer = CheckAnswer(verdict: verdict, result: kept["result"])
      instance.madeOwn.checks[index].machine.restore(answer, to: key)
    }
  }

  private func verdict(of index: Int, from kept: JSON, _ instance: Instance) -> CheckAnswer.Verdict {
    let check = instance.form.checks[index]
    switch (kept["verdict"]?.stringValue, kept["error"]) {
    case ("valid", _):
      return .valid
    case ("faulted", _):
      return failure(of: check, isFault: true)
    case ("invalid", .integer(let address)?) where instance.form.errors.indices.contains(Int(address)):
      return .invalid(.prepared(PreparedErrorReference(ErrorAddress(Int(address)))))
    case ("invalid", let detail?):
      return .invalid(
        .detailed(
          ErrorDetail(
            code: detail["code"]?.stringValue ?? check.id,
            severity: detail["severity"]?.stringValue == "warning" ? .warning : .error,
            source: .check,
            message: detail["message"]?.stringValue ?? ""
          )
        )
      )
    default:
      return failure(of: check)
    }
  }
}
