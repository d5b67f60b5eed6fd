internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
///
/// It knows where in the document it is, and all calls of one document have the same buffer. It does not keep the buffer: each use would count a
/// reference.
struct GroupedWriter {
  private let tables: UnsafePointer<FormTables>
  /// The block that is open. Blocks come in the document's order, so a closed one is never opened again.
  private var block = FormTables.Block.top
  /// The field, step, lookup or action whose object is open; -1: none. The objects of all fields around it are open, too.
  private var member: Int32 = -1
  /// What stands before a member of another block: braces that close what is open now, and a comma. A field's object inside of another's is
  /// none of these.
  private var separators: UInt32 = 0
  /// How many bytes that is; 0 before the first member of the document.
  private var separatorCount = 0
  /// Whether the innermost open object has no member yet.
  private var isFirst = true
  /// Whether the open member is a field inside of another one.
  private var isInsideField = false
  /// Whether we stand in the object of the fields below that field, and not in its own.
  private var isBelow = false

  @inline(__always)
  init(_ tables: UnsafePointer<FormTables>, into buffer: OutputBuffer) {
    self.tables = tables
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// Closes the objects that a cell does not stand in, and opens those that it stands in.
  @inline(__always)
  mutating func enter(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    if isOpen(cell) { return }
    buffer.append(upTo: cell.pointee.way.countToWrite &+ Self.separatorsMax) { wayTo(cell, $0) }
    isFirst = true
  }

  /// Writes the name of a cell's member, and before it the braces, names and comma that are missing.
  @inline(__always)
  mutating func key(of cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    buffer.append(upTo: Self.countToWrite(cell)) { key(of: cell, at: $0) }
  }

  /// Writes a cell's member: a truth.
  @inline(__always)
  mutating func write(_ truth: Bool, at cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    buffer.append(upTo: Self.countToWrite(cell) &+ MemoryLayout<UInt64>.size) { start in
      let out = key(of: cell, at: start)
      // Both are written as a whole word, and what is behind them is written over.
      let word: UInt64 = truth ? 0x6575_7274 : 0x65_736c_6166
      UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
      return out + (truth ? 4 : 5)
    }
  }

  /// Writes the name of a member that stands where a cell does.
  mutating func name(_ name: String, at cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enter(cell, into: buffer)
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    isFirst = false
    buffer.write(name)
    buffer.append(byte: UInt8(ascii: ":"))
  }

  /// Lets somebody else write members of the object that a cell stands in. ``close(_:)`` is to follow.
  mutating func members(at cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) -> Members {
    enter(cell, into: buffer)
    return Members(buffer, isFirst: isFirst)
  }

  mutating func close(_ members: Members) {
    if !members.isFirst { isFirst = false }
  }

  /// Closes everything. A whole document has all its blocks, empty ones too.
  @inline(__always)
  mutating func finish(isDocument: Bool, into buffer: OutputBuffer) {
    if isDocument { openRest(into: buffer) }
    if isInsideField { closeMembers(into: buffer) }
    buffer.append(upTo: Self.separatorsMax) { out in
      UnsafeMutableRawPointer(out).storeBytes(of: UInt32(0x7d7d7d).littleEndian, as: UInt32.self)
      return out + max(separatorCount, 1)
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
    separators = cell.pointee.separators
    separatorCount = Int(cell.pointee.depth) &+ 1
    return cell.pointee.key.copy(to: out)
  }

  /// Closes the open objects that a cell does not stand in, and opens those that it stands in, where there is room for that. Neither the open
  /// member nor the cell's is a field inside of another, and one of the cell's objects is not open. Returns the place behind it.
  @inline(__always)
  private mutating func wayTo(
    _ cell: UnsafePointer<FormTables.CellRow>,
    _ start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let out: UnsafeMutablePointer<UInt8>
    let wayStart: Int
    if block.position != cell.pointee.block.position {
      UnsafeMutableRawPointer(start).storeBytes(of: separators.littleEndian, as: UInt32.self)
      out = start + separatorCount
      wayStart = 0
    } else {
      assert(member >= 0, "no member is open beside that of \(cell.pointee.index)")
      UnsafeMutableRawPointer(start).storeBytes(of: UInt16(0x2c7d).littleEndian, as: UInt16.self)
      out = start + 2
      wayStart = Int(cell.pointee.memberStart)
    }
    block = cell.pointee.block
    member = cell.pointee.member
    separators = cell.pointee.separators
    separatorCount = Int(cell.pointee.depth) &+ 1
    return cell.pointee.way.copy(from: wayStart, to: out)
  }

  // MARK: Fields inside of others

  /// Opens and closes what a cell needs where it, or the open member, is a field's that is inside of another.
  @inline(__always)
  private mutating func enterField(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if isInsideField || cell.pointee.isInsideField { enterInside(cell, into: buffer) }
  }

  @inline(never)
  private mutating func enterInside(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if block.position != cell.pointee.block.position { open(cell.pointee.block, into: buffer) }
    if member != cell.pointee.member { open(cell, into: buffer) }
    isInsideField = cell.pointee.isInsideField
    separators = cell.pointee.separators
    separatorCount = Int(cell.pointee.depth) + 1
  }

  private mutating func append(_ piece: PreparedBytes, from start: Int = 0, into buffer: OutputBuffer) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(upTo: piece.countToWrite) { piece.copy(from: start, to: $0) }
    isFirst = true
  }

  private mutating func close(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "}"))
    isFirst = false
  }

  private mutating func openRest(into buffer: OutputBuffer) {
    for next in [FormTables.Block.messages, .fields, .actions, .outputs] where next.position > block.position {
      open(next, into: buffer)
    }
  }

  /// Writes the blocks before that of a cell that have no cell of their own: a whole document has them all.
  mutating func openBlocks(before cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if case .outputs = cell.pointee.block, block.position < FormTables.Block.actions.position {
      open(.actions, into: buffer)
    }
  }

  private mutating func open(_ wanted: FormTables.Block, into buffer: OutputBuffer) {
    assert(wanted.position > block.position, "block \(wanted) after \(block)")
    closeMembers(into: buffer)
    if block.position > 0 { close(into: buffer) }
    append(tables.pointee.blockKeys[wanted.position], into: buffer)
    block = wanted
    stand(inBlock: true)
  }

  /// Opens the object of a field, step, lookup or action, and before it those of the fields around it that are not open yet.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if case .fields = block {
      while member >= 0, !isOpen(around: cell.pointee.member) { closeMember(into: buffer) }
      if tables.pointee.fields[Int(cell.pointee.member)].parent >= 0 {
        openFields(around: cell.pointee.member, into: buffer)
      }
    } else {
      if member >= 0 { closeMember(into: buffer) }
    }
    if cell.pointee.member >= 0 { append(cell.pointee.way, from: Int(cell.pointee.memberStart), into: buffer) }
    member = cell.pointee.member
    isBelow = false
  }

  /// Whether the open field is one that another stands inside of.
  private func isOpen(around field: Int32) -> Bool {
    member < field && field < tables.pointee.fields[Int(member)].end
  }

  /// Opens the objects between the open field and one that stands inside of it, as far as the latter's name.
  private mutating func openFields(around field: Int32, into buffer: OutputBuffer) {
    let parent = tables.pointee.fields[Int(field)].parent
    guard parent >= 0 else { return }
    if parent != member {
      openFields(around: parent, into: buffer)
      let cell = tables.pointee.cells + tables.cell(field: Int(parent), .isVisible)
      append(cell.pointee.way, from: Int(cell.pointee.memberStart), into: buffer)
      member = parent
      isBelow = false
    }
    guard !isBelow else { return }
    append(tables.pointee.blockKeys[FormTables.Block.fields.position], into: buffer)
    isBelow = true
  }

  /// Closes the object of the open field, step, lookup or action, with that of the fields below it.
  private mutating func closeMember(into buffer: OutputBuffer) {
    if isBelow { close(into: buffer) }
    close(into: buffer)
    let parent: Int32 = if case .fields = block { tables.pointee.fields[Int(member)].parent } else { -1 }
    member = parent
    isBelow = parent >= 0
  }

  private mutating func closeMembers(into buffer: OutputBuffer) {
    while member >= 0 { closeMember(into: buffer) }
    isInsideField = false
    if separatorCount > 0 { stand(inBlock: block.position > 0) }
  }

  /// No member's object is open.
  private mutating func stand(inBlock: Bool) {
    separators = inBlock ? 0x2c7d : 0x2c
    separatorCount = inBlock ? 2 : 1
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
