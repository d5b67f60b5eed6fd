internal import DocumentProperties
internal import JSON

/// Makes the entries of ``FormTables/cells``: for each cell of a document its kind, its container, and the text before
/// its value.
enum CellTable {
  /// By block: `"name":{`; empty for the top.
  fileprivate static let blockKeys = FormTables.Block.allCases.map { $0 == .top ? [] : Array("\"\($0)\":{".utf8) }

  /// By position in the list: `"name":`.
  fileprivate static func keys<Property: PropertyList>(_ properties: [Property]) -> [[UInt8]] {
    properties.map { Array("\"\($0.name)\":".utf8) }
  }

  /// By cell. Their texts are one piece of memory.
  ///
  /// - Parameter keep: makes that piece, which lives as long as the tables.
  static func entries(
    of layout: DocumentLayout,
    _ fields: [Field],
    _ keep: ([UInt8]) -> PreparedBytes
  ) -> [FormTables.CellEntry] {
    var maker = EntryMaker(layout, fields, none: keep([]))
    var cells = layout.cells.map { maker.entry(of: $0) }
    let all = keep(maker.texts)
    var start = 0
    for (cell, end) in maker.ends.enumerated() {
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
    return entry((.other, 0), 0, block, memberStart: key.count, keyStart: key.count, keep(key))
  }

  /// See ``FormTables/beginning``.
  static func beginning(_ keep: ([UInt8]) -> PreparedBytes) -> FormTables.CellEntry {
    var entry = entry(of: .top, keep)
    entry.container = .max
    entry.separators = UInt32(UInt8(ascii: "{"))
    return entry
  }

  fileprivate static func entry(
    _ kind: (kind: FormTables.CellKind, bit: UInt8),
    _ owner: Int,
    _ block: FormTables.Block,
    in member: Int = -1,
    isInsideField: Bool = false,
    memberStart: Int,
    keyStart: Int,
    _ text: PreparedBytes
  ) -> FormTables.CellEntry {
    let depth: UInt8 = block == .top ? 0 : member < 0 ? 1 : 2
    return FormTables.CellEntry(
      kind: kind.kind,
      bit: kind.bit,
      block: block,
      owner: Int32(owner),
      member: Int32(member),
      container: UInt64(block.rawValue) << 32 | UInt64(member + 1),
      depth: depth,
      separators: 0x2c7d7d >> (16 - 8 * UInt32(depth)),
      isInsideField: isInsideField,
      isFlat: !isInsideField && kind.kind != .rows && kind.kind != .rowMessages,
      memberStart: Int32(memberStart),
      keyStart: Int32(keyStart),
      text: text
    )
  }

  /// The kind of a property's cell, and the bit of its flag.
  ///
  /// - Parameter flag: the kind of the owner's flags.
  fileprivate static func kind(
    of property: some PropertyList,
    flag: FormTables.CellKind
  ) -> (kind: FormTables.CellKind, bit: UInt8) {
    let about = property.about
    let kind: FormTables.CellKind =
      switch about.kind {
      case .bool: flag
      case .value: .value
      case .errors: flag == .flagOfField ? .errorsOfField : .other
      case .rows: .rows
      case .number, .text: .other
      }
    return (kind, about.bit)
  }
}

/// Makes the entries of cells one after the other, and collects their texts.
private struct EntryMaker {
  private let layout: DocumentLayout
  private let fields: [Field]
  private let none: PreparedBytes
  private static let formKeys = CellTable.keys(FormProperty.inDocument)
  private static let fieldKeys = CellTable.keys(FieldProperty.inDocument)
  private static let stepKeys = CellTable.keys(StepProperty.inDocument)
  private static let lookupKeys = CellTable.keys(LookupProperty.inDocument)
  private static let actionKeys = CellTable.keys(ActionProperty.inDocument)
  /// The texts of all entries, one after the other.
  private(set) var texts: [UInt8] = []
  /// By cell: the end of its text in ``texts``.
  private(set) var ends: [Int] = []

  /// - Parameter none: the text of an entry until all texts are known.
  init(_ layout: DocumentLayout, _ fields: [Field], none: PreparedBytes) {
    self.layout = layout
    self.fields = fields
    self.none = none
    ends.reserveCapacity(layout.count)
  }

  /// The entry of the next cell, without its text.
  mutating func entry(of cell: DocumentLayout.Cell) -> FormTables.CellEntry {
    switch cell {
    case .form(let property):
      entry(CellTable.kind(of: property, flag: .flagOfForm), 0, .top, Self.formKeys[property.position])
    case .message(let field): entry((.other, 0), field, .messages, layout.messageKeys[field])
    case .rowMessages: entry((.rowMessages, 0), 0, .messages, [])
    case .field(let field, let property):
      entry(
        CellTable.kind(of: property, flag: .flagOfField),
        field,
        .fields,
        in: layout.fieldKeys[field],
        Self.fieldKeys[property.position]
      )
    case .step(let step, let property):
      entry(
        CellTable.kind(of: property, flag: .flagOfStep),
        step,
        .steps,
        in: layout.stepKeys[step],
        Self.stepKeys[property.position]
      )
    case .lookup(let lookup, let property):
      // No flag stores whether a lookup is loading.
      entry(
        CellTable.kind(of: property, flag: .other),
        lookup,
        .lookups,
        in: layout.lookupKeys[lookup],
        Self.lookupKeys[property.position]
      )
    case .action(let action, let property):
      entry(
        CellTable.kind(of: property, flag: .flagOfAction),
        action,
        .actions,
        in: layout.actionKeys[action],
        Self.actionKeys[property.position]
      )
    case .output(let output): entry((.output, 0), output, .outputs, layout.outputKeys[output])
    }
  }

  /// - Parameters:
  ///   - owner: the number of the cell's owner.
  ///   - memberKey: the name of the owner's object; nil for a cell directly in the block.
  private mutating func entry(
    _ kind: (kind: FormTables.CellKind, bit: UInt8),
    _ owner: Int,
    _ block: FormTables.Block,
    in memberKey: [UInt8]? = nil,
    _ key: [UInt8]
  ) -> FormTables.CellEntry {
    let start = texts.count
    texts += CellTable.blockKeys[block.rawValue]
    let memberStart = texts.count - start
    if let memberKey {
      texts += memberKey
      texts.append(UInt8(ascii: "{"))
    }
    let keyStart = texts.count - start
    texts += key
    ends.append(texts.count)
    return CellTable.entry(
      kind,
      owner,
      block,
      in: memberKey == nil ? -1 : owner,
      isInsideField: block == .fields && fields[owner].parent != nil,
      memberStart: memberStart,
      keyStart: keyStart,
      none
    )
  }
}
