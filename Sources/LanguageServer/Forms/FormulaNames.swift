internal import CEL
internal import Forms
internal import JSON

/// Finds the symbols of its form that a formula names.
///
/// It follows names as formulas read them (`values.address.city`, `row.sku`, `fields['/address/city'].isValid`). It
/// also follows the variables of loops (`values.items.all(r, r.sku != '')`), lists, conditions and optionals. It finds
/// nothing in a formula that cannot be parsed.
struct FormulaNames {
  /// A possible meaning of a node.
  private indirect enum Meaning: Hashable {
    /// The value of a field, or all values.
    case value([String])
    /// A table whose members are the symbols of one kind.
    case table(String)
    /// A list or a map, with what its elements may be.
    case holder([Meaning])
    /// A value whose members are not symbols of the form.
    case other
  }

  private static let environment = FormFunctions.environment()

  private let expression: ParsedExpression
  private let source: [UInt8]
  private let scope: FormulaScope
  /// The variables of the enclosing loops, and their possible meanings.
  private var variables: [(name: String, meanings: [Meaning])] = []
  /// Ranges in the formula, and the symbol named at each.
  private(set) var found: [(range: Range<Int>, symbol: FormSymbol)] = []
  /// Ranges in the formula, and the fields that may be named there without their names.
  private(set) var doubts: [(range: Range<Int>, subject: NameDoubt.Subject)] = []

  /// Finds the names in a formula.
  init?(_ source: String, _ scope: FormulaScope) {
    guard let expression = try? Self.environment.parse(source) else { return nil }
    self.expression = expression
    self.source = Array(source.utf8)
    self.scope = scope
    _ = meanings(of: expression.root)
  }

  // MARK: Nodes

  /// The possible meanings of a node, none if they are unknown. Notes the names in the node.
  private mutating func meanings(of node: Syntax) -> [Meaning] {
    switch node.kind {
    case .identifier(let name): return meanings(ofName: name)
    case .select(let selection):
      if let row = outerRow(node) { return [.value(row)] }
      let holders = meanings(of: selection.operand)
      let byte = expression.byte(of: node)
      return member(selection.field, of: holders, at: nameRange(selection.field, from: byte), from: byte)
    case .call(let call): return meanings(of: call, at: node)
    case .list(let elements): return [.holder(union(elements.map { meanings(of: $0.value) }))]
    case .map(let entries):
      for entry in entries { _ = meanings(of: entry.key) }
      return [.holder(union(entries.map { meanings(of: $0.value) }))]
    case .comprehension(let loop): return meanings(of: loop)
    case .literal, .record, .invalid:
      node.forEachChild { _ = meanings(of: $0) }
      return [.other]
    }
  }

  private mutating func meanings(of call: Syntax.Call, at node: Syntax) -> [Meaning] {
    if ["_[_]", "_[?_]"].contains(call.function), call.arguments.count == 2 {
      let holders = meanings(of: call.arguments[0])
      return element(of: holders, by: call.arguments[1])
    }
    if call.function == "@in", call.arguments.count == 2 {
      // Whether an object has a member of that name.
      let holders = meanings(of: call.arguments[1])
      _ = element(of: holders, by: call.arguments[0])
      return [.other]
    }
    if call.target == nil, call.function == "text", case .literal(.string(let name))? = call.arguments.first?.kind {
      note(name, in: call.arguments[0], .text(name))
    }
    if call.target == nil, let range = nameRange(call.function, from: expression.byte(of: node)) {
      // A symbol only if the form has a formula of that name.
      found.append((range, .function(call.function)))
    }
    let target = call.target.map { meanings(of: $0) }
    let arguments = call.arguments.map { meanings(of: $0) }
    switch (call.function, arguments.count) {
    case ("_?_:_", 3): return union(arguments.suffix(2))
    case ("_+_", 2): return union(arguments)
    case ("dyn", 1), ("of", 1), ("ofNonZeroValue", 1): return arguments[0]
    case ("orValue", 1), ("or", 1): return union([target ?? []] + arguments)
    case ("value", 0), ("reverse", 0), ("sort", 0), ("distinct", 0), ("slice", 2): return target ?? []
    case ("first", 0), ("last", 0): return elements(of: target ?? [])
    // The number of flattened levels is not considered.
    case ("flatten", _): return union([target ?? [], elements(of: target ?? [])])
    case ("optional.of", 1), ("optional.ofNonZeroValue", 1): return arguments[0]
    default: return []
    }
  }

  private mutating func meanings(of loop: Comprehension) -> [Meaning] {
    let range = meanings(of: loop.range)
    let isBinding = [.bind, .optMap, .optFlatMap].contains(loop.macro)
    let inner = isBinding ? range : elements(of: range)
    if !isBinding { doubt(membersOf: range, at: expression.byte(of: loop.range)) }
    let count = variables.count
    if loop.macro == .fold {
      let start = meanings(of: loop.bodies[0])
      variables.append((loop.variable, start))
      variables.append((loop.secondVariable ?? "", inner))
      let result = meanings(of: loop.bodies[1])
      variables.removeSubrange(count...)
      return union([start, result])
    }
    variables.append((loop.variable, loop.secondVariable == nil ? inner : [.other]))
    if let second = loop.secondVariable { variables.append((second, inner)) }
    let bodies = loop.bodies.map { meanings(of: $0) }
    variables.removeSubrange(count...)
    return switch loop.macro {
    case .filter, .sortBy: range
    case .map, .transformList, .transformMap, .transformMapEntry: [.holder(bodies.last ?? [])]
    case .bind, .optMap, .optFlatMap: bodies.last ?? []
    case .all, .exists, .existsOne, .fold: [.other]
    }
  }

  private func union(_ alternatives: [[Meaning]]) -> [Meaning] {
    var seen: Set<Meaning> = []
    return alternatives.joined().filter { seen.insert($0).inserted }
  }

  // MARK: Names

  private func meanings(ofName name: String) -> [Meaning] {
    if let variable = variables.last(where: { $0.name == name }) { return variable.meanings }
    switch name {
    case "values": return [.value([])]
    case "self": return scope.own.map { [.value($0)] } ?? [.other]
    case "row", "above": return scope.row.map { [.value($0)] } ?? [.other]
    case "outer":
      guard let row = scope.row, let end = row.dropLast().lastIndex(of: "*") else { return [.other] }
      return [.value(Array(row[...end]))]
    case "fields", "messages", "outputs", "lookups", "checks", "steps", "actions", "initial": return [.table(name)]
    default: return [.other]
    }
  }

  /// The row that `outer.outer` names; nil for any other node.
  private func outerRow(_ node: Syntax) -> [String]? {
    guard let chain = node.memberChain, chain.count > 1, chain.allSatisfy({ $0 == "outer" }),
      !variables.contains(where: { $0.name == "outer" }), var row = scope.row
    else { return nil }
    for _ in chain {
      guard let end = row.dropLast().lastIndex(of: "*") else { return nil }
      row = Array(row[...end])
    }
    return row
  }

  /// The possible meanings of an element: the rows of a list's value, or any member of an object.
  private func elements(of holders: [Meaning]) -> [Meaning] {
    union(
      holders.map { holder in
        switch holder {
        case .value(let path): [.value(path + ["*"])]
        case .holder(let elements): elements
        case .table, .other: [.other]
        }
      }
    )
  }

  private mutating func element(of holders: [Meaning], by index: Syntax) -> [Meaning] {
    if case .literal(.string(let name)) = index.kind {
      return member(name, of: holders, at: textRange(name, index), from: expression.byte(of: index))
    }
    _ = meanings(of: index)
    doubt(membersOf: holders, at: expression.byte(of: index))
    return elements(of: holders)
  }

  /// - Parameters:
  ///   - range: the bytes of the name; nil if it is spelled with escapes.
  ///   - byte: the byte of the node.
  private mutating func member(
    _ name: String,
    of holders: [Meaning],
    at range: Range<Int>?,
    from byte: Int
  ) -> [Meaning] {
    guard let range, !holders.isEmpty else {
      if holders != [.other] { doubts.append((range ?? byte..<byte, .member(name))) }
      return elements(of: holders)
    }
    return union(holders.map { member(name, of: $0, at: range) })
  }

  private mutating func member(_ name: String, of holder: Meaning, at range: Range<Int>) -> [Meaning] {
    switch holder {
    case .value(let path):
      found.append((range, .field(path + [name])))
      return [.value(path + [name])]
    case .holder(let elements): return elements
    case .other: return [.other]
    case .table(let table):
      switch table {
      case "initial":
        found += AddressNames.fields(name).map { (range.shifted($0.range), $0.symbol) }
        return [.value(AddressNames.path(name))]
      case "fields", "messages": found += AddressNames.fields(name).map { (range.shifted($0.range), $0.symbol) }
      case "outputs": found += AddressNames.ofRows(name, { .output($0) }).map { (range.shifted($0.range), $0.symbol) }
      case "lookups": found += AddressNames.ofRows(name, { .lookup($0) }).map { (range.shifted($0.range), $0.symbol) }
      case "checks": found.append((range, .check(name)))
      case "steps": found.append((range, .step(name)))
      case "actions": found.append((range, .action(name)))
      default: break
      }
      // An output may have any type that its formula can read.
      return table == "outputs" ? [] : [.other]
    }
  }

  /// Notes that a formula uses members of an object without spelling their names.
  private mutating func doubt(membersOf holders: [Meaning], at byte: Int) {
    for case .value(let path) in holders { doubts.append((byte..<byte, .members(path))) }
  }

  private mutating func note(_ name: String, in literal: Syntax, _ symbol: FormSymbol) {
    if let range = textRange(name, literal) { found.append((range, symbol)) }
  }

  /// The bytes of a name at that byte; nil if the text there is spelled differently.
  private func nameRange(_ name: String, from byte: Int) -> Range<Int>? {
    let end = byte + name.utf8.count
    guard byte >= 0, end <= source.count, source[byte..<end].elementsEqual(name.utf8) else { return nil }
    return byte..<end
  }

  /// The bytes of a name in quotes; nil if the text there is spelled differently.
  private func textRange(_ name: String, _ literal: Syntax) -> Range<Int>? {
    nameRange(name, from: expression.byte(of: literal) + 1)
  }
}

extension FormulaNames {
  /// The paths of the objects whose members may follow at the end of an unfinished formula.
  ///
  /// - Parameter prefix: the formula up to the member's name: it ends with a dot, or with the quote behind a bracket.
  static func holders(atEndOf prefix: ArraySlice<UInt8>, _ scope: FormulaScope) -> [[String]] {
    let name = UnfinishedFormula.placeholder
    let names = UnfinishedFormula(prefix).sources.lazy.compactMap { FormulaNames($0, scope) }.first
    var seen: Set<[String]> = []
    return (names?.found ?? []).compactMap { found in
      guard case .field(let path) = found.symbol, path.last == name else { return nil }
      return Array(path.dropLast())
    }.filter { seen.insert($0).inserted }
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
  /// The names in an address, `*` for each row; the address itself if it is not valid.
  static func path(_ address: String) -> [String] {
    guard let tokens = JSONPointer(address: address)?.tokens else { return [address] }
    return tokens.enumerated().map { $0.offset > 0 && FieldAddress.isRow($0.element) ? "*" : $0.element }
  }

  /// The fields in an address. A row, by position or by identity, has the name `*`.
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

  /// The fields that lead to a symbol of a row, and the symbol itself. Only the name if the form has it itself.
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
  /// The path of a field.
  fileprivate var path: [String] { if case .field(let path) = self { path } else { [] } }
}
