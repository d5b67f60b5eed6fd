internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON
internal import Times

/// Writes the parts of a session's snapshot.
extension PartWriter {
  /// The edition of the format. Other editions are not read.
  static let edition = 3
  /// A field with more bytes has a part of its own, so that changes of other fields do not write its bytes again.
  private static let fieldBytesMax = 512

  // MARK: The session

  /// The numbers that count up, and the first fields.
  func head(of session: Session, without largeFields: Set<Int>) -> [UInt8]? {
    part { object in
      object.write("revision", session.revision)
      object.write("sequence", session.lastEvent)
      object.write("lastRun", session.extras?.lastRun ?? 0)
      if let extras = session.extras {
        object.write("lastTap", Int(clamping: extras.lastToken))
        object.write("lastRow", extras.rows.last)
        if let clock = extras.clock { object.write("now", clock.time.rfc3339) }
      }
      if let chosen = session.chosenStep, chosen > 0 { object.write("step", session.form.steps[chosen].id) }
      writeFields(ofChunk: 0, of: session, without: largeFields, into: &object)
    }
  }

  /// The content that nearly always stays unchanged for the session's whole life.
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
    guard let extras = session.extras else { return nil }
    let areSecret = session.form.units[0].areOthersSecret
    return part { object in
      if includesSecrets || !areSecret {
        object.write("now", extras.otherMembers.now.map { .object($0) })
        object.write("initial", extras.otherMembers.initial.map { .object($0) })
        // A migration does not set secrets aside, because it does not know the old form.
        if areSecret, extras.otherMembers.now != nil { object.name("areSecret").write(true) }
      }
      object.write("setAside", extras.setAside.map { .object($0) })
    }
  }

  func serverErrors(of session: Session) -> [UInt8]? {
    part { write(session.extras?.formServerErrors ?? [], of: session, into: &$0) }
  }

  /// The watched cells as the lengths of runs: first unwatched cells, then watched cells, and so on.
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

  /// The context; without its secrets if secrets are left out.
  func context(of session: Session) -> [UInt8]? {
    guard let context = session.context, let own = session.form.context else { return nil }
    return part { $0.write("now", .object(includesSecrets ? context : own.withoutSecrets(context))) }
  }

  func part(_ part: SnapshotPart.SessionPart, of session: Session) -> [UInt8]? {
    switch part {
    case .opening: opening(of: session)
    case .others: others(of: session)
    case .serverErrors: serverErrors(of: session)
    case .watched: watched(of: session)
    case .context: context(of: session)
    }
  }

  // MARK: Actions

  /// The results of an action's runs, and the taps that have no event yet. Their requests are not kept, because they
  /// are not sent again.
  func action(_ number: Int, of session: Session) -> [UInt8]? {
    let action = session.form.actions[number]
    let state = session.actions[number]
    return part { object in
      object.write("attempts", Int(state.attempts))
      if includesSecrets || !action.isSecret {
        object.write("result", state.outcome?.result)
        object.write("error", state.outcome?.error)
        object.write("message", state.outcome?.message)
      }
      if let machine = session.extras?.actions[number] {
        object.array("taps", machine.openTaps) { out, tap in
          var object = ObjectWriter(out)
          object.name("tap").write(Int(clamping: tap.token))
          object.write("run", tap.run?.number ?? 0)
          if let run = tap.run, let request = run.submission.fingerprint(for: action) {
            object.write("key", run.keyNumber)
            object.write("request", request)
          }
          object.end()
        }
      }
      if let runs = session.extras?.interrupted[number] {
        object.array("interrupted", runs) { out, run in
          var object = ObjectWriter(out)
          object.name("key").write(run.keyNumber)
          object.write("request", run.request)
          object.end()
        }
      }
      if !object.isEmpty { object.write("action", action.name) }
    }
  }

  // MARK: Fields

  /// The name under which the initial value of a field is kept. For an object or a list, only the part that is not in
  /// inner fields is kept. After a change of the form, the name shows which kind it was.
  static func initialName(of field: Field) -> StaticString {
    field.unit == nil ? "initial" : field.element == nil ? "initialObject" : "initialList"
  }

  /// Marks the state of a secret field in a snapshot that has secrets.
  static let secretName: StaticString = "isSecret"

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
    if let instanceExtras = session.instanceExtras {
      bytes += (instanceExtras.initialValues[field] ?? nil).bytes + (instanceExtras.delays[field]?.held?.bytes ?? 0)
    }
    return bytes > Self.fieldBytesMax
  }

  func field(_ field: Int, of session: Session) -> [UInt8]? {
    part { object in
      object.object("state") { write(field, of: session, into: &$0) }
      if !object.isEmpty { object.write("field", session.form.fields[field].address) }
    }
  }

  /// Writes the state of a field that cannot be computed. Its value is left out while it follows a formula.
  private func write(_ number: Int, of instance: Instance, into object: inout ObjectWriter) {
    let field = instance.form.fields[number]
    let state = instance.fields.at(number)
    let tells = includesSecrets || !field.isSecret
    if includesSecrets, field.isSecret { object.name(Self.secretName).write(true) }
    if tells, !state.pointee.flags.contains(.follows) {
      object.write("value", state.pointee.value)
      // A changed form gives defaults to its new fields, but not to empty fields of a row.
      if instance.template != 0, field.ownInitial != nil, state.pointee.value == nil {
        object.name("isAbsent").write(true)
      }
    }
    object.write("flags", Int(flags(of: number, in: instance).rawValue))
    if let displayed = state.pointee.displayed { object.write("shown", instance.form.code(of: displayed)) }
    guard let instanceExtras = instance.instanceExtras else { return }
    if tells {
      if let initial = instanceExtras.initialValues[number] {
        let out = object.name(PartWriter.initialName(of: field))
        out.append("[")
        if let initial { out.write(initial) }
        out.append("]")
      }
      object.write("typed", instance.typedText(of: number))
      if let held = instanceExtras.delays[number]?.held { object.array("held", held.all) { write($1, into: $0) } }
    }
    write(instanceExtras.serverErrors[number] ?? [], of: instance, into: &object)
  }

  private func flags(of number: Int, in instance: Instance) -> FieldFlags {
    let field = instance.form.fields[number]
    let state = instance.fields[number].flags
    var flags = state.intersection(.sticky).symmetricDifference(field.flagsOfFollowing)
    // A changed form may have another initial value.
    if instance.template == 0, field.unit == nil { flags.formUnion(state.intersection(.isDirty)) }
    guard use == .keeping else { return flags }
    // A client that comes back has left every field.
    if flags.contains(.isFocused) { flags.insert(.isTouched) }
    return flags.subtracting([.isFocused, .isComposing])
  }

  private func write(_ held: HeldChanges.Change, into out: OutputBuffer) {
    var object = ObjectWriter(out)
    object.array("path", held.change.path) { $0.write($1) }
    object.write("value", held.change.value)
    if held.origin != .user { object.write("origin", held.origin.rawValue) }
    if held.isComposing, use == .resuming { object.name("composing").write(true) }
    object.end()
  }

  /// Writes the errors from outcomes and from the client's own server.
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
        object.write("code", detail.parameters["code"])
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
      guard let instanceExtras = row.instanceExtras else { return }
      object.object("checks") { checks in
        for check in instanceExtras.checks.indices {
          checks.object(row.form.checks[check].id) { write(check: check, of: row, into: &$0) }
        }
      }
      object.object("lookups") { lookups in
        for lookup in instanceExtras.lookups.indices {
          lookups.object(row.form.lookups[lookup].address) { write(lookup: lookup, of: row, into: &$0) }
        }
      }
    }
  }

  /// The identities of a list's rows. Consecutive identities, which are usual, are one pair: the first, and how many.
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

  /// The initial rows of a list. If they may hold a secret, a store gets only their identities.
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

  func check(_ number: Int, of session: Session) -> [UInt8]? {
    part { object in
      write(check: number, of: session, into: &object)
      if !object.isEmpty { object.write("check", session.form.checks[number].id) }
    }
  }

  func lookup(_ number: Int, of session: Session) -> [UInt8]? {
    part { object in
      write(lookup: number, of: session, into: &object)
      if !object.isEmpty { object.write("lookup", session.form.lookups[number].address) }
    }
  }

  /// Whether a tap has asked for it, and whether it has asked. A settled check also has its verdict, with the request.
  /// A verdict on a secret is left out of a store.
  private func write(check number: Int, of instance: Instance, into object: inout ObjectWriter) {
    guard let state = instance.instanceExtras?.checks[number] else { return }
    let check = instance.form.checks[number]
    if state.isWanted { object.name("isWanted").write(true) }
    // It asks again if its answer is not written.
    if check.ask != .change, state.machine.inquiry != nil { object.name("isAsked").write(true) }
    guard case .settled(let inquiry, let answer) = state.machine.state,
      includesSecrets || !check.request.readsSecret && !check.isSecret
    else { return }
    object.write("key", inquiry.key)
    object.write("result", answer.result)
    switch answer.verdict {
    case .valid: object.write("verdict", "valid")
    case .failed(.prepared(let reference)?) where reference.number == check.fault: object.write("verdict", "faulted")
    case .failed: object.write("verdict", "failed")
    case .invalid(let error):
      object.write("verdict", "invalid")
      switch error {
      case .prepared(let reference):
        object.write("error", check.outcomes.firstIndex { $0.error == reference.number }.map { .integer(Int64($0)) })
      case .detailed(let detail):
        object.object("error") {
          $0.write("code", detail.code)
          $0.write("severity", detail.severity.rawValue)
          $0.write("message", detail.message)
        }
      }
    }
  }

  /// The value of a lookup, and for a settled lookup also the request that was answered. A lookup with a secret in its
  /// request or its answer is left out of a store.
  private func write(lookup number: Int, of instance: Instance, into object: inout ObjectWriter) {
    let lookup = instance.form.lookups[number]
    guard let state = instance.instanceExtras?.lookups[number],
      includesSecrets || !lookup.request.readsSecret && !lookup.isSecret
    else { return }
    object.write("value", state.value)
    if case .settled(let inquiry, _) = state.machine.state {
      object.write("key", inquiry.key)
      object.write("error", state.error)
    }
  }
}

extension FieldFlags {
  /// The flags that cannot be computed from anything else.
  static let sticky = FieldFlags(where: \.isInSnapshot).union([
    .isComposing, .isRevealed, .follows, .beganFollowing, .isRemoved, .beganRemoved, .hasBeenRecomputed,
  ])
}

extension ActionMachine {
  /// The taps that have no event yet, in the order in which they came, each with its run if the run has begun.
  var openTaps: [(token: UInt64, run: ActionRun?)] {
    let delayed = delay?.held.map { [(token: $0, run: ActionRun?.none)] } ?? []
    return (taps.map { (token: $0.token, run: $0.stage.run) } + delayed).sorted { $0.token < $1.token }
  }
}
