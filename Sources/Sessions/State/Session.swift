internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON
internal import Texts
public import Times

/// One live copy of a form: only data. The caller gives it to its ``Engine`` with each input.
///
/// It is the instance of all fields of its form. The states of its actions and steps are in the same block of memory.
/// State that most sessions do not need (timers, runs) is in ``SessionExtras``.
public final class Session: Instance {
  // The small members are together, behind the last member of the instance, and share its words.

  /// Always the number of top-level fields without the flag `isValid`.
  var invalidCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isPending`.
  var pendingCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isDirty`.
  var dirtyCount: Int32 = 0
  private var storedLocaleIndex: Int32
  var flags: SessionFlags = []
  var formErrors = ErrorList.none
  var extras: SessionExtras?
  private var rare: Rare?

  /// The number of the last event, or 0 if there was none.
  package var lastEvent: Int { extras?.lastEvent ?? 0 }
  /// The number of turns so far that changed the document, made an event, or had values to tell (``Turn/revision``).
  public internal(set) var revision = 0
  /// The bytes of all values that the session was given, as ``JSON/JSON/approximateBytes`` measures them. They are the
  /// values of its fields, the initial values that it was given, and the changes that a throttle or debounce holds
  /// back.
  public internal(set) var valueBytes = 0
  /// The bytes of everything that the session has computed and keeps, as ``JSON/JSON/approximateBytes`` measures them.
  /// This includes its outputs, the values that formulas give to fields, the document's content from its actions, and
  /// the values of its lookups. It also includes the answers of checks and lookups, and the memory of its rows.
  public internal(set) var computedBytes = 0

  init(form: Form, locale: String?) {
    storedLocaleIndex = Int32(form.localeIndex(for: locale))
    super.init(form: form, template: 0, actionCount: form.actions.count, stepCount: form.steps.count)
    belong(to: self)
    ownLocale = locale
  }

  /// The approximate bytes of the session itself: of its memory, whatever values are in it. Rows count in
  /// ``computedBytes``.
  package var structureBytes: Int {
    let entry = tables.pointee.templates[0]
    return 256 + (tables.pointee.readsTime ? SessionClock.bytes : 0)
      + BlockSizes(entry, isRow: false, actionCount: form.actions.count, stepCount: form.steps.count).total
  }

  /// The field whose address is these UTF-8 bytes: see ``Form/field(utf8:)``.
  package func field(utf8 address: Span<UInt8>) -> Int? { form.field(utf8: address) }

  /// Whether a field takes no input of the user: a formula computes its value, or it is read-only.
  package func refusesUser(_ field: Int) -> Bool { tables.pointee.fields[field].refusesUser }

  /// From now on texts are in that language. `index` is its position among the form's languages.
  func setLocale(_ locale: String, index: Int) {
    ownLocale = locale
    storedLocaleIndex = Int32(index)
  }

  /// By action number.
  @inline(__always)
  var actions: Places<ActionState> { memory.actions(entry, form.actions.count) }

  /// By step.
  var steps: Places<StepState> { memory.steps(entry, form.steps.count) }

  /// The locale that was asked for last.
  public var locale: String? { ownLocale ?? form.locale }

  /// The position of the texts' locale among the form's locales.
  var localeIndex: Int { Int(storedLocaleIndex) }

  /// The time at which the engine must be called with ``Input/timer``, or nil when it waits for nothing.
  public var deadline: Instant? {
    guard let extras else { return nil }
    guard let clockDeadline = extras.clock?.deadline else { return extras.timers.deadline }
    return min(extras.timers.deadline ?? clockDeadline, clockDeadline)
  }

  func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Whether any client gets the changes. At first it is true. While it is false, time passes unseen: the session is
  /// woken neither for the ticks of `now` nor at midnight. When a client comes back, both are due.
  public var isAttended: Bool {
    get { extras?.clock?.isAttended ?? true }
    set { extras?.clock?.isAttended = newValue }
  }

  /// Whether the form is valid.
  public var isValid: Bool { flags.contains(.isValid) }

  /// The zone in which it is `today`. Nil if no formula reads the date, the time or the zone.
  public var zone: Zone? { extras?.clock?.zone }

  /// Whether anything is under way: a run, a check, a lookup, or a timer. Changes of the date and ticks of `now` do not
  /// count.
  public var isBusy: Bool { extras.map { !$0.effects.all.isEmpty || $0.timers.deadline != nil } ?? false }

  /// Whether a tap has no event yet: an action runs, or waits for other runs, for checks, or for its throttle or
  /// debounce.
  public var isActing: Bool { extras?.actions.contains { $0.hasOpenTaps } ?? false }

  /// The longest timeout of the actions that have a tap without an event; nil if there is none.
  public var longestActionTimeout: Duration? {
    guard let extras else { return nil }
    return zip(form.actions, extras.actions).lazy.filter { $1.hasOpenTaps }.map(\.0.timeout).max()
  }

  /// Whether the caller keeps the session's snapshot, and gets its changes.
  @inline(__always)
  var keepsSnapshot: Bool { flags.contains(.hasSnapshot) }

  /// The marks, made when a change is first noted. Nil if no snapshot is kept.
  @inline(__always)
  var madeMarks: SnapshotMarks? { keepsSnapshot ? makeMarksIfNeeded() : nil }

  private func makeMarksIfNeeded() -> SnapshotMarks {
    if let marks { return marks }
    let fresh = SnapshotMarks()
    marks = fresh
    return fresh
  }

  /// The extras, made when they are first needed.
  var madeExtras: SessionExtras {
    if let extras { return extras }
    let fresh = SessionExtras(form: form)
    extras = fresh
    return fresh
  }
}

/// State that few sessions have at a time.
private final class Rare {
  var locale: String?
  var marks: SnapshotMarks?
}

extension Session {
  /// The locale that was asked for last, or nil for the form's default.
  private var ownLocale: String? {
    get { rare?.locale }
    set {
      let isDefault = newValue.map { form.locale?.hasSameUTF8(as: $0) ?? false } ?? true
      if isDefault, rare == nil { return }
      madeRare.locale = isDefault ? nil : newValue
      dropEmptyRare()
    }
  }

  /// The changes since the kept snapshot was brought up to date, or nil if there are none.
  var marks: SnapshotMarks? {
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

/// What holds for a session as a whole. The first flags are properties of the form, by the list of ``FormProperty``.
struct SessionFlags: PropertyFlags {
  typealias Property = FormProperty
  let rawValue: UInt16

  /// The flags in the beginning.
  static let usual = SessionFlags(where: \.isUsuallyTrue)

  static var isValid: SessionFlags { SessionFlags(.isValid) }
  static var isPending: SessionFlags { SessionFlags(.isPending) }
  static var isDirty: SessionFlags { SessionFlags(.isDirty) }
  /// Failed services of checks are the only reason why the form is not valid.
  static let hasOnlyFailures = SessionFlags(rawValue: 1 << 3)
  /// Opened with `show: "always"`.
  static let showsAlways = SessionFlags(rawValue: 1 << 4)
  /// Opened without checks, to validate once.
  static let skipsChecks = SessionFlags(rawValue: 1 << 5)
  /// A formula goes wrong: ``SessionExtras/faults`` has it.
  static let hasFaults = SessionFlags(rawValue: 1 << 7)
  /// The caller keeps the session's snapshot, and gets its changes.
  static let hasSnapshot = SessionFlags(rawValue: 1 << 8)
  /// Opened without the schema's defaults, to validate what is given.
  static let ignoresDefaults = SessionFlags(rawValue: 1 << 9)
  /// Opened to judge values: no initial value is trusted.
  static let trustsNothing = SessionFlags(rawValue: 1 << 10)
  /// Fields go back to their beginning in this turn.
  static let isResetting = SessionFlags(rawValue: 1 << 14)
  /// Users can take their edits back: ``SessionExtras/edits`` has them.
  static let keepsEdits = SessionFlags(rawValue: 1 << 13)
}
