internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension FormText {
  /// The formulas of the definition with their locations, in the order of the text.
  func formulas() -> [(node: ScannedNode, tokens: [String])] {
    var found: [(node: ScannedNode, tokens: [String])] = []
    // By the kind of location: the schemas there, which are the same for all fields, rules and so on.
    var known: [String: [SchemaGuide.Part]] = [:]
    func visit(_ node: ScannedNode, _ tokens: [String], _ kind: String, _ parts: [SchemaGuide.Part]) {
      func step(_ child: ScannedNode, _ token: String) {
        let isNamed = node.kind == .object && parts.contains { $0.schema["properties"]?[token] != nil }
        let inner = kind + "/" + (isNamed ? token : "*")
        let next = known[inner] ?? DefinitionGuide.formParts(in: parts, at: token)
        known[inner] = next
        visit(child, tokens + [token], inner, next)
      }
      switch node.kind {
      case .object: for member in node.children { if let name = member.key { step(member, name) } }
      case .array: for (position, element) in node.children.enumerated() { step(element, String(position)) }
      case .string:
        if DefinitionGuide.textKind(of: parts, name: tokens.last) == .formula { found.append((node, tokens)) }
      case .null, .bool, .number, .missing: break
      }
    }
    for block in scanned.root.children {
      guard let name = block.key, name != "schema" else { continue }
      visit(block, [name], name, DefinitionGuide.formParts(in: DefinitionGuide.formParts, at: name))
    }
    return found
  }
}

/// The kinds of words in formulas. The order is the order of the legend.
enum FormulaTokenKind: Int, CaseIterable {
  case variable, property, function, method, keyword, string, number, `operator`, comment

  /// The name in the protocol.
  var wireName: String { String(describing: self) }
}

/// The words of a formula, with their kinds.
enum FormulaTokens {
  /// - Returns: ranges of bytes in the formula, in order.
  static func all(in formula: [UInt8]) -> [(range: Range<Int>, kind: FormulaTokenKind)] {
    var found: [(range: Range<Int>, kind: FormulaTokenKind)] = []
    var index = 0
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 0x80 || (65...90).contains(byte & 0xdf)
    }
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    while index < formula.count {
      let start = index
      let byte = formula[index]
      index += 1
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        while index < formula.count, formula[index] != byte { index += formula[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index = min(index + 1, formula.count)
        found.append((start..<index, .string))
      } else if byte == UInt8(ascii: "/"), index < formula.count, formula[index] == byte {
        index = formula[index...].firstIndex(of: UInt8(ascii: "\n")) ?? formula.count
        found.append((start..<index, .comment))
      } else if isLetter(byte) {
        while index < formula.count, isLetter(formula[index]) || isDigit(formula[index]) { index += 1 }
        let isMember = formula[..<start].last { $0 > 0x20 && $0 != UInt8(ascii: "?") } == UInt8(ascii: ".")
        let isCalled = formula[index...].first { $0 > 0x20 } == UInt8(ascii: "(")
        let isWord = ["true", "false", "null", "in"].contains(String(decoding: formula[start..<index], as: UTF8.self))
        found.append(
          (
            start..<index,
            isWord && !isMember
              ? .keyword : isCalled ? isMember ? .method : .function : isMember ? .property : .variable
          )
        )
      } else if isDigit(byte) {
        while index < formula.count,
          isLetter(formula[index]) || isDigit(formula[index]) || formula[index] == UInt8(ascii: ".")
        {
          index += 1
        }
        found.append((start..<index, .number))
      } else if "+-*/%<>=!&|?:".utf8.contains(byte) {
        while index < formula.count, "=&|".utf8.contains(formula[index]) { index += 1 }
        found.append((start..<index, .operator))
      }
    }
    return found
  }
}

extension SemanticTokensParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> SemanticTokens {
    let key = DocumentURI.key(of: document.uri)
    guard case .form? = workspace.kind(of: key), let form = workspace.form(at: key) else { return SemanticTokens() }
    let source = form.scanned.source
    var tokens = SemanticTokens()
    var last = TextPosition(line: 0, character: 0)
    for (node, _) in form.formulas() {
      let text = QuotedText(node, in: form.scanned)
      guard text.isWritten else { continue }
      for (range, kind) in FormulaTokens.all(in: text.content) {
        let place = source.range(text.range(of: range), in: workspace.encoding)
        guard place.start.line == place.end.line else { continue }
        let isSameLine = place.start.line == last.line
        tokens.data += [
          place.start.line - last.line, place.start.character - (isSameLine ? last.character : 0),
          place.end.character - place.start.character, kind.rawValue, 0,
        ]
        last = place.start
      }
    }
    return tokens
  }
}

extension SignatureHelpParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> Nullable<SignatureHelp> {
    let key = DocumentURI.key(of: target.document.uri)
    guard case .form? = workspace.kind(of: key), let form = workspace.form(at: key) else { return Nullable(nil) }
    let scanned = form.scanned
    let offset = scanned.source.offset(of: target.position, in: workspace.encoding)
    let caret = Caret(at: offset, in: scanned)
    guard case .value(let node?) = caret.spot, node.kind == .string,
      DefinitionGuide.textKind(at: caret.tokens) == .formula
    else { return Nullable(nil) }
    let text = QuotedText(node, in: scanned)
    guard let call = OpenCall(text.content(before: offset)),
      let function = form.function(named: call.name)
        ?? form.function(named: call.name.split(separator: ".").last.map(String.init) ?? "")
    else { return Nullable(nil) }
    var help = SignatureHelp()
    help.signatures = function.signatures.map { label in
      SignatureHelp.Signature(
        label: label,
        documentation: function.line.isEmpty ? nil : MarkupContent(value: function.line),
        parameters: FormulaFunction.parameters(of: label).map { SignatureHelp.Signature.Parameter(label: $0) }
      )
    }
    help.activeParameter = call.argument
    help.activeSignature = help.signatures.firstIndex { $0.parameters.count > call.argument } ?? 0
    return Nullable(help)
  }
}

/// The innermost call that is open at a caret: `math.max(1, `.
private struct OpenCall {
  /// The function's name, with what precedes it: `values.email.startsWith`.
  let name: String
  /// The position of the argument at the caret.
  let argument: Int

  /// - Parameter before: the formula up to the caret.
  init?(_ before: [UInt8]) {
    var open: [(bracket: UInt8, start: Int, commas: Int)] = []
    var quote: UInt8?
    var index = 0
    while index < before.count {
      let byte = before[index]
      if let inner = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == inner { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append((byte, index, 0))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
        case UInt8(ascii: ","): if !open.isEmpty { open[open.count - 1].commas += 1 }
        default: break
        }
      }
      index += 1
    }
    func isPart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (48...57).contains(byte)
        || (65...90).contains(byte & 0xdf)
    }
    for call in open.reversed() where call.bracket == UInt8(ascii: "(") {
      let start = before[..<call.start].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
      guard start < call.start else { continue }
      name = String(decoding: before[start..<call.start], as: UTF8.self)
      argument = call.commas
      return
    }
    return nil
  }
}
