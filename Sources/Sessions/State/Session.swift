internal import CEL
public import Forms
package import JSON

/// One live copy of a form: only data. The caller gives it to its ``Engine`` with each input.
///
/// The cells lie in one block of memory: fields, the slots that formulas read, actions, outputs, rule states. What most sessions do
/// not need (timers, runs, checks) is in ``SessionExtras``.
public final class Session {
  /// The form that it was opened with; a reload of the daemon's forms does not touch it.
  public let form: Form
  /// The locale that was asked for last.
  public private(set) var locale: String?
  /// The number of turns so far that changed the document or made an event.
  public internal(set) var revision = 0
  /// The bytes of all values that the session holds, as ``JSON/JSON/approximateBytes`` measures them: the values of its fields, the
  /// initial values that it was given, and the changes that a throttle or debounce holds back.
  public internal(set) var valueBytes = 0
  /// The bytes of what the session has computed and keeps, measured likewise: its outputs, what its actions left in the document, and answers
  /// of checks.
  public internal(set) var computedBytes = 0

  /// The form's tables; valid as long as `form` is.
  let tables: UnsafePointer<FormTables>
  /// By field address; initialized for all fields of the form from `init` to `deinit`. Here begins the owned memory that the pointers
  /// below point into, too.
  let fields: UnsafeMutablePointer<FieldState>
  /// By slot address, likewise, from ``SlotTable/firstOfSession`` on. There is no memory for those before it.
  let slots: UnsafeMutablePointer<Value>
  /// By output address, likewise; nil when absent.
  let outputs: UnsafeMutablePointer<JSON?>
  /// By rule address, likewise.
  let rules: UnsafeMutablePointer<RuleState>

  /// Always the number of top-level fields without the flag `isValid`.
  var invalidCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isPending`.
  var pendingCount: Int32 = 0
  /// Always the number of top-level fields with the flag `isDirty`.
  var dirtyCount: Int32 = 0
  var flags: SessionFlags = []
  var formErrors = ErrorList.none
  /// The number of the last event.
  var sequence: Int32 = 0
  /// The number of the last run.
  var lastRun: Int32 = 0
  private var storedLocaleIndex: Int32
  var extras: SessionExtras?

  init(form: Form, locale: String?) {
    self.form = form
    self.locale = locale
    tables = form.tables
    storedLocaleIndex = Int32(form.localeIndex(for: locale))
    let fieldBytes = MemoryLayout<FieldState>.stride * form.fields.count
    let slotCount = form.slots.count - SlotTable.firstOfSession
    let slotBytes = MemoryLayout<Value>.stride * slotCount
    let actionBytes = MemoryLayout<ActionState>.stride * form.actions.count
    let outputBytes = MemoryLayout<JSON?>.stride * form.outputs.count
    let groupCount = Int(tables.pointee.groupCount)
    let groupBytes = MemoryLayout<GroupState>.stride * groupCount
    let stepBytes = MemoryLayout<StepState>.stride * form.steps.count
    // Every stride above but the last two, which are multiples of 4, is a multiple of 8, so each part is aligned when the one before it is.
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, fieldBytes + slotBytes + actionBytes + outputBytes + groupBytes + stepBytes + form.rules.count),
      alignment: 16
    )
    fields = block.initializeMemory(as: FieldState.self, repeating: FieldState(), count: form.fields.count)
    let slots = (block + fieldBytes).initializeMemory(as: Value.self, repeating: .null, count: slotCount)
    self.slots = slots - SlotTable.firstOfSession
    (block + fieldBytes + slotBytes).initializeMemory(
      as: ActionState.self,
      repeating: ActionState(),
      count: form.actions.count
    )
    outputs = (block + fieldBytes + slotBytes + actionBytes).initializeMemory(
      as: JSON?.self,
      repeating: nil,
      count: form.outputs.count
    )
    (block + fieldBytes + slotBytes + actionBytes + outputBytes).initializeMemory(
      as: GroupState.self,
      repeating: GroupState(),
      count: groupCount
    )
    (block + fieldBytes + slotBytes + actionBytes + outputBytes + groupBytes).initializeMemory(
      as: StepState.self,
      repeating: StepState(),
      count: form.steps.count
    )
    rules = (block + fieldBytes + slotBytes + actionBytes + outputBytes + groupBytes + stepBytes).initializeMemory(
      as: RuleState.self,
      repeating: .passed,
      count: form.rules.count
    )
  }

  deinit {
    fields.deinitialize(count: form.fields.count)
    (slots + SlotTable.firstOfSession).deinitialize(count: form.slots.count - SlotTable.firstOfSession)
    actions.deinitialize(count: form.actions.count)
    outputs.deinitialize(count: form.outputs.count)
    rules.deinitialize(count: form.rules.count)
    UnsafeMutableRawPointer(fields).deallocate()
  }

  /// Bytes of the session itself, approximately: of its cells, whatever they hold.
  package var structureBytes: Int {
    256 + MemoryLayout<FieldState>.stride * form.fields.count
      + MemoryLayout<Value>.stride * (form.slots.count - SlotTable.firstOfSession)
      + MemoryLayout<ActionState>.stride * form.actions.count
      + MemoryLayout<JSON?>.stride * form.outputs.count
      + MemoryLayout<StepState>.stride * form.steps.count
      + form.rules.count
  }

  /// From now on texts are in that language, which has that position among the form's.
  func setLocale(_ locale: String, index: Int) {
    self.locale = locale
    storedLocaleIndex = Int32(index)
  }

  /// By action address, likewise. Actions lie behind the slots.
  @inline(__always)
  var actions: UnsafeMutablePointer<ActionState> {
    UnsafeMutableRawPointer(slots + Int(tables.pointee.slotCount)).assumingMemoryBound(to: ActionState.self)
  }

  /// By group, likewise. Groups lie behind the outputs.
  @inline(__always)
  var groups: UnsafeMutablePointer<GroupState> {
    UnsafeMutableRawPointer(outputs + Int(tables.pointee.outputCount)).assumingMemoryBound(to: GroupState.self)
  }

  /// By step, likewise. Steps lie behind the groups, so that a session of a form without steps has nothing of them.
  var steps: UnsafeMutablePointer<StepState> {
    UnsafeMutableRawPointer(groups + Int(tables.pointee.groupCount)).assumingMemoryBound(to: StepState.self)
  }

  /// Which of the form's locales texts are in.
  var localeIndex: Int { Int(storedLocaleIndex) }

  /// When the engine wants to be called with ``Input/timer``; nil when it waits for nothing.
  public var deadline: Instant? { extras?.timers.deadline }

  /// Whether the form is valid.
  public var isValid: Bool { flags.contains(.isValid) }

  /// Whether anything is under way: a run, a check, or a timer.
  public var isBusy: Bool { extras.map { !$0.effects.all.isEmpty || $0.timers.deadline != nil } ?? false }

  /// The extras, made when they are first needed.
  var madeExtras: SessionExtras {
    if let extras { return extras }
    let fresh = SessionExtras(form: form)
    extras = fresh
    return fresh
  }

  /// The current value of a field, normalized, with those of the fields below it; nil when absent. A secret one too: for the engine and
  /// its tests.
  package func value(of field: Int) -> JSON? { value(of: field, .all) }

  /// The memory of a field's value, to be looked at without a copy.
  @inline(__always)
  func place(ofValue field: Int) -> UnsafePointer<JSON?> {
    assert(MemoryLayout<FieldState>.offset(of: \.value) == 0)
    return UnsafeRawPointer(fields + field).assumingMemoryBound(to: JSON?.self)
  }
}

/// The flags of a session.
struct SessionFlags: OptionSet {
  let rawValue: UInt8

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
}

/// The result of a rule.
enum RuleState: UInt8 {
  /// The condition is true, or the rule does not apply.
  case passed
  case failed
  /// The condition is false, and a formula made the message.
  case failedWithMessage
  /// The formula had a run-time error.
  case faulted
}
