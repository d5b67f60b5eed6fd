internal import CEL
internal import Forms
internal import JSON

/// Where a formula names the symbols of its form.
///
/// It follows names as formulas read them (`values.address.city`, `row.sku`, `fields['/address/city'].isValid`), also through the variables
/// of loops (`values.items.all(r, r.sku != '')`). Of a formula that cannot be read it finds nothing.
struct FormulaNames {
  /// What stands at a node.
  private enum Meaning {
    /// The value of a field, or all values.
    case value([String])
    /// What has the symbols of one kind as its members.
    case table(String)
  }

  private static let environment = FormFunctions.environment()

  private let expression: ParsedExpression
  private let source: [UInt8]
  private let place: FormulaPlace
  /// The variables of the loops around: the values that they go through.
  private var variables: [(name: String, path: [String]?)] = []
  /// The bytes of the formula, and what is named there.
  private(set) var found: [(range: Range<Int>, symbol: FormSymbol)] = []

  /// Finds the names in a formula.
  init?(_ source: String, _ place: FormulaPlace) {
    guard let expression = try? Self.environment.parse(source) else { return nil }
    self.expression = expression
    self.source = Array(source.utf8)
    self.place = place
    visit(expression.root)
  }

  private mutating func visit(_ node: Syntax) {
    if case .comprehension(let loop) = node.kind { return visit(loop) }
    if case .call(let call) = node.kind, call.target == nil, call.function == "text", let first = call.arguments.first,
      case .literal(.string(let name)) = first.kind
    {
      note(name, in: first, .text(name))
    }
    if meaning(of: node) == nil { node.forEachChild { visit($0) } }
  }

  private mutating func visit(_ loop: Comprehension) {
    visit(loop.range)
    let count = found.count
    var path: [String]?
    if case .value(let list)? = meaning(of: loop.range) { path = loop.macro == .bind ? list : list + ["*"] }
    // Its names were noted by the visit.
    found.removeSubrange(count...)
    if let second = loop.secondVariable {
      variables.append((loop.variable, nil))
      variables.append((second, path))
    } else {
      variables.append((loop.variable, path))
    }
    for body in loop.bodies { visit(body) }
    variables.removeLast(loop.secondVariable == nil ? 1 : 2)
  }

  // MARK: Names

  /// What a node stands for, as far as names tell; notes the symbols that it names. nil for anything else, whose parts are to be visited.
  private mutating func meaning(of node: Syntax) -> Meaning? {
    switch node.kind {
    case .identifier(let name): return meaning(ofName: name)
    case .select(let selection):
      guard let holder = meaning(of: selection.operand) else { return nil }
      return member(selection.field, of: holder, at: nameRange(selection.field, from: expression.byte(of: node)))
    case .call(let call)
    where call.target == nil && ["_[_]", "_[?_]"].contains(call.function) && call.arguments.count == 2:
      guard let holder = meaning(of: call.arguments[0]) else { return nil }
      if case .literal(.string(let name)) = call.arguments[1].kind {
        return member(name, of: holder, at: textRange(name, call.arguments[1]))
      }
      visit(call.arguments[1])
      if case .value(let list) = holder { return .value(list + ["*"]) }
      return holder
    case .comprehension(let loop) where loop.macro == .filter || loop.macro == .sortBy:
      visit(node)
      return meaning(of: loop.range)
    default: return nil
    }
  }

  private func meaning(ofName name: String) -> Meaning? {
    if let variable = variables.last(where: { $0.name == name }) { return variable.path.map(Meaning.value) }
    switch name {
    case "values": return .value([])
    case "self": return place.own.map(Meaning.value)
    case "row": return place.row.map(Meaning.value)
    case "outer":
      guard let row = place.row, let end = row.dropLast().lastIndex(of: "*") else { return nil }
      return .value(Array(row[...end]))
    case "fields", "messages", "outputs", "lookups", "checks", "steps", "actions": return .table(name)
    default: return nil
    }
  }

  private mutating func member(_ name: String, of holder: Meaning, at range: Range<Int>?) -> Meaning? {
    switch holder {
    case .value(let path):
      if let range { found.append((range, .field(path + [name]))) }
      return .value(path + [name])
    case .table(let table):
      guard let range else { return .table("") }
      switch table {
      case "fields", "messages": found += AddressNames.fields(name).map { (range.shifted($0.range), $0.symbol) }
      case "outputs": found += AddressNames.ofRows(name, { .output($0) }).map { (range.shifted($0.range), $0.symbol) }
      case "lookups": found += AddressNames.ofRows(name, { .lookup($0) }).map { (range.shifted($0.range), $0.symbol) }
      case "checks": found.append((range, .check(name)))
      case "steps": found.append((range, .step(name)))
      case "actions": found.append((range, .action(name)))
      default: break
      }
      return .table("")
    }
  }

  private mutating func note(_ name: String, in literal: Syntax, _ symbol: FormSymbol) {
    if let range = textRange(name, literal) { found.append((range, symbol)) }
  }

  /// Where a name stands, from that byte on; nil where it is spelled otherwise there.
  private func nameRange(_ name: String, from byte: Int) -> Range<Int>? {
    let end = byte + name.utf8.count
    guard byte >= 0, end <= source.count, source[byte..<end].elementsEqual(name.utf8) else { return nil }
    return byte..<end
  }

  /// Where a name stands in quotes; nil where it is spelled otherwise there.
  private func textRange(_ name: String, _ literal: Syntax) -> Range<Int>? {
    nameRange(name, from: expression.byte(of: literal) + 1)
  }
}

extension Range<Int> {
  /// Another range, counted from the beginning of this one.
  fileprivate func shifted(_ inner: Range<Int>) -> Range<Int> {
    (lowerBound + inner.lowerBound)..<(lowerBound + inner.upperBound)
  }
}

/// The symbols that an address names, each with its bytes in the address.
enum AddressNames {
  /// The names on the way to an address, `*` for each row; the address itself where it is none.
  static func path(_ address: String) -> [String] {
    guard let tokens = JSONPointer(address: address)?.tokens else { return [address] }
    return tokens.enumerated().map { $0.offset > 0 && FieldAddress.isRow($0.element) ? "*" : $0.element }
  }

  /// The fields on the way to an address. Of a row, which may have a position or an identity, the name is `*`.
  static func fields(_ address: String) -> [(range: Range<Int>, symbol: FormSymbol)] {
    guard address.hasPrefix("/") else { return [(0..<address.utf8.count, .field([address]))] }
    var found: [(range: Range<Int>, symbol: FormSymbol)] = []
    var path: [String] = []
    var start = 1
    for raw in address.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let range = start..<(start + raw.count)
      start = range.upperBound + 1
      guard let token = JSONPointer("/" + String(decoding: raw, as: UTF8.self))?.tokens.first else { return found }
      path.append(!path.isEmpty && FieldAddress.isRow(token) ? "*" : token)
      if path.last != "*" { found.append((range, .field(path))) }
    }
    return found
  }

  /// The fields on the way to what a row has, and that itself; the name alone where the form has it.
  static func ofRows(
    _ address: String,
    _ symbol: (String) -> FormSymbol
  ) -> [(range: Range<Int>, symbol: FormSymbol)] {
    var found = fields(address)
    guard address.hasPrefix("/"), let last = found.popLast() else { return [(0..<address.utf8.count, symbol(address))] }
    let canonical = JSONPointer(tokens: last.symbol.path).description
    return found + [(last.range, symbol(canonical))]
  }
}

extension FormSymbol {
  /// The way to a field.
  fileprivate var path: [String] { if case .field(let path) = self { path } else { [] } }
}
