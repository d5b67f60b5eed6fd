internal import JSON

/// Makes the entries of ``FormTables/cells``: for each cell of a document its kind, its container, and the text before
/// its value.
enum CellTable {
  /// By block: `"name":{`; empty for the top.
  private static let blockKeys = FormTables.Block.allCases.map { $0 == .top ? [] : Array("\"\($0)\":{".utf8) }

  /// By raw value: `"name":`.
  private static let fieldMemberKeys = DocumentLayout.FieldCell.allCases.map { key("\($0)") }
  private static let stepMemberKeys = DocumentLayout.StepCell.allCases.map { key("\($0)") }
  private static let lookupMemberKeys = DocumentLayout.LookupCell.allCases.map { key("\($0)") }
  private static let actionMemberKeys = DocumentLayout.ActionCell.allCases.map { key("\($0)") }

  private static func key(_ name: String) -> [UInt8] { Array("\"\(name)\":".utf8) }

  /// By cell. Their texts are one piece of memory.
  ///
  /// - Parameter keep: makes that piece, which lives as long as the tables.
  static func entries(
    of layout: DocumentLayout,
    _ fields: [Field],
    _ keep: ([UInt8]) -> PreparedBytes
  ) -> [FormTables.CellEntry] {
    var texts: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(layout.count)
    let none = keep([])
    func entry(
      _ kind: FormTables.CellKind,
      _ index: Int,
      _ block: FormTables.Block,
      in member: (number: Int, key: [UInt8])? = nil,
      _ key: [UInt8]
    ) -> FormTables.CellEntry {
      let start = texts.count
      texts += blockKeys[block.rawValue]
      let memberStart = texts.count - start
      if let member {
        texts += member.key
        texts.append(UInt8(ascii: "{"))
      }
      let keyStart = texts.count - start
      texts += key
      ends.append(texts.count)
      return Self.entry(
        kind,
        index,
        block,
        in: member?.number ?? -1,
        isInsideField: block == .fields && member.map { fields[$0.number].parent != nil } ?? false,
        memberStart: memberStart,
        keyStart: keyStart,
        none
      )
    }
    var cells = layout.cells.map { cell in
      switch cell {
      case .isValid: entry(.isValid, 0, .top, key("isValid"))
      case .isPending: entry(.isPending, 0, .top, key("isPending"))
      case .isDirty: entry(.isDirty, 0, .top, key("isDirty"))
      case .errors: entry(.errors, 0, .top, key("errors"))
      case .currentStep: entry(.currentStep, 0, .top, key("step"))
      case .message(let field): entry(.message, field, .messages, layout.messageKeys[field])
      case .rowMessages: entry(.rowMessages, 0, .messages, [])
      case .field(let field, let cell):
        entry(kind(of: cell), field, .fields, in: (field, layout.fieldKeys[field]), fieldMemberKeys[cell.rawValue])
      case .step(let step, let cell):
        entry(kind(of: cell), step, .steps, in: (step, layout.stepKeys[step]), stepMemberKeys[cell.rawValue])
      case .lookup(let lookup, let cell):
        entry(
          kind(of: cell),
          lookup,
          .lookups,
          in: (lookup, layout.lookupKeys[lookup]),
          lookupMemberKeys[cell.rawValue]
        )
      case .action(let action, let cell):
        entry(
          kind(of: cell),
          action,
          .actions,
          in: (action, layout.actionKeys[action]),
          actionMemberKeys[cell.rawValue]
        )
      case .output(let output): entry(.output, output, .outputs, layout.outputKeys[output])
      }
    }
    let all = keep(texts)
    var start = 0
    for (cell, end) in ends.enumerated() {
      cells[cell].text = all[start..<end]
      start = end
    }
    return cells
  }

  /// The entry for a block's object while no member is open in it.
  ///
  /// - Parameter keep: makes a text that lives as long as the tables.
  static func entry(of block: FormTables.Block, _ keep: ([UInt8]) -> PreparedBytes) -> FormTables.CellEntry {
    let key = blockKeys[block.rawValue]
    return entry(.isValid, 0, block, memberStart: key.count, keyStart: key.count, keep(key))
  }

  /// See ``FormTables/beginning``.
  static func beginning(_ keep: ([UInt8]) -> PreparedBytes) -> FormTables.CellEntry {
    var entry = entry(of: .top, keep)
    entry.container = .max
    entry.separators = UInt32(UInt8(ascii: "{"))
    return entry
  }

  private static func entry(
    _ kind: FormTables.CellKind,
    _ index: Int,
    _ block: FormTables.Block,
    in member: Int = -1,
    isInsideField: Bool = false,
    memberStart: Int,
    keyStart: Int,
    _ text: PreparedBytes
  ) -> FormTables.CellEntry {
    let depth: UInt8 = block == .top ? 0 : member < 0 ? 1 : 2
    return FormTables.CellEntry(
      kind: kind,
      block: block,
      index: Int32(index),
      member: Int32(member),
      container: UInt64(block.rawValue) << 32 | UInt64(member + 1),
      depth: depth,
      separators: 0x2c7d7d >> (16 - 8 * UInt32(depth)),
      isInsideField: isInsideField,
      isFlat: !isInsideField && kind != .fieldOrder && kind != .rowMessages,
      memberStart: Int32(memberStart),
      keyStart: Int32(keyStart),
      text: text
    )
  }

  private static func kind(of cell: DocumentLayout.FieldCell) -> FormTables.CellKind {
    switch cell {
    case .isVisible: .fieldIsVisible
    case .isEnabled: .fieldIsEnabled
    case .isRequired: .fieldIsRequired
    case .isValid: .fieldIsValid
    case .isPending: .fieldIsPending
    case .isDirty: .fieldIsDirty
    case .isTouched: .fieldIsTouched
    case .isEmpty: .fieldIsEmpty
    case .errors: .fieldErrors
    case .options: .fieldOptions
    case .order: .fieldOrder
    }
  }

  private static func kind(of cell: DocumentLayout.StepCell) -> FormTables.CellKind {
    switch cell {
    case .isVisible: .stepIsVisible
    case .isValid: .stepIsValid
    case .isPending: .stepIsPending
    case .isTouched: .stepIsTouched
    }
  }

  private static func kind(of cell: DocumentLayout.LookupCell) -> FormTables.CellKind {
    switch cell {
    case .isLoading: .lookupIsLoading
    case .value: .lookupValue
    case .error: .lookupError
    }
  }

  private static func kind(of cell: DocumentLayout.ActionCell) -> FormTables.CellKind {
    switch cell {
    case .isEnabled: .actionIsEnabled
    case .isLoading: .actionIsLoading
    case .attempts: .actionAttempts
    case .result: .actionResult
    case .error: .actionError
    case .message: .actionMessage
    }
  }
}
