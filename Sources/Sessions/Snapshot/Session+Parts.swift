internal import CEL
internal import Forms
internal import JSON

/// What each part of a session's snapshot says.
extension PartWriter {
  /// The edition of what is written here. One that is another is not read.
  static let edition = 3
  /// A field that holds more bytes is a part of its own, so that changes of others do not write them again.
  private static let fieldBytesMax = 512

  // MARK: The session

  /// The numbers that count up, and the first fields.
  func head(of session: Session, without largeFields: Set<Int>) -> [UInt8]? {
    part { object in
      object.write("revision", session.revision)
      object.write("sequence", Int(session.sequence))
      object.write("lastRun", Int(session.lastRun))
      if let extras = session.extras {
        object.write("lastTap", Int(clamping: extras.lastToken))
        object.write("lastRow", extras.rows.last)
        if let clock = extras.clock { object.write("now", clock.time.rfc3339) }
      }
      if let chosen = session.chosenStep, chosen > 0 { object.write("step", session.form.steps[chosen].id) }
      writeFields(ofChunk: 0, of: session, without: largeFields, into: &object)
    }
  }

  /// What is the same for the session's whole life, nearly always.
  func opening(of session: Session) -> [UInt8]? {
    part { object in
      object.write("edition", Self.edition)
      object.write("form", session.form.name)
      object.write("version", session.form.version)
      object.write("definition", session.form.fingerprint.text)
      object.write("flags", Int(session.flags.intersection([.showsAlways, .skipsChecks]).rawValue))
      object.write("locale", session.locale)
      object.write("zone", session.zone?.name)
      object.write("identity", session.extras?.identity)
    }
  }

  func others(of session: Session) -> [UInt8]? {
    guard let others = session.extras?.others, includesSecrets || !session.form.units[0].areOthersSecret else {
      return nil
    }
    return part { object in
      object.write("now", others.now.map { .object($0) })
      object.write("initial", others.initial.map { .object($0) })
    }
  }

  func serverErrors(of session: Session) -> [UInt8]? {
    part { write(session.extras?.formServerErrors ?? [], of: session, into: &$0) }
  }

  /// The cells that are watched, as the lengths of runs: so many are not, then so many are, and so on.
  func watched(of session: Session) -> [UInt8]? {
    guard let watched = session.extras?.watched else { return nil }
    var runs: [Int] = [0]
    var isWatched = false
    for cell in watched {
      if cell != isWatched {
        runs.append(0)
        isWatched = cell
      }
      runs[runs.count - 1] += 1
    }
    return part { $0.array("cells", runs) { $0.write($1) } }
  }

  func part(_ part: SnapshotPart.SessionPart, of session: Session) -> [UInt8]? {
    switch part {
    case .opening: opening(of: session)
    case .others: others(of: session)
    case .serverErrors: serverErrors(of: session)
    case .watched: watched(of: session)
    }
  }

  // MARK: Actions

  /// What an action's runs have left, and the taps that have not come to their event. What they send is not kept: nobody sends it again.
  func action(_ index: Int, of session: Session) -> [UInt8]? {
    let action = session.form.actions[index]
    let state = session.actions[index]
    return part { object in
      object.write("attempts", Int(state.attempts))
      if includesSecrets || !action.isSecret {
        object.write("result", state.outcome?.result)
        object.write("error", state.outcome?.error)
        object.write("message", state.outcome?.message)
      }
      if let machine = session.extras?.actions[index] {
        object.array("taps", machine.openTaps) { out, tap in
          var object = ObjectWriter(out)
          object.name("tap").write(Int(clamping: tap.token))
          object.write("run", tap.run ?? 0)
          object.end()
        }
      }
      if !object.isEmpty { object.write("action", action.name) }
    }
  }

  // MARK: Fields

  /// What the initial value of a field is called: of an object or a list it is only what stands beside what is inside of it, and a form that has
  /// changed has to know which.
  static func initialName(of field: Field) -> StaticString {
    field.unit == nil ? "initial" : field.element == nil ? "initialObject" : "initialList"
  }

  func fields(ofChunk chunk: Int, of session: Session, without largeFields: Set<Int>) -> [UInt8]? {
    part { writeFields(ofChunk: chunk, of: session, without: largeFields, into: &$0) }
  }

  private func writeFields(
    ofChunk chunk: Int,
    of session: Session,
    without largeFields: Set<Int>,
    into object: inout ObjectWriter
  ) {
    let first = chunk * SnapshotPart.fieldsPerPart
    object.object("fields") { fields in
      for field in first..<min(first + SnapshotPart.fieldsPerPart, session.ownFields.upperBound)
      where !largeFields.contains(field) {
        fields.object(session.form.fields[field].address) { write(field, of: session, into: &$0) }
      }
    }
  }

  /// Whether a field of the form needs a part of its own.
  func isLarge(_ field: Int, of session: Session) -> Bool {
    var bytes = session.fields[field].value.bytes
    if let own = session.own {
      bytes += (own.initialValues[field] ?? nil).bytes + (own.delays[field]?.held?.bytes ?? 0)
    }
    return bytes > Self.fieldBytesMax
  }

  func field(_ field: Int, of session: Session) -> [UInt8]? {
    part { object in
      object.object("state") { write(field, of: session, into: &$0) }
      if !object.isEmpty { object.write("field", session.form.fields[field].address) }
    }
  }

  /// What cannot be computed of a field. Its value is left out while it follows a formula.
  private func write(_ index: Int, of instance: Instance, into object: inout ObjectWriter) {
    let field = instance.form.fields[index]
    let state = instance.fields + index
    let tells = includesSecrets || !field.isSecret
    if tells, !state.pointee.flags.contains(.follows) {
      object.write("value", state.pointee.value)
      // A form that has changed gives a default to what is new in it, and not to what is empty in a row.
      if instance.template != 0, field.ownInitial != nil, state.pointee.value == nil {
        object.name("isAbsent").write(true)
      }
    }
    object.write("flags", Int(flags(of: index, in: instance).rawValue))
    if let displayed = state.pointee.displayed { object.write("shown", instance.form.code(of: displayed)) }
    guard let own = instance.own else { return }
    if tells {
      if let initial = own.initialValues[index] {
        let out = object.name(PartWriter.initialName(of: field))
        out.append("[")
        if let initial { out.write(initial) }
        out.append("]")
      }
      if let held = own.delays[index]?.held { object.array("held", held.all) { write($1, into: $0) } }
    }
    write(own.serverErrors[index] ?? [], of: instance, into: &object)
  }

  private func flags(of index: Int, in instance: Instance) -> FieldFlags {
    let field = instance.form.fields[index]
    let state = instance.fields[index].flags
    var flags = state.intersection(.sticky).symmetricDifference(field.flagsOfFollowing)
    // A form that has changed meanwhile may have another initial value.
    if instance.template == 0, field.unit == nil { flags.formUnion(state.intersection(.isDirty)) }
    guard use == .keeping else { return flags }
    // Who comes back has left every field.
    if flags.contains(.isEditing) { flags.insert(.isTouched) }
    return flags.subtracting([.isEditing, .isComposing])
  }

  private func write(_ held: HeldChanges.Change, into out: OutputBuffer) {
    var object = ObjectWriter(out)
    object.array("path", held.change.path) { $0.write($1) }
    object.write("value", held.change.value)
    if held.origin != .user { object.write("origin", held.origin.rawValue) }
    if held.isComposing, use == .resuming { object.name("composing").write(true) }
    object.end()
  }

  /// What outcomes, and the client's own server, have said.
  private func write(
    _ errors: [(action: Int?, error: FieldError)],
    of instance: Instance,
    into object: inout ObjectWriter
  ) {
    object.array("server", errors) { out, said in
      var object = ObjectWriter(out)
      object.name("message").write(
        instance.form.message(of: said.error, locale: instance.withSession { $0.localeIndex })
      )
      object.write("action", said.action.map { instance.form.actions[$0].name })
      if case .detailed(let detail) = said.error {
        if !detail.path.isEmpty { object.write("path", detail.path) }
        if detail.source == .fault { object.write("fault", detail.code) }
      }
      object.end()
    }
  }

  // MARK: Rows

  func row(_ row: Row) -> [UInt8]? {
    part { object in
      object.object("fields") { fields in
        for field in row.ownFields {
          fields.object(row.form.fields[field].address) { write(field, of: row, into: &$0) }
        }
      }
      guard let own = row.own else { return }
      object.object("checks") { checks in
        for check in own.checks.indices {
          checks.object(row.form.checks[check].id) { write(check: check, of: row, into: &$0) }
        }
      }
      object.object("lookups") { lookups in
        for lookup in own.lookups.indices {
          lookups.object(row.form.lookups[lookup].address) { write(lookup: lookup, of: row, into: &$0) }
        }
      }
    }
  }

  /// The identities of a list's rows. Those that follow each other by one, as most do, are one pair: the first, and how many.
  func order(of list: RowList) -> [UInt8]? {
    if list.rows.isEmpty { return nil }
    var ranges: [(first: Int, count: Int)] = []
    list.forEachRow { row in
      if let last = ranges.last, row.id == last.first + last.count {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((row.id, 1))
      }
    }
    return part { object in
      object.write("list", list.owner.form.fields[list.field].address)
      object.array("rows", ranges) { out, range in
        out.append("[")
        out.write(range.first)
        out.append(",")
        out.write(range.count)
        out.append("]")
      }
    }
  }

  /// The rows that a list began with. What holds a secret is left out of a store.
  func beginning(of list: RowList) -> [UInt8]? {
    if list.initial.isEmpty { return nil }
    let tells = includesSecrets || !list.owner.form.fields[list.element].holdsSecret
    return part { object in
      object.write("list", list.owner.form.fields[list.field].address)
      object.array("rows", list.initial) { out, row in
        var object = ObjectWriter(out)
        object.name("id").write(row.id)
        if tells { object.write("value", row.value) }
        object.end()
      }
    }
  }

  // MARK: Checks and lookups

  func check(_ index: Int, of session: Session) -> [UInt8]? {
    part { object in
      write(check: index, of: session, into: &object)
      if !object.isEmpty { object.write("check", session.form.checks[index].id) }
    }
  }

  func lookup(_ index: Int, of session: Session) -> [UInt8]? {
    part { object in
      write(lookup: index, of: session, into: &object)
      if !object.isEmpty { object.write("lookup", session.form.lookups[index].address) }
    }
  }

  /// Whether a tap has asked for it, and the verdict of one that is settled with the request that was asked. A verdict on a secret is left out
  /// of a store.
  private func write(check index: Int, of instance: Instance, into object: inout ObjectWriter) {
    guard let state = instance.own?.checks[index] else { return }
    let check = instance.form.checks[index]
    if state.isWanted { object.name("isWanted").write(true) }
    guard case .settled(let question, let answer) = state.machine.state,
      includesSecrets || !check.run.readsSecret && !check.isSecret
    else { return }
    object.write("key", question.key)
    object.write("result", answer.result)
    switch answer.verdict {
    case .valid: object.write("verdict", "valid")
    case .failed(.prepared(let reference)?) where reference.address == check.fault: object.write("verdict", "faulted")
    case .failed: object.write("verdict", "failed")
    case .invalid(let error):
      object.write("verdict", "invalid")
      switch error {
      case .prepared(let reference):
        object.write("error", check.outcomes.firstIndex { $0.error == reference.address }.map { .integer(Int64($0)) })
      case .detailed(let detail):
        object.object("error") {
          $0.write("code", detail.code)
          $0.write("severity", detail.severity.rawValue)
          $0.write("message", detail.message)
        }
      }
    }
  }

  /// What a lookup has found; of a settled one with the request that was answered. One that asks with a secret, or is told one, is left out of a
  /// store.
  private func write(lookup index: Int, of instance: Instance, into object: inout ObjectWriter) {
    let lookup = instance.form.lookups[index]
    guard let state = instance.own?.lookups[index],
      includesSecrets || !lookup.run.readsSecret && !lookup.isSecret
    else { return }
    object.write("value", state.value)
    if case .settled(let question, _) = state.machine.state {
      object.write("key", question.key)
      object.write("error", state.error)
    }
  }
}

extension FieldFlags {
  /// The flags that cannot be computed from anything else.
  static let sticky: FieldFlags = [
    .isTouched, .isEdited, .isEditing, .isComposing, .isRevealed, .follows, .beganFollowing,
  ]
}

extension ActionMachine {
  /// The taps that have not come to their event, in the order in which they came, each with its run if that has begun.
  var openTaps: [(token: UInt64, run: Int?)] {
    let delayed = delay?.held.map { [(token: $0, run: Int?.none)] } ?? []
    return (taps.map { (token: $0.token, run: $0.stage.run?.number) } + delayed).sorted { $0.token < $1.token }
  }
}
