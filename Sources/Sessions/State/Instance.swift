internal import CEL
public import Forms
internal import JSON

/// The state of one of a form's templates: only data. A ``Session`` is the instance of its form's own template, and
/// each ``Row`` is an instance of its list's template.
///
/// The state is in one block of memory, an ``InstanceMemory``, by the numbers of the form's parts. State that most
/// instances do not need (checks, throttles, initial values) is in ``InstanceExtras``.
public class Instance {
  /// The form with which it was opened. A reload of the daemon's forms does not change it.
  public final let form: Form
  /// The form's tables. They are valid as long as `form` is.
  final let tables: Reference<FormTables>
  final let memory: InstanceMemory
  final var instanceExtras: InstanceExtras?
  /// The session that contains it, which outlives it. A session contains itself.
  private final var container: Uncounted<Session>?
  // The last member, so that a subclass's small members are next to it.
  private final let templateNumber: Int32

  /// Everything has its content without values. The subclass must call ``belong(to:)``.
  ///
  /// - Parameters:
  ///   - actionCount: how many actions have a state. Only the session has actions and steps.
  ///   - stepCount: how many steps have one.
  init(form: Form, template: Int, actionCount: Int = 0, stepCount: Int = 0) {
    self.form = form
    templateNumber = Int32(template)
    tables = form.tables
    let entry = form.tables.pointee.templates[template]
    memory = InstanceMemory(entry, isRow: template > 0, actionCount: actionCount, stepCount: stepCount)
    guard entry.listCount > 0 else { return }
    let fields = form.tables.pointee.fields
    let lists = ownFields.filter { fields[$0].element >= 0 }
    memory.initializeLists(entry) { RowList(field: lists[$0], element: Int(fields[lists[$0]].element), owner: self) }
  }

  deinit {
    memory.end(entry, isRow: template > 0, actionCount: template > 0 ? 0 : form.actions.count)
  }

  /// Its template, or 0 for the session.
  @inline(__always)
  final var template: Int { Int(templateNumber) }

  @inline(__always)
  final var entry: FormTables.TemplateEntry { tables.pointee.templates[template] }

  /// By field number.
  @inline(__always)
  final var fields: Places<FieldState> { memory.fields }

  /// By the offset of a slot: see ``InstanceMemory/slots``.
  @inline(__always)
  final var slots: Places<Value> { memory.slots }

  /// By output number. It is nil when absent.
  @inline(__always)
  final var outputs: Places<JSON?> { memory.outputs }

  /// By rule number.
  @inline(__always)
  final var rules: Places<RuleState> { memory.rules }

  /// By ``FormTables/FieldEntry/sums``.
  @inline(__always)
  final var sums: Places<FieldSums> { memory.sums(entry) }

  /// Its lists, by ``FormTables/FieldEntry/list``.
  final func list(at index: Int) -> RowList { memory.lists(entry)[index] }

  /// Its lists, in order.
  final var lists: some Sequence<RowList> {
    let lists = memory.lists(entry)
    return (0..<Int(entry.listCount)).lazy.map { lists[$0] }
  }

  final var hasLists: Bool { entry.listCount > 0 }

  /// Which nodes of a row wait to be computed, a bit for each node of the template.
  final var staleBits: Places<UInt8> { memory.staleBits(entry) }

  /// The end of its initialization.
  ///
  /// - Parameter session: the session that contains it; for a session, the session itself.
  final func belong(to session: Session) { container = Uncounted(session) }

  /// The session that contains it. For a session, it is the session itself.
  @inline(__always)
  final var session: Session { withSession { $0 } }

  /// Calls with the session, without counting a reference to it.
  @inline(__always)
  final func withSession<Result>(_ body: (Session) -> Result) -> Result {
    guard let container else { preconditionFailure("an instance that belongs to no session") }
    return body(container.object)
  }

  /// Whether a field is not inside another field or a row.
  @inline(__always)
  final func isTopLevel(_ field: Int) -> Bool { template == 0 && tables.pointee.fields[field].parent < 0 }

  /// The instance as a row, or nil for the session.
  @inline(__always)
  final var row: Row? { template == 0 ? nil : self as? Row }

  /// The extras, made when they are first needed.
  final var madeInstanceExtras: InstanceExtras {
    if let instanceExtras { return instanceExtras }
    let fresh = InstanceExtras(checks: ownChecks, lookups: ownLookups)
    instanceExtras = fresh
    return fresh
  }

  final var ownFields: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstField)..<Int(entry.firstField + entry.fieldCount)
  }

  final var ownChecks: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstCheck)..<Int(entry.firstCheck + entry.checkCount)
  }

  final var ownLookups: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstLookup)..<Int(entry.firstLookup + entry.lookupCount)
  }

  final var ownOutputs: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstOutput)..<Int(entry.firstOutput + entry.outputCount)
  }
}

extension FormTables.TemplateEntry {
  /// The bytes that a check or a lookup of a row may keep in addition to its answer: its state, and its waiting
  /// inquiry.
  private static let inquiryBytes = 512

  /// A row's share of ``Session/computedBytes`` without its computed values.
  var rowBytes: Int { 200 + BlockSizes(self, isRow: true).total + Self.inquiryBytes * Int(checkCount + lookupCount) }
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
