internal import CEL
internal import Forms
public import JSON

extension Session {
  /// The session as a value for ``Engine/restore(_:from:at:)``: the values, which messages the user has seen, and the results of
  /// actions, what lookups have found, the zone and what `now` says. Anything that is computed from these is left out, and so are requests under way.
  ///
  /// - Parameter includingSecrets: whether the values of secret fields are in it. Never on a disk.
  public func snapshot(includingSecrets: Bool) -> JSON {
    var object: JSONObject = [
      "version": 2, "form": .string(form.name), "revision": .integer(Int64(revision)),
      "sequence": .integer(Int64(sequence)), "lastRun": .integer(Int64(lastRun)),
      "flags": .integer(Int64(flags.intersection([.showsAlways, .skipsChecks]).rawValue)),
    ]
    if let locale { object["locale"] = .string(locale) }
    if let clock = extras?.clock {
      object["zone"] = .string(clock.zone.name)
      object["now"] = .string(clock.time.rfc3339)
    }
    addParts(to: &object, includingSecrets: includingSecrets)
    if let last = extras?.rows.last, last > 0 { object["lastRow"] = .integer(Int64(last)) }
    if let errors = extras?.formServerErrors, !errors.isEmpty { object["server"] = snapshot(ofServerErrors: errors) }
    object["actions"] = .object(actionSnapshots)
    if let others = extras?.others, includingSecrets || !form.units[0].areOthersSecret {
      if let now = others.now { object["others"] = .object(now) }
      if let initial = others.initial { object["initialOthers"] = .object(initial) }
    }
    if let chosen = chosenStep, chosen > 0 { object["step"] = .string(form.steps[chosen].id) }
    if let watched = extras?.watched { object["watched"] = .array(watched.map { .bool($0) }) }
    return .object(object)
  }

  private var actionSnapshots: JSONObject {
    var snapshots = JSONObject()
    for (index, action) in form.actions.enumerated() {
      let state = actions[index]
      var snapshot = JSONObject()
      if state.attempts > 0 { snapshot["attempts"] = .integer(Int64(state.attempts)) }
      snapshot["result"] = state.outcome?.result
      snapshot["error"] = state.outcome?.error
      snapshot["message"] = state.outcome?.message.map { .string($0) }
      if !snapshot.isEmpty { snapshots[action.name] = .object(snapshot) }
    }
    return snapshots
  }
}

extension Instance {
  /// What outcomes, and the client's own server, have said.
  fileprivate func snapshot(ofServerErrors errors: [(action: Int?, error: FieldError)]) -> JSON {
    .array(
      errors.map { action, error in
        var object: JSONObject = ["message": .string(form.message(of: error, locale: session.localeIndex))]
        object["action"] = action.map { .string(form.actions[$0].name) }
        if case .detailed(let detail) = error {
          if !detail.path.isEmpty { object["path"] = .string(detail.path) }
          if detail.source == .fault { object["fault"] = .string(detail.code) }
        }
        return .object(object)
      }
    )
  }

  /// The parts of a snapshot that a session and each of its rows have: values, fields, checks, lookups and lists.
  fileprivate func addParts(to object: inout JSONObject, includingSecrets: Bool) {
    object["values"] = .object(ownValues(includingSecrets: includingSecrets))
    let fields = fieldSnapshots(includingSecrets: includingSecrets)
    if template == 0 || !fields.isEmpty { object["fields"] = .object(fields) }
    let checks = checkSnapshots(includingSecrets: includingSecrets)
    if template == 0 || !checks.isEmpty { object["checks"] = .object(checks) }
    let lookups = lookupSnapshots(includingSecrets: includingSecrets)
    if !lookups.isEmpty { object["lookups"] = .object(lookups) }
    let wanted = ownChecks.filter { own?.checks[$0].isWanted ?? false }
    if !wanted.isEmpty { object["wanted"] = .array(wanted.map { .string(form.checks[$0].id) }) }
    for list in lists where !list.rows.isEmpty || !list.initial.isEmpty {
      var lists = object["lists"]?.objectValue ?? [:]
      lists[form.fields[list.field].address] = list.snapshot(includingSecrets: includingSecrets)
      object["lists"] = .object(lists)
    }
  }

  /// What lookups have found; of a settled one with the request that was answered. Those that ask with a secret are left out.
  private func lookupSnapshots(includingSecrets: Bool) -> JSONObject {
    var snapshots = JSONObject()
    for index in own?.lookups.indices ?? 0..<0 {
      let lookup = form.lookups[index]
      guard includingSecrets || !lookup.run.readsSecret, let state = own?.lookups[index] else { continue }
      var snapshot = JSONObject()
      snapshot["value"] = state.value
      if case .settled(let question, _) = state.machine.state {
        snapshot["key"] = question.key
        snapshot["error"] = state.error.map { .string($0) }
      }
      if !snapshot.isEmpty { snapshots[lookup.address] = .object(snapshot) }
    }
    return snapshots
  }

  /// The values by address, each without what fields below hold. What formulas give is computed again.
  private func ownValues(includingSecrets: Bool) -> JSONObject {
    var values = JSONObject()
    for index in ownFields where includingSecrets || !form.fields[index].isSecret {
      if fields[index].flags.contains(.follows) { continue }
      values[form.fields[index].address] = fields[index].value
    }
    return values
  }

  private func fieldSnapshots(includingSecrets: Bool) -> JSONObject {
    var snapshots = JSONObject()
    for index in ownFields {
      let field = form.fields[index]
      var snapshot = JSONObject()
      let state = fields[index]
      let sticky = state.flags.intersection(.sticky).symmetricDifference(field.flagsOfFollowing)
      if !sticky.isEmpty { snapshot["flags"] = .integer(Int64(sticky.rawValue)) }
      if let displayed = state.displayed { snapshot["displayed"] = .string(form.code(of: displayed)) }
      if includingSecrets || !field.isSecret {
        if let initial = own?.initialValues[index] { snapshot["initial"] = initial.map { .array([$0]) } ?? [] }
        if let held = own?.delays[index]?.held {
          snapshot["held"] = .array(
            held.all.map { .object($0.change.snapshot(origin: $0.origin, isComposing: $0.isComposing)) }
          )
        }
      }
      if let errors = own?.serverErrors[index] {
        snapshot["server"] = self.snapshot(ofServerErrors: errors)
      }
      if !snapshot.isEmpty { snapshots[field.address] = .object(snapshot) }
    }
    return snapshots
  }

  /// The verdicts of settled checks, each with the request that was asked. Checks that read a secret are left out.
  private func checkSnapshots(includingSecrets: Bool) -> JSONObject {
    var snapshots = JSONObject()
    for index in ownChecks {
      let check = form.checks[index]
      guard case .settled(let question, let answer) = own?.checks[index].machine.state,
        includingSecrets || !check.run.readsSecret
      else { continue }
      var snapshot: JSONObject = ["key": question.key]
      snapshot["result"] = answer.result
      switch answer.verdict {
      case .valid: snapshot["verdict"] = "valid"
      case .failed(.prepared(let reference)?) where reference.address == check.fault: snapshot["verdict"] = "faulted"
      case .failed: snapshot["verdict"] = "failed"
      case .invalid(let error):
        snapshot["verdict"] = "invalid"
        switch error {
        case .prepared(let reference): snapshot["error"] = .integer(Int64(reference.address.index))
        case .detailed(let detail):
          snapshot["error"] = [
            "code": .string(detail.code), "severity": .string(detail.severity.rawValue),
            "message": .string(detail.message),
          ]
        }
      }
      snapshots[check.id] = .object(snapshot)
    }
    return snapshots
  }
}

extension RowList {
  /// The rows in order, and those that the list began with. What a secret was initially is left out.
  fileprivate func snapshot(includingSecrets: Bool) -> JSON {
    let hidesInitial = !includingSecrets && owner.form.fields[element].holdsSecret
    return [
      "rows": .array(
        rows.map { row in
          var object: JSONObject = ["id": .integer(Int64(row.id))]
          row.addParts(to: &object, includingSecrets: includingSecrets)
          return .object(object)
        }
      ),
      "initial": .array(
        initial.map { id, value in
          var object: JSONObject = ["id": .integer(Int64(id))]
          if !hidesInitial { object["value"] = value }
          return .object(object)
        }
      ),
    ]
  }
}

extension FieldFlags {
  /// The flags that cannot be computed from anything else.
  static let sticky: FieldFlags = [
    .isTouched, .isEdited, .isEditing, .isComposing, .isRevealed, .follows, .beganFollowing,
  ]
}

extension FieldChange {
  fileprivate func snapshot(origin: Origin, isComposing: Bool) -> JSONObject {
    var object: JSONObject = [
      "path": .array(path.map { .string($0) }), "origin": .string(origin.rawValue), "composing": .bool(isComposing),
    ]
    object["value"] = value
    return object
  }
}
