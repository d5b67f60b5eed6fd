internal import Forms
public import JSON

extension Session {
  /// The session as a value for ``Engine/restore(_:from:at:)``: the values, which messages the user has seen, and the results of
  /// actions. Anything that is computed from these is left out, and so are requests under way.
  ///
  /// - Parameter includingSecrets: whether the values of secret fields are in it. Never on a disk.
  public func snapshot(includingSecrets: Bool) -> JSON {
    var object: JSONObject = [
      "version": 2, "form": .string(form.name), "revision": .integer(Int64(revision)),
      "sequence": .integer(Int64(sequence)), "lastRun": .integer(Int64(lastRun)),
      "flags": .integer(Int64(flags.intersection([.showsAlways, .skipsChecks]).rawValue)),
      "values": .object(ownValues(includingSecrets: includingSecrets)),
    ]
    if let locale { object["locale"] = .string(locale) }
    object["fields"] = .object(fieldSnapshots(includingSecrets: includingSecrets))
    object["actions"] = .object(actionSnapshots)
    object["checks"] = .object(checkSnapshots(includingSecrets: includingSecrets))
    let wanted = form.checks.indices.filter { extras?.checks[$0].isWanted ?? false }
    if !wanted.isEmpty { object["wanted"] = .array(wanted.map { .string(form.checks[$0].id) }) }
    if let others = extras?.others, includingSecrets || !form.units[0].areOthersSecret {
      if let now = others.now { object["others"] = .object(now) }
      if let initial = others.initial { object["initialOthers"] = .object(initial) }
    }
    if let chosen = chosenStep, chosen > 0 { object["step"] = .string(form.steps[chosen].id) }
    if let watched = extras?.watched { object["watched"] = .array(watched.map { .bool($0) }) }
    return .object(object)
  }

  /// The values by address, each without what fields below hold.
  private func ownValues(includingSecrets: Bool) -> JSONObject {
    var values = JSONObject()
    for (index, field) in form.fields.enumerated() where includingSecrets || !field.isSecret {
      values[field.address] = fields[index].value
    }
    return values
  }

  private func fieldSnapshots(includingSecrets: Bool) -> JSONObject {
    var snapshots = JSONObject()
    for (index, field) in form.fields.enumerated() {
      var snapshot = JSONObject()
      let state = fields[index]
      let sticky = state.flags.intersection(.sticky)
      if !sticky.isEmpty { snapshot["flags"] = .integer(Int64(sticky.rawValue)) }
      if let displayed = state.displayed { snapshot["displayed"] = .string(form.code(of: displayed)) }
      if includingSecrets || !field.isSecret {
        if let initial = extras?.initialValues[index] { snapshot["initial"] = initial.map { .array([$0]) } ?? [] }
        if let held = extras?.delays[index]?.held {
          snapshot["held"] = .array(
            held.all.map { .object($0.change.snapshot(origin: $0.origin, isComposing: $0.isComposing)) }
          )
        }
      }
      if let errors = extras?.serverErrors[index] {
        snapshot["server"] = .array(
          errors.map {
            ["action": .string(form.actions[$0].name), "message": .string(form.message(of: $1, locale: localeIndex))]
          }
        )
      }
      if !snapshot.isEmpty { snapshots[field.address] = .object(snapshot) }
    }
    return snapshots
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

  /// The verdicts of settled checks, each with the request that was asked. Checks that read a secret are left out.
  private func checkSnapshots(includingSecrets: Bool) -> JSONObject {
    var snapshots = JSONObject()
    for (index, check) in form.checks.enumerated() {
      guard case .settled(let question, let verdict) = extras?.checks[index].machine.state,
        includingSecrets || !check.run.formulas.contains(where: \.readsSecret)
      else { continue }
      var snapshot: JSONObject = ["key": question.key]
      switch verdict {
      case .valid: snapshot["verdict"] = "valid"
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

extension FieldFlags {
  /// The flags that cannot be computed from anything else.
  static let sticky: FieldFlags = [.isTouched, .isEdited, .isEditing, .isComposing, .isRevealed]
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
