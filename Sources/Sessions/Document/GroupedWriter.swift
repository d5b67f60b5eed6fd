internal import Forms
internal import JSON

/// Writes the members of a document in the order of its cells and opens and closes the objects that they stand in.
struct GroupedWriter {
  /// The object that is open: which block, and which field or action in it (-1: none).
  private enum Block: Int {
    case top, messages, fields, actions, outputs
  }

  private let buffer: OutputBuffer
  private let layout: DocumentLayout
  private var block = Block.top
  private var member = -1
  /// Whether a comma has to come before the next member of the innermost open object.
  private var needsComma = false
  /// The last block that was opened; blocks never come back.
  private var lastBlock = Block.top

  init(buffer: OutputBuffer, form: Form) {
    self.buffer = buffer
    layout = form.layout
    buffer.append(byte: UInt8(ascii: "{"))
  }

  /// Opens the objects that a cell stands in and closes those that it does not.
  mutating func enter(_ cell: DocumentLayout.Cell) {
    switch cell {
    case .isValid, .isPending, .isDirty, .errors: break
    case .message: open(.messages, -1)
    case .field(let field, _): open(.fields, field)
    case .action(let action, _): open(.actions, action)
    case .output: open(.outputs, -1)
    }
  }

  /// Writes the name of a cell's member, with what has to stand before it.
  mutating func key(of cell: DocumentLayout.Cell) {
    enter(cell)
    comma()
    switch cell {
    case .isValid: buffer.append("\"isValid\":")
    case .isPending: buffer.append("\"isPending\":")
    case .isDirty: buffer.append("\"isDirty\":")
    case .errors: buffer.append("\"errors\":")
    case .message(let field): buffer.append(layout.fieldKeys[field])
    case .field(_, let cell):
      switch cell {
      case .isVisible: buffer.append("\"isVisible\":")
      case .isEnabled: buffer.append("\"isEnabled\":")
      case .isRequired: buffer.append("\"isRequired\":")
      case .isValid: buffer.append("\"isValid\":")
      case .isPending: buffer.append("\"isPending\":")
      case .isDirty: buffer.append("\"isDirty\":")
      case .isTouched: buffer.append("\"isTouched\":")
      case .errors: buffer.append("\"errors\":")
      }
    case .action(_, let cell):
      switch cell {
      case .isEnabled: buffer.append("\"isEnabled\":")
      case .isLoading: buffer.append("\"isLoading\":")
      case .attempts: buffer.append("\"attempts\":")
      case .result: buffer.append("\"result\":")
      case .error: buffer.append("\"error\":")
      case .message: buffer.append("\"message\":")
      }
    case .output(let output): buffer.append(layout.outputKeys[output])
    }
  }

  /// Closes everything. A whole document has all its blocks, empty ones too.
  mutating func finish(isDocument: Bool) {
    if isDocument {
      for next in [Block.messages, .fields, .actions, .outputs] where next.rawValue > lastBlock.rawValue {
        open(next, -1)
      }
    }
    closeBlock()
    buffer.append(byte: UInt8(ascii: "}"))
  }

  private mutating func comma() {
    if needsComma { buffer.append(byte: UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ wanted: Block, _ index: Int) {
    if block != wanted {
      if !(wanted.rawValue > lastBlock.rawValue) { preconditionFailure("block \(wanted) after \(lastBlock)") }
      closeBlock()
      comma()
      switch wanted {
      case .top: break
      case .messages: buffer.append("\"messages\":{")
      case .fields: buffer.append("\"fields\":{")
      case .actions: buffer.append("\"actions\":{")
      case .outputs: buffer.append("\"outputs\":{")
      }
      block = wanted
      lastBlock = wanted
      needsComma = false
    }
    guard index != member else { return }
    if member >= 0 {
      buffer.append(byte: UInt8(ascii: "}"))
      needsComma = true
    }
    comma()
    buffer.append(wanted == .fields ? layout.fieldKeys[index] : layout.actionKeys[index])
    buffer.append(byte: UInt8(ascii: "{"))
    member = index
    needsComma = false
  }

  private mutating func closeBlock() {
    if member >= 0 { buffer.append(byte: UInt8(ascii: "}")) }
    member = -1
    if block != .top { buffer.append(byte: UInt8(ascii: "}")) }
    block = .top
    needsComma = lastBlock != .top || needsComma
  }
}
