internal import JSON
internal import Texts

/// Reads the source of an expression into a syntax tree (langdef.md, "Syntax"): precedence climbing, by hand.
///
/// The parser goes on after an error, at the next comma or closing bracket of the same nesting, so that one reading
/// reports all problems. Its recursion is bounded by `ExpressionLimits.nestingMax`.
package struct Parser {
  private let options: ParserOptions
  private let units: [UInt8]
  private let tokens: [Token]
  private var index = 0
  private var nesting = 0
  private var hasGivenUp = false
  private var bytes: [Int] = []
  private var extents: [Range<Int>] = []
  private var origins: [(nodes: Range<Int>, function: String)] = []
  private var functionsCalled: Set<String> = []
  var errors: ProblemCollector

  /// Reads `source` and returns its tree.
  /// - Throws: everything that is wrong with it, in the order of the source.
  static func parse(_ source: String, options: ParserOptions) throws(ExpressionError) -> ParsedExpression {
    let units = Array(source.utf8)
    let codePoints = source.codePointCount
    guard codePoints <= options.limits.codePointsMax else {
      let message = "the expression has \(codePoints) code points; the maximum is \(options.limits.codePointsMax)"
      let start = LineColumn(line: 1, column: 1)
      throw ExpressionError(
        problems: [
          ExpressionError.Problem(message: message, position: start, offset: 0, extent: 0..<codePoints, sourceLine: "")
        ]
      )
    }
    var parser = Parser(units: units, options: options)
    let root = parser.whole()
    if let error = parser.errors.error() { throw error }
    return ParsedExpression(
      source: source,
      root: root,
      bytes: parser.bytes,
      extents: parser.extents,
      origins: parser.origins,
      functionsCalled: parser.functionsCalled
    )
  }

  private init(units: [UInt8], options: ParserOptions) {
    self.options = options
    self.units = units
    var collector = ProblemCollector(source: units)
    var lexer = Lexer(source: units)
    self.tokens = lexer.tokens(reportingTo: &collector)
    self.errors = collector
    // Most tokens become a node.
    bytes.reserveCapacity(tokens.count)
    extents.reserveCapacity(tokens.count)
  }

  // MARK: Tokens

  private var token: Token { tokens[index] }

  private mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  private func isAt(_ punctuation: Token.Punctuation) -> Bool { token.kind == .punctuation(punctuation) }

  /// Goes past the next token if it is that one; false if it is another.
  private mutating func consume(_ punctuation: Token.Punctuation) -> Bool {
    guard isAt(punctuation) else { return false }
    advance()
    return true
  }

  /// Consumes the closing bracket, or complains and looks for it.
  private mutating func close(_ punctuation: Token.Punctuation, openedAt start: Int) {
    if consume(punctuation) { return }
    unexpected("'\(punctuation.rawValue)'")
    skipToBoundary()
    while consume(.comma) { skipToBoundary() }
    _ = consume(punctuation)
  }

  /// Reads nothing more: otherwise each level of a too deep nesting would add a problem.
  private mutating func giveUp() {
    index = tokens.count - 1
    hasGivenUp = true
  }

  /// Reports the current token as unexpected, unless the lexer has complained about it already.
  private mutating func unexpected(_ expected: String) {
    guard token.kind != .invalid, !hasGivenUp else { return }
    let remedy = foreignWord.map { "; \($0.advice)" } ?? ""
    errors.report("expected \(expected), found \(token.description)\(remedy)", at: token.start, in: token.range)
  }

  /// The word or sign of another language that the current token may be, or be a part of: in `a ?? b` the second sign
  /// is unexpected, in `not a` the name, and in `a?.b` the end.
  private var foreignWord: ForeignWord? {
    let before = index > 0 ? tokens[index - 1] : nil
    switch token.kind {
    case .identifier(let word):
      if let found = ForeignWord.keyword(word) { return found }
    case .punctuation:
      if let before, before.end == token.start, let found = ForeignWord.sign(at: token.start, in: units) {
        return found
      }
    default: break
    }
    if case .identifier(let word)? = before?.kind, let found = ForeignWord.keyword(word) { return found }
    return tokens[..<index].lazy.compactMap { token in
      token.kind == .punctuation(.question) ? ForeignWord.sign(at: token.start, in: self.units) : nil
    }.last
  }

  /// Goes on to the next comma or closing bracket that is not inside brackets opened on the way.
  private mutating func skipToBoundary() {
    var open = 0
    while true {
      switch token.kind {
      case .end: return
      case .punctuation(.leftParenthesis), .punctuation(.leftBracket), .punctuation(.leftBrace): open += 1
      case .punctuation(.rightParenthesis), .punctuation(.rightBracket), .punctuation(.rightBrace):
        if open == 0 { return }
        open -= 1
      case .punctuation(.comma):
        if open == 0 { return }
      default: break
      }
      advance()
    }
  }

  // MARK: Nodes

  mutating func node(_ kind: Syntax.Kind, at byte: Int) -> Syntax {
    let node = Syntax(id: bytes.count, kind: kind)
    var start = byte
    node.forEachChild { start = min(start, extents[$0.id].lowerBound) }
    bytes.append(byte)
    extents.append(start..<max(start, index > 0 ? tokens[index - 1].end : 0))
    if node.depth > options.limits.depthMax {
      errors.report("the expression is deeper than \(options.limits.depthMax) levels", at: byte)
      // A part that is too deep is cut off, so that no later pass recurses into it.
      let stub = Syntax(id: bytes.count, kind: .invalid)
      bytes.append(byte)
      extents.append(byte..<byte)
      return stub
    }
    return node
  }

  mutating func report(_ message: String, at node: Syntax) {
    errors.report(message, at: bytes[node.id], in: extents[node.id])
  }

  func byte(of node: Syntax) -> Int { bytes[node.id] }

  var functions: [String: NamedFormula] { options.functions }

  /// How many nodes there are so far.
  var nodeCount: Int { bytes.count }

  mutating func noteCall(of function: String) { functionsCalled.insert(function) }

  mutating func noteOrigin(_ nodes: Range<Int>, of function: String) { origins.append((nodes, function)) }

  private mutating func call(_ function: String, _ arguments: [Syntax], at byte: Int) -> Syntax {
    node(.call(Syntax.Call(target: nil, function: function, arguments: arguments)), at: byte)
  }

  // MARK: Expressions

  private mutating func whole() -> Syntax {
    let root = expression()
    if token.kind != .end { unexpected("an operator or the end of the expression") }
    return root
  }

  /// `Expr = ConditionalOr ["?" ConditionalOr ":" Expr]`
  private mutating func expression() -> Syntax {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= options.limits.nestingMax, !errors.isFull else {
      errors.report("the expression is nested deeper than \(options.limits.nestingMax) levels", at: token.start)
      giveUp()
      return node(.invalid, at: token.start)
    }
    let condition = binary(above: 0)
    let start = token.start
    guard consume(.question) else { return condition }
    let accepted = binary(above: 0)
    guard consume(.colon) else {
      unexpected("':' of the conditional")
      skipToBoundary()
      return node(.invalid, at: start)
    }
    let refused = expression()
    return call("_?_:_", [condition, accepted, refused], at: start)
  }

  /// The binary operators that bind more tightly than `precedence`; all of them associate to the left.
  private mutating func binary(above precedence: Int) -> Syntax {
    var left = unary()
    while case .punctuation(let sign) = token.kind, let operation = BinaryOperator(sign),
      operation.precedence > precedence
    {
      let start = token.start
      advance()
      var operands = [left, binary(above: operation.precedence)]
      if operation.isLogical {
        // A chain of the same logical operator is one node, however long: it neither nests nor deepens the tree.
        while consume(sign) { operands.append(binary(above: operation.precedence)) }
      }
      left = call(operation.function, operands, at: start)
    }
    return left
  }

  private mutating func unary() -> Syntax {
    let start = token.start
    guard isAt(.not) || isAt(.minus) else { return member() }
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= options.limits.nestingMax else {
      errors.report("the expression is nested deeper than \(options.limits.nestingMax) levels", at: start)
      giveUp()
      return node(.invalid, at: start)
    }
    if consume(.not) { return call("!_", [unary()], at: start) }
    switch tokens[index + 1].kind {
    case .literal(.int), .literal(.double), .hugeInt: return member()
    default: break
    }
    advance()
    return call("-_", [unary()], at: start)
  }

  /// `Member = Primary { "." SELECTOR ["(" args ")"] | "[" Expr "]" | "{" fields "}" }`
  private mutating func member() -> Syntax {
    var operand = primary()
    while true {
      let start = token.start
      if consume(.dot) {
        operand = selection(of: operand)
      } else if consume(.leftBracket) {
        let function = consume(.question) ? "_[?_]" : "_[_]"
        let index = expression()
        close(.rightBracket, openedAt: start)
        operand = call(function, [operand, index], at: start)
      } else if isAt(.leftBrace), let name = operand.qualifiedName {
        advance()
        let fields = recordFields()
        close(.rightBrace, openedAt: start)
        operand = node(.record(name: name, fields: fields), at: byte(of: operand))
      } else {
        return operand
      }
    }
  }

  /// Reads the selection behind a dot.
  private mutating func selection(of operand: Syntax) -> Syntax {
    let isOptional = consume(.question)
    let start = token.start
    let field: String
    switch token.kind {
    case .identifier(let name):
      field = name
    case .quotedIdentifier(let name):
      advance()
      return node(
        .select(.init(operand: operand, field: name, isTest: false, isOptional: isOptional)),
        at: start
      )
    default:
      unexpected("a field name")
      skipToBoundary()
      return node(.invalid, at: start)
    }
    advance()
    guard !isOptional, isAt(.leftParenthesis) else {
      return node(
        .select(.init(operand: operand, field: field, isTest: false, isOptional: isOptional)),
        at: start
      )
    }
    let arguments = arguments()
    if options.expandsMacros, let expanded = expandMember(field, target: operand, arguments, at: start) {
      return expanded
    }
    if options.functions[field] != nil {
      let first = operand.memberChain.map(Printer.print(chain:)) ?? "x"
      let call = "\(field)(\(first)\(arguments.isEmpty ? "" : ", ..."))"
      let end = start + field.utf8.count
      errors.report("\(field)() is not called on a value; write \(call)", at: start, in: start..<end)
      return node(.invalid, at: start)
    }
    return node(.call(.init(target: operand, function: field, arguments: arguments)), at: start)
  }

  private mutating func primary() -> Syntax {
    let start = token.start
    switch token.kind {
    case .literal(let literal):
      advance()
      return node(.literal(literal), at: start)
    case .hugeInt:
      errors.report("the number is beyond the range of int", at: start, in: token.range)
      advance()
      return node(.invalid, at: start)
    case .punctuation(.minus):
      return negativeNumber()
    case .punctuation(.leftParenthesis):
      advance()
      let inner = expression()
      close(.rightParenthesis, openedAt: start)
      return inner
    case .punctuation(.leftBracket):
      advance()
      let elements = listElements()
      close(.rightBracket, openedAt: start)
      return node(.list(elements), at: start)
    case .punctuation(.leftBrace):
      advance()
      let entries = mapEntries()
      close(.rightBrace, openedAt: start)
      return node(.map(entries), at: start)
    case .punctuation(.dot):
      advance()
      guard case .identifier(let name) = token.kind else {
        unexpected("a name")
        return node(.invalid, at: start)
      }
      return named("." + name, word: name, at: start)
    case .identifier(let name):
      return named(name, word: name, at: start)
    case .invalid:
      advance()
      return node(.invalid, at: start)
    default:
      unexpected("an expression")
      return node(.invalid, at: start)
    }
  }

  /// A sign and the number behind it: one literal, so that the least integer can be written.
  private mutating func negativeNumber() -> Syntax {
    let start = token.start
    advance()
    let literal: Literal? =
      switch token.kind {
      case .literal(.int(let value)): .int(-value)
      case .literal(.double(let value)): .double(-value)
      case .hugeInt: .int(.min)
      default: nil
      }
    if literal == nil { unexpected("a number") }
    advance()
    return node(literal.map { .literal($0) } ?? .invalid, at: start)
  }

  static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]

  /// A name, or the call of a function of that name.
  private mutating func named(_ name: String, word: String, at start: Int) -> Syntax {
    if Self.reserved.contains(word) {
      let remedy = ForeignWord.keyword(word).map { "; \($0.advice)" } ?? ""
      let message = "'\(word)' is a reserved word and cannot name a variable or function\(remedy)"
      errors.report(message, at: start, in: token.range)
    }
    advance()
    guard isAt(.leftParenthesis) else { return identifier(name, at: start) }
    let arguments = arguments()
    if options.expandsMacros {
      if let expanded = expandGlobal(name, arguments, at: start) { return expanded }
      if let expanded = expandNamed(name, arguments, at: start) { return expanded }
    }
    return call(name, arguments + contextArgument(of: name, at: start), at: start)
  }

  /// A name, or the list that it means.
  ///
  /// - Parameter root: the name to write if it means no list; nil: the name itself.
  mutating func identifier(_ name: String, root: String? = nil, at byte: Int) -> Syntax {
    guard !options.lists.isEmpty, let variables = options.lists[name] else {
      return node(.identifier(root ?? name), at: byte)
    }
    let elements = variables.map { Syntax.Element(value: node(.identifier($0), at: byte), isOptional: false) }
    return node(.list(elements), at: byte)
  }

  private mutating func contextArgument(of function: String, at byte: Int) -> [Syntax] {
    guard let names = options.contextArguments[function], let root = names.first else { return [] }
    return [
      names.dropFirst().reduce(node(.identifier(root), at: byte)) { operand, field in
        node(.select(.init(operand: operand, field: field, isTest: false, isOptional: false)), at: byte)
      }
    ]
  }

  // MARK: Lists of things

  private mutating func arguments() -> [Syntax] {
    let start = token.start
    advance()
    var arguments: [Syntax] = []
    if !isAt(.rightParenthesis) {
      repeat { arguments.append(expression()) } while consume(.comma)
    }
    close(.rightParenthesis, openedAt: start)
    return arguments
  }

  // Langdef.md, "Syntax": a comma may follow the last element, and may be alone if there are no elements.

  private mutating func listElements() -> [Syntax.Element] {
    var elements: [Syntax.Element] = []
    if consume(.comma) { return [] }
    while !isAt(.rightBracket), token.kind != .end {
      let isOptional = consume(.question)
      elements.append(Syntax.Element(value: expression(), isOptional: isOptional))
      if !consume(.comma) { break }
    }
    return elements
  }

  private mutating func mapEntries() -> [Syntax.Entry] {
    var entries: [Syntax.Entry] = []
    if consume(.comma) { return [] }
    while !isAt(.rightBrace), token.kind != .end {
      let isOptional = consume(.question)
      let key = expression()
      guard consume(.colon) else {
        unexpected("':' between key and value")
        break
      }
      entries.append(Syntax.Entry(key: key, value: expression(), isOptional: isOptional))
      if !consume(.comma) { break }
    }
    return entries
  }

  private mutating func recordFields() -> [Syntax.Field] {
    var fields: [Syntax.Field] = []
    if consume(.comma) { return [] }
    while !isAt(.rightBrace), token.kind != .end {
      let isOptional = consume(.question)
      let name: String
      switch token.kind {
      case .identifier(let word): name = word
      case .quotedIdentifier(let word): name = word
      default:
        unexpected("a field name")
        return fields
      }
      advance()
      guard consume(.colon) else {
        unexpected("':' between field and value")
        return fields
      }
      fields.append(Syntax.Field(name: name, value: expression(), isOptional: isOptional))
      if !consume(.comma) { break }
    }
    return fields
  }
}

extension Parser {
  var expandsBlockMacros: Bool { options.expandsBlockMacros }
}
