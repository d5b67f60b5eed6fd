internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
struct GroupedWriter {
  /// The blocks of a document, in its order; none comes back once it is closed.
  private enum Block: UInt8 {
    case top, messages, fields, actions, outputs
  }

  private let buffer: OutputBuffer
  private var block = Block.top
  /// The field or action whose object is open; -1: none.
  private var member: Int32 = -1
  /// Whether a comma has to come before the next member of the innermost open object.
  private var needsComma = false

  @inline(__always)
  init(buffer: OutputBuffer) {
    self.buffer = buffer
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// Opens the objects that a cell stands in and closes those that it does not.
  @inline(__always)
  mutating func enter(_ cell: UnsafePointer<FormTables.CellRow>) {
    switch cell.pointee.kind {
    case .isValid, .isPending, .isDirty, .errors:
      return
    case .message:
      if block != .messages { open(.messages) }
    case .fieldIsVisible, .fieldIsEnabled, .fieldIsRequired, .fieldIsValid, .fieldIsPending, .fieldIsDirty,
      .fieldIsTouched, .fieldErrors:
      if block != .fields { open(.fields) }
      if member != cell.pointee.index { open(cell) }
    case .actionIsEnabled, .actionIsLoading, .actionAttempts, .actionResult, .actionError, .actionMessage:
      if block != .actions { open(.actions) }
      if member != cell.pointee.index { open(cell) }
    case .output:
      if block != .outputs { open(.outputs) }
    }
  }

  /// Writes the name of a cell's member, with what has to stand before it.
  @inline(__always)
  mutating func key(of cell: UnsafePointer<FormTables.CellRow>) {
    enter(cell)
    if needsComma { buffer.append(byte: UInt8(ascii: ",")) }
    needsComma = true
    buffer.append(cell.pointee.key)
  }

  /// Closes everything. A whole document has all its blocks, empty ones too.
  @inline(__always)
  mutating func finish(isDocument: Bool) {
    if isDocument { openRest() }
    if member >= 0 { buffer.append(byte: UInt8(ascii: "}")) }
    if block != .top { buffer.append(byte: UInt8(ascii: "}")) }
    buffer.append(byte: UInt8(ascii: "}"))
  }

  private mutating func openRest() {
    for next in [Block.messages, .fields, .actions, .outputs] where next.rawValue > block.rawValue { open(next) }
  }

  /// Writes the blocks before that of a cell that have no cell of their own: a whole document has them all.
  mutating func openBlocks(before cell: UnsafePointer<FormTables.CellRow>) {
    if case .output = cell.pointee.kind, block.rawValue < Block.actions.rawValue { open(.actions) }
  }

  private mutating func open(_ wanted: Block) {
    assert(wanted.rawValue > block.rawValue, "block \(wanted) after \(block)")
    if member >= 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      member = -1
    }
    if block != .top {
      buffer.append(byte: UInt8(ascii: "}"))
      needsComma = true
    }
    if needsComma { buffer.append(byte: UInt8(ascii: ",")) }
    switch wanted {
    case .top: break
    case .messages: buffer.append("\"messages\":{")
    case .fields: buffer.append("\"fields\":{")
    case .actions: buffer.append("\"actions\":{")
    case .outputs: buffer.append("\"outputs\":{")
    }
    block = wanted
    needsComma = false
  }

  /// Opens the object of a field or action.
  private mutating func open(_ cell: UnsafePointer<FormTables.CellRow>) {
    if member >= 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      needsComma = true
    }
    if needsComma { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(cell.pointee.groupKey)
    buffer.append(byte: UInt8(ascii: "{"))
    member = cell.pointee.index
    needsComma = false
  }
}
