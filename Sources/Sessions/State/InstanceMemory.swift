internal import CEL
internal import Forms
internal import JSON

/// The place of a value in an engine's memory.
@safe struct Place<Content> {
  fileprivate let pointer: UnsafeMutablePointer<Content>

  var pointee: Content {
    @inline(__always) _read { yield unsafe pointer.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
  }

  /// The same value, to be looked at without copies.
  @inline(__always)
  var borrowed: Reference<Borrowed<Content>> { unsafe Reference(pointer.borrowed) }

  /// Gives the place another value. Returns the old one.
  @inline(__always)
  func exchange(_ content: consuming Content) -> Content {
    let old = unsafe pointer.move()
    unsafe pointer.initialize(to: content)
    return old
  }

  /// Replaces a value that needs no release.
  @inline(__always)
  func initialize(to content: consuming Content) { unsafe pointer.initialize(to: content) }
}

/// Values of an engine's memory, by their number in the form.
///
/// Access counts no references, and checks the number only in debug builds. That is safe:
///
/// - The owner of the memory (``InstanceMemory``, ``StaleNodes``, ``Engine``) initializes all values before it hands
///   them out. It frees them at its own end, or when it replaces them, and nobody else keeps these places longer than a
///   call.
/// - The numbers come from the form's compiler, and each instance has the memory for its template's numbers. The base
///   is only a pointer: nothing before the first number is read or written.
@safe struct Places<Content> {
  /// Where the value of number 0 is, or would be.
  fileprivate let base: UnsafeMutablePointer<Content>
  #if DEBUG
    fileprivate let numbers: Range<Int>
  #endif

  /// The values in that memory.
  ///
  /// - Parameter first: the number of the first.
  @unsafe fileprivate init(_ memory: UnsafeMutablePointer<Content>, first: Int, count: Int) {
    unsafe base = memory - first
    #if DEBUG
      numbers = first..<first + count
    #endif
  }

  subscript(number: Int) -> Content {
    @inline(__always) _read {
      check(number)
      yield unsafe base[number]
    }
    @inline(__always) nonmutating _modify {
      check(number)
      yield unsafe &base[number]
    }
  }

  /// A value in its place.
  @inline(__always)
  func at(_ number: Int) -> Place<Content> {
    check(number)
    return unsafe Place(pointer: base + number)
  }

  @inline(__always)
  private func check(_ number: Int) {
    #if DEBUG
      precondition(numbers.contains(number), "number \(number) of \(numbers)")
    #endif
  }

  /// New memory with that many values, from number 0 on, which the caller frees with ``deallocate()``. The values need
  /// no release.
  static func allocate(_ count: Int, repeating value: Content) -> Places where Content: BitwiseCopyable {
    let memory = UnsafeMutablePointer<Content>.allocate(capacity: count)
    unsafe memory.initialize(repeating: value, count: count)
    return unsafe Places(memory, first: 0, count: count)
  }

  /// Frees memory of ``allocate(_:repeating:)``.
  func deallocate() where Content: BitwiseCopyable { unsafe base.deallocate() }
}

extension Places<Value> {
  /// The values as formulas of a form's top level read them, by slot.
  @inline(__always)
  func read(count: Int) -> SlotValues { unsafe SlotValues(UnsafeBufferPointer(start: base, count: count)) }
}

extension Places<FieldState> {
  /// The value of a field, in its place.
  @inline(__always)
  func value(at field: Int) -> Reference<JSON?> {
    assert(MemoryLayout<FieldState>.offset(of: \.value) == 0)
    return unsafe Reference(UnsafeRawPointer(at(field).pointer).assumingMemoryBound(to: JSON?.self))
  }
}

/// A reference to an object that outlives it, which is not counted. The session outlives its lists and rows, and a row
/// that was removed is kept until the turn ends (``RowWork``).
@safe struct Uncounted<Object: AnyObject> {
  private unowned(unsafe) let uncounted: Object

  init(_ object: Object) { unsafe uncounted = object }

  @inline(__always)
  var object: Object { unsafe uncounted }
}

extension [Row] {
  /// Calls with each row in order, without counting references: the array keeps the rows alive.
  @inline(__always)
  func forEachUncounted(_ body: (Row) -> Void) {
    unsafe withUnsafeBufferPointer { rows in
      unsafe rows.withMemoryRebound(to: Unmanaged<Row>.self) {
        for position in 0..<$0.count { unsafe $0[position]._withUnsafeGuaranteedRef(body) }
      }
    }
  }
}

/// The memory of an instance. It is one block with these parts:
///
/// lists | fields | slots, actions | outputs | sums, steps | rules | stale bits
///
/// Only the session has actions and steps, and only a row has stale bits.
struct InstanceMemory {
  /// By field number.
  let fields: Places<FieldState>
  /// By the offset of a slot. In the session, the slots begin at ``SlotTable/firstOfSession``. The slots before it have
  /// no memory.
  let slots: Places<Value>
  /// By output number. An output is nil when absent.
  let outputs: Places<JSON?>
  /// By rule number.
  let rules: Places<RuleState>

  /// New memory. All places have their content without values, but the lists have none: ``initializeLists(_:_:)`` must
  /// follow.
  ///
  /// - Parameters:
  ///   - template: the instance's template.
  ///   - actionCount: how many actions have a place, and `stepCount` steps. They are 0 for a row.
  init(_ template: FormTables.TemplateEntry, isRow: Bool, actionCount: Int, stepCount: Int) {
    let sizes = BlockSizes(template, isRow: isRow, actionCount: actionCount, stepCount: stepCount)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, sizes.lists + sizes.total), alignment: 16)
    let block = unsafe memory + sizes.lists
    func places<Content>(_ offset: Int, _ value: Content, _ count: Int, first: Int = 0) -> Places<Content> {
      let memory = unsafe (block + offset).initializeMemory(as: Content.self, repeating: value, count: count)
      return unsafe Places(memory, first: first, count: count)
    }
    fields = places(0, FieldState(), Int(template.fieldCount), first: Int(template.firstField))
    slots = places(sizes.slots, Value.null, sizes.slotCount, first: isRow ? 0 : SlotTable.firstOfSession)
    outputs = places(sizes.outputs, JSON?.none, Int(template.outputCount), first: Int(template.firstOutput))
    rules = places(sizes.rules, RuleState.passed, Int(template.ruleCount), first: Int(template.firstRule))
    _ = places(sizes.actions, ActionState(), actionCount)
    _ = places(sizes.sums, FieldSums(), Int(template.sumsCount))
    _ = places(sizes.steps, StepState(), stepCount)
    _ = places(sizes.stale, UInt8(0), sizes.staleCount)
  }

  /// Gives the lists their content.
  func initializeLists(_ template: FormTables.TemplateEntry, _ content: (_ index: Int) -> RowList) {
    let lists = lists(template)
    for index in 0..<Int(template.listCount) { lists.at(index).initialize(to: content(index)) }
  }

  /// Frees the memory and its content.
  func end(_ template: FormTables.TemplateEntry, isRow: Bool, actionCount: Int) {
    let sizes = BlockSizes(template, isRow: isRow)
    let block = unsafe fields.base + Int(template.firstField)
    unsafe block.deinitialize(count: Int(template.fieldCount))
    unsafe (slots.base + (isRow ? 0 : SlotTable.firstOfSession)).deinitialize(count: sizes.slotCount)
    unsafe (outputs.base + Int(template.firstOutput)).deinitialize(count: Int(template.outputCount))
    unsafe lists(template).base.deinitialize(count: Int(template.listCount))
    unsafe actions(template, actionCount).base.deinitialize(count: actionCount)
    unsafe (UnsafeMutableRawPointer(block) - sizes.lists).deallocate()
  }

  /// By ``FormTables/FieldEntry/list``.
  @inline(__always)
  func lists(_ template: FormTables.TemplateEntry) -> Places<RowList> {
    let count = Int(template.listCount)
    let end = unsafe UnsafeMutableRawPointer(fields.base + Int(template.firstField))
    return unsafe Places(end.assumingMemoryBound(to: RowList.self) - count, first: 0, count: count)
  }

  /// By ``FormTables/FieldEntry/sums``.
  @inline(__always)
  func sums(_ template: FormTables.TemplateEntry) -> Places<FieldSums> {
    let start = unsafe UnsafeMutableRawPointer(outputs.base + Int(template.firstOutput &+ template.outputCount))
    return unsafe Places(start.assumingMemoryBound(to: FieldSums.self), first: 0, count: Int(template.sumsCount))
  }

  /// By action, in the session.
  @inline(__always)
  func actions(_ template: FormTables.TemplateEntry, _ count: Int) -> Places<ActionState> {
    let start = unsafe UnsafeMutableRawPointer(slots.base + Int(template.slotCount))
    return unsafe Places(start.assumingMemoryBound(to: ActionState.self), first: 0, count: count)
  }

  /// By step, in the session.
  @inline(__always)
  func steps(_ template: FormTables.TemplateEntry, _ count: Int) -> Places<StepState> {
    let start = unsafe UnsafeMutableRawPointer(sums(template).base + Int(template.sumsCount))
    return unsafe Places(start.assumingMemoryBound(to: StepState.self), first: 0, count: count)
  }

  /// Which nodes of a row wait to be computed, a bit for each node of the template.
  func staleBits(_ template: FormTables.TemplateEntry) -> Places<UInt8> {
    let start = unsafe UnsafeMutableRawPointer(rules.base + Int(template.firstRule + template.ruleCount))
    let count = (Int(template.nodeCount) + 7) / 8
    return unsafe Places(start.assumingMemoryBound(to: UInt8.self), first: 0, count: count)
  }
}

/// The offsets of the parts of an ``InstanceMemory``, in bytes. The results of rules and the stale bits are bytes and
/// come last. The strides of sums and steps are multiples of 4, and all other strides are multiples of 8. So each part
/// is aligned when the part before it is.
struct BlockSizes {
  let slotCount: Int
  let staleCount: Int
  /// The lists, which are before the fields.
  let lists: Int
  let slots: Int
  let actions: Int
  let outputs: Int
  let sums: Int
  let steps: Int
  let rules: Int
  let stale: Int
  let total: Int

  init(_ entry: FormTables.TemplateEntry, isRow: Bool, actionCount: Int = 0, stepCount: Int = 0) {
    slotCount = Int(entry.slotCount) - (isRow ? 0 : SlotTable.firstOfSession)
    staleCount = isRow ? (Int(entry.nodeCount) + 7) / 8 : 0
    lists = MemoryLayout<RowList>.stride * Int(entry.listCount)
    slots = MemoryLayout<FieldState>.stride * Int(entry.fieldCount)
    actions = slots + MemoryLayout<Value>.stride * slotCount
    outputs = actions + MemoryLayout<ActionState>.stride * actionCount
    sums = outputs + MemoryLayout<JSON?>.stride * Int(entry.outputCount)
    steps = sums + MemoryLayout<FieldSums>.stride * Int(entry.sumsCount)
    rules = steps + MemoryLayout<StepState>.stride * stepCount
    stale = rules + Int(entry.ruleCount)
    total = stale + staleCount
  }
}
