internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension DocumentDiagnosticParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> DiagnosticReport {
    let key = DocumentURI.key(of: document.uri)
    return workspace.report(of: key, previous: previousResult?.value)
  }
}

extension Workspace {
  /// A report of all that is wrong with a document; unchanged results are not sent again.
  mutating func report(of key: String, previous: String?) -> DiagnosticReport {
    let findings = findings(of: key)
    let text = texts.snapshot(of: key)?.text ?? SourceText("")
    let diagnostics = findings.map { $0.wire(in: text, encoding, relatingTo: relatedURI(of: key)) }
    var report = DiagnosticReport()
    report.resultID = Self.resultID(of: diagnostics)
    if report.resultID != previous { report.items = diagnostics }
    return report
  }

  /// A report about a file of the folders.
  ///
  /// - Parameter previous: by URI, the results that the editor has.
  /// - Returns: nil if the file was deleted since.
  mutating func report(
    ofFile key: String,
    previous: [String: String]
  ) -> (uri: String, version: Int?, report: DiagnosticReport)? {
    guard let snapshot = texts.snapshot(of: key) else { return nil }
    let uri = texts.uri(of: key)
    return (uri, snapshot.version, report(of: key, previous: previous[uri]))
  }
}

extension CodeActionParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [CodeAction] {
    // A kind includes the kinds below it (3.17, "Code Action Request").
    if let only = context.only, !only.contains(where: { $0.isEmpty || $0 == CodeAction.quickFix }) { return [] }
    let key = DocumentURI.key(of: document.uri)
    guard let text = workspace.texts.snapshot(of: key)?.text else { return [] }
    let wanted = text.offsets(of: range, in: workspace.encoding)
    return workspace.findings(of: key).compactMap { finding in
      guard let fix = finding.fix, finding.range.lowerBound <= wanted.upperBound,
        wanted.lowerBound <= finding.range.upperBound
      else { return nil }
      var action = CodeAction()
      action.title = fix.title
      action.diagnostics = [finding.wire(in: text, workspace.encoding, relatingTo: workspace.relatedURI(of: key))]
      let edit = TextEdit(range: text.range(fix.range, in: workspace.encoding), newText: fix.text)
      action.edit.changes = [(document.uri, [edit])]
      return action
    }
  }
}
