internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension HoverParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> Nullable<Hover> {
    let key = DocumentURI.key(of: target.document.uri)
    guard let text = workspace.texts.snapshot(of: key)?.text else { return Nullable(nil) }
    let offset = text.offset(of: target.position, in: workspace.encoding)
    let found: HoverText? =
      switch workspace.kind(of: key) {
      case .form?: workspace.form(at: key).flatMap { HoverText(form: $0, at: offset) }
      case .configuration?: ConfigurationText(text).hover(at: offset)
      case .test?:
        workspace.test(at: key).flatMap { test in
          HoverText(test: test, form: workspace.form(at: workspace.formKey(of: test)), at: offset)
        }
      case .data?:
        workspace.data(at: key).flatMap { data in
          workspace.formKey(ofData: key).flatMap { workspace.form(at: $0) }
            .flatMap { HoverText(data: data, form: $0, locale: workspace.settings.locale, at: offset) }
        }
      case nil: nil
      }
    return Nullable(
      found.map { Hover(contents: MarkupContent(value: $0.text), range: text.range($0.range, in: workspace.encoding)) }
    )
  }
}

/// The hover text for a position, in Markdown.
struct HoverText {
  let text: String
  /// The bytes that the hover text is about.
  let range: Range<Int>

  private init(_ text: String, _ range: Range<Int>) {
    self.text = text
    self.range = range
  }

  // MARK: Documents

  /// Hover in a definition: symbols, functions in formulas, members.
  init?(form: FormText, at offset: Int) {
    if let occurrence = form.names.occurrences(at: offset).last, let text = Self.text(of: occurrence.symbol, in: form) {
      self.init(text, occurrence.range)
      return
    }
    let caret = Caret(at: offset, in: form.scanned)
    if case .value(let value?) = caret.spot, value.kind == .string {
      let text = QuotedText(value, in: form.scanned)
      if DefinitionGuide.textKind(at: caret.tokens) == .formula {
        let scope = FormulaScope(at: caret.tokens, in: form.scanned)
        self.init(wordAt: offset, in: text, of: form, scope)
        return
      }
      if let names = form.placeholders(at: caret.tokens), let placeholder = PlaceholderCaret(in: text, at: offset) {
        let name = String(decoding: form.scanned.source.bytes[placeholder.range], as: UTF8.self)
        guard let found = names.first(where: { $0.text == name }) else { return nil }
        self.init("**{\(name)}**" + (found.detail.map { ": \($0)" } ?? ""), placeholder.range)
        return
      }
    }
    guard case .name(let member?) = caret.spot, let name = member.key, let range = member.keyRange else { return nil }
    let (guide, tokens) = DefinitionGuide.form(in: caret.tokens)
    self.init(guide.parts(at: Array(tokens) + [name]), name, range)
  }

  /// Hover in a test file: the form's symbols, members.
  init?(test: TestText, form: FormText?, at offset: Int) {
    if let form, let occurrence = test.names.occurrences(at: offset).last,
      let text = Self.text(of: occurrence.symbol, in: form)
    {
      self.init(text, occurrence.range)
      return
    }
    let caret = Caret(at: offset, in: test.scanned)
    guard case .name(let member?) = caret.spot, let name = member.key, let range = member.keyRange else { return nil }
    let (guide, tokens) = DefinitionGuide.test(at: caret.tokens)
    self.init(guide.parts(at: Array(tokens) + [name]), name, range)
  }

  /// Hover in data: the form's name for the value, and its description.
  init?(data: DataText, form: FormText, locale: String?, at offset: Int) {
    let path = data.scanned.path(atOffset: offset)
    let range: Range<Int>
    switch path.spot {
    case .name: range = path.node.keyRange ?? path.node.range
    case .value where path.node.kind != .object && path.node.kind != .array: range = path.node.range
    default: return nil
    }
    guard let guide = form.dataGuide(locale: locale), let name = path.pointer.tokens.last else { return nil }
    self.init(guide.parts(at: path.pointer.tokens), name, range)
  }

  // MARK: Words

  /// - Parameters:
  ///   - parts: the schemas of a member's value.
  ///   - name: the member's name.
  ///   - range: the bytes of the name.
  init?(_ parts: [SchemaGuide.Part], _ name: String, _ range: Range<Int>) {
    guard !parts.isEmpty else { return nil }
    let types = SchemaGuide.types(of: parts)
    var lines = [
      "**\(SchemaGuide.title(of: parts) ?? name)**" + (types.isEmpty ? "" : ": \(types.joined(separator: " or "))")
    ]
    if let description = SchemaGuide.description(of: parts) ?? SchemaWords.meanings[name] { lines.append(description) }
    let values = SchemaGuide.values(of: parts).filter { $0.value.boolValue == nil }
    if !values.isEmpty {
      lines.append(
        values.prefix(20).map { value, meaning in "- `\(value)`" + (meaning.map { ": \($0)" } ?? "") }
          .joined(separator: "\n")
      )
    }
    self.init(lines.joined(separator: "\n\n"), range)
  }

  /// Hover in a formula: a function, a word of the language, or a cell that is no symbol of the form.
  private init?(wordAt offset: Int, in text: QuotedText, of form: FormText, _ scope: FormulaScope) {
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (48...57).contains(byte)
        || (65...90).contains(byte & 0xdf) && byte < 0x80
    }
    let at = text.content(before: offset).count
    let start = text.content[..<at].lastIndex { !isLetter($0) }.map { $0 + 1 } ?? 0
    let end = text.content[at...].firstIndex { !isLetter($0) } ?? text.content.count
    guard start < end else { return nil }
    let word = String(decoding: text.content[start..<end], as: UTF8.self)
    // `math.abs`, or the last name of `values.email.contains`.
    let last = word.split(separator: ".").last.map(String.init) ?? ""
    if let meaning = Self.words[word] {
      self.init("**\(word)**: \(meaning)", text.range(of: start..<end))
      return
    }
    // Behind `self.`, a function may follow.
    if word == "self" || word.hasPrefix("self."), let own = scope.own {
      let path = own + word.split(separator: ".").dropFirst().map(String.init)
      if let found = Self.text(of: .field(path), in: form) {
        let address = JSONPointer(tokens: path).address
        self.init(
          "`\(word)` is the value of the field `\(address)`.\n\n\(found)",
          text.range(of: start..<end)
        )
        return
      }
    }
    if let cell = scope.cells(in: form.usable).first(where: { $0.name == word }) {
      var lines = ["**\(word)**: \(cell.type)"] + [cell.meaning].compactMap(\.self)
      if word == "response.kind" {
        lines.append(ResponseKind.allCases.map { "- `\($0.rawValue)`: \($0.meaning)" }.joined(separator: "\n"))
      }
      self.init(lines.joined(separator: "\n\n"), text.range(of: start..<end))
      return
    }
    guard let function = form.function(named: word) ?? form.function(named: last) else { return nil }
    self.init(function.documentation, text.range(of: (end - function.name.utf8.count)..<end))
  }

  /// Words of formulas that are neither functions nor cells.
  private static let words = [
    "true": "the truth value", "false": "the truth value", "null": "no value: an absent value equals it",
    "in": "whether a list has the element, or a map the key: `'a' in ['a', 'b']`",
    "values": "the values of all fields, by name: `values.email`",
    "fields": "the properties of fields, by address: `fields.email.isValid`, `fields['/address/city'].isVisible`",
    "row": "the values of the row that has the formula: `row.quantity`",
    "above": "the values of the row before it: `above.balance`; absent at the first row",
    "outer": "the values of the row around the row that has the formula; `outer.outer` of the row around that one",
    "indexes": "the positions of the row and of the rows around it, the outermost first: `indexes[0]`",
    "messages": "the shown messages, by address of the field: `messages.email`",
    "outputs": "the outputs, by name: `outputs.total`", "steps": "the properties of steps: `steps.first.isValid`",
    "lookups": "the properties of lookups: `lookups.rates.value`",
    "actions": "the properties of actions: `actions.send.isRunning`", "checks": "the results of checks",
    "response": "the answer that the outcome is about: `response.kind`, `response.status`, `response.body`",
    "previous": "the last result of the action",
  ]

  /// The form's description of a symbol; nil if the form does not have the symbol.
  private static func text(of symbol: FormSymbol, in form: FormText) -> String? {
    guard let compiled = form.usableForm, let cell = symbol.cell(in: compiled) else { return nil }
    var lines = ["**\(symbol.name)**: \(cell.type)"]
    lines += cell.words
    guard let dependencies = form.dependencies else { return lines.joined(separator: "\n\n") }
    for name in cell.names {
      guard let found = dependencies.parts.first(where: { $0.name == name }) else { continue }
      let definitions = found.definitions.filter { !$0.isEmpty }
      if !definitions.isEmpty { lines.append("`\(name)`\n```\n\(definitions.joined(separator: "\n"))\n```") }
      let reads = found.reads.filter { !cell.names.contains($0) }
      if !reads.isEmpty { lines.append("reads " + listed(reads)) }
    }
    let changes = cell.names.flatMap(dependencies.dependents).filter { !cell.names.contains($0) }
    var seen: Set<String> = []
    let unique = changes.filter { seen.insert($0).inserted }
    if !unique.isEmpty { lines.append("changes " + listed(unique)) }
    return lines.joined(separator: "\n\n")
  }

  /// At most this many names are listed.
  private static let namesMax = 30

  private static func listed(_ names: [String]) -> String {
    names.prefix(namesMax).map { "`\($0)`" }.joined(separator: ", ") + (names.count > namesMax ? ", ..." : "")
  }
}

extension FormSymbol {
  /// The form's cell for a symbol: its type, its texts for people, and the names of its cells as `formctl explain`
  /// lists them.
  func cell(in form: Form) -> (type: String, words: [String], names: [String])? {
    switch self {
    case .field(let path):
      guard let index = form.field(at: JSONPointer(tokens: path).address) else { return nil }
      let field = form.fields[index]
      let words = [field.label, field.help].compactMap { $0?.resolved(for: "", default: form.locale) }
      let secret = field.isSecret ? ["secret"] : []
      return (field.types.joined(separator: " or ") + " field", words + secret, [field.valueName, field.statusName])
    case .lookup(let address):
      return form.lookups.first { $0.address == address }.map { ("lookup", [], [$0.nameInFormulas]) }
    case .output(let address):
      return form.outputs.first { $0.address == address }.map {
        ("\($0.formula.program.type.shown) output", [], [$0.nameInFormulas])
      }
    case .rule(let id): return form.rules.contains { $0.id == id } ? ("rule", [], ["rule \(id)"]) : nil
    case .check(let id): return form.checks.contains { $0.id == id } ? ("check", [], ["check \(id)"]) : nil
    case .step(let id):
      return form.step(named: id).map { step in
        let label = form.steps[step].label?.resolved(for: "", default: form.locale)
        return ("step", [label].compactMap(\.self), [FieldAddress.spelling(ofStep: id)])
      }
    case .action(let name):
      guard form.action(named: name) != nil else { return nil }
      return ("action", [], ["actions.\(name).isEnabled", "actions.\(name).result"])
    case .text, .function: return nil
    }
  }
}
