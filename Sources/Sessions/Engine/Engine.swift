internal import Budgets
internal import CEL
internal import DocumentProperties
internal import Formats
public import Forms
public import JSON
internal import JSONSchema
public import Times

/// Computes sessions. One engine serves all sessions of one thread. Its own memory is scratch and empty between turns.
///
/// The engine has no socket, no clock and no thread. Its caller gives it each input with the time, and carries out the
/// ``Turn`` that comes back: it writes the update, and starts and cancels effects. At ``Session/deadline`` the caller
/// applies ``Input/timer``. The caller also gives the engine a wall clock, because formulas can read the date and the
/// time of day, and a clock of CPU time, which ends a turn that takes too long.
///
///     let (session, opening) = engine.open(form, at: now)
///     let turn = engine.apply(.set(field: 0, to: "kim@example.com"), to: session, at: now)
///     if turn.hasUpdate { engine.writePatch(of: turn, in: session, into: buffer) }
public final class Engine {
  /// The most that formulas, patterns and the schema may cost in one turn together, in units of about one CEL
  /// operation.
  public static let turnBudget = WorkBudget.unitsOfTurn
  /// The CPU time after which a turn's budget counts as spent, even if units are left. It is the last limit for work
  /// that costs more than its units. A normal form needs far less.
  public static let turnCPUTimeMax = Duration.milliseconds(isDebugBuild ? 250 : 25)
  /// Such a build is not optimized: everything takes ten times as long.
  #if DEBUG
    private static let isDebugBuild = true
  #else
    private static let isDebugBuild = false
  #endif
  /// How many runs of one action may be under way or wait, and how many of its taps may wait for checks. More are
  /// dropped, so that a client cannot make the session grow.
  public static let runsMax = 100
  /// How many bytes of submitted values the runs of one action may keep. A run beyond that is dropped.
  public static let runBytesMax = 4 << 20
  /// How many errors of the schema a field lists if the caller does not set it.
  public static let errorsPerFieldMaxDefault = 20
  /// How often one turn may release a held tap and compute again. Each round uses up a tap, so only a bug can reach
  /// this.
  private static let roundsMax = 10_000

  /// How many schema errors of its value a field lists, at least 1. An incomplete list gives the count of all.
  public var errorsPerFieldMax = Engine.errorsPerFieldMaxDefault
  /// The number of the last turn.
  private var turnNumber = 0
  /// The results of the current turn other than changed cells. Nil between turns.
  private var details: Turn.Details?
  /// The cells that the last turn changed.
  var changeList = ChangeList()
  /// The visible values of all fields, once a keyword of the schema has needed them. Nil outside of ``propagate(_:)``.
  var allValues: JSON?
  /// The visible fields with null instead of each value, for keywords that only ask which are there.
  var allPresence: JSON?

  var dirty = DirtySet()
  /// The row work of the current turn. Empty between turns.
  var rowWork = RowWork()
  /// Room for the cells that a formula reads, by slot, if they are not in one block: cells of several instances, or
  /// `response`. All entries are null between uses.
  private var gathered: [Value] = []
  /// The nulls that replace a list for a keyword that only counts its rows. There are as many as the list had last
  /// time.
  var nulls: [JSON] = []
  /// For each cell, the ``noteStamp`` of the turn that noted its old value last.
  private var notedCells = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private var notedCellCount = 0
  /// Identifies the current turn: no cell has it when a turn begins. It is never 0, which means no turn.
  private var noteStamp: UInt32 = 0
  /// Whether a cell has changed twice in this turn.
  var mayHaveChangedBack = false
  var now = Instant(nanoseconds: 0)
  /// Parts of snapshots are written here.
  lazy var snapshotBuffer = OutputBuffer()
  /// Makes a text that no other session has, for requests that name their run. The default is 128 random bits.
  package var newIdentity: () -> String = Engine.randomIdentity
  /// Tells the time of day. Only turns of forms that read it call it.
  let wallClock: () -> Timestamp
  /// The rest of the current turn's budget.
  var budget: WorkBudget
  var counters = WorkCounters()
  /// The sender of the next input, if several clients share the session. Its values are noted (``Turn/given``), and so
  /// are the fields that it is in. 0 means no client. Nil means that one client has the session, and then nothing is
  /// noted.
  package var sender: Int32?
  /// Called with the outcome that each answer takes, for reports of test coverage. Only answers use it.
  package var onOutcome: ((OutcomeTaken) -> Void)?
  #if DEBUG
    /// Formulas that the last turn evaluated.
    package var evaluations: Int { counters.evaluations }
    /// Fields whose values the last turn gathered for object-level keywords of the schema.
    package var valuesVisited: Int { counters.valuesVisited }
    /// The units that the last turn has left of its budget.
    package var unitsLeft: Int { budget.unitsLeft }
  #endif

  /// An engine with no session.
  ///
  /// - Parameters:
  ///   - wallClock: tells the time of day, for forms that read `today` or `now`. It may jump when an operator sets it.
  ///     Without a clock it is always the beginning of 1970.
  ///   - cpuTime: tells how much CPU time the engine's thread has used (``WorkBudget/threadCPUTime()``), for
  ///     ``turnCPUTimeMax``. Without it, only the units of ``turnBudget`` end a turn.
  public init(wallClock: @escaping () -> Timestamp = { .epoch }, cpuTime: @escaping () -> Duration = { .zero }) {
    self.wallClock = wallClock
    budget = WorkBudget(
      units: Self.turnBudget,
      net: WorkBudget.Net(cpuTimeMax: Self.turnCPUTimeMax, cpuTime: cpuTime)
    )
  }

  deinit {
    notedCells.deallocate()
  }

  // MARK: Life of a session

  /// Opens a session and computes its first document, revision 0.
  ///
  /// Values may have members that are not fields: the schema judges them.
  ///
  /// - Returns: the session, and the results of opening it, such as effects that checks need at once.
  public func open(
    _ form: Form,
    options: OpenOptions = OpenOptions(),
    at now: Instant
  ) -> (session: Session, turn: Turn) {
    let session = Session(form: form, locale: options.locale ?? form.locale)
    begin(session, at: now)
    setClock(of: session, zone: options.zone)
    if options.show == .always { session.flags.insert(.showsAlways) }
    if !options.runsChecks { session.flags.insert(.skipsChecks) }
    if let watch = options.watch { session.madeExtras.watched = form.layout.cells(under: watch, of: form) }
    session.flags.insert(.isOpening)
    setInitialValues(options.values, of: session, appliesDefaults: options.appliesDefaults)
    initializeSlots(of: session)
    for node in form.graph.nodes.indices { dirty.insert(Int32(node)) }
    propagate(session)
    if session.flags.contains(.hasFaults) { settleFaults(session) }
    session.flags.remove(.isOpening)
    return (session, end(session, hasUpdate: false))
  }

  /// Applies one input. The caller must carry the turn out, because no other turn starts its effects or brings its
  /// patch.
  ///
  /// - Precondition: addresses belong to the session's form, and `now` is not before the `now` of an earlier call.
  /// - Returns: the results of the input.
  public func apply(_ input: consuming Input, to session: Session, at now: Instant) -> Turn {
    begin(session, at: now)
    if _slowPath(session.tables.pointee.readsTime) { lookAtClock(of: session, isTap: input.isTap) }
    if case .timer = input {} else { fireDueTimers(of: session) }
    // This case is tested first and taken apart afterwards. A switch that binds the other cases as a whole would copy
    // this one, too.
    if case .set = input {
      guard case .set(let field, let value) = consume input else { preconditionFailure("it was a value of a field") }
      if session.tables.pointee.fields[field].isPlain {
        let normalized = session.normalized(value, for: field, budget: &budget)
        applyValue(normalized, of: field, origin: .user, isComposing: false, in: session)
      } else {
        receive(FieldChange(field: field, value: value), origin: .user, isComposing: false, in: session)
      }
    } else {
      applyOther(input, to: session)
    }
    settle(session)
    return finish(session)
  }

  /// Inputs that are rarer than a whole value of a field. They are separate, so that they do not slow it down.
  @inline(never)
  private func applyOther(_ input: Input, to session: Session) {
    switch input {
    case .set: preconditionFailure("a value of a field is applied by itself")
    case .change(let changes, let origin, let isComposing, let commit):
      var left: [LiveField] = []
      for change in changes {
        // An earlier change may have removed its row.
        guard let instance = session.instance(of: change.row) else { continue }
        receive(change, origin: origin, isComposing: isComposing, in: instance)
        if commit, change.field != FieldChange.root {
          flush(field: change.field, of: instance)
          if endEditing(change.field, of: instance) { left.append(LiveField(change.field, in: instance)) }
        }
      }
      askAgain(left.filter { !($0.instance.row?.isGone ?? false) })
    case .focus(let field, let row):
      if let instance = session.instance(of: row) { beginEditing(field, of: instance) }
    case .blur(let field, let row):
      guard let instance = session.instance(of: row) else { break }
      flush(field: field, of: instance)
      if endEditing(field, of: instance) { askAgain([LiveField(field, in: instance)]) }
    case .leave(let isLast):
      leaveAll(session, isLast: isLast)
    case .insert(let list, let row, let position, let values):
      if let instance = session.instance(of: row) { insert(values, into: instance.list(of: list), at: position) }
    case .remove(let row):
      if let row = session.extras?.rows[row] { remove(row) }
    case .move(let row, let position):
      if let row = session.extras?.rows[row] { move(row, to: position) }
    case .fail(let field, let row, let message):
      if let instance = session.instance(of: row) { fail(field, message, in: instance) }
    case .tap(let action):
      receiveTap(action, in: session)
    case .show(let step):
      choose(step, in: session)
    case .setLocale(let locale):
      setLocale(locale, of: session)
    case .reset(let keepValues):
      reset(session, keepValues: keepValues)
    case .flush:
      flushAll(session)
      endCompositions(of: session)
      startChecks(in: .form, of: session)
    case .timer:
      fireTimer(of: session)
    case .effect(let id, let response):
      effectEnded(id, response, in: session)
    }
  }

  /// Computes every cell of the session again. For tests.
  ///
  /// - Returns: a turn without an update and without effects, unless the engine had computed something wrong before.
  package func recomputeFromScratch(_ session: Session, at now: Instant) -> Turn {
    begin(session, at: now)
    markAllStale(session)
    settle(session)
    return finish(session)
  }

  /// Makes a change and computes every cell again. Then it makes another change with these cells, and computes
  /// everything that depends on it. None of this is an update.
  func recompute(_ session: Session, at now: Instant, after change: () -> Void, then next: () -> Void) -> Turn {
    begin(session, at: now)
    session.flags.insert(.isOpening)
    change()
    markAllStale(session)
    propagate(session)
    next()
    propagate(session)
    if session.flags.contains(.hasFaults) { settleFaults(session) }
    session.flags.remove(.isOpening)
    return end(session, hasUpdate: false)
  }

  // MARK: A turn

  @inline(__always)
  private func begin(_ session: Session, at now: Instant) {
    self.now = now
    budget.refill(units: Self.turnBudget)
    counters = WorkCounters()
    let tables = session.tables
    dirty.reserve(Int(tables.pointee.nodeCount))
    if _slowPath(tables.pointee.hasRows) {
      rowWork.reserve(nodes: Int(tables.pointee.nodeCount), outputs: session.form.outputs.count)
    }
    noteStamp &+= 1
    let cellCount = Int(tables.pointee.cellCount)
    if _slowPath(noteStamp == 0 || notedCellCount < cellCount) { forgetNotes(cellCount) }
    changeList.removeAll()
    mayHaveChangedBack = false
  }

  /// Clears the notes of all cells, and makes room for so many.
  @inline(never)
  private func forgetNotes(_ count: Int) {
    notedCellCount = max(count, notedCellCount)
    notedCells.deallocate()
    notedCells = .allocate(capacity: notedCellCount)
    notedCells.initialize(repeating: 0, count: notedCellCount)
    noteStamp = 1
  }

  /// Fires the timers that are due, although the caller has not applied ``Input/timer`` yet. Otherwise a later input
  /// would still see a throttle window, or a run, that has already ended.
  @inline(__always)
  private func fireDueTimers(of session: Session) {
    guard let extras = session.extras else { return }
    while let deadline = extras.timers.deadline, deadline <= now {
      fireTimer(of: session)
      settle(session)
    }
  }

  /// Computes the stale nodes and releases the taps that waited for them, until nothing is left to do.
  func settle(_ session: Session) {
    propagate(session)
    guard let extras = session.extras else { return }
    if extras.compositions.areAny { askAfterCompositions(in: session, extras) }
    var rounds = 0
    while releaseHeldTap(of: session, extras), rounds < Self.roundsMax {
      propagate(session)
      rounds += 1
    }
  }

  @inline(__always)
  private func finish(_ session: Session) -> Turn {
    if _slowPath(session.flags.contains(.hasFaults)) { settleFaults(session) }
    if _slowPath(session.tables.pointee.hasRows) {
      gatherRowNotes(in: session)
      rowWork.forgetNotes()
    }
    if _slowPath(mayHaveChangedBack) { dropUnchanged(session) }
    let hasMore = details.map { $0.isToBeTold } ?? false
    let hasChanged = !changeList.isEmpty || hasMore
    if hasChanged {
      session.revision += 1
      session.marks?.isHeadMarked = true
    }
    if let watched = session.extras?.watched { keepWatched(watched) }
    changeList.sort()
    return end(session, hasUpdate: !changeList.isEmpty || hasMore)
  }

  /// Leaves out the cells that the session does not watch.
  @inline(never)
  private func keepWatched(_ watched: [Bool]) {
    changeList.removeAll { !watched[$0.cell] }
  }

  /// Makes the turn.
  @inline(__always)
  private func end(_ session: Session, hasUpdate: Bool) -> Turn {
    turnNumber &+= 1
    if _slowPath(session.tables.pointee.hasRows) { rowWork.end() }
    let turn = Turn(revision: session.revision, hasUpdate: hasUpdate, number: turnNumber, details: details)
    if details != nil { details = nil }
    return turn
  }

  /// The cells of the document that the turn changed, in the document's order, each with its old value.
  ///
  /// - Precondition: the turn is the engine's last one.
  public func changes(of turn: Turn) -> [DocumentChange] {
    checkIsLast(turn)
    return Array(changeList.all)
  }

  /// Stops the program when the cells that the turn changed are gone.
  @inline(__always)
  func checkIsLast(_ turn: Turn) {
    precondition(turn.number == turnNumber, "the engine has had another input since the turn")
  }

  /// Removes the cells that have their old value again.
  @inline(never)
  private func dropUnchanged(_ session: Session) {
    changeList.removeAll { change in
      guard !session.dropUnchanged(of: &change) else { return false }
      notedCells[change.cell] = 0
      return true
    }
  }

  // MARK: Noting changes

  /// Notes the value of a cell before the cell changes for the first time in this turn. When the change is not certain,
  /// the cell is compared again at the end of the turn.
  @inline(__always)
  func note(_ cell: Int, _ old: consuming DocumentValue, isCertain: Bool = true, in session: Session) {
    if _slowPath(session.flags.contains(.isOpening)) { return }
    noteChange(of: cell, old, isCertain: isCertain)
  }

  @inline(__always)
  private func noteChange(of cell: Int, _ old: consuming DocumentValue, isCertain: Bool = true) {
    if _slowPath(notedCells[cell] == noteStamp) {
      mayHaveChangedBack = true
      return
    }
    notedCells[cell] = noteStamp
    if !isCertain { mayHaveChangedBack = true }
    changeList.insert(cell, was: old)
  }

  /// Notes the value of a field's cell before it changes.
  @inline(__always)
  func note(
    _ property: FieldProperty,
    of field: Int,
    _ old: consuming DocumentValue,
    in instance: Instance
  ) {
    if _slowPath(instance.template != 0) { return noteInRow(property, of: field, old, instance) }
    if _slowPath(instance.asSession.flags.contains(.isOpening)) { return }
    noteChange(of: instance.tables.cell(field: field, property), old)
  }

  /// The turn's details, made when they are first needed.
  private var madeDetails: Turn.Details {
    if let details { return details }
    let fresh = Turn.Details()
    details = fresh
    return fresh
  }

  /// Rows that an input has put in.
  func inserted(_ rows: [Int]) { madeDetails.rows += rows }

  func emit(_ event: Event) { madeDetails.events.append(event) }

  /// Sends the client the current value, because the client cannot know it.
  func tell(_ id: ValueID) {
    let details = madeDetails
    if details.isTold.insert(id).inserted { details.told.append(id) }
  }

  /// Sends the client a value that has changed by itself, unless it is sent with the object around it.
  func tellMoved(_ field: Int, in instance: Instance) {
    var around: LiveField? = LiveField(field, in: instance)
    while let live = around {
      if details?.isTold.contains(ValueID(live.field, in: live.instance)) ?? false { return }
      around = live.around
    }
    tell(ValueID(field, in: instance))
  }

  /// Notes that an input has changed a value, if another client must get it.
  @inline(__always)
  func noteGiven(_ id: @autoclosure () -> ValueID) {
    if _slowPath(sender != nil) { keepGiven(id()) }
  }

  @inline(never)
  private func keepGiven(_ id: ValueID) {
    if let sender { madeDetails.given.append(GivenValue(id: id, sender: sender)) }
  }

  func start(_ effect: Effect) { madeDetails.starts.append(effect) }

  func timedOut(_ id: EffectID) { madeDetails.timeouts.append(id) }

  func cancel(_ id: EffectID) {
    // An effect of this very turn has not started yet.
    let details = madeDetails
    if let position = details.starts.firstIndex(where: { $0.id == id }) {
      details.starts.remove(at: position)
    } else {
      details.cancels.append(id)
    }
  }

  func answerTap(_ result: TapResult) { madeDetails.tap = result }

  func swallow(_ token: UInt64) { madeDetails.swallowedTaps.append(token) }

  /// A formula has no usable result. It is reported if it went right before.
  @inline(never)
  func report(_ formula: Formula, _ value: Value, in instance: Instance) {
    report(formula, reason: reason(for: value, of: formula), in: instance)
  }

  /// Reports a formula for a reason other than its result.
  func report(_ formula: Formula, reason: String, in instance: Instance) {
    if let node = instance.form.graph.node(of: formula) {
      instance.session.flags.insert(.hasFaults)
      let extras = instance.session.madeExtras
      guard extras.faults.note(formula, at: node, in: instance.rowID, reason: reason) else { return }
    }
    let details = madeDetails
    guard details.faults.count < 32 else { return }
    details.faults.append(Fault(formula: formula.pointer, cell: formula.cell, message: reason))
  }

  /// The reason for which this turn has reported a formula.
  func reportedReason(of formula: Formula) -> String? {
    details?.faults.last { $0.formula == formula.pointer }?.message
  }

  /// The reason in words for the log. The text of an error could contain a value that the formula read. So the reason
  /// has only the kind and the operands' types, and for a secret not even the types.
  func reason(for value: Value, of formula: Formula) -> String {
    if formula.readsSecret { return "run-time error" }
    if case .error(let error) = value { return formula.program.typesOnly(of: error) }
    return "the result is of type \(value.runtimeType?.name ?? "unknown")"
  }

  /// Adds form errors for the formulas that go wrong now. Not inlined, because hardly any session needs it.
  @inline(never)
  private func settleFaults(_ session: Session) {
    let extras = session.madeExtras
    let before = extras.faultBytes
    let hasChanged = extras.faults.settle()
    if extras.faults.isEmpty { session.flags.remove(.hasFaults) }
    extras.faultBytes = extras.faults.bytes
    session.computedBytes += extras.faultBytes - before
    guard hasChanged else { return }
    formChanged(.formObjectErrors, in: session)
    propagate(session)
  }

  /// Reports a keyword of the schema that could not be judged within the turn's budget.
  func report(_ failure: Failure) {
    let details = madeDetails
    guard details.faults.count < 32 else { return }
    let location = JSONPointer(tokens: ["schema"] + failure.keywordLocation.tokens).description
    details.faults.append(
      Fault(formula: location, cell: "schema", message: "the schema takes more steps than a turn may")
    )
  }

  // MARK: What depends on what

  /// Facts about a field have changed: the nodes that read them become stale.
  @inline(__always)
  func changed(_ facts: FactSet, ofField field: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofField: field), instance)
  }

  /// Facts about a check have changed.
  @inline(__always)
  func changed(_ facts: FactSet, ofCheck check: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofCheck: check), instance)
  }

  /// Facts about a step have changed.
  @inline(__always)
  func changed(_ facts: FactSet, ofStep step: Int, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.first(ofStep: step), session)
  }

  /// Facts about a lookup have changed.
  func changed(_ facts: FactSet, ofLookup lookup: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofLookup: lookup), instance)
  }

  /// Facts about an action have changed.
  @inline(__always)
  func changed(_ facts: FactSet, ofAction action: Int, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.first(ofAction: action), session)
  }

  /// Facts about the form as a whole have changed.
  @inline(__always)
  func formChanged(_ facts: FactSet, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.firstOfForm, session)
  }

  /// Whether a formula, or the text of a rule, reads the position of a row of a template.
  func isIndexRead(_ template: Int, in instance: Instance) -> Bool {
    let fact = instance.tables.pointee.facts.number(.row(template), .index)
    return instance.tables.pointee.readerStarts[fact] < instance.tables.pointee.readerStarts[fact &+ 1]
  }

  /// The position of a row in its list has changed.
  func indexChanged(of row: Row) {
    mark(.index, from: row.tables.pointee.facts.first(ofRowsOf: row.template), row)
  }

  /// Facts about a column have changed.
  func changed(_ facts: FactSet, ofColumn column: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofColumn: column), instance)
  }

  /// Facts with those numbers have changed, beginning at the first fact of their owner: the nodes that read them become
  /// stale.
  @inline(__always)
  func mark(_ facts: FactSet, from first: Int, _ instance: Instance) {
    if _slowPath(instance.tables.pointee.hasRows) { return markAcrossRows(facts, from: first, instance) }
    markWithoutRows(facts, from: first, instance.tables)
  }

  /// Marks the readers of facts in a form that has no rows.
  @inline(__always)
  func markWithoutRows(_ facts: FactSet, from first: Int, _ tables: UnsafePointer<FormTables>) {
    var rest = facts.rawValue
    while rest != 0 {
      let fact = first &+ rest.trailingZeroBitCount
      rest &= rest &- 1
      // Most facts have all their readers in one word.
      var word = tables.pointee.readerWords + fact
      while true {
        let nodes = word.pointee.nodes
        if nodes != 0 { dirty.insert(nodes, inWord: Int(word.pointee.number)) }
        let next = Int(word.pointee.next)
        if next == 0 { break }
        word = tables.pointee.readerWords + next
      }
    }
  }

  // MARK: Slots

  /// Stores a value that formulas read. Returns whether it differs from the one before.
  @inline(__always)
  func store(_ value: consuming Value, in slot: Int32, of instance: Instance) -> Bool {
    let storage = instance.slots + Int(slot)
    if storage.borrowed.pointee.content == value { return false }
    storage.pointee = value
    return true
  }

  /// Stores a text that formulas read. Returns whether it differs from the one before.
  @inline(__always)
  func store(_ text: borrowing String, in slot: Int32, of instance: Instance) -> Bool {
    let storage = instance.slots + Int(slot)
    if storage.borrowed.pointee.isText(text) { return false }
    storage.pointee = .string(copy text)
    return true
  }

  /// Stores a truth value that has changed, if formulas read it.
  @inline(__always)
  func store(_ flag: Bool, in slot: Int32, of instance: Instance) {
    // Such a slot only holds truth values, so nothing has to be released.
    if slot >= 0 { (instance.slots + Int(slot)).initialize(to: .bool(flag)) }
  }

  /// The cells that formulas of a form's top level read, by slot.
  @inline(__always)
  private func cells(of instance: Instance) -> UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: instance.slots, count: Int(instance.tables.pointee.slotCount))
  }

  @inline(__always)
  func evaluate(_ formula: Formula, in instance: Instance) -> Value {
    counters.evaluated()
    if _slowPath(instance.template != 0) { return evaluate(formula, inRow: instance) }
    return formula.evaluate(cells(of: instance), budget: &budget)
  }

  /// The cells that formulas of a row read, by slot. They may be cells of the row, and of all rows and the form around
  /// it.
  @inline(never)
  private func evaluate(_ formula: Formula, inRow instance: Instance) -> Value {
    withCells(readBy: formula, in: instance) { formula.evaluate(UnsafeBufferPointer($0), budget: &budget) }
  }

  /// Calls with the cells that a formula reads, by slot, and with memory for the slots before
  /// ``SlotTable/firstOfSession``.
  func withCells<Result>(
    readBy formula: Formula,
    in instance: Instance,
    _ body: (UnsafeMutableBufferPointer<Value>) -> Result
  ) -> Result {
    let tables = instance.tables
    let slotCount = Int(tables.pointee.slotCount)
    if gathered.count < slotCount { gathered = [Value](repeating: .null, count: slotCount) }
    for slot in formula.reads {
      let owner = instance.instance(of: Int(tables.pointee.slotTemplates[slot]))
      gathered[slot] = owner.slots[Int(tables.pointee.slotOffsets[slot])]
    }
    defer { for slot in formula.reads { gathered[slot] = .null } }
    return gathered.withUnsafeMutableBufferPointer { body($0) }
  }

  /// Evaluates a formula of the form's tables. The instance keeps the form, and so the formula, alive.
  @inline(__always)
  func evaluate(_ formula: Unmanaged<Formula>, in instance: Instance) -> Value {
    formula._withUnsafeGuaranteedRef { evaluate($0, in: instance) }
  }

  /// The storage of a formula's result, if it is a text that is in memory already. The storage is valid until a cell
  /// that the formula reads changes.
  @inline(__always)
  func storage(of formula: Formula, in instance: Instance) -> UnsafePointer<Value>? {
    // The cells that a row's formula reads are gathered, and are together only while it is evaluated.
    if _slowPath(instance.template != 0) { return nil }
    return formula.storage(cells(of: instance), budget: &budget)
  }

  /// The result of a condition.
  @inline(__always)
  func condition(_ formula: Formula, in instance: Instance) -> Condition {
    counters.evaluated()
    if _slowPath(instance.template != 0) { return condition(formula, inRow: instance) }
    return formula.condition(cells(of: instance), budget: &budget)
  }

  @inline(never)
  private func condition(_ formula: Formula, inRow instance: Instance) -> Condition {
    withCells(readBy: formula, in: instance) { formula.condition(UnsafeBufferPointer($0), budget: &budget) }
  }

  /// Whether a condition holds. An absent condition does not hold. A condition with a run-time error does not hold
  /// either, and is reported.
  @inline(__always)
  func isTrue(_ formula: Formula, in instance: Instance) -> Bool {
    switch condition(formula, in: instance) {
    case .yes: return true
    case .no, .absent: return false
    case .noTruth(let value):
      report(formula, value, in: instance)
      return false
    }
  }
}

/// How a session is opened.
public struct OpenOptions: Sendable {
  /// The locale of its texts. Nil means the form's default.
  public var locale: String?
  /// The zone in which it is `today`.
  public var zone: Zone
  /// Initial values as one object, over the schema's defaults.
  public var values: JSONObject?
  /// Whether the schema's defaults replace members that ``values`` lack.
  public var appliesDefaults: Bool
  /// If `always`, every field shows its messages from the beginning, whatever its own policy.
  public var show: ShowPolicy?
  /// The parts of the document that the client wants. Nil means all.
  public var watch: [JSONPointer]?
  /// Whether checks run at all.
  public var runsChecks: Bool

  /// Options of those values.
  public init(
    locale: String? = nil,
    zone: Zone = .utc,
    values: JSONObject? = nil,
    appliesDefaults: Bool = true,
    show: ShowPolicy? = nil,
    watch: [JSONPointer]? = nil,
    runsChecks: Bool = true
  ) {
    self.locale = locale
    self.zone = zone
    self.values = values
    self.appliesDefaults = appliesDefaults
    self.show = show
    self.watch = watch
    self.runsChecks = runsChecks
  }
}
