internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
struct GroupedWriter {
  private let buffer: OutputBuffer
  private let tables: UnsafePointer<FormTables>
  /// The block that is open. Blocks come in the document's order, so a closed one is never opened again.
  private var block = FormTables.Block.top
  /// The field, step, lookup or action whose object is open; -1: none. The objects of all fields around it are open, too.
  private var member: Int32 = -1
  /// Whether we stand in the object of the fields below that field, and not in its own.
  private var isBelow = false
  /// 0 when a comma has to come before the next member of the innermost open object, 1 when its comma has to be skipped.
  private var skipped = 1

  @inline(__always)
  init(_ tables: UnsafePointer<FormTables>, buffer: OutputBuffer) {
    self.tables = tables
    self.buffer = buffer
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// Closes the objects that a cell does not stand in, and opens those that it stands in.
  @inline(__always)
  mutating func enter(_ cell: UnsafePointer<FormTables.CellRow>) {
    if block.position != cell.pointee.block.position { open(cell.pointee.block) }
    if member != cell.pointee.member { open(cell) }
  }

  /// Writes the name of a cell's member, and before it the braces, names and comma that are missing.
  @inline(__always)
  mutating func key(of cell: UnsafePointer<FormTables.CellRow>) {
    enter(cell)
    buffer.append(cell.pointee.key, skipping: skipped)
    skipped = 0
  }

  /// Writes the name of a member that stands where a cell does.
  mutating func name(_ name: String, at cell: UnsafePointer<FormTables.CellRow>) {
    enter(cell)
    if skipped == 0 { buffer.append(byte: UInt8(ascii: ",")) }
    skipped = 0
    buffer.write(name)
    buffer.append(byte: UInt8(ascii: ":"))
  }

  /// Lets somebody else write members of the object that a cell stands in. ``close(_:)`` is to follow.
  mutating func members(at cell: UnsafePointer<FormTables.CellRow>) -> Members {
    enter(cell)
    return Members(buffer, isFirst: skipped == 1)
  }

  mutating func close(_ members: Members) {
    if !members.isFirst { skipped = 0 }
  }

  /// Closes everything. A whole document has all its blocks, empty ones too.
  @inline(__always)
  mutating func finish(isDocument: Bool) {
    if isDocument { openRest() }
    closeMembers()
    if block.position > 0 { buffer.append(byte: UInt8(ascii: "}")) }
    buffer.append(byte: UInt8(ascii: "}"))
  }

  private mutating func openRest() {
    for next in [FormTables.Block.messages, .fields, .actions, .outputs] where next.position > block.position {
      open(next)
    }
  }

  /// Writes the blocks before that of a cell that have no cell of their own: a whole document has them all.
  mutating func openBlocks(before cell: UnsafePointer<FormTables.CellRow>) {
    if case .outputs = cell.pointee.block, block.position < FormTables.Block.actions.position { open(.actions) }
  }

  private mutating func open(_ wanted: FormTables.Block) {
    assert(wanted.position > block.position, "block \(wanted) after \(block)")
    closeMembers()
    if block.position > 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      skipped = 0
    }
    buffer.append(tables.pointee.blockKeys[wanted.position], skipping: skipped)
    block = wanted
    skipped = 1
  }

  /// Opens the object of a field, step, lookup or action, and before it those of the fields around it that are not open yet.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>) {
    if case .fields = block {
      while member >= 0, !isOpen(around: cell.pointee.member) { closeMember() }
      if tables.pointee.fields[Int(cell.pointee.member)].parent >= 0 { openFields(around: cell.pointee.member) }
    } else {
      if member >= 0 { closeMember() }
    }
    buffer.append(cell.pointee.memberKey, skipping: skipped)
    member = cell.pointee.member
    isBelow = false
    skipped = 1
  }

  /// Whether the open field is one that another stands inside of.
  private func isOpen(around field: Int32) -> Bool {
    member < field && field < tables.pointee.fields[Int(member)].end
  }

  /// Opens the objects between the open field and one that stands inside of it, as far as the latter's name.
  private mutating func openFields(around field: Int32) {
    let parent = tables.pointee.fields[Int(field)].parent
    guard parent >= 0 else { return }
    if parent != member {
      openFields(around: parent)
      let cell = tables.pointee.cells + tables.cell(field: Int(parent), .isVisible)
      buffer.append(cell.pointee.memberKey, skipping: skipped)
      member = parent
      isBelow = false
      skipped = 1
    }
    guard !isBelow else { return }
    buffer.append(tables.pointee.blockKeys[FormTables.Block.fields.position], skipping: skipped)
    isBelow = true
    skipped = 1
  }

  /// Closes the object of the open field, step, lookup or action, with that of the fields below it.
  private mutating func closeMember() {
    if isBelow { buffer.append(byte: UInt8(ascii: "}")) }
    buffer.append(byte: UInt8(ascii: "}"))
    skipped = 0
    let parent: Int32 = if case .fields = block { tables.pointee.fields[Int(member)].parent } else { -1 }
    member = parent
    isBelow = parent >= 0
  }

  @inline(__always)
  private mutating func closeMembers() {
    while member >= 0 { closeMember() }
  }
}

extension FormTables.Block {
  /// Its place in the document. Two blocks are compared by it: `==` of another module's enum is a call.
  @inline(__always)
  var position: Int {
    switch self {
    case .top: 0
    case .messages: 1
    case .fields: 2
    case .steps: 3
    case .lookups: 4
    case .actions: 5
    case .outputs: 6
    }
  }
}
