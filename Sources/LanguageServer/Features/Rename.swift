internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension PrepareRenameParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> Nullable<RenameSubject> {
    guard let subject = workspace.subject(at: target), let symbol = subject.symbols.first else { return Nullable(nil) }
    let text = workspace.texts.snapshot(of: DocumentURI.key(of: target.document.uri))?.text ?? SourceText("")
    return Nullable(
      RenameSubject(range: text.range(subject.range, in: workspace.encoding), placeholder: symbol.name)
    )
  }
}

extension RenameParams {
  /// The button that changes a name although something would break.
  static let anyway = "Rename anyway"

  func answer(from workspace: inout Workspace) throws(RPCError) -> WorkspaceEdit {
    let plan = try plan(in: &workspace)
    try RenameTrial(plan, in: &workspace).run(in: &workspace)
    return plan.edit(in: &workspace)
  }

  /// The edits, which are not tried.
  ///
  /// - Throws: why the name cannot be written.
  func plan(in workspace: inout Workspace) throws(RPCError) -> RenamePlan {
    guard let subject = workspace.subject(at: target), workspace.form(at: subject.form) != nil else {
      throw .failed("there is no name to change here")
    }
    return try RenamePlan(of: subject.symbols, formAt: subject.form, to: newName, in: &workspace)
  }
}

extension RenamePlan {
  /// The edits in the editors' form.
  func edit(in workspace: inout Workspace) -> WorkspaceEdit {
    WorkspaceEdit(
      changes: edits.map { key, edits in
        let text = workspace.texts.snapshot(of: key)?.text ?? SourceText("")
        return (
          uri: workspace.texts.uri(of: key),
          edits: edits.map { TextEdit(range: text.range($0.range, in: workspace.encoding), newText: $0.text) }
        )
      }
    )
  }
}

extension FormSymbol {
  /// The kind of the symbol, for people.
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
    case .function: "function"
    }
  }

  /// The symbol after it gets that name.
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
    case .function: .function(name)
    }
  }
}
