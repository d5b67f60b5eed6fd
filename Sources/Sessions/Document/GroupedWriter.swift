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
  /// How many objects are open in the document's; those of fields inside of others do not count.
  private var depth: UInt8 = 0
  /// Whether the innermost open object has no member yet.
  private var isFirst = true
  /// Whether the open member is a field inside of another one.
  private var isInsideField = false
  /// Whether we stand in the object of the fields below that field, and not in its own.
  private var isBelow = false

  @inline(__always)
  init(_ tables: UnsafePointer<FormTables>, buffer: OutputBuffer) {
    self.tables = tables
    self.buffer = buffer
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// Closes the objects that a cell does not stand in, and opens those that it stands in.
  @inline(__always)
  mutating func enter(_ cell: UnsafePointer<FormTables.CellRow>) {
    enterField(cell)
    if isOpen(cell) { return }
    buffer.append(upTo: cell.pointee.way.countToWrite &+ Self.separatorsMax) { wayTo(cell, $0) }
    isFirst = true
  }

  /// Writes the name of a cell's member, and before it the braces, names and comma that are missing.
  @inline(__always)
  mutating func key(of cell: UnsafePointer<FormTables.CellRow>) {
    enterField(cell)
    buffer.append(upTo: Self.countToWrite(cell)) { key(of: cell, at: $0) }
  }

  /// Writes a cell's member: a truth.
  @inline(__always)
  mutating func write(_ truth: Bool, at cell: UnsafePointer<FormTables.CellRow>) {
    enterField(cell)
    buffer.append(upTo: Self.countToWrite(cell) &+ MemoryLayout<UInt64>.size) { start in
      let out = key(of: cell, at: start)
      // Both are written as a whole word, and what is behind them is written over.
      let word: UInt64 = truth ? 0x6575_7274 : 0x65_736c_6166
      UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
      return out + (truth ? 4 : 5)
    }
  }

  /// Writes the name of a member that stands where a cell does.
  mutating func name(_ name: String, at cell: UnsafePointer<FormTables.CellRow>) {
    enter(cell)
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    isFirst = false
    buffer.write(name)
    buffer.append(byte: UInt8(ascii: ":"))
  }

  /// Lets somebody else write members of the object that a cell stands in. ``close(_:)`` is to follow.
  mutating func members(at cell: UnsafePointer<FormTables.CellRow>) -> Members {
    enter(cell)
    return Members(buffer, isFirst: isFirst)
  }

  mutating func close(_ members: Members) {
    if !members.isFirst { isFirst = false }
  }

  /// Closes everything. A whole document has all its blocks, empty ones too.
  @inline(__always)
  mutating func finish(isDocument: Bool) {
    if isDocument { openRest() }
    if isInsideField { closeMembers() }
    buffer.append(upTo: Self.separatorsMax) { out in
      UnsafeMutableRawPointer(out).storeBytes(of: UInt32(0x7d7d7d).littleEndian, as: UInt32.self)
      return out + Int(depth) + 1
    }
  }

  // MARK: The way from one cell to the next

  /// Braces and a comma are written as one word.
  private static let separatorsMax = MemoryLayout<UInt32>.size

  /// The most bytes that ``key(of:at:)`` writes, those behind the key included.
  @inline(__always)
  private static func countToWrite(_ cell: UnsafePointer<FormTables.CellRow>) -> Int {
    cell.pointee.way.count &+ cell.pointee.key.countToWrite &+ separatorsMax
  }

  /// Whether the object is open that a cell stands in.
  @inline(__always)
  private func isOpen(_ cell: UnsafePointer<FormTables.CellRow>) -> Bool {
    block.position == cell.pointee.block.position && member == cell.pointee.member
  }

  /// Writes the name of a cell's member, and before it what is missing, where there is room for it. Returns the place behind it.
  @inline(__always)
  private mutating func key(
    of cell: UnsafePointer<FormTables.CellRow>,
    at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var out = start
    if isOpen(cell) {
      out.pointee = UInt8(ascii: ",")
      out += isFirst ? 0 : 1
    } else {
      out = wayTo(cell, start)
    }
    isFirst = false
    return cell.pointee.key.copy(to: out)
  }

  /// Closes the open objects that a cell does not stand in, and opens those that it stands in, where there is room for that. Neither the open
  /// member nor the cell's is a field inside of another, and one of the cell's objects is not open. Returns the place behind it.
  @inline(__always)
  private mutating func wayTo(
    _ cell: UnsafePointer<FormTables.CellRow>,
    _ start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let isOtherBlock = block.position != cell.pointee.block.position
    let closed = isOtherBlock ? depth : depth &- 1
    // "}},", or less of it: at most a member's object and its block's are closed.
    let separators = UInt32(0x2c7d7d) &>> UInt32(truncatingIfNeeded: 16 &- 8 &* Int(closed))
    UnsafeMutableRawPointer(start).storeBytes(of: separators.littleEndian, as: UInt32.self)
    let hasComma = closed > 0 || !isFirst
    let out = start + Int(closed) + (hasComma ? 1 : 0)
    block = cell.pointee.block
    member = cell.pointee.member
    depth = cell.pointee.depth
    return cell.pointee.way.copy(from: isOtherBlock ? 0 : Int(cell.pointee.memberStart), to: out)
  }

  // MARK: Fields inside of others

  /// Opens and closes what a cell needs where it, or the open member, is a field's that is inside of another.
  @inline(__always)
  private mutating func enterField(_ cell: UnsafePointer<FormTables.CellRow>) {
    if isInsideField || cell.pointee.isInsideField { enterInside(cell) }
  }

  @inline(never)
  private mutating func enterInside(_ cell: UnsafePointer<FormTables.CellRow>) {
    if block.position != cell.pointee.block.position { open(cell.pointee.block) }
    if member != cell.pointee.member { open(cell) }
    isInsideField = cell.pointee.isInsideField
    depth = cell.pointee.depth
  }

  private mutating func append(_ piece: PreparedBytes, from start: Int = 0) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(upTo: piece.countToWrite) { piece.copy(from: start, to: $0) }
    isFirst = true
  }

  private mutating func close() {
    buffer.append(byte: UInt8(ascii: "}"))
    isFirst = false
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
    if block.position > 0 { close() }
    append(tables.pointee.blockKeys[wanted.position])
    block = wanted
    depth = 1
  }

  /// Opens the object of a field, step, lookup or action, and before it those of the fields around it that are not open yet.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>) {
    if case .fields = block {
      while member >= 0, !isOpen(around: cell.pointee.member) { closeMember() }
      if tables.pointee.fields[Int(cell.pointee.member)].parent >= 0 { openFields(around: cell.pointee.member) }
    } else {
      if member >= 0 { closeMember() }
    }
    if cell.pointee.member >= 0 { append(cell.pointee.way, from: Int(cell.pointee.memberStart)) }
    member = cell.pointee.member
    isBelow = false
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
      append(cell.pointee.way, from: Int(cell.pointee.memberStart))
      member = parent
      isBelow = false
    }
    guard !isBelow else { return }
    append(tables.pointee.blockKeys[FormTables.Block.fields.position])
    isBelow = true
  }

  /// Closes the object of the open field, step, lookup or action, with that of the fields below it.
  private mutating func closeMember() {
    if isBelow { close() }
    close()
    let parent: Int32 = if case .fields = block { tables.pointee.fields[Int(member)].parent } else { -1 }
    member = parent
    isBelow = parent >= 0
  }

  private mutating func closeMembers() {
    while member >= 0 { closeMember() }
    isInsideField = false
    depth = min(depth, 1)
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
