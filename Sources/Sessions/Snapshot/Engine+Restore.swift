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
  /// Checks that were under way run again. Runs of actions that were under way are lost: a request must not be sent twice.
  ///
  /// - Returns: the session, and what restoring it caused: effects that checks want at once.
  /// - Throws: ``SnapshotError`` when the snapshot is of another version or form.
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
    let options = OpenOptions(locale: snapshot["locale"]?.stringValue, runsChecks: false)
    let session = open(form, options: options, at: now).session
    session.flags.remove(.skipsChecks)
    session.flags.formUnion(SessionFlags(rawValue: UInt8(truncatingIfNeeded: snapshot["flags"]?.integerValue ?? 0)))
    session.revision = Int(snapshot["revision"]?.integerValue ?? 0)
    session.sequence = Int32(clamping: snapshot["sequence"]?.integerValue ?? 0)
    session.lastRun = Int32(clamping: snapshot["lastRun"]?.integerValue ?? 0)
    let turn = recompute(session, at: now) {
      restoreFields(of: session, from: snapshot)
      countEditing(in: session)
      if let others = snapshot["initialOthers"]?.objectValue {
        session.madeExtras.others.initial = others
        session.valueBytes += JSON.object(others).approximateBytes
      }
      setOthers(snapshot["others"]?.objectValue, in: session)
      updateFormDirty(session)
      restoreSteps(of: session, from: snapshot)
      restoreActions(of: session, from: snapshot["actions"])
      restoreChecks(of: session, from: snapshot["checks"])
      let wanted = snapshot["wanted"]?.arrayValue ?? []
      for (index, check) in session.form.checks.enumerated() where wanted.contains(.string(check.id)) {
        session.madeExtras.checks[index].isWanted = true
      }
    }
    if let watched = snapshot["watched"]?.arrayValue, watched.count == form.layout.count {
      session.madeExtras.watched = watched.map { $0.boolValue ?? false }
    }
    return (session, turn)
  }

  private func restoreFields(of session: Session, from snapshot: JSON) {
    for (index, field) in session.form.fields.enumerated() {
      let kept = snapshot["fields"]?[field.address]
      if let initial = kept?["initial"]?.arrayValue { session.setInitialValue(initial.first, of: index) }
      setValue(snapshot["values"]?[field.address], of: index, in: session)
      updateDirty(index, of: session)
      let flags = FieldFlags(rawValue: UInt32(truncatingIfNeeded: kept?["flags"]?.integerValue ?? 0)).intersection(
        .sticky
      )
      session.fields[index].flags.formUnion(flags)
      store(flags.contains(.isTouched), in: session.form.slots.fieldIsTouched[index], of: session)
      // Opening the session has chosen messages; those of the snapshot replace them.
      session.fields[index].displayed = nil
      let slot = session.form.slots.messages[index]
      if slot >= 0 { _ = store("", in: slot, of: session) }
      if let code = kept?["displayed"]?.stringValue {
        // Only the code counts: the field's errors supply the rest when the field is computed.
        session.fields[index].displayed = .detailed(
          ErrorDetail(code: code, severity: .error, source: .schema, message: "")
        )
      }
      for said in kept?["server"]?.arrayValue ?? [] {
        guard let action = said["action"]?.stringValue.flatMap({ session.form.action(named: $0) }) else { continue }
        let error = ErrorDetail(
          code: "server",
          severity: .error,
          source: .server,
          message: said["message"]?.stringValue ?? ""
        )
        session.madeExtras.serverErrors[index, default: []].append((action, .detailed(error)))
      }
      for held in kept?["held"]?.arrayValue ?? [] {
        let path = held["path"]?.arrayValue?.compactMap(\.stringValue) ?? []
        hold(
          FieldChange(field: index, path: path, value: held["value"]),
          origin: held["origin"]?.stringValue.flatMap(Origin.init(rawValue:)) ?? .user,
          isComposing: held["composing"]?.boolValue ?? false,
          in: session
        )
      }
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
  private func countEditing(in session: Session) {
    for (index, field) in session.form.fields.enumerated() where session.fields[index].flags.contains(.isEditing) {
      guard let parent = field.parent else { continue }
      session.groups[Int(session.tables.pointee.fields[parent].group)].editing += 1
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

  private func restoreChecks(of session: Session, from snapshot: JSON?) {
    for (index, check) in session.form.checks.enumerated() {
      guard let kept = snapshot?[check.id], let key = kept["key"] else { continue }
      session.madeExtras.checks[index].answers.restored = CheckAnswers.Answer(
        key: key,
        verdict: verdict(of: index, from: kept, session)
      )
    }
  }

  private func verdict(of index: Int, from kept: JSON, _ session: Session) -> CheckMachine.Verdict {
    let check = session.form.checks[index]
    switch (kept["verdict"]?.stringValue, kept["error"]) {
    case ("valid", _):
      return .valid
    case ("invalid", .integer(let address)?) where session.form.errors.indices.contains(Int(address)):
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
