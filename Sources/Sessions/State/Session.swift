public import CEL
internal import Forms
internal import JSON
internal import Texts

/// One live copy of a form: only data. The caller gives it to its ``Engine`` with each input.
///
/// It is the instance of all fields of its form; the states of its actions and steps lie in the same block of memory. What most
/// sessions do not need (timers, runs) is in ``SessionExtras``.
public final class Session: Instance {
  // The small members stand together, behind the last one of the instance: they share its words.

  /// Always the number of top-level fields without the flag `isValid`.
  var invalidCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isPending`.
  var pendingCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isDirty`.
  var dirtyCount: Int32 = 0
  /// The number of the last event.
  var sequence: Int32 = 0
  /// The number of the last run.
  var lastRun: Int32 = 0
  private var storedLocaleIndex: Int32
  var flags: SessionFlags = []
  var formErrors = ErrorList.none
  var extras: SessionExtras?
  private var rare: Rare?

  /// The number of the last event; 0: there was none.
  package var lastEvent: Int { Int(sequence) }
  /// The number of turns so far that changed the document or made an event.
  public internal(set) var revision = 0
  /// The bytes of all values that the session was given, as ``JSON/JSON/approximateBytes`` measures them: the values of its fields, the
  /// initial values that it was given, and the changes that a throttle or debounce holds back.
  public internal(set) var valueBytes = 0
  /// The bytes of what the session has computed and keeps, measured likewise: its outputs, the values that formulas give to fields, what its actions left in the
  /// document, what its lookups found, and answers of checks and lookups; and the cells of its rows.
  public internal(set) var computedBytes = 0

  init(form: Form, locale: String?) {
    storedLocaleIndex = Int32(form.localeIndex(for: locale))
    super.init(form: form, template: 0, actionCount: form.actions.count, stepCount: form.steps.count)
    ownLocale = locale
    UnsafeMutableRawPointer(actions).initializeMemory(
      as: ActionState.self,
      repeating: ActionState(),
      count: form.actions.count
    )
    UnsafeMutableRawPointer(steps).initializeMemory(as: StepState.self, repeating: StepState(), count: form.steps.count)
  }

  deinit {
    actions.deinitialize(count: form.actions.count)
  }

  /// Bytes of the session itself, approximately: of its cells, whatever they hold. Rows count in ``computedBytes``.
  package var structureBytes: Int {
    let row = tables.pointee.templates[0]
    return 256 + (tables.pointee.readsTime ? SessionClock.bytes : 0)
      + BlockSizes(row, isRow: false, actionCount: form.actions.count, stepCount: form.steps.count).total
  }

  /// The field whose address is these UTF-8 bytes; see ``Form/field(utf8:)``.
  package func field(utf8 address: UnsafeBufferPointer<UInt8>) -> Int? { form.field(utf8: address) }

  /// Whether a field's value is a formula's, so that it takes no input.
  package func isComputed(_ field: Int) -> Bool { tables.pointee.fields[field].isComputed }

  /// From now on texts are in that language, which has that position among the form's.
  func setLocale(_ locale: String, index: Int) {
    ownLocale = locale
    storedLocaleIndex = Int32(index)
  }

  /// By action address; initialized for all actions of the form from `init` to `deinit`. Actions lie behind the slots.
  @inline(__always)
  var actions: UnsafeMutablePointer<ActionState> {
    UnsafeMutableRawPointer(slots + Int(tables.pointee.slotCount)).assumingMemoryBound(to: ActionState.self)
  }

  /// By step, likewise. Steps lie behind the groups, so that a session of a form without steps has nothing of them.
  var steps: UnsafeMutablePointer<StepState> {
    UnsafeMutableRawPointer(groups + Int(tables.pointee.templates[0].groupCount)).assumingMemoryBound(
      to: StepState.self
    )
  }

  /// The locale that was asked for last.
  public var locale: String? { ownLocale ?? form.locale }

  /// Which of the form's locales texts are in.
  var localeIndex: Int { Int(storedLocaleIndex) }

  /// When the engine wants to be called with ``Input/timer``; nil when it waits for nothing.
  public var deadline: Instant? {
    guard let extras else { return nil }
    guard let clockDeadline = extras.clock?.deadline else { return extras.timers.deadline }
    return min(extras.timers.deadline ?? clockDeadline, clockDeadline)
  }

  /// Whether somebody is told what changes; at first, yes. While nobody is, time goes by unseen: the session is woken neither for `now` to
  /// tick nor at midnight. Who comes back finds both due.
  public var isAttended: Bool {
    get { extras?.clock?.isAttended ?? true }
    set { extras?.clock?.isAttended = newValue }
  }

  /// Whether the form is valid.
  public var isValid: Bool { flags.contains(.isValid) }

  /// The zone in which it is `today`; nil where no formula reads the date, the time or the zone.
  public var zone: Zone? { extras?.clock?.zone }

  /// Whether anything is under way: a run, a check, a lookup, or a timer. That the date will change, or `now` tick, is not.
  public var isBusy: Bool { extras.map { !$0.effects.all.isEmpty || $0.timers.deadline != nil } ?? false }

  /// Whether a tap has not come to its event yet: an action runs, or waits for its turn, for checks, or for its throttle or debounce.
  public var isActing: Bool { extras?.actions.contains { $0.hasOpenTaps } ?? false }

  /// Where what changes of the snapshot is noted; nil while nobody keeps one.
  @inline(__always)
  var marks: SnapshotMarks? { flags.contains(.hasKeptSnapshot) ? madeMarks : nil }

  private var madeMarks: SnapshotMarks {
    if let noted { return noted }
    let marks = SnapshotMarks()
    noted = marks
    return marks
  }

  /// The extras, made when they are first needed.
  var madeExtras: SessionExtras {
    if let extras { return extras }
    let fresh = SessionExtras(form: form)
    extras = fresh
    return fresh
  }
}

/// What few sessions have at a time.
private final class Rare {
  var locale: String?
  var marks: SnapshotMarks?
}

extension Session {
  /// The locale that was asked for last; nil: the form's default.
  private var ownLocale: String? {
    get { rare?.locale }
    set {
      let isDefault = newValue.map { form.locale?.hasSameUTF8(as: $0) ?? false } ?? true
      if isDefault, rare == nil { return }
      madeRare.locale = isDefault ? nil : newValue
      dropEmptyRare()
    }
  }

  /// What has changed since the snapshot that somebody keeps was brought up to date; nil: nothing.
  var noted: SnapshotMarks? {
    get { rare?.marks }
    set {
      madeRare.marks = newValue
      if newValue == nil { dropEmptyRare() }
    }
  }

  private var madeRare: Rare {
    if let rare { return rare }
    let made = Rare()
    rare = made
    return made
  }

  private func dropEmptyRare() {
    if let rare, rare.locale == nil, rare.marks == nil { self.rare = nil }
  }
}

/// The flags of a session.
struct SessionFlags: OptionSet {
  let rawValue: UInt16

  static let isValid = SessionFlags(rawValue: 1 << 0)
  static let isPending = SessionFlags(rawValue: 1 << 1)
  static let isDirty = SessionFlags(rawValue: 1 << 2)
  /// Checks whose service failed are all that keeps the form from being valid.
  static let hasOnlyFailures = SessionFlags(rawValue: 1 << 3)
  /// Opened with `show: "always"`.
  static let showsAlways = SessionFlags(rawValue: 1 << 4)
  /// Opened without checks, to validate once.
  static let skipsChecks = SessionFlags(rawValue: 1 << 5)
  /// The first document is still being computed, so no change is noted.
  static let isOpening = SessionFlags(rawValue: 1 << 6)
  /// Some formula goes wrong: ``SessionExtras/faults`` has it.
  static let hasFaults = SessionFlags(rawValue: 1 << 7)
  /// Somebody keeps the session's snapshot, and is told what changes.
  static let hasKeptSnapshot = SessionFlags(rawValue: 1 << 8)
}
