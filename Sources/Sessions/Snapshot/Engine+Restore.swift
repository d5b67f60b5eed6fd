internal import CEL
internal import DocumentProperties
public import Forms
internal import JSON
internal import Texts
public import Times

/// A session that was made from a snapshot.
public struct RestoredSession {
  public let session: Session
  /// The results of restoring it: effects that checks and lookups need at once, and events of taps that were open.
  public let turn: Turn
  /// Whether the snapshot was made from another edition of the form. If so, some of its content may have found no
  /// field.
  public let isMigrated: Bool
  /// The addresses of values that the migration has set aside, because the form has no place for them. They come back
  /// when a later edition of the form has one.
  public let setAside: [String]
}

extension Engine {
  /// Makes a session from a snapshot of ``Session/snapshot(for:)``.
  ///
  /// `today` is the current date. `now` keeps its old value until the next tap or tick. Checks and lookups that were
  /// under way run again. A delayed value waits for a whole new interval.
  ///
  /// A run of an action that was under way is not sent again. It ends as ``EffectResponse/Kind/interrupted``, and the
  /// outcomes of its action decide what that means. Without outcomes, the action fails with the error `interrupted`. A
  /// tap is dropped if its run had not begun because it waited for checks, for other runs, or for a throttle or
  /// debounce. Nothing was sent for it, and the client has perhaps stopped waiting for it. The turn contains the events
  /// of both, in the order of their taps.
  ///
  /// The form may have changed since. Fields that still exist, and fields that were renamed, keep their state and
  /// values. Other values stay if the form admits members that are not fields, and are set aside otherwise. New parts
  /// of the form are as if the session were opened now. Checks and lookups ask again.
  ///
  /// - Throws: ``SnapshotError`` when the snapshot is of another form, has an unknown encoding, or names an unknown
  ///   zone.
  public func restore(
    _ form: Form,
    from snapshot: SessionSnapshot,
    at now: Instant
  ) throws(SnapshotError) -> RestoredSession {
    try restore(form, from: snapshot, at: now, migrates: false)
  }

  /// Restores a session. `migrates` treats the form as changed in any case.
  package func restore(
    _ form: Form,
    from snapshot: SessionSnapshot,
    at now: Instant,
    migrates: Bool
  ) throws(SnapshotError) -> RestoredSession {
    var kept = try ReadSnapshot(snapshot)
    guard kept.opening["edition"]?.integerValue == Int64(PartWriter.edition) else {
      throw SnapshotError(description: "the snapshot has an unknown edition")
    }
    guard kept.opening["form"]?.stringValue?.hasSameUTF8(as: form.name) ?? false else {
      throw SnapshotError(description: "the snapshot does not belong to the form \"\(form.name)\"")
    }
    let zone = try zone(of: kept)
    let isMigrated = migrates || kept.opening["definition"]?.stringValue != form.fingerprint.text
    let setAside = isMigrated ? kept.migrate(to: form) : []
    let (session, turn) = session(of: form, from: kept, in: zone, at: now)
    return RestoredSession(session: session, turn: turn, isMigrated: isMigrated, setAside: setAside)
  }

  private func zone(of kept: ReadSnapshot) throws(SnapshotError) -> Zone {
    guard let name = kept.opening["zone"]?.stringValue else { return .utc }
    guard let zone = Zone(named: name) else {
      throw SnapshotError(description: "the snapshot has the unknown time zone \"\(name)\"")
    }
    return zone
  }

  private func session(
    of form: Form,
    from kept: ReadSnapshot,
    in zone: Zone,
    at now: Instant
  ) -> (session: Session, turn: Turn) {
    let options = OpenOptions(locale: kept.opening["locale"]?.stringValue, zone: zone, runsChecks: false)
    let session = open(form, options: options, at: now).session
    session.flags.remove(.skipsChecks)
    let flags = SessionFlags(rawValue: UInt16(truncatingIfNeeded: kept.opening["flags"]?.integerValue ?? 0))
    session.flags.formUnion(flags.intersection([.showsAlways, .skipsChecks]))
    session.revision = kept.number("revision")
    let turn = recompute(session, at: now) {
      restoreExtras(of: session, from: kept)
      // The identities of the form's initial rows may also be in the snapshot.
      for list in session.lists { discardRows(of: list) }
      restore(session, kept.form, kept)
      session.extras?.rows.begin(behind: kept.number("lastRow"))
      initialValuesChanged(in: session)
      restoreHeld(of: session, kept.form, kept)
      restoreOthers(of: session, from: kept)
      updateFormDirty(session)
      restoreSteps(of: session, from: kept)
      restoreActions(of: session, from: kept)
      restoreEdits(of: session, from: kept)
    } then: {
      endOpenTaps(of: session, from: kept)
    }
    return (session, turn)
  }

  private func restoreExtras(of session: Session, from kept: ReadSnapshot) {
    let (lastTap, lastRow) = (kept.number("lastTap"), kept.number("lastRow"))
    let (lastEvent, lastRun) = (kept.number("sequence"), kept.number("lastRun"))
    if lastEvent > 0 { session.madeExtras.lastEvent = lastEvent }
    if lastRun > 0 { session.madeExtras.lastRun = lastRun }
    if lastTap > 0 { session.madeExtras.lastToken = UInt64(lastTap) }
    if lastRow > 0 { session.madeExtras.rows.begin(behind: lastRow) }
    if let identity = kept.opening["identity"]?.stringValue { session.madeExtras.identity = identity }
    if let runs = kept.watched["cells"]?.arrayValue?.compactMap(\.integerValue) {
      restoreWatched(runs, of: session)
    }
    setContext(kept.context["now"]?.objectValue, of: session)
    guard let zone = session.zone, let time = kept.head["now"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) else {
      return
    }
    setClock(of: session, zone: zone, time: time)
    initializeTimeSlots(of: session)
  }

  /// The watched cells, as the lengths of alternating runs of unwatched and watched cells.
  private func restoreWatched(_ runs: [Int64], of session: Session) {
    let count = session.form.layout.count
    var watched: [Bool] = []
    for (position, length) in runs.enumerated() {
      guard length >= 0, length <= count - watched.count else { return }
      watched += repeatElement(position % 2 == 1, count: Int(length))
    }
    if watched.count == count { session.madeExtras.watched = watched }
  }

  private func restoreOthers(of session: Session, from kept: ReadSnapshot) {
    if let setAside = kept.others["setAside"]?.objectValue {
      session.madeExtras.setAside = setAside
      session.computedBytes += JSON.object(setAside).approximateBytes
    }
    if let initial = kept.others["initial"]?.objectValue {
      session.madeExtras.otherMembers.initial = initial
      session.valueBytes += JSON.object(initial).approximateBytes
    }
    setOtherMembers(kept.others["now"]?.objectValue, in: session)
    let errors = serverErrors(from: kept.serverErrors["server"], session)
    if errors.isEmpty { return }
    session.madeExtras.formServerErrors = errors
    session.computedBytes += errors.reduce(0) { $0 + $1.error.ownBytes }
  }

  // MARK: The form, and each of its rows

  func restore(_ instance: Instance, _ own: ReadInstance, _ kept: ReadSnapshot) {
    for list in instance.lists {
      let address = instance.form.fields[list.field].address
      restoreRows(of: list, own.lists[UTF8Key(text: address)] ?? ReadList(), kept)
    }
    for field in instance.ownFields { restore(field, of: instance, from: own[instance.form.fields[field]]) }
    countEditing(in: instance)
    for check in instance.ownChecks {
      if let state = own.checks[UTF8Key(text: instance.form.checks[check].id)] {
        restore(check: check, of: instance, state)
      }
    }
    for lookup in instance.ownLookups {
      guard let state = own.lookups[UTF8Key(text: instance.form.lookups[lookup].address)] else { continue }
      let answer: LookupAnswer = state["error"]?.stringValue.map { .failed($0) } ?? .value(state["value"])
      restoreLookup(lookup, state["value"], state["key"].map { ($0, answer) }, in: instance)
    }
  }

  /// The rows of a snapshot replace the form's initial rows.
  private func restoreRows(of list: RowList, _ own: ReadList, _ kept: ReadSnapshot) {
    discardRows(of: list)
    for id in own.rows where list.owner.session.extras?.rows[id] == nil {
      let row = makeRow(of: .some(nil), in: list, isComplete: true, id: id)
      list.replaceRows(in: list.rows.count..<list.rows.count, with: [row])
      restore(row, kept.rows[id] ?? ReadInstance(), kept)
    }
    list.setInitial(own.initial)
    list.hasInitialRows = list.rows.map(\.id) == list.initial.map(\.id)
    updateIndex(of: list)
    updateDirty(list.field, of: list.owner)
  }

  private func discardRows(of list: RowList) {
    for row in list.rows { discard(row) }
    list.replaceRows(in: list.rows.indices, with: [])
  }

  private func restore(_ number: Int, of instance: Instance, from kept: JSON?) {
    let field = instance.form.fields[number]
    let flags = FieldFlags(rawValue: UInt32(truncatingIfNeeded: kept?["flags"]?.integerValue ?? 0)).intersection(
      .sticky
    )
    if field.mayFollow {
      var following = flags.symmetricDifference(field.flagsOfFollowing)
      // A snapshot has no value of a field that follows. This one is of a daemon that knew no defaults in branches.
      if following.contains(.follows), kept?["value"] != nil { following.subtract([.follows, .beganFollowing]) }
      // What follows is neither edited nor dirty. So the field was given nothing when the form had no formula for it.
      if !flags.isDisjoint(with: [.isEdited, .isDirty]) { following.remove(.follows) }
      restoreFollowing(following, of: number, in: instance)
    }
    if !instance.fields[number].flags.contains(.follows) { setValue(kept?["value"], of: number, in: instance) }
    if let initial = kept?[PartWriter.initialName(of: field).description]?.arrayValue {
      instance.setInitialValue(initial.first, of: number)
    } else if instance.template != 0 {
      instance.forgetInitialValue(of: number)
    }
    if field.tellsText, let typed = kept?["typed"] { noteTyped(typed, number, in: instance) }
    updateDirty(number, of: instance)
    for property in FieldProperty.allCases where property.about.isInSnapshot {
      set(property, of: number, to: flags.contains(FieldFlags(property)), in: instance)
    }
    instance.fields[number].flags.formUnion(flags.subtracting([.follows, .beganFollowing]))
    if flags.contains(.isComposing) { noteComposition(of: number, hasChanged: false, in: instance) }
    // Opening the session has chosen messages. The snapshot's messages replace them.
    instance.fields[number].displayed = nil
    let messageSlot = instance.tables.pointee.fields[number].messageSlot
    if messageSlot >= 0 { _ = store("", in: messageSlot, of: instance) }
    if let code = kept?["shown"]?.stringValue {
      // Only the code counts. The rest comes from the field's errors when the field is computed.
      instance.fields[number].displayed = .detailed(
        ErrorDetail(code: code, severity: .error, source: .schema, message: "")
      )
    }
    guard let server = kept?["server"] else { return }
    setServerErrors(of: number, in: instance) { $0 = serverErrors(from: server, instance.session) }
  }

  /// Counts the fields right below each field that are being edited.
  private func countEditing(in instance: Instance) {
    for index in instance.ownFields where instance.fields[index].flags.contains(.isFocused) {
      LiveField(index, in: instance).around?.sums.pointee.focused += 1
    }
  }

  private func serverErrors(from kept: JSON?, _ session: Session) -> [(action: Int?, error: FieldError)] {
    (kept?.arrayValue ?? []).map { said in
      let action = said["action"]?.stringValue.flatMap { session.form.action(named: $0) }
      if let formula = said["fault"]?.stringValue {
        return (action, .detailed(ErrorDetail(faultOf: formula, in: session)))
      }
      let error = ErrorDetail(
        code: "server",
        path: said["path"]?.stringValue ?? "",
        severity: .error,
        source: .server,
        message: said["message"]?.stringValue ?? "",
        parameters: said["code"].map { ["code": $0] } ?? [:]
      )
      return (action, .detailed(error))
    }
  }

  /// Restores the values that throttles and debounces hold back. A changed form may let a value pass at once, and that
  /// may change anything.
  private func restoreHeld(of instance: Instance, _ own: ReadInstance, _ kept: ReadSnapshot) {
    for index in instance.ownFields {
      for held in own[instance.form.fields[index]]?["held"]?.arrayValue ?? [] {
        let path = held["path"]?.arrayValue?.compactMap(\.stringValue) ?? []
        hold(
          FieldChange(row: instance.rowID, field: index, path: path, value: held["value"]),
          origin: held["origin"]?.stringValue.flatMap(Origin.init(rawValue:)) ?? .user,
          isComposing: held["composing"]?.boolValue ?? false,
          in: instance
        )
      }
    }
    for row in instance.lists.flatMap(\.rows) where !row.isGone {
      if let own = kept.rows[row.id] { restoreHeld(of: row, own, kept) }
    }
  }

  private func restore(check number: Int, of instance: Instance, _ kept: JSON) {
    if kept["isWanted"]?.boolValue ?? false { instance.madeInstanceExtras.checks[number].isWanted = true }
    if kept["isAsked"]?.boolValue ?? false { instance.madeInstanceExtras.checks[number].isDue = true }
    guard let key = kept["key"] else { return }
    let answer = CheckAnswer(verdict: verdict(of: instance.form.checks[number], from: kept), result: kept["result"])
    instance.madeInstanceExtras.checks[number].machine.restore(answer, to: key)
  }

  private func verdict(of check: Check, from kept: JSON) -> CheckAnswer.Verdict {
    switch (kept["verdict"]?.stringValue, kept["error"]) {
    case ("valid", _):
      return .valid
    case ("faulted", _):
      return failure(of: check, isFault: true)
    case ("invalid", .integer(let outcome)?)
    where check.outcomes.indices.contains(Int(clamping: outcome)) && !check.outcomes[Int(outcome)].isValid:
      return .invalid(.prepared(PreparedErrorReference(check.outcomes[Int(outcome)].error)))
    case ("invalid", .object(let detail)?):
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

  // MARK: Steps and actions

  /// Restores the step that the user had chosen, and how many fields of each step are touched.
  private func restoreSteps(of session: Session, from kept: ReadSnapshot) {
    for (number, field) in session.form.fields.enumerated() {
      guard let step = field.step, session.fields[number].flags.contains(.isTouched) else { continue }
      countTouched(true, inStep: step, session)
    }
    if let step = kept.head["step"]?.stringValue.flatMap({ session.form.step(named: $0) }) { choose(step, in: session) }
  }

  private func restoreActions(of session: Session, from kept: ReadSnapshot) {
    for (number, action) in session.form.actions.enumerated() {
      guard let state = kept.actions[UTF8Key(text: action.name)] else { continue }
      setAttempts(Int32(clamping: state["attempts"]?.integerValue ?? 0), number, session)
      let outcome = ActionOutcomeState(
        result: state["result"],
        error: state["error"],
        message: state["message"]?.stringValue
      )
      setOutcome(outcome, number, session)
      restoreInterrupted(number, of: session, state)
    }
  }

  /// Restores the runs whose services may have executed them: runs that were interrupted before, and runs that were
  /// under way.
  private func restoreInterrupted(_ action: Int, of session: Session, _ kept: JSON) {
    let all = (kept["interrupted"]?.arrayValue ?? []) + (kept["taps"]?.arrayValue ?? [])
    let runs = all.compactMap { run -> InterruptedRun? in
      guard let key = run["key"]?.integerValue, let request = run["request"]?.stringValue else { return nil }
      return InterruptedRun(keyNumber: Int(clamping: key), request: request)
    }
    if !runs.isEmpty { session.madeExtras.interrupted[action] = runs }
  }

  /// Ends the taps that were open, each with its event, in the order in which they came.
  private func endOpenTaps(of session: Session, from kept: ReadSnapshot) {
    var taps: [(token: UInt64, action: Int, run: Int?)] = []
    for (number, action) in session.form.actions.enumerated() {
      for tap in kept.actions[UTF8Key(text: action.name)]?["taps"]?.arrayValue ?? [] {
        guard let token = tap["tap"]?.integerValue, token > 0 else { continue }
        taps.append((UInt64(token), number, tap["run"]?.integerValue.map { Int(clamping: $0) }))
      }
    }
    if !taps.isEmpty { session.revision += 1 }
    for tap in taps.sorted(by: { $0.token < $1.token }) {
      if let run = tap.run {
        interrupt(run, of: tap.action, token: tap.token, in: session)
      } else {
        drop(tap.action, tap.token, session)
      }
    }
  }
}
