internal import CEL
public import Forms
internal import JSON

/// The cells of one of a form's templates with their content: only data. A ``Session`` is the instance of its form's
/// own template, and each ``Row`` is an instance of its list's template.
///
/// The cells are in one block of memory: fields, the slots that formulas read, outputs, rule states. They have the same
/// numbers as in the form. State that most instances do not need (checks, throttles, initial values) is in
/// ``InstanceExtras``.
public class Instance {
  /// The form with which it was opened. A reload of the daemon's forms does not change it.
  public final let form: Form
  /// The form's tables. They are valid as long as `form` is.
  final let tables: UnsafePointer<FormTables>
  /// By field address. The memory is initialized for all fields of the template from `init` to `deinit`.
  final let fields: UnsafeMutablePointer<FieldState>
  /// By the offset of a slot, initialized like `fields`. In the session, the slots begin at
  /// ``SlotTable/firstOfSession``. The slots before it have no memory.
  final let slots: UnsafeMutablePointer<Value>
  /// By output address, initialized like `fields`. It is nil when absent.
  final let outputs: UnsafeMutablePointer<JSON?>
  /// By rule address, initialized like `fields`.
  final let rules: UnsafeMutablePointer<RuleState>
  final var own: InstanceExtras?
  // The last member, so that a subclass's small members are next to it.
  private final let templateNumber: Int32

  /// All cells have their content without values.
  ///
  /// - Parameters:
  ///   - actionCount: the number of actions for which the block has room behind the slots.
  ///   - stepCount: the number of steps for which it has room behind the groups. A session initializes its actions and
  ///     steps itself.
  init(form: Form, template: Int, actionCount: Int = 0, stepCount: Int = 0) {
    self.form = form
    templateNumber = Int32(template)
    tables = form.tables
    let entry = form.tables.pointee.templates[template]
    let sizes = BlockSizes(entry, isRow: template > 0, actionCount: actionCount, stepCount: stepCount)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, sizes.lists + sizes.total), alignment: 16)
    let block = memory + sizes.lists
    let (fieldCount, outputCount, ruleCount) = (Int(entry.fieldCount), Int(entry.outputCount), Int(entry.ruleCount))
    fields =
      block.initializeMemory(as: FieldState.self, repeating: FieldState(), count: fieldCount) - Int(entry.firstField)
    slots =
      (block + sizes.slots).initializeMemory(as: Value.self, repeating: .null, count: sizes.slotCount)
      - (template == 0 ? SlotTable.firstOfSession : 0)
    outputs =
      (block + sizes.outputs).initializeMemory(as: JSON?.self, repeating: nil, count: outputCount)
      - Int(entry.firstOutput)
    (block + sizes.groups).initializeMemory(
      as: GroupState.self,
      repeating: GroupState(),
      count: Int(entry.groupCount)
    )
    rules =
      (block + sizes.rules).initializeMemory(as: RuleState.self, repeating: .passed, count: ruleCount)
      - Int(entry.firstRule)
    (block + sizes.stale).initializeMemory(as: UInt8.self, repeating: 0, count: sizes.staleCount)
    guard entry.listCount > 0 else { return }
    var list = memory.assumingMemoryBound(to: RowList.self)
    for field in Int(entry.firstField)..<Int(entry.firstField + entry.fieldCount) {
      let element = Int(tables.pointee.fields[field].element)
      if element < 0 { continue }
      list.initialize(to: RowList(field: field, element: element, owner: self))
      list += 1
    }
  }

  deinit {
    let entry = tables.pointee.templates[template]
    let sizes = BlockSizes(entry, isRow: template > 0)
    let block = fields + Int(entry.firstField)
    block.deinitialize(count: Int(entry.fieldCount))
    (slots + (template == 0 ? SlotTable.firstOfSession : 0)).deinitialize(count: sizes.slotCount)
    (outputs + Int(entry.firstOutput)).deinitialize(count: Int(entry.outputCount))
    lists.deinitialize()
    (UnsafeMutableRawPointer(block) - sizes.lists).deallocate()
  }

  /// Its template, or 0 for the session.
  @inline(__always)
  final var template: Int { Int(templateNumber) }

  /// By group, initialized like `fields`. Groups are behind the outputs.
  @inline(__always)
  final var groups: UnsafeMutablePointer<GroupState> {
    let entry = tables.pointee.templates + template
    return UnsafeMutableRawPointer(outputs + Int(entry.pointee.firstOutput &+ entry.pointee.outputCount))
      .assumingMemoryBound(to: GroupState.self)
  }

  /// Its lists, by ``FormTables/FieldEntry/list``. They are before the fields.
  final var lists: UnsafeMutableBufferPointer<RowList> {
    let entry = tables.pointee.templates + template
    let count = Int(entry.pointee.listCount)
    let end = UnsafeMutableRawPointer(fields + Int(entry.pointee.firstField)).assumingMemoryBound(to: RowList.self)
    return UnsafeMutableBufferPointer(start: end - count, count: count)
  }

  /// The session that contains it. For a session, it is the session itself.
  @inline(__always)
  final var session: Session { template == 0 ? asSession : asRow.owner }

  /// Calls with the session, without counting a reference to it.
  @inline(__always)
  final func withSession<Result>(_ body: (Session) -> Result) -> Result {
    template == 0 ? body(asSession) : body(asRow.owner)
  }

  /// Whether a field is not inside another field or a row.
  @inline(__always)
  final func isTopLevel(_ field: Int) -> Bool { template == 0 && tables.pointee.fields[field].parent < 0 }

  /// The instance as a session, if its template is 0.
  @inline(__always)
  final var asSession: Session { unsafeDowncast(self, to: Session.self) }

  /// The instance as a row, or nil for the session.
  @inline(__always)
  final var row: Row? { template == 0 ? nil : asRow }

  /// The instance as a row, if it is one.
  @inline(__always)
  private final var asRow: Row { unsafeDowncast(self, to: Row.self) }

  /// Which nodes of a row wait to be computed, a bit for each node of the template. The bits are behind the rules.
  final var staleBits: UnsafeMutablePointer<UInt8> {
    let entry = tables.pointee.templates[template]
    return UnsafeMutableRawPointer(rules + Int(entry.firstRule + entry.ruleCount)).assumingMemoryBound(to: UInt8.self)
  }

  /// The extras, made when they are first needed.
  final var madeOwn: InstanceExtras {
    if let own { return own }
    let fresh = InstanceExtras(checks: ownChecks, lookups: ownLookups)
    own = fresh
    return fresh
  }

  /// The fields of its template.
  final var ownFields: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstField)..<Int(entry.firstField + entry.fieldCount)
  }

  /// The checks of its template.
  final var ownChecks: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstCheck)..<Int(entry.firstCheck + entry.checkCount)
  }

  /// The lookups of its template.
  final var ownLookups: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstLookup)..<Int(entry.firstLookup + entry.lookupCount)
  }

  /// The outputs of its template.
  final var ownOutputs: Range<Int> {
    let entry = tables.pointee.templates[template]
    return Int(entry.firstOutput)..<Int(entry.firstOutput + entry.outputCount)
  }
}

/// The offsets of the parts of an instance's block, in bytes. The strides of groups and steps are multiples of 4, and
/// all other strides are multiples of 8. So each part is aligned when the part before it is.
struct BlockSizes {
  let slotCount: Int
  let staleCount: Int
  /// The lists, which are before the fields.
  let lists: Int
  let slots: Int
  let outputs: Int
  let groups: Int
  let rules: Int
  let stale: Int
  let total: Int

  init(_ entry: FormTables.TemplateEntry, isRow: Bool, actionCount: Int = 0, stepCount: Int = 0) {
    slotCount = Int(entry.slotCount) - (isRow ? 0 : SlotTable.firstOfSession)
    staleCount = isRow ? (Int(entry.nodeCount) + 7) / 8 : 0
    lists = MemoryLayout<RowList>.stride * Int(entry.listCount)
    slots = MemoryLayout<FieldState>.stride * Int(entry.fieldCount)
    outputs = slots + MemoryLayout<Value>.stride * slotCount + MemoryLayout<ActionState>.stride * actionCount
    groups = outputs + MemoryLayout<JSON?>.stride * Int(entry.outputCount)
    rules =
      groups + MemoryLayout<GroupState>.stride * Int(entry.groupCount) + MemoryLayout<StepState>.stride * stepCount
    stale = rules + Int(entry.ruleCount)
    total = stale + staleCount
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
