internal import FormProtocol
internal import JSON
internal import JSONRPC

extension PrepareRenameParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> Nullable<RenameSubject> {
    guard let subject = workspace.subject(at: place), let symbol = subject.symbols.first else { return Nullable(nil) }
    let text = workspace.texts.snapshot(of: DocumentURI.key(of: place.document.uri))?.text ?? SourceText("")
    return Nullable(
      RenameSubject(range: text.range(subject.range, in: workspace.encoding), placeholder: symbol.name)
    )
  }
}

extension RenameParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> WorkspaceEdit {
    guard let subject = workspace.subject(at: place), let form = workspace.form(at: subject.form) else {
      throw .failed("nothing that has a name stands here")
    }
    guard Self.isName(newName) else {
      throw .failed("\(JSON.string(newName)) cannot stand in formulas: write letters, digits and _, not a digit first")
    }
    let symbols = form.names.inseparable(from: subject.symbols)
    for symbol in symbols where form.names.occurrences.contains(where: { $0.symbol == symbol.renamed(to: newName) }) {
      throw .failed("the form has a \(symbol.kindName) \(JSON.string(newName)) already")
    }
    var edits: [String: [TextEdit]] = [:]
    var keys: [String] = []
    for (key, occurrence) in workspace.occurrences(of: symbols, formAt: subject.form) {
      let range = workspace.location(of: occurrence, in: key).range
      if edits[key] == nil { keys.append(key) }
      let edit = TextEdit(range: range, newText: newName)
      if edits[key]?.last?.range != range { edits[key, default: []].append(edit) }
    }
    return WorkspaceEdit(changes: keys.map { (workspace.texts.uri(of: $0), edits[$0] ?? []) })
  }

  /// Whether a name can be written without quotes behind a dot, and so everywhere.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    let isWord = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xdf) && byte < 0x80
    }
    return isWord && !["true", "false", "null", "in"].contains(name)
  }
}

extension FormSymbol {
  /// What it is, for people.
  var kindName: String {
    switch self {
    case .field: "field"
    case .lookup: "lookup"
    case .output: "output"
    case .rule: "rule"
    case .check: "check"
    case .step: "step"
    case .action: "action"
    case .text: "text"
    }
  }

  /// The symbol that has that name in this one's place.
  func renamed(to name: String) -> FormSymbol {
    func address(_ old: String) -> String {
      guard old.hasPrefix("/"), let tokens = JSONPointer(old)?.tokens else { return name }
      return JSONPointer(tokens: tokens.dropLast() + [name]).description
    }
    return switch self {
    case .field(let path): .field(path.dropLast() + [name])
    case .lookup(let old): .lookup(address(old))
    case .output(let old): .output(address(old))
    case .rule: .rule(name)
    case .check: .check(name)
    case .step: .step(name)
    case .action: .action(name)
    case .text: .text(name)
    }
  }
}
