internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
struct GroupedWriter {
  private let buffer: OutputBuffer
  private let tables: UnsafePointer<FormTables>
  /// The block that is open. Blocks come in the document's order, so a closed one is never opened again.
  private var block = FormTables.Block.top
  /// The field or action whose object is open; -1: none.
  private var member: Int32 = -1
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

  /// Closes everything. A whole document has all its blocks, empty ones too.
  @inline(__always)
  mutating func finish(isDocument: Bool) {
    if isDocument { openRest() }
    if member >= 0 { buffer.append(byte: UInt8(ascii: "}")) }
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
    if member >= 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      member = -1
    }
    if block.position > 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      skipped = 0
    }
    buffer.append(tables.pointee.blockKeys[wanted.position], skipping: skipped)
    block = wanted
    skipped = 1
  }

  /// Opens the object of a field or action.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>) {
    if member >= 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      skipped = 0
    }
    buffer.append(cell.pointee.memberKey, skipping: skipped)
    member = cell.pointee.member
    skipped = 1
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
    case .actions: 3
    case .outputs: 4
    }
  }
}
