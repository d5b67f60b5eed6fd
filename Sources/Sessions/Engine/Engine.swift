internal import Budgets
internal import CEL
internal import DocumentProperties
internal import Formats
public import Forms
internal import JSON
internal import JSONSchema
internal import Texts
public import Times

/// Computes sessions. One engine serves all sessions of one thread. Its own memory is scratch. Between turns it has
/// only the changes of the last turn, which are still to be written.
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
  // MARK: Limits

  /// The most that formulas, patterns and the schema may cost in one turn together, in units of about one CEL
  /// operation.
  public static let turnBudget = WorkBudget.unitsOfTurn
  /// The CPU time after which a turn's budget counts as spent, even if units are left. It is the last limit for work
  /// that costs more than its units. A normal form needs far less.
  public static let turnCPUTimeMax = Duration.milliseconds(isDebugBuild ? 160 : 16)
  #if DEBUG
    /// A debug build is not optimized: everything takes ten times as long.
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
  /// How many edits a session keeps if the caller does not set it.
  public static let undoMaxDefault = 100
  /// How many bytes of edits a session keeps if the caller does not set it.
  public static let undoBytesMaxDefault = 256 << 10
  /// How often one turn may release a held tap and compute again. Each round uses up a tap, so only a bug can reach
  /// this.
  static let roundsMax = 10_000

  // MARK: Settings

  /// How many schema errors of its value a field lists, at least 1. An incomplete list gives the count of all.
  public var errorsPerFieldMax = Engine.errorsPerFieldMaxDefault
  /// How many edits of its users a session keeps to be undone and redone. The oldest are dropped.
  public var undoMax = Engine.undoMaxDefault
  /// How many bytes of them it keeps. The oldest edits are dropped.
  public var undoBytesMax = Engine.undoBytesMaxDefault

  // MARK: What the caller gives

  /// Tells the time of day. Only turns of forms that read it call it.
  let wallClock: () -> Timestamp
  /// Makes a text that no other session has, for requests that name their run. The default is 128 random bits.
  package var newIdentity: () -> String = { .randomHex(bits: 128) }

  // MARK: The current turn

  /// The time of the current turn, as the caller gives it.
  var now = Instant(nanoseconds: 0)
  /// The sender of the current input, as ``apply(_:to:by:at:)`` describes it. Each turn sets it at its beginning, so it
  /// has no meaning between turns.
  var sender: Sender?
  /// The rest of the current turn's budget.
  var budget: WorkBudget
  var counters = WorkCounters()
  /// The nodes that are still to be computed. Empty between turns.
  var staleNodes = StaleNodes()
  /// The row work of the current turn. Empty between turns.
  var rowWork = RowWork()
  /// The fields that the current turn resets.
  var turnResets = TurnResets()
  /// The visible values of all fields, once a keyword of the schema has needed them. Nil outside of ``propagate(_:)``.
  var allValues: JSON?
  /// The visible fields with null instead of each value, for keywords that only ask which are there.
  var allPresence: JSON?
  /// Whether ``propagate(_:)`` must look at ``allValues``, ``allPresence`` or ``turnResets`` before it ends.
  var hasLeftovers = false
  /// Whether the first document of a session is being computed, so that no change is noted.
  var isOpening = false
  /// The results of the current turn other than changed cells. Nil between turns.
  var details: Turn.Details?

  // MARK: The changes, which stay until the next turn begins

  /// The number of the last turn of any session, so that its patch is not written after a later turn.
  var turnNumber = 0
  /// The cells that the last turn changed.
  var changeList = ChangeList()
  /// For each cell, the ``noteStamp`` of the turn that noted its old value last.
  var notedCells = Places<UInt32>.allocate(1, repeating: 0)
  var notedCellCount = 0
  /// Identifies the current turn: no cell has it when a turn begins. It is never 0, which means no turn.
  var noteStamp: UInt32 = 0
  /// Whether a cell has changed twice in this turn.
  var mayHaveChangedBack = false

  // MARK: Scratch memory

  /// Room for the values that a formula reads, by slot, if they are not in one block: values of several instances, or
  /// `response`. All entries are null between uses.
  var gathered: [Value] = []
  /// The nulls that replace a list for a keyword that only counts its rows. There are as many as the list had last
  /// time.
  var nulls: [JSON] = []
  /// Parts of snapshots are written here.
  lazy var snapshotBuffer = OutputBuffer()

  // MARK: For reports and tests

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

  // MARK: Creation

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
    if !options.appliesDefaults { session.flags.insert(.ignoresDefaults) }
    if !options.trustsInitial { session.flags.insert(.trustsNothing) }
    if let watch = options.watch { session.madeExtras.watched = form.layout.cells(under: watch, of: form) }
    isOpening = true
    if let context = options.context { setContext(context, of: session) }
    setInitialValues(options.values, of: session, appliesDefaults: options.appliesDefaults)
    initializeSlots(of: session)
    storeInitialValues(of: session)
    for node in form.graph.nodes.indices { staleNodes.insert(Int32(node)) }
    propagate(session)
    if session.flags.contains(.hasFaults) { settleFaults(session) }
    isOpening = false
    if form.hasUndo { beginEdits(of: session) }
    return (session, makeTurn(of: session, hasUpdate: false))
  }

  /// Applies one input. The caller must carry the turn out, because no other turn starts its effects or brings its
  /// patch.
  ///
  /// - Parameter sender: the sender of the input, if several clients share the session. The turn then has the values of
  ///   the input (``Turn/given``), and the session knows which fields the client is in. With nil, one client has the
  ///   session, and nothing of it is noted.
  /// - Precondition: numbers belong to the session's form (the program stops if they do not), and `now` is not before
  ///   the `now` of an earlier call.
  /// - Returns: the results of the input.
  public func apply(
    _ input: consuming Input,
    to session: Session,
    by sender: Sender? = nil,
    at now: Instant
  ) -> Turn {
    begin(session, by: sender, at: now)
    if _slowPath(session.tables.pointee.readsTime) { lookAtClock(of: session, isTap: input.isTap) }
    // This case is tested first and taken apart afterwards. A switch that binds the other cases as a whole would copy
    // this one, too.
    if case .set = input {
      guard case .set(let field, let value) = consume input else { preconditionFailure("it was a value of a field") }
      fireDueTimers(of: session)
      precondition(session.ownFields.contains(field), "the form has no field \(field), only \(session.ownFields)")
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
    // Due timers, and the time that formulas read, come before the input. They may change what it means.
    let mayHaveChanged = session.isDue(at: now) || session.tables.pointee.readsTime
    if case .timer = input {} else { fireDueTimers(of: session) }
    // The input itself is not printed: it may have a secret.
    precondition(input.isAddressed(to: session), "the input is for another form than \(session.form.name)")
    session.extras?.edits?.inputCame(input)
    switch input {
    case .set(let field, _): preconditionFailure("the value of field \(field) is applied by itself")
    case .change(let changes, let origin, let isComposing, let commit):
      let own = PreparedChanges(changes, origin: origin, isComposing: isComposing, commit: commit, for: session)
      take(own, in: session)
    case .prepared(let prepared):
      take(mayHaveChanged ? prepared.preparedAgain(for: session) : prepared, in: session)
    case .focus(let field, let row):
      if let instance = session.instance(of: row) { beginFocus(field, of: instance) }
    case .blur(let field, let row):
      guard let instance = session.instance(of: row) else { break }
      flush(field: field, of: instance)
      if endFocus(field, of: instance) { fieldsLeft([LiveField(field, in: instance)]) }
    case .detach(let isLast):
      leaveAll(session, isLast: isLast)
    case .insert(let list, let row, let position, let values):
      if let instance = session.instance(of: row) {
        recordEdit(in: session) { insert(values, into: instance.list(of: list), at: position) }
      }
    case .remove(let row):
      if let row = session.extras?.rows[row] { recordEdit(in: session) { remove(row) } }
    case .move(let row, let position):
      if let row = session.extras?.rows[row] { recordEdit(in: session) { move(row, to: position) } }
    case .fail(let field, let row, let message):
      if let instance = session.instance(of: row) { fail(field, message, in: instance) }
    case .tap(let action):
      receiveTap(action, in: session)
    case .cancel(let action):
      cancelTaps(of: action, in: session)
    case .show(let step):
      choose(step, in: session)
    case .setLocale(let locale):
      setLocale(locale, of: session)
    case .setContext(let context):
      setContext(context, of: session)
    case .reset(let keepValues):
      recordEdit(in: session) { reset(session, keepValues: keepValues) }
    case .resetField(let field, let row):
      if let instance = session.instance(of: row) {
        recordEdit(in: session) { reset(LiveField(field, in: instance)) }
      }
    case .undo:
      takeBack(.undo, in: session)
    case .redo:
      takeBack(.redo, in: session)
    case .flush:
      flushAll(session)
      endCompositions(of: session)
      startChecks(in: .form, of: session)
      fieldsLeft(session.form.children(of: nil).map { LiveField($0, in: session) })
    case .timer:
      fireTimer(of: session)
    case .effect(let id, let response):
      effectEnded(id, response, in: session)
    }
  }

  // MARK: Everything again

  /// Computes every node of the session again. For tests.
  ///
  /// - Returns: a turn without an update and without effects, unless the engine had computed something wrong before.
  package func recomputeFromScratch(_ session: Session, at now: Instant) -> Turn {
    begin(session, at: now)
    markAllStale(session)
    settle(session)
    return finish(session)
  }

  /// Makes a change and computes every node again. Then it makes another change with these results, and computes
  /// everything that depends on it. None of this is an update.
  func recompute(_ session: Session, at now: Instant, after change: () -> Void, then next: () -> Void) -> Turn {
    begin(session, at: now)
    isOpening = true
    change()
    markAllStale(session)
    propagate(session)
    next()
    propagate(session)
    if session.flags.contains(.hasFaults) { settleFaults(session) }
    isOpening = false
    return makeTurn(of: session, hasUpdate: false)
  }

  // MARK: The last turn

  /// The cells of the document that the turn changed, in the document's order, each with its old value.
  ///
  /// - Precondition: the turn is the engine's last one.
  public func changes(of turn: Turn) -> [DocumentChange] {
    checkIsLast(turn)
    return changeList.all.array
  }

  /// Stops the program when the cells that the turn changed are gone.
  @inline(__always)
  func checkIsLast(_ turn: Turn) {
    precondition(turn.number == turnNumber, "turn \(turn.number) is not the engine's last, \(turnNumber)")
  }

  /// The reason for which this turn has reported a formula.
  func reportedReason(of formula: Formula) -> String? {
    details?.faults.last { $0.pointer == formula.pointer }?.message
  }
}
