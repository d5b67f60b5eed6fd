import CEL
import Forms
import JSON
import Randomness
import Sessions
internal import Times

/// The first violation that a simulated life found.
struct Finding: CustomStringConvertible {
  let step: Int
  let problem: String
  var description: String { "after step \(step): \(problem)" }
}

/// One life of a session in virtual time, with every property checked after every turn.
struct Simulation {
  let plan: RandomForm
  let form: Form
  let seed: UInt64

  let engine: Engine
  let session: Session
  var now = Instant.milliseconds(0)
  /// How far the wall clock is ahead of the monotonic one.
  let wallClock: SimulatedWallClock
  /// When `now` was set last, by both clocks.
  private var nowSet: (wall: Int64, at: Instant)
  /// Whether the simulation has set the wall clock since then.
  var isWallClockSet = false
  var kept: JSON
  /// The store's copy: each turn's changes of the snapshot, applied.
  var keptSnapshot = SessionSnapshot(parts: [:])
  /// Another form with an equal name, as a reload might bring it.
  let otherForm: Form?
  /// The document of a client that reads so slowly that several turns are sent as one, and the client's earlier values
  /// of the changed cells.
  private var late: JSON
  private var heldBack: [Int: DocumentValue] = [:]
  /// Answers that will come, even if the session does not need them any more.
  private var answers: [(at: Instant, id: EffectID, response: EffectResponse)] = []
  /// Taps that were not swallowed and whose single event has not come.
  var openTaps: Set<UInt64> = []
  private var answeredTaps: Set<UInt64> = []
  /// The last typed values of fields that delay their values. Untouched fields since the last reset have no entry.
  var typed: [[String]: JSON] = [:]
  /// Nil once an edit was taken back: the model does not know what the session has been.
  private var rowModel: RowModel?
  /// The step that the user went to last.
  private var chosenStep = 0
  /// The initial values of the fields that an output tells, in its order.
  private var initials: [JSON] = []
  /// The context that was given last.
  private(set) var context: JSONObject?
  /// Whether an input method has composed anything since the session was opened.
  private var hasComposed = false
  /// The values that checks have asked about.
  private var asked: Set<String> = []
  private var step = -1
  private(set) var turns = 0
  private(set) var finding: Finding?

  /// - Parameters:
  ///   - engine: one that other sessions have used, too: nothing of one turn may be left over in the next.
  ///   - wallClock: the engine's.
  init(
    _ plan: RandomForm,
    _ form: Form,
    seed: UInt64,
    on engine: Engine,
    _ wallClock: SimulatedWallClock,
    otherForm: Form? = nil
  ) {
    self.engine = engine
    self.wallClock = wallClock
    self.plan = plan
    self.form = form
    self.seed = seed
    self.otherForm = otherForm
    // A little before midnight in one zone or another.
    wallClock.milliseconds = 1_795_392_000_000 - 1_800_000 * Int64(seed % 48) - 1_500
    wallClock.instant = now
    nowSet = (wallClock.milliseconds, now)
    if plan.hasContext, seed % 3 > 0 { context = ["role": "clerk", "token": "CANARY"] }
    let options = OpenOptions(
      locale: seed % 2 == 0 ? "ko" : "en",
      zone: plan.time.flatMap { Zone(named: $0.zone) } ?? .utc,
      context: context
    )
    let (session, opening) = engine.open(form, options: options, at: now)
    self.session = session
    kept = session.document
    late = kept
    var model = RowModel(session, plan)
    let problem = model.problem(in: kept)
    rowModel = model
    initials = currentInitials
    session.keepSnapshot()
    ended(opening)
    if let problem { found(problem) }
  }

  /// Lives through the steps and then waits until no effect is running; stops at the first finding.
  mutating func run(_ steps: [RandomStep]) {
    for (index, next) in steps.enumerated() {
      step = index
      perform(next)
      if finding != nil { return }
    }
    step = steps.count
    // Other engines will read the wall clock, too.
    if plan.time != nil { apply(.timer) }
    checkAgainstFresh()
    checkRestored()
    // Inquiries wait for the end of a composition.
    if hasComposed { perform(.flush) }
    advance(to: now + .seconds(60))
    guard finding == nil else { return }
    if session.explanation().description.utf8.containsCanary { found("an explanation tells a secret") }
    if !openTaps.isEmpty { found("taps \(openTaps.sorted()) have had no event") }
    // A lookup that begins to apply with some tick, and ends with the next, asks again and again.
    if plan.time?.period != nil, plan.lookups.contains(where: \.hasGate) { return }
    if session.isBusy { found("busy a minute after the last input") }
    if kept["isPending"] == true { found("pending with nothing in flight") }
    for lookup in plan.lookups where kept["lookups"]?[lookup.name]?["isLoading"] == true {
      found("\(lookup.name) loads with nothing in flight")
    }
  }

  // MARK: Steps

  private mutating func perform(_ next: RandomStep) {
    let contents = contentsBefore(next)
    take(next)
    if let contents { checkUndo(of: next, from: contents) }
  }

  private mutating func take(_ next: RandomStep) {
    // The clock and late timers go before the input. A field that they hide is cleared then, and may get a value from
    // the input.
    if plan.fields.contains(where: \.clears) {
      if plan.time != nil { apply(.timer) }
      while finding == nil, let deadline = session.deadline, deadline <= now { apply(.timer) }
    }
    switch next {
    case .change(let wanted, let origin, let isComposing, let commit):
      if isComposing { hasComposed = true }
      let changes = wanted.compactMap { fieldChange($0) }
      noteTyped(changes)
      if changes.count == 1, changes[0].row == 0, changes[0].field >= 0, changes[0].path.isEmpty,
        accepts(changes, origin), origin == .user, !isComposing, !commit, step % 2 == 0
      {
        // The short form of the same.
        apply(.set(field: changes[0].field, to: changes[0].value))
      } else {
        apply(.change(changes, origin: origin, isComposing: isComposing, commit: commit))
      }
    case .focus(let wanted):
      if let target = wanted.resolve(in: session) { apply(.focus(field: wanted.field, row: target.row)) }
    case .blur(let wanted):
      guard let target = wanted.resolve(in: session) else { break }
      apply(.blur(field: wanted.field, row: target.row))
      checkTyped(below: session.way(to: target))
    case .insert(let wanted, let position, let values):
      guard let list = wanted.resolve(in: session), session.mayInsert(values, into: list) else { break }
      apply(.insert(list: wanted.field, row: list.row, at: position, values))
      checkTyped(below: session.way(to: list))
    case .remove(let wanted):
      guard let row = wanted.resolve(in: session), let list = session.list(of: row.row) else { break }
      forgetTyped(below: session.way(to: row))
      apply(.remove(row: row.row))
      checkTyped(below: session.way(to: list))
    case .move(let wanted, let position):
      guard let row = wanted.resolve(in: session), let list = session.list(of: row.row) else { break }
      apply(.move(row: row.row, to: position % session.rows(of: list).count))
    case .toggle(let wanted, let value):
      if let list = wanted.resolve(in: session), session.mayInsert([value], into: list) { toggle(value, in: list) }
    case .fail(let wanted):
      if let target = wanted.resolve(in: session) { apply(.fail(field: wanted.field, row: target.row, message: "no")) }
    case .tap(let action):
      apply(.tap(action: action))
      checkTyped(below: [])
    case .cancel(let action):
      apply(.cancel(action: action))
      let isLoading = kept["actions"]?[form.actions[action].name]?["isLoading"] == true
      if isLoading { found("action \(action) is loading although it was cancelled") }
    case .show(let step):
      chosenStep = step
      apply(.show(step: step))
    case .reset(let keepValues):
      if !keepValues { chosenStep = 0 }
      apply(.reset(keepValues: keepValues))
      if keepValues { checkTyped(below: []) }
      typed = [:]
    case .resetField(let wanted):
      guard let target = wanted.resolve(in: session) else { break }
      let way = session.way(to: target)
      apply(.resetField(field: wanted.field, row: target.row))
      forgetTyped(below: way)
    case .undo:
      apply(.undo)
      typed = [:]
    case .redo:
      apply(.redo)
      typed = [:]
    case .flush:
      apply(.flush)
      checkTyped(below: [])
    case .setLocale(let locale): apply(.setLocale(locale))
    case .setContext(let context):
      self.context = context
      apply(.setContext(context))
    case .advance(let milliseconds, let isLate):
      let end = now + .milliseconds(milliseconds)
      if isLate { now = end } else { advance(to: end) }
    case .setClock(let seconds):
      wallClock.milliseconds += seconds * 1_000
      isWallClockSet = true
    }
  }

  /// The change in the row that it means now; nil without such a row.
  private func fieldChange(_ change: RandomStep.Change) -> FieldChange? {
    guard let wanted = change.target else {
      return FieldChange(field: FieldChange.root, path: change.path, value: change.value)
    }
    return wanted.resolve(in: session).map {
      FieldChange(row: $0.row, field: wanted.field, path: change.path, value: change.value)
    }
  }

  /// Remembers the typed values of fields that delay their values. A value of an object or list around one takes effect
  /// at once.
  private mutating func noteTyped(_ changes: [FieldChange]) {
    for change in changes where change.field != FieldChange.root && accepts([change], .program) {
      let way = session.way(to: change.target)
      if plan.fields[change.field].isDelayed {
        typed[way] = change.value
      } else if change.path.isEmpty {
        forgetTyped(below: way)
      }
    }
  }

  private mutating func forgetTyped(below way: [String]) { typed = typed.filter { !$0.key.starts(with: way) } }

  /// Timers and answers come in the order of their times.
  private mutating func advance(to end: Instant) {
    while finding == nil {
      let timer = session.deadline
      let answer = answers.indices.min { answers[$0].at < answers[$1].at }
      let answerTime = answer.map { answers[$0].at }
      guard let next = [timer, answerTime].compactMap({ $0 }).min(), next <= end else { break }
      now = max(now, next)
      if let answer, let answerTime, answerTime == next {
        let (_, id, response) = answers.remove(at: answer)
        apply(.effect(id, response))
      } else {
        apply(.timer)
      }
    }
    now = max(now, end)
  }

  // MARK: Turns

  mutating func apply(_ input: Input) {
    guard finding == nil else { return }
    let revision = session.revision
    if input.takesBack { rowModel = nil }
    let accepted = withoutRefused(input)
    rowModel?.saw(accepted, kept)
    // A commit ends the editing even if the change led nowhere.
    if case .change(let changes, _, _, true) = input {
      for change in changes where change.field != FieldChange.root {
        rowModel?.saw(.blur(field: change.field, row: change.row), kept)
      }
    }
    let given = prepared(input)
    let growth = session.growth(of: given, at: now)
    let most = (bytes: session.valueBytes + growth.bytes, rows: session.rowCount + growth.rows)
    if session.growth(of: accepted, at: now) != growth { found("refused changes make the session larger") }
    if session.hasGrowthBound, let bound = session.growthBound(of: given), growth.bytes > bound {
      found("an input adds \(growth.bytes) bytes, more than its bound, \(bound)")
    }
    let isExact = isGrowthExact(of: accepted)
    let before = before()
    let valuesBefore = session.values()
    // A client with pending updates sends nothing, so the language does not change between them.
    if case .setLocale = input { sendWhatIsHeldBack() }
    wallClock.instant = now
    let isDue = session.deadline.map { $0 <= now } ?? false
    let turn = engine.apply(given, to: session, at: now)
    if !isDue, case .change(_, _, _, false) = input, case .change(let changes, _, _, _) = accepted, changes.isEmpty,
      session.values() != valuesBefore
    {
      found("a change that was refused has taken effect")
    }
    if !isDue { checkAsksNothing(turn, during: input) }
    if !isDue { checkMoments(of: turn, during: input) }
    checkTold(by: turn, after: input, before)
    if case .reset = input { checkAsksNothingAgain(turn) }
    if session.valueBytes > most.bytes || isExact && session.valueBytes != most.bytes {
      found("holds \(session.valueBytes) bytes, and \(most.bytes) were \(isExact ? "admitted" : "the most")")
    }
    if session.rowCount > most.rows { found("has \(session.rowCount) rows, and \(most.rows) were the most") }
    turns += 1
    if let problem = rowModel?.problem(in: session.document) { found(problem) }
    if case .reset(keepValues: true) = input { initials = currentInitials }
    checkInitials(in: session.document)
    checkTrust(in: session.document)
    checkCounts(in: session.document)
    checkContext(in: session.document)
    if let tap = turn.tap, (tap.outcome == .rejected) != !tap.blockers.isEmpty {
      found("a tap was \(tap.outcome) with blockers \(tap.blockers)")
    }
    if turn.hasUpdate {
      let patch = writtenPatch(of: turn)
      if patch != session.patch(engine.changes(of: turn)) { found("the patch \(patch) tells what has not changed") }
      kept.merge(patch)
      holdBack(engine.changes(of: turn))
    }
    if session.revision != revision + (turn.hasUpdate ? 1 : 0) {
      found("the revision went from \(revision) to \(session.revision)")
    }
    if case .tap = input {
      if let tap = turn.tap {
        if !answeredTaps.contains(tap.token), !turn.events.contains(where: { $0.token == tap.token }) {
          openTaps.insert(tap.token)
        }
      } else {
        found("a tap was not answered")
      }
    }
    for token in turn.swallowedTaps {
      openTaps.remove(token)
      if !answeredTaps.insert(token).inserted { found("tap \(token) was swallowed behind its event") }
    }
    for event in turn.events {
      openTaps.remove(event.token)
      if !answeredTaps.insert(event.token).inserted { found("tap \(event.token) has had two events") }
    }
    ended(turn)
    checkTime(after: input)
  }

  /// `today` is the date by the wall clock at the turn, `now` the time of the opening, of the last tap or the last
  /// tick.
  private mutating func checkTime(after input: Input) {
    guard let time = plan.time else { return }
    let wall = wallClock.milliseconds + now.nanoseconds / 1_000_000
    let date = Self.date(wall + Int64(time.offset) * 1_000)
    if kept["outputs"]?["today"] != .string(date) {
      found("today is \(kept["outputs"]?["today"] ?? "nothing"), and it is \(date)")
    }
    guard form.outputs.contains(where: { $0.address == "now" }) else { return }
    let isTick = time.period.map { now >= nowSet.at + .milliseconds($0) } ?? false
    if isTick || input.isTap {
      nowSet = (wall, now)
      isWallClockSet = false
    }
    let said = kept["outputs"]?["now"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    if said.map({ $0.seconds * 1_000 + Int64($0.nanoseconds) / 1_000_000 }) != nowSet.wall {
      found("now is \(said?.rfc3339 ?? "nothing"), and it was set at \(nowSet.wall) ms")
    }
    if let period = time.period, session.deadline ?? now + .seconds(1_000) > nowSet.at + .milliseconds(period) {
      found("nobody is woken for the next tick")
    }
  }

  /// The date so many milliseconds after the beginning of 1970, counted year by year and month by month.
  private static func date(_ milliseconds: Int64) -> String {
    var day = milliseconds / 86_400_000
    var year = 1970
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    while day >= (isLeap(year) ? 366 : 365) {
      day -= isLeap(year) ? 366 : 365
      year += 1
    }
    var month = 1
    for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30] as [Int64] {
      if day < length { break }
      day -= length
      month += 1
    }
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 9 ? "0" : "")\(day + 1)"
  }

  /// The content of a session before a turn: the values of the fields without fields below them, and the rows of the
  /// lists.
  private struct Before {
    var values: [(target: ResolvedAddress, way: [String], value: JSON?)] = []
    var rows: [(list: ResolvedAddress, way: [String], rows: [Int])] = []
  }

  private func before() -> Before {
    var before = Before()
    for target in session.targets {
      guard let field = target.field else { continue }
      if session.isList(target) { before.rows.append((target, session.way(to: target), session.rows(of: target))) }
      if form.fields[field].unit == nil {
        before.values.append((target, session.way(to: target), session.value(of: target)))
      }
    }
    return before
  }

  /// While an input method composes a value, no check and no lookup asks about it.
  private mutating func checkAsksNothing(_ turn: Turn, during input: Input) {
    guard case .change(let changes, _, true, false) = input else { return }
    for effect in turn.starts {
      guard case .provider(let request) = effect.request, ["p", "l"].contains(request.name) else { continue }
      let composed = changes.compactMap { session.value(of: $0.target) }
      if composed.contains(where: { $0 == request.arguments["v"] }) {
        found("\(request.name) asks about a value that is being composed")
      }
    }
  }

  /// While the user only types, no check asks that waits for the end of that. Only a tap that is held lets it ask.
  private mutating func checkMoments(of turn: Turn, during input: Input) {
    guard openTaps.isEmpty, plan.checks.allSatisfy({ $0.ask != .change }),
      case .change(let changes, _, _, false) = input
    else { return }
    let typed = changes.compactMap { session.value(of: $0.target) }
    for effect in turn.starts {
      guard case .provider(let request) = effect.request, request.name == "p" else { continue }
      if typed.contains(where: { $0 == request.arguments["v"] }) { found("a check asks while the user types") }
    }
  }

  /// A list with rows that is required and absent is judged as empty. Options that read a lookup by an output wait for
  /// it.
  private mutating func checkListsAndOptions(_ document: JSON) {
    for (list, code) in plan.rulesOfLists where !form.fields[list].admitsNull {
      let (name, value) = (plan.fields[list].path[0], session.value(of: ResolvedAddress(row: 0, field: list, rest: [])))
      guard let state = document["fields"]?[name], state["isVisible"] == true, state["isRequired"] == true, value == nil
      else { continue }
      let codes = (state["errors"]?.arrayValue ?? []).map { $0["code"] }
      if !codes.contains(.string(code)) { found("\(name) is absent and required, and \(code) passes") }
    }
    for (field, lookup) in plan.optionsByOutput where document["lookups"]?[lookup]?["isLoading"] == true {
      for target in session.targets where target.field == field {
        let state = document.state(at: session.way(to: target))
        if state?["isVisible"] != false, state?["isPending"] != true {
          found("\(session.way(to: target)) does not wait for \(lookup)")
        }
      }
    }
  }

  /// The turn must send each changed value that the client has not sent. A value that a throttle held back was sent
  /// before.
  private mutating func checkTold(by turn: Turn, after input: Input, _ before: Before) {
    var isReset = false
    var sent: [[String]] = []
    switch input {
    case .reset(let keepValues): isReset = !keepValues
    case .resetField, .undo, .redo: isReset = true
    case .set(let field, _): sent = [form.fields[field].path]
    case .change(let changes, _, _, _):
      sent = changes.filter { $0.field >= 0 }.map { session.way(to: $0.target) }
    default: break
    }
    let told = session.told(turn.told)
    func isTold(_ way: [String]) -> Bool {
      (1...way.count).contains { count in
        let address = JSONPointer(tokens: Array(way[..<count])).address
        return told.absent.contains(address) || told.values[address] != nil
      }
    }
    for (target, way, old) in before.values where !sent.contains(where: { way.starts(with: $0) }) {
      if target.row != 0, session.list(of: target.row) == nil { continue }
      if !isReset && plan.fields[target.field ?? 0].isDelayed { continue }
      let now = session.value(of: target)
      let isSame =
        switch (old, now) {
        case (nil, nil): true
        case (let old?, let now?): old.isIdentical(to: now)
        default: false
        }
      if isSame || plan.hasSecrets && now != nil { continue }
      // A held-back value takes effect before the reset: then the field may hold the value that its client has sent.
      if let last = typed[way], (last == "" ? nil : last) == now { continue }
      if !isTold(way) { found("\(way) has moved to \(now ?? "nothing"), and \(told) was told") }
    }
    guard isReset, !plan.hasSecrets else { return }
    for (list, way, rows) in before.rows where list.row == 0 || session.list(of: list.row) != nil {
      if session.rows(of: list) != rows, !isTold(way) { found("the rows of \(way) are others, and \(told) was told") }
    }
  }

  /// Whether the bytes after an input are known exactly before: no row comes or goes, no value is delayed, and no field
  /// changes that the input does not name.
  private func isGrowthExact(of input: Input) -> Bool {
    if plan.hasTriggers || session.holdsChanges { return false }
    switch input {
    case .set(let field, _): return !plan.fields[field].isDelayed && !form.holdsRows(below: field)
    case .change(let changes, _, _, _):
      return !changes.contains { $0.field >= 0 && (plan.fields[$0.field].isDelayed || form.holdsRows(below: $0.field)) }
    case .setContext: return plan.hasContext
    case .focus, .blur, .detach, .fail, .show, .tap, .cancel, .flush, .timer, .effect: return true
    case .insert, .remove, .move, .reset, .resetField, .undo, .redo, .setLocale, .prepared: return false
    }
  }

  /// The patch as the daemon writes it.
  private func writtenPatch(of turn: Turn) -> JSON {
    let buffer = OutputBuffer()
    engine.writePatch(of: turn, in: session, into: buffer)
    return (try? JSON(parsing: Array(buffer.bytes))) ?? .null
  }

  /// A slow reader has not been sent the changes of some turns. Its values and the current values then make one patch.
  private mutating func holdBack(_ changes: [DocumentChange]) {
    for change in changes {
      heldBack[change.cell] = heldBack[change.cell]?.beforeBoth(later: change.old) ?? change.old
    }
    guard turns % 4 == Int(seed % 4) else { return }
    sendWhatIsHeldBack()
    if late != kept { found("sent late the document is\n  \(late)\nand it is\n  \(kept)") }
  }

  private mutating func sendWhatIsHeldBack() {
    late.merge(
      session.patch(
        heldBack.map { DocumentChange(cell: $0.key, old: $0.value) }.sorted { $0.cell < $1.cell }
      )
    )
    heldBack = [:]
  }

  /// The input without changes of parts that are not there, which the engine passes over.
  private func withoutRefused(_ input: Input) -> Input {
    guard case .change(let changes, let origin, let isComposing, let commit) = input else { return input }
    var accepted: [FieldChange] = []
    for change in changes where accepts(accepted + [change], origin) { accepted.append(change) }
    return .change(accepted, origin: origin, isComposing: isComposing, commit: commit)
  }

  private func accepts(_ changes: [FieldChange], _ origin: Origin) -> Bool {
    (try? session.prepare(changes, origin: origin)) != nil
  }

  /// The input as a server applies it: prepared, if all its changes are accepted. Every other time it is as it was.
  private func prepared(_ input: Input) -> Input {
    guard turns % 2 == 0, case .change(let changes, let origin, let isComposing, let commit) = input,
      let prepared = try? session.prepare(changes, origin: origin, isComposing: isComposing, commit: commit)
    else { return input }
    return .prepared(prepared)
  }

  private mutating func ended(_ turn: Turn) {
    for effect in turn.starts {
      checkIsChecked(effect)
      var random = SeededGenerator(seed: seed ^ (effect.id.rawValue &* 0x9E37))
      let latency = Int64(random.pick([0, 10, 200, 450, 1_500, 5_000]))
      answers.append((now + .milliseconds(latency), effect.id, Self.response(to: effect.request, &random)))
    }
    for id in turn.cancels where id.rawValue % 2 == 0 {
      // The peer still answers an effect that was given up: it was too late to stop.
      answers.removeAll { $0.id == id }
    }
    let document = session.document
    if document != kept { return found("the kept document\n  \(kept)\nis not the fresh one\n  \(document)") }
    if let problem = session.checkInvariants().first { return found(problem) }
    checkStep(document)
    checkSecrets(document, turn)
    checkVerdicts(document)
    checkLookups(document)
    checkListsAndOptions(document)
    checkSnapshot()
    let revision = session.revision
    let again = engine.recomputeFromScratch(session, at: now)
    if again.hasUpdate || !again.starts.isEmpty || !again.cancels.isEmpty || session.revision != revision {
      found("computed from scratch it changes: \(session.patch(engine.changes(of: again)))")
    }
  }

  /// The service answers that each value with an x is taken.
  private static func response(to request: EffectRequest, _ random: inout SeededGenerator) -> EffectResponse {
    if random.chance(15) { return EffectResponse(kind: random.pick([.refused, .gone, .error, .timeout])) }
    guard case .provider(let provider) = request else { return EffectResponse(kind: .error) }
    if provider.name == "l" { return EffectResponse(kind: .ok, body: ["of": provider.arguments["v"] ?? .null]) }
    if provider.name == "p" {
      return EffectResponse(
        kind: .ok,
        body: .bool(!(provider.arguments["v"]?.stringValue?.utf8.contains(0x78) ?? false))
      )
    }
    return EffectResponse(kind: .ok, body: random.pick([true, false, 1]))
  }

  /// No value is sent that no check of the action's scope has asked about, or that one refuses.
  private mutating func checkIsChecked(_ effect: Effect) {
    guard case .provider(let request) = effect.request else { return }
    if request.name == "p", let value = request.arguments["v"]?.stringValue { asked.insert(value) }
    guard request.name == "q", let action = request.arguments["action"]?.integerValue else { return }
    for check in plan.checks where !check.hasGate && !check.trustsInitial {
      guard plan.scopes[Int(action)]?.contains(check.field) ?? true else { continue }
      let path = plan.fields[check.field].path
      let outmost = path.firstIndex(of: "*") ?? path.count
      let sent = request.arguments[JSONPointer(tokens: Array(path[..<outmost])).address]
      for value in sent?.values(at: path[outmost...]) ?? [] {
        guard let value = value.stringValue, !value.isEmpty else { continue }
        if !asked.contains(value) || check.blocks && value.utf8.contains(0x78) { found("\(path) was sent unchecked") }
      }
    }
  }

  // MARK: Properties

  mutating func found(_ problem: String) {
    if finding == nil { finding = Finding(step: step, problem: problem) }
  }

  /// The user is at the step that they went to. While it is hidden, they are at the next visible step, else at the last
  /// visible step before it.
  private mutating func checkStep(_ document: JSON) {
    let ids = form.steps.map(\.id)
    let shown = ids.indices.filter { document["steps"]?[ids[$0]]?["isVisible"] == true }
    let expected = shown.first { $0 >= chosenStep } ?? shown.last
    if document["step"] != expected.map({ .string(ids[$0]) }) {
      found("the step is \(document["step"] ?? "none"), went to \(chosenStep) and \(shown) are shown")
    }
    for (index, step) in form.steps.enumerated() where !shown.contains(index) {
      for field in step.fields.flatMap({ $0..<form.fields[$0].end })
      where document.state(at: form.fields[field].path)?["isVisible"] != false {
        found("\(form.fields[field].address) is shown in a hidden step")
      }
    }
  }

  private mutating func checkSecrets(_ document: JSON, _ turn: Turn) {
    guard plan.hasSecrets else { return }
    let told =
      "\(document) \(session.values()) \(session.told(turn.told)) \(turn.events) \(turn.faults) \(session.patch(engine.changes(of: turn)))"
    if told.utf8.containsCanary { found("a secret got out: \(told)") }
  }

  /// A stale answer is never shown: a check's verdict is the service's verdict for the current value.
  private mutating func checkVerdicts(_ document: JSON) {
    for check in plan.checks {
      for target in session.targets where target.field == check.field { checkVerdict(of: check, at: target, document) }
    }
  }

  private mutating func checkVerdict(of check: RandomForm.CheckPlan, at target: ResolvedAddress, _ document: JSON) {
    let way = session.way(to: target)
    let cell = document.state(at: way)
    if cell == nil, target.row == 0 { return }
    let codes = (cell?["errors"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
    let isTaken = session.value(of: target)?.stringValue?.utf8.contains(0x78) ?? false
    if codes.contains(check.takenCode) && !isTaken { return found("\(way): a stale answer is shown") }
    let isSettled =
      rowModel?.isIgnored(target) == false && cell?["isPending"] != true && cell?["isVisible"] != false
      && cell?["isDirty"] == true && codes.isEmpty
      && !check.hasGate && !check.ignoresFailure && session.value(of: target) != nil && check.ask == .change
    if isSettled && isTaken { found("\(way): nothing is pending, and the check says nothing") }
  }

  /// A lookup's result is the service's answer for the current value, or for an earlier one while it asks.
  private mutating func checkLookups(_ document: JSON) {
    for lookup in plan.lookups {
      for target in session.targets where target.field == lookup.field { check(lookup, at: target, document) }
    }
  }

  /// Checks one row, or the form.
  private mutating func check(_ lookup: RandomForm.LookupPlan, at target: ResolvedAddress, _ document: JSON) {
    let way = session.way(to: target)
    let row = lookup.row.map { Array(way.prefix(plan.fields[$0].path.count)) }
    // In rows the defaults are left out.
    let told = (row.map { document.state(at: $0) } ?? document)?["lookups"]?[lookup.name]
    var cell = told
    if row != nil {
      cell = ["isLoading": false]
      cell?.merge(told ?? [:])
    }
    let name = "\(lookup.name) of \(way)"
    let value = document.state(at: way)?["isVisible"] == false ? nil : session.value(of: target)
    guard let value else {
      if cell != ["isLoading": false] { found("\(name) has nothing to ask, and is \(cell ?? "not there")") }
      return
    }
    if cell?["value"] != nil, cell?["error"] != nil { found("\(name) has a value and an error") }
    guard cell?["isLoading"] == false, cell?["error"] == nil else { return }
    if let found = cell?["value"], found != (["of": value] as JSON).withoutNullMembers {
      self.found("\(name) has found \(found), and the value is \(value)")
    }
    if !lookup.hasGate, plan.fields[lookup.field].kind == .text, case .string = value, cell?["value"] == nil {
      found("\(name) has asked nothing of \(value)")
    }
  }

  /// A reset does not repeat inquiries that are answered or running.
  private mutating func checkAsksNothingAgain(_ turn: Turn) {
    for effect in turn.starts {
      guard case .provider(let request) = effect.request, request.name == "l",
        let lookup = kept["lookups"]?["l\(request.arguments["n"]?.integerValue ?? 0)"], lookup["isLoading"] == false,
        let known = lookup["value"]?["of"], known == request.arguments["v"]
      else { continue }
      found("a reset asks again of \(known)")
    }
  }

  private mutating func checkTyped(below way: [String]) {
    for target in session.targets {
      let own = session.way(to: target)
      guard own.starts(with: way), let last = typed[own] else { continue }
      let wanted = last == "" ? nil : last
      if session.value(of: target) != wanted { found("\(own) does not hold what was typed last") }
    }
  }

  /// The current values as formulas would read them: one of another type is absent.
  private var currentInitials: [JSON] {
    let values = session.values()
    return plan.initialsTold.map { field in
      let value = values[plan.fields[field].path[0]]
      return switch (plan.fields[field].kind, value) {
      case (.text, .string?), (.flag, .bool?), (.anything, .some): value ?? .null
      case (.number, .integer?): value ?? .null
      case (.number, .real(let number)?):
        form.fields[field].type == .number || Int64(exactly: number) != nil ? .real(number) : .null
      case (.text, _): form.fields[field].admitsNull ? .null : ""
      case (.flag, _): false
      default: .null
      }
    }
  }

  /// The output `initial` tells the initial values.
  private mutating func checkInitials(in document: JSON) {
    guard !plan.initialsTold.isEmpty else { return }
    let told = document["outputs"]?["initial"] ?? .null
    if told != JSON.array(initials).withoutNullMembers {
      found("the initial values are \(initials), and it tells \(told)")
    }
  }

  /// A trusted value has no error but that it is missing, and a changed one is not trusted.
  private mutating func checkTrust(in document: JSON) {
    for target in session.targets {
      guard let field = target.field, plan.fields[field].isTrusted, plan.fields[field].source == nil,
        plan.fields[field].decider == nil, plan.fields[field].row == nil
      else { continue }
      let state = document.state(at: session.way(to: target))
      let errors = (state?["errors"]?.arrayValue ?? []).filter { $0["code"] != "required" }
      let isDirty = state?["isDirty"] == true
      let isEmpty = state?["isEmpty"] == true
      let blocking = errors.contains { $0["severity"] == "error" && $0["source"] == "schema" }
      let trusted = errors.contains { $0["severity"] == "warning" && $0["source"] == "schema" }
      if isDirty, trusted { found("\(session.way(to: target)) is changed, and still trusted") }
      if !isDirty, !isEmpty, blocking { found("\(session.way(to: target)) is as in the beginning, and not trusted") }
    }
  }

  /// An output tells how many rows of a list count.
  private mutating func checkCounts(in document: JSON) {
    for list in plan.countedLists where !form.fields[list].admitsNull {
      let name = plan.fields[list].path[0]
      guard document["fields"]?[name]?["isVisible"] == true,
        session.value(of: ResolvedAddress(row: 0, field: list, rest: []))?.arrayValue != nil
      else { continue }
      guard let count = rowModel?.rowCount(ofList: list, document) else { return }
      let told = document["outputs"]?["\(name)Count"] ?? .null
      if told != .integer(Int64(count)) { found("\(name) has \(count) rows that count, and \(told) is told") }
    }
  }

  /// The outputs `context` and `hasToken` tell the parts of the context that was given last.
  private mutating func checkContext(in document: JSON) {
    guard plan.hasContext else { return }
    let given = JSON.object(context ?? [:])
    let expected: JSON = [given["role"] ?? "", given["level"] ?? .null, given["user"]?["name"] ?? ""]
    let told = document["outputs"]?["context"] ?? .null
    if told != expected { found("the context is \(told), and \(expected) was given") }
    if document["outputs"]?["hasToken"] != .bool(given["token"] != nil) { found("the context has another token") }
  }

  /// If formulas read values alone, a session that is opened with equal values has an equal document.
  private mutating func checkAgainstFresh() {
    // In a fresh session, each value is an initial value.
    guard plan.isPure, finding == nil, !plan.fields.contains(where: \.isTrusted) else { return }
    // A value that a formula has suggested is given to the fresh session, and makes its row count.
    let hasSuggestions = plan.fields.contains {
      $0.row != nil && ($0.decider != nil || $0.source != nil && !$0.isComputed)
    }
    if hasSuggestions, plan.fields.contains(where: \.ignoresBlankRows) { return }
    let values = session.values(includingSecrets: true).objectValue ?? [:]
    for target in session.targets {
      let field = form.fields[target.field ?? 0]
      let value = session.value(of: target)
      // An initial value may be a disabled choice.
      if let disabled = plan.fields[target.field ?? 0].choices?.disabled, value == .string(disabled) { return }
      let hasBranchDefault = plan.fields[target.field ?? 0].decider != nil
      if value == nil, field.initial != nil || field.isSuggested || hasBranchDefault { return }
      // An emptied row is sent as null, or as "", which may be a value.
      if value == nil, session.isRow(target), field.admitsNull || field.keepsEmpty { return }
      // An object that consists only of hidden members does not count as a value. An object that was given as a whole
      // does, so the two differ.
      let state = kept.state(at: session.way(to: target))
      if field.unit != nil, value != nil, state?["isVisible"] != false, state?["isEmpty"] == true { return }
    }
    let other = ReferenceEngine(wallClock)
    let opened = other.open(
      form,
      options: OpenOptions(
        locale: session.locale,
        zone: session.zone ?? .utc,
        values: values,
        context: context,
        runsChecks: false
      ),
      at: now
    )
    let fresh = opened.document
    let (targets, freshTargets) = (session.targets, opened.targets)
    if targets.map(\.field) != freshTargets.map(\.field) {
      return found("the rows differ from those of a fresh session")
    }
    for (target, freshTarget) in zip(targets, freshTargets) {
      let way = session.way(to: target)
      let (there, here) = (fresh.state(at: opened.way(to: freshTarget)), kept.state(at: way))
      for cell in ["isVisible", "isEnabled", "reason", "isRequired", "isEmpty"] where there?[cell] != here?[cell] {
        return found("\(way).\(cell) differs from that of a fresh session")
      }
      if Self.synchronous(there?["errors"]) != Self.synchronous(here?["errors"]) {
        return found("the errors of \(way) differ from those of a fresh session: \(fresh)\n  \(kept)")
      }
      if there?["outputs"] != here?["outputs"] {
        return found("the outputs of \(way) differ from those of a fresh session")
      }
    }
    for step in form.steps.map(\.id)
    where fresh["steps"]?[step]?["isVisible"] != kept["steps"]?[step]?["isVisible"] {
      return found("steps.\(step).isVisible differs from that of a fresh session")
    }
    // The fresh session asks nothing, so that no formula of a lookup or check fails there.
    func own(_ document: JSON) -> [JSON]? {
      document["errors"]?.arrayValue?.filter { error in
        let code = error["code"]?.stringValue ?? ""
        return !code.hasPrefix("lookups") && !code.hasPrefix("checks")
      }
    }
    if own(fresh) != own(kept) { return found("the form's errors differ from those of a fresh session") }
    if fresh["outputs"] != kept["outputs"] {
      found("outputs differ from those of a fresh session: \(fresh)\n  \(kept)")
    }
  }

  private static func synchronous(_ errors: JSON?) -> [JSON] {
    (errors?.arrayValue ?? []).filter { $0["source"] == "schema" || $0["source"] == "rule" }
  }
}

/// The wall clock of simulated lives. The clock of an engine goes from one life to the next.
final class SimulatedWallClock {
  /// The clock's time at the beginning of the life, in milliseconds since 1970, plus all later settings of the clock.
  var milliseconds: Int64 = 0
  /// How long the life is.
  var instant = Instant.milliseconds(0)

  var time: Timestamp {
    let now = milliseconds + instant.nanoseconds / 1_000_000
    return Timestamp(seconds: now / 1_000, nanoseconds: Int32(now % 1_000) * 1_000_000) ?? .epoch
  }
}

extension Input {
  fileprivate var isTap: Bool { if case .tap = self { true } else { false } }
}

extension FieldChange {
  /// The field that it is about; none if it is about the values as a whole.
  var target: ResolvedAddress { ResolvedAddress(row: row, field: field == Self.root ? nil : field, rest: []) }
}

extension Form {
  /// Whether a field is a list with rows, or holds one.
  func holdsRows(below field: Int) -> Bool { (field..<fields[field].end).contains { fields[$0].element != nil } }
}

extension JSON {
  /// The values in each row on the path.
  func values(at path: ArraySlice<String>) -> [JSON] {
    guard let name = path.first else { return [self] }
    if name == "*" { return (arrayValue ?? []).flatMap { $0.values(at: path.dropFirst()) } }
    return self[name]?.values(at: path.dropFirst()) ?? []
  }
}

extension String.UTF8View {
  var containsCanary: Bool {
    let canary = Array("CANARY".utf8)
    var matched = 0
    for byte in self {
      matched = byte == canary[matched] ? matched + 1 : byte == canary[0] ? 1 : 0
      if matched == canary.count { return true }
    }
    return false
  }
}
