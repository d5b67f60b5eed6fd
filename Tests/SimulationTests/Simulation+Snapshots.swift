import Forms
import JSON
import Randomness
import Sessions

/// A store's snapshots of a life.
extension Simulation {
  /// The changes of all turns, put together, must equal a whole snapshot, part by part.
  mutating func checkSnapshot() {
    keptSnapshot.apply(engine.takeSnapshotChanges(of: session, for: .resuming))
    let whole = session.snapshot(for: .resuming)
    for part in Set(keptSnapshot.parts.keys).union(whole.parts.keys).sorted()
    where keptSnapshot.parts[part] != whole.parts[part] {
      func text(_ snapshot: SessionSnapshot) -> String {
        snapshot.parts[part].map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      }
      return found("the part \(part.rawValue) is kept as\n  \(text(keptSnapshot))\nand it is\n  \(text(whole))")
    }
    if turns % 8 == Int(seed % 8) { checkRestored(livesOn: false) }
  }

  /// A restored session must equal the stored one. Running effects end as interrupted, and waiting taps are dropped.
  mutating func checkRestored(livesOn: Bool = true) {
    guard finding == nil else { return }
    let isLoading = form.actions.contains { kept["actions"]?[$0.name]?["isLoading"] == true }
    do throws(SnapshotError) {
      let other = ReferenceEngine(wallClock)
      let restored = try other.restore(form, from: keptSnapshot, at: now)
      checkInterrupted(restored)
      if let problem = restored.session.checkInvariants().first { return found("restored: \(problem)") }
      if restored.session.values(includingSecrets: true) != session.values(includingSecrets: true) {
        return found("restored values differ")
      }
      try checkMigrated()
      try checkWithoutSecrets()
      guard !isLoading else { return }
      if restored.session.document != kept {
        return found("restored it is\n  \(restored.session.document)\nand it was\n  \(kept)")
      }
      if livesOn { self.livesOn(restored.session, on: other) }
    } catch {
      found("the snapshot cannot be restored: \(error)")
    }
  }

  /// Every tap that was open has one event.
  private mutating func checkInterrupted(_ restored: RestoredSession) {
    if restored.isMigrated { found("the same form counts as another") }
    let tokens = restored.turn.events.map(\.token)
    if Set(tokens) != openTaps || tokens.count != openTaps.count {
      found("the taps \(openTaps.sorted()) were open, and \(tokens) have had an event")
    }
    let sequences = restored.turn.events.map(\.sequence)
    if zip(sequences, sequences.dropFirst()).contains(where: { $0 + 1 != $1 }) {
      found("the events of open taps are numbered \(sequences)")
    }
    if restored.session.revision != session.revision + (openTaps.isEmpty ? 0 : 1) {
      found("restored with the revision \(restored.session.revision), and it was \(session.revision)")
    }
    for action in form.actions where restored.session.document["actions"]?[action.name]?["isLoading"] == true {
      found("\(action.name) loads, and no run is under way")
    }
  }

  /// A form that counts as changed but is unchanged changes nothing. A changed form leaves a session that is
  /// consistent.
  private mutating func checkMigrated() throws(SnapshotError) {
    let other = ReferenceEngine(wallClock)
    let same = try other.restore(form, from: keptSnapshot, at: now, migrates: true).session
    if let problem = same.checkInvariants().first { return found("migrated to the same form: \(problem)") }
    let isAsking = !plan.checks.isEmpty || !plan.lookups.isEmpty
    if !isAsking, openTaps.isEmpty, same.document.withoutUndo != kept.withoutUndo {
      return found("migrated to the same form it is\n  \(same.document)\nand it was\n  \(kept)")
    }
    guard let otherForm else { return }
    let migrated = try other.restore(otherForm, from: keptSnapshot, at: now)
    if !migrated.isMigrated { found("another form counts as the same") }
    let list = migrated.session.targets.first {
      migrated.session.isList($0) && migrated.session.mayInsert([nil], into: $0)
    }
    var inputs: [Input] = [.flush, .reset(keepValues: seed % 2 == 0)]
    if let list, let field = list.field { inputs.append(.insert(list: field, row: list.row, at: 0, [nil])) }
    for count in 0...inputs.count {
      if count > 0 { other.apply(inputs[count - 1], to: migrated.session, at: now) }
      let problem = migrated.session.checkInvariants().first
      let again = other.recomputeFromScratch(migrated.session, at: now)
      guard problem != nil || again.hasUpdate else { continue }
      return found(
        """
        migrated to \(otherForm.schema), behind \(inputs.prefix(count)): \(problem ?? "computed from scratch it changes")
        \(snapshotText)
        """
      )
    }
  }

  private mutating func checkWithoutSecrets() throws(SnapshotError) {
    let snapshot = session.snapshot(for: .keeping)
    if !plan.fields.isEmpty,
      snapshot.parts.values.contains(where: { String(decoding: $0, as: UTF8.self).utf8.containsCanary })
    {
      return found("a snapshot without secrets has one")
    }
    let other = ReferenceEngine(wallClock)
    let restored = try other.restore(form, from: snapshot, at: now).session
    if let problem = restored.checkInvariants().first { return found("restored without secrets: \(problem)") }
    // Formulas may read a secret of the context.
    if !plan.hasSecrets, !plan.hasContext, restored.values() != session.values(), !plan.asksForPresence {
      found("restored without secrets, values differ")
    }
  }

  private var snapshotText: String {
    keptSnapshot.parts.sorted { $0.key < $1.key }.map {
      "\($0.key.rawValue) \(String(decoding: $0.value, as: UTF8.self))"
    }
    .joined(separator: "\n")
  }

  /// The original and the restored session must go on alike. This excludes lives with checks, delays, waiting taps or
  /// overdue timers: the restored session asks again, restarts waits, and has given taps up. It knows only from the
  /// wall clock when `now` was set.
  private mutating func livesOn(_ restored: Session, on other: ReferenceEngine) {
    guard plan.checks.isEmpty, !plan.lookups.contains(where: \.isCached), openTaps.isEmpty,
      plan.time?.period == nil || !isWallClockSet, session.deadline.map({ $0 > now }) ?? true,
      !plan.fields.contains(where: \.isDelayed)
    else { return }
    if plan.hasUndo {
      // A restored session does not continue the edit of a field that the user was typing into.
      let leaving = Input.blur(field: 0)
      apply(leaving)
      other.apply(leaving, to: restored, at: now)
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let target = random.pick(session.targets)
      guard let field = target.field else { return }
      let input: Input
      switch random.below(plan.hasUndo ? 9 : 6) {
      case 0: input = .blur(field: field, row: target.row)
      case 1: input = .focus(field: field, row: target.row)
      case 2 where session.isList(target) && session.mayInsert([nil], into: target):
        input = .insert(list: field, row: target.row, at: random.below(3), [random.pick([nil, ["a": "abc"], "x"])])
      case 2 where session.isRow(target): input = .remove(row: target.row)
      case 3 where session.isRow(target): input = .move(row: target.row, to: 0)
      case 6, 7: input = .undo
      case 8: input = .redo
      default:
        let value: JSON = random.pick(["abc", "x", "", 2, true, [1], .null])
        input = .change([FieldChange(row: target.row, field: field, value: value)])
      }
      apply(input)
      other.apply(input, to: restored, at: now)
      if finding == nil, restored.document != kept {
        found("behind \(input) the restored session is\n  \(restored.document)\nand the original\n  \(kept)")
      }
    }
  }
}
