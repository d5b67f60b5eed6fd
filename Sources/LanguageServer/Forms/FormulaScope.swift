internal import CEL
internal import Forms
internal import JSON
internal import SourceTexts

/// What a formula may name: its location in the definition decides that.
struct FormulaScope {
  /// The field whose value `self` is.
  let own: [String]?
  /// The element that `row` is.
  let row: [String]?
  /// Whether the formula is about an answer.
  let isOutcome: Bool
  /// The names of the arguments of a named formula.
  private var parameters: [String] = []

  /// A formula without a field, row or answer.
  static let form = FormulaScope(own: nil, row: nil, isOutcome: false)

  private init(own: [String]?, row: [String]?, isOutcome: Bool) {
    self.own = own
    self.row = row
    self.isOutcome = isOutcome
  }

  /// - Parameters:
  ///   - block: the block of the definition.
  ///   - part: the part of that block.
  init(in part: ScannedNode, of block: String, isOutcome: Bool = false) {
    let isByAddress = ["fields", "outputs", "lookups"].contains(block)
    guard let address = isByAddress ? part.key : part.child("field")?.value.stringValue,
      let path = JSONPointer(address: address)?.tokens
    else {
      self.init(own: nil, row: nil, isOutcome: isOutcome)
      return
    }
    let isJudged = block == "rules" || block == "checks"
    // The formulas of an output or a lookup of rows, and of a row's field, belong to the row.
    let end = path.lastIndex(of: "*")
    self.init(own: isJudged ? path : nil, row: end.map { Array(path[...$0]) }, isOutcome: isOutcome)
  }

  /// The scope of a definition's formula, by its pointer.
  init(at tokens: [String], in scanned: ScannedText) {
    guard tokens.count > 1, let part = scanned.node(at: JSONPointer(tokens: Array(tokens[..<2]))) else {
      self = .form
      return
    }
    let isAnswer =
      tokens.contains("outcomes") || tokens.last == "result" || tokens.first == "lookups" && tokens.last == "value"
    self.init(in: part, of: tokens[0], isOutcome: isAnswer)
    if tokens[0] == "functions" {
      parameters = part.child("parameters")?.children.compactMap(\.value.stringValue) ?? []
    }
  }

  /// The scope for questions about types.
  var place: FormulaTypes.Place { FormulaTypes.Place(row: row, own: own, isOutcome: isOutcome) }

  /// The cells that formulas can name in this scope.
  func cells(in usable: UsableForm?) -> [NamedFormulaCell] {
    guard let usable else { return [] }
    let list = row.map { JSONPointer(tokens: $0.dropLast()).address }
    var cells = parameters.map { NamedFormulaCell(name: $0, type: "dyn") }
    for group in usable.cells {
      switch group.scope {
      case .form: cells += group.cells
      case .rows(let address): if address == list { cells += group.cells }
      case .outcomes: if isOutcome { cells += group.cells }
      }
    }
    guard let own else { return cells }
    // `self` is another name of the field, so that it has the field's type.
    let types = Dictionary(cells.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    return usable.form.fields.filter { $0.path.starts(with: own) && !$0.path.dropFirst(own.count).contains("*") }.map {
      field in
      NamedFormulaCell(
        name: Printer.print(chain: ["self"] + field.path.dropFirst(own.count)),
        type: types[FieldAddress.spelling(of: field.path, among: "values")] ?? ""
      )
    } + cells
  }
}
