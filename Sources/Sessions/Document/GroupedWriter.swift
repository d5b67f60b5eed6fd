internal import DocumentProperties
internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells. It opens and closes the objects that contain them.
///
/// It knows its position in the document, and all calls of one document have the same buffer. It does not keep the
/// buffer, because each use would count a reference.
struct GroupedWriter {
  private let tables: Reference<FormTables>
  /// The state behind the last write, which shows which objects are open. It is the cell that was written or entered
  /// last. Behind the end of a member's object, it is the first cell of the field around it, or the row of the block.
  /// At first it is ``FormTables/beginning``. Blocks come in the document's order, so a closed block is never opened
  /// again. Around a field's object, the objects of all fields around it are open, too.
  private var last: Reference<FormTables.CellEntry>
  /// Whether the innermost open object has no member yet.
  private var isFirst: Bool
  /// Whether the position is in the object of the fields below the open field, and not in the field's own object.
  private var isBelow = false

  /// Begins a document, or continues a document that another writer has begun.
  ///
  /// - Parameter cell: ``FormTables/beginning``, or the last member that was written, which is flat.
  init(_ tables: Reference<FormTables>, behind cell: Reference<FormTables.CellEntry>) {
    self.tables = tables
    last = cell
    isFirst = cell == tables.pointee.beginning
  }

  /// Closes the objects that do not contain a cell, and opens the objects that contain it.
  mutating func enter(_ cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    // The document is opened by its first member.
    if last.pointee.container == cell.pointee.container || cell.pointee.depth == 0 { return }
    buffer.append(upTo: cell.bytesMax) { cell.writeWay(behind: last, at: $0) }
    last = cell
    isFirst = true
  }

  /// Writes the name of a cell's member, and before it the braces, names and comma that are missing.
  mutating func key(of cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    enterField(cell, into: buffer)
    buffer.append(upTo: cell.bytesMax) { cell.writeKey(behind: last, isFirst: isFirst, at: $0) }
    last = cell
    isFirst = false
  }

  /// Writes the name of a member in the object that contains a cell.
  mutating func name(_ name: String, at cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    enter(cell, into: buffer)
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    isFirst = false
    buffer.write(name)
    buffer.append(byte: UInt8(ascii: ":"))
  }

  /// Lets another writer add members to the object that contains a cell. ``close(_:)`` must follow.
  mutating func members(at cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) -> Members {
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
    buffer.append(upTo: Reference<FormTables.CellEntry>.endBytesMax) { last.writeEnd(at: $0) }
  }

  // MARK: Fields inside of others

  /// Opens and closes the objects that a cell needs. At least one of the cell and the open member is a field inside
  /// another field.
  @inline(__always)
  private mutating func enterField(_ cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    if last.pointee.isInsideField || cell.pointee.isInsideField { enterInside(cell, into: buffer) }
  }

  @inline(never)
  private mutating func enterInside(_ cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    if last == tables.pointee.beginning { openDocument(into: buffer) }
    if block != cell.pointee.block.rawValue { open(cell.pointee.block, into: buffer) }
    if member != cell.pointee.member { open(cell, into: buffer) }
    last = cell
  }

  /// The position of the block whose object is open.
  private var block: Int { last.pointee.block.rawValue }

  /// The field, step, lookup or action whose object is open, or -1 for none.
  private var member: Int32 { last.pointee.member }

  private var isInFields: Bool { block == FormTables.Block.fields.rawValue }

  private mutating func append(_ piece: PreparedBytes, _ part: Range<Int32>, into buffer: OutputBuffer) {
    if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(piece[Int(part.lowerBound)..<Int(part.upperBound)])
    isFirst = true
  }

  /// Opens the object of a cell's member, in its block.
  private mutating func openMember(of cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    append(cell.pointee.text, cell.pointee.memberStart..<cell.pointee.keyStart, into: buffer)
    last = cell
    isBelow = false
  }

  private mutating func openBlock(_ block: FormTables.Block, into buffer: OutputBuffer) {
    let entry = tables.pointee.blocks.at(block.rawValue)
    append(entry.pointee.text, 0..<entry.pointee.keyStart, into: buffer)
  }

  private mutating func close(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "}"))
    isFirst = false
  }

  private mutating func openDocument(into buffer: OutputBuffer) {
    buffer.append(byte: UInt8(ascii: "{"))
    last = tables.pointee.blocks.at(0)
  }

  private mutating func openRest(into buffer: OutputBuffer) {
    for next in [FormTables.Block.messages, .fields, .actions, .outputs] where next.rawValue > block {
      open(next, into: buffer)
    }
  }

  /// Writes the blocks before the block of a cell that have no cell of their own, because a whole document has them
  /// all.
  mutating func openBlocks(before cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    if case .outputs = cell.pointee.block, block < FormTables.Block.actions.rawValue { open(.actions, into: buffer) }
  }

  private mutating func open(_ wanted: FormTables.Block, into buffer: OutputBuffer) {
    assert(last != tables.pointee.beginning, "block \(wanted) in a document that is not open")
    assert(wanted.rawValue > block, "block \(wanted) after \(last.pointee.block)")
    closeMembers(into: buffer)
    if block > 0 { close(into: buffer) }
    openBlock(wanted, into: buffer)
    last = tables.pointee.blocks.at(wanted.rawValue)
  }

  /// Opens the object of a field, step, lookup or action. Before it, it opens the objects of the fields around it that
  /// are not open yet.
  private mutating func open(_ cell: Reference<FormTables.CellEntry>, into buffer: OutputBuffer) {
    let wanted = cell.pointee.member
    if isInFields {
      while member >= 0, !isOpen(around: wanted) { closeMember(into: buffer) }
      if tables.pointee.fields[Int(wanted)].parent >= 0 { openFields(around: wanted, into: buffer) }
    } else {
      if member >= 0 { closeMember(into: buffer) }
    }
    if wanted >= 0 { openMember(of: cell, into: buffer) }
  }

  private func isOpen(around field: Int32) -> Bool {
    member < field && field < tables.pointee.fields[Int(member)].end
  }

  /// Opens the objects between the open field and a field inside it, up to the name of the inner field.
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

  private func firstCell(ofField field: Int32) -> Reference<FormTables.CellEntry> {
    tables.pointee.cells.at(tables.cell(field: Int(field), .isVisible))
  }

  /// Closes the object of the open field, step, lookup or action, with the object of the fields below it.
  private mutating func closeMember(into buffer: OutputBuffer) {
    if isBelow { close(into: buffer) }
    close(into: buffer)
    let parent: Int32 = isInFields ? tables.pointee.fields[Int(member)].parent : -1
    last = parent >= 0 ? firstCell(ofField: parent) : tables.pointee.blocks.at(block)
    isBelow = parent >= 0
  }

  private mutating func closeMembers(into buffer: OutputBuffer) {
    while member >= 0 { closeMember(into: buffer) }
  }
}

/// Writes the way from one cell to the next if neither is a field inside another. Then only braces, a comma and a part
/// of the second cell's text are between two values.
extension Reference<FormTables.CellEntry> {
  /// Braces and a comma are written as one word.
  private static let separatorsMax = MemoryLayout<UInt32>.size

  /// The most bytes that ``writeEnd(at:)`` writes.
  @inline(__always)
  static var endBytesMax: Int { separatorsMax }

  /// The most bytes that ``writeKey(behind:isFirst:at:)`` and ``writeWay(behind:at:)`` write, including the bytes
  /// behind the key.
  @inline(__always)
  var bytesMax: Int { pointee.text.countToWrite &+ Self.separatorsMax }

  /// Writes the cell's name, and before it the characters that are missing behind another cell. The caller has room for
  /// them.
  ///
  /// - Parameter isFirst: whether the innermost open object has no member yet.
  /// - Returns: the position behind it.
  @inline(__always)
  func writeKey(
    behind last: Self,
    isFirst: Bool = false,
    at start: OutputPosition
  ) -> OutputPosition {
    if last.pointee.container == pointee.container {
      let behindComma = start.writing(UInt8(ascii: ","))
      return pointee.text.copy(from: Int(pointee.keyStart), to: isFirst ? start : behindComma)
    }
    let (way, target) = writeSeparators(behind: last, at: start)
    return pointee.text.copy(from: way, to: target)
  }

  /// Opens the objects that contain the cell. At least one object is not open yet.
  ///
  /// - Returns: the position behind it.
  @inline(__always)
  func writeWay(behind last: Self, at start: OutputPosition) -> OutputPosition {
    let (way, target) = writeSeparators(behind: last, at: start)
    return pointee.text.copy(way, upTo: Int(pointee.keyStart), to: target)
  }

  /// Closes everything behind the cell, which was written or entered. Returns the position behind it.
  @inline(__always)
  func writeEnd(at start: OutputPosition) -> OutputPosition {
    start.writing(UInt32(0x7d7d7d), count: Int(pointee.depth) &+ 1)
  }

  /// Writes the characters between another cell and this one. At least one of the objects that contain this cell is not
  /// open.
  ///
  /// - Returns: the position in the cell's text at which the objects to open begin, and the position behind the written
  ///   bytes.
  @inline(__always)
  private func writeSeparators(
    behind last: Self,
    at start: OutputPosition
  ) -> (way: Int, target: OutputPosition) {
    if (last.pointee.container ^ pointee.container) &>> 32 == 0 {
      assert(last.pointee.member >= 0, "no member is open beside that of \(pointee.owner)")
      return (Int(pointee.memberStart), start.writing(UInt16(0x2c7d), count: 2))
    }
    return (0, start.writing(last.pointee.separators, count: Int(last.pointee.depth) &+ 1))
  }
}
