internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
///
/// It knows where in the document it is, and all calls of one document have the same buffer. It does not keep the buffer: each use would count a
/// reference.
struct GroupedWriter {
  private let tables: UnsafePointer<FormTables>
  /// It tells which objects are open, and so what comes before another cell: the cell that was written or entered last; behind the end of a member's object
  /// the first cell of the field around it, or the row of the block; at first ``FormTables/beginning``. Blocks come in the document's order, so
  /// a closed one is never opened again. Around a field's object those of all fields around it are open, too.
  private var last: UnsafePointer<FormTables.CellRow>
  /// Whether the innermost open object has no member yet.
  private var isFirst: Bool
  /// Whether we stand in the object of the fields below the open field, and not in its own.
  private var isBelow = false

  /// Begins a document, or goes on with one that somebody else has begun.
  ///
  /// - Parameter cell: ``FormTables/beginning``, or the last member that was written, which is flat.
  init(_ tables: UnsafePointer<FormTables>, behind cell: UnsafePointer<FormTables.CellRow>) {
    self.tables = tables
    last = cell
    isFirst = cell == tables.pointee.beginning
  }

  /// Closes the objects that a cell does not stand in, and opens those that it stands in.
  mutating func enter(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    // The document is opened by its first member.
    if last.pointee.place == cell.pointee.place || cell.pointee.depth == 0 { return }
    buffer.append(upTo: cell.bytesMax) { cell.writeWay(behind: last, at: $0) }
    last = cell
    isFirst = true
  }

  /// Writes the name of a cell's member, and before it the braces, names and comma that are missing.
  mutating func key(of cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    buffer.append(upTo: cell.bytesMax) { cell.writeKey(behind: last, isFirst: isFirst, at: $0) }
    last = cell
    isFirst = false
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
  mutating func finish(isDocument: Bool, into buffer: OutputBuffer) {
    if isDocument { openRest(into: buffer) }
    if last.pointee.isInsideField { closeMembers(into: buffer) }
    if last == tables.pointee.beginning { return buffer.append("{}") }
    buffer.append(upTo: UnsafePointer<FormTables.CellRow>.endBytesMax) { last.writeEnd(at: $0) }
  }

  // MARK: Fields inside of others

  /// Opens and closes what a cell needs where it, or the open member, is a field's that is inside of another.
  @inline(__always)
  private mutating func enterField(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if last.pointee.isInsideField || cell.pointee.isInsideField { enterInside(cell, into: buffer) }
  }

  @inline(never)
  private mutating func enterInside(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if last == tables.pointee.beginning { openDocument(into: buffer) }
    if block != cell.pointee.block.rawValue { open(cell.pointee.block, into: buffer) }
    if member != cell.pointee.member { open(cell, into: buffer) }
    last = cell
  }

  /// The position of the block whose object is open.
  private var block: Int { last.pointee.block.rawValue }

  /// The field, step, lookup or action whose object is open; -1: none.
  private var member: Int32 { last.pointee.member }

  private var isInFields: Bool { block == FormTables.Block.fields.rawValue }

  private mutating func append(_ piece: PreparedBytes, _ part: Range<Int32>, into buffer: OutputBuffer) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(piece[Int(part.lowerBound)..<Int(part.upperBound)])
    isFirst = true
  }

  /// Opens the object of a cell's member, in its block.
  private mutating func openMember(of cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    append(cell.pointee.text, cell.pointee.memberStart..<cell.pointee.keyStart, into: buffer)
    last = cell
    isBelow = false
  }

  private mutating func openBlock(_ block: FormTables.Block, into buffer: OutputBuffer) {
    let row = tables.pointee.blocks + block.rawValue
    append(row.pointee.text, 0..<row.pointee.keyStart, into: buffer)
  }

  private mutating func close(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "}"))
    isFirst = false
  }

  private mutating func openDocument(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "{"))
    last = tables.pointee.blocks
  }

  private mutating func openRest(into buffer: OutputBuffer) {
    for next in [FormTables.Block.messages, .fields, .actions, .outputs] where next.rawValue > block {
      open(next, into: buffer)
    }
  }

  /// Writes the blocks before that of a cell that have no cell of their own: a whole document has them all.
  mutating func openBlocks(before cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    if case .outputs = cell.pointee.block, block < FormTables.Block.actions.rawValue { open(.actions, into: buffer) }
  }

  private mutating func open(_ wanted: FormTables.Block, into buffer: OutputBuffer) {
    assert(last != tables.pointee.beginning, "block \(wanted) in a document that is not open")
    assert(wanted.rawValue > block, "block \(wanted) after \(last.pointee.block)")
    closeMembers(into: buffer)
    if block > 0 { close(into: buffer) }
    openBlock(wanted, into: buffer)
    last = tables.pointee.blocks + wanted.rawValue
  }

  /// Opens the object of a field, step, lookup or action, and before it those of the fields around it that are not open yet.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>, into buffer: OutputBuffer) {
    let wanted = cell.pointee.member
    if isInFields {
      while member >= 0, !isOpen(around: wanted) { closeMember(into: buffer) }
      if tables.pointee.fields[Int(wanted)].parent >= 0 { openFields(around: wanted, into: buffer) }
    } else {
      if member >= 0 { closeMember(into: buffer) }
    }
    if wanted >= 0 { openMember(of: cell, into: buffer) }
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
      openMember(of: firstCell(ofField: parent), into: buffer)
    }
    guard !isBelow else { return }
    openBlock(.fields, into: buffer)
    isBelow = true
  }

  private func firstCell(ofField field: Int32) -> UnsafePointer<FormTables.CellRow> {
    tables.pointee.cells + tables.cell(field: Int(field), .isVisible)
  }

  /// Closes the object of the open field, step, lookup or action, with that of the fields below it.
  private mutating func closeMember(into buffer: OutputBuffer) {
    if isBelow { close(into: buffer) }
    close(into: buffer)
    let parent: Int32 = isInFields ? tables.pointee.fields[Int(member)].parent : -1
    last = parent >= 0 ? firstCell(ofField: parent) : tables.pointee.blocks + block
    isBelow = parent >= 0
  }

  private mutating func closeMembers(into buffer: OutputBuffer) {
    while member >= 0 { closeMember(into: buffer) }
  }
}

/// From one cell to the next, where neither is a field's that is inside of another: then all that stands between two values is braces, a comma and
/// a part of the second cell's text.
extension UnsafePointer<FormTables.CellRow> {
  /// Braces and a comma are written as one word.
  private static let separatorsMax = MemoryLayout<UInt32>.size

  /// The most bytes that ``writeEnd(at:)`` writes.
  @inline(__always)
  static var endBytesMax: Int { separatorsMax }

  /// The most bytes that ``writeKey(behind:isFirst:at:)`` and ``writeWay(behind:at:)`` write, those behind the key included.
  @inline(__always)
  var bytesMax: Int { pointee.text.countToWrite &+ Self.separatorsMax }

  /// Writes the cell's name, and before it what is missing behind another cell, where there is room for that.
  ///
  /// - Parameter isFirst: whether the innermost open object has no member yet.
  /// - Returns: the place behind it.
  @inline(__always)
  func writeKey(
    behind last: Self,
    isFirst: Bool = false,
    at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if last.pointee.place == pointee.place {
      start.pointee = UInt8(ascii: ",")
      return pointee.text.copy(from: Int(pointee.keyStart), to: start + (isFirst ? 0 : 1))
    }
    let (way, place) = writeSeparators(behind: last, at: start)
    return pointee.text.copy(from: way, to: place)
  }

  /// Opens the objects that the cell stands in. One of them is not open yet.
  ///
  /// - Returns: the place behind it.
  @inline(__always)
  func writeWay(behind last: Self, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    let (way, place) = writeSeparators(behind: last, at: start)
    return pointee.text.copy(way, upTo: Int(pointee.keyStart), to: place)
  }

  /// Closes everything behind the cell, which was written or entered. Returns the place behind it.
  @inline(__always)
  func writeEnd(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(start).storeBytes(of: UInt32(0x7d7d7d).littleEndian, as: UInt32.self)
    return start + (Int(pointee.depth) &+ 1)
  }

  /// Writes what comes between another cell and this one, where one of the objects that this one stands in is not open.
  ///
  /// - Returns: where in the cell's text the objects begin that are to be opened, and the place behind what was written.
  @inline(__always)
  private func writeSeparators(
    behind last: Self,
    at start: UnsafeMutablePointer<UInt8>
  ) -> (way: Int, place: UnsafeMutablePointer<UInt8>) {
    if (last.pointee.place ^ pointee.place) &>> 32 == 0 {
      assert(last.pointee.member >= 0, "no member is open beside that of \(pointee.index)")
      UnsafeMutableRawPointer(start).storeBytes(of: UInt16(0x2c7d).littleEndian, as: UInt16.self)
      return (Int(pointee.memberStart), start + 2)
    }
    UnsafeMutableRawPointer(start).storeBytes(of: last.pointee.separators.littleEndian, as: UInt32.self)
    return (0, start + (Int(last.pointee.depth) &+ 1))
  }
}
