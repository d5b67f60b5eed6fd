internal import Forms
internal import JSON
internal import TextValidation
internal import Texts

/// Finds what is wrong with a document, and notes which texts decided.
struct DocumentJudge {
  let key: String
  /// By key of each document that was read: the stamp of its text.
  private(set) var reads: [String: Int] = [:]
  /// Whether the same texts come to the same findings.
  private(set) var isKept = true

  init(key: String) { self.key = key }

  /// What is wrong, in the order of the text.
  mutating func findings(in workspace: inout Workspace) -> [Finding] {
    note(key, &workspace)
    let found: [Finding] =
      switch workspace.kind(of: key) {
      case .form?: form(in: &workspace)
      case .test?: test(in: &workspace)
      case .data?: data(in: &workspace)
      case nil: []
      }
    return found.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
  }

  private mutating func note(_ key: String, _ workspace: inout Workspace) {
    reads[key] = workspace.texts.stamp(of: key)
  }

  private mutating func form(in workspace: inout Workspace) -> [Finding] {
    guard let form = workspace.form(at: key) else { return [] }
    isKept = !form.refersToFiles
    return form.compilation.diagnostics.map { Finding($0, of: key, in: form.scanned) }
  }

  private mutating func test(in workspace: inout Workspace) -> [Finding] {
    guard let test = workspace.test(at: key) else { return [] }
    var diagnostics = test.diagnostics
    note(test.formKey, &workspace)
    if let form = workspace.form(at: test.formKey) {
      isKept = !form.refersToFiles
      if let usable = form.usableForm { diagnostics += test.unknownNames(in: usable) }
    } else {
      diagnostics.append(
        Diagnostic(
          file: key,
          pointer: JSONPointer(tokens: ["form"]),
          code: "noForm",
          message: "there is no form \(test.formKey)",
          remedy: "name its file: \"form\": \"NAME.form.json\"",
          severity: .warning
        )
      )
    }
    return diagnostics.map { Finding($0, of: key, in: test.scanned) }
  }

  private mutating func data(in workspace: inout Workspace) -> [Finding] {
    guard let data = workspace.data(at: key) else { return [] }
    guard let formKey = workspace.formKey(ofData: key), let form = workspace.form(at: formKey) else {
      // Another form may come.
      isKept = false
      guard case .form(let name)? = data.reference else { return [] }
      let names = workspace.formNames
      let meant = closestName(to: name, among: names)
      return [
        Finding(
          range: data.referenceRange,
          severity: .warning,
          code: "noForm",
          message: "there is no form \(JSON.string(name)) in the folders that are open"
            + (meant.map { "; did you mean \(JSON.string($0))?" } ?? "")
        )
      ]
    }
    note(formKey, &workspace)
    isKept = !form.refersToFiles
    guard let compiled = form.compilation.form else {
      let message = "the form \(form.name) has errors, so nothing is judged by it"
      return [Finding(range: data.referenceRange, severity: .warning, code: "form", message: message)]
    }
    let verdict = compiled.judge(
      data.scanned,
      language: data.language,
      locale: workspace.settings.locale,
      now: workspace.clock.now(),
      zone: workspace.clock.zone,
      errorsMax: DiagnosticCollector.countMax
    )
    return verdict.errors.filter { !DataText.ownMembers.contains($0.pointer.tokens.first ?? "") }
      .map { Finding($0, in: data.scanned) }
  }
}

extension Finding {
  /// What a form says against a part of data. A value that others stand in is marked at its name. What is missing is named: it is marked
  /// where it would stand, and others may be, too.
  init(_ error: TextError, in scanned: ScannedText) {
    let node = scanned.node(at: error.pointer)
    let isLarge = node.map { $0.kind == .object || $0.kind == .array } ?? false
    range = isLarge ? error.keyRange ?? error.range : error.range
    severity = error.isWarning ? .warning : .error
    code = error.code
    message = node == nil ? "\(error.pointer.address): \(error.message)" : error.message
    fix = error.fix.map { Fix(range: $0.range, text: $0.text, title: "write \($0.text)") }
  }

  /// A finding of a tool, in the document that is shown.
  init(_ diagnostic: Diagnostic, of key: String, in scanned: ScannedText) {
    // What is wrong in another file, to which the schema refers, is told where the reference begins to matter.
    let isOwn = diagnostic.file == nil || diagnostic.file == key
    let node = scanned.nearestNode(to: diagnostic.pointer)
    range =
      isOwn
      ? diagnostic.span?.bytes ?? node.keyRange ?? node.range
        .lowerBound..<min(node.range.lowerBound + 1, node.range.upperBound)
      : scanned.root.child("schema")?.keyRange ?? 0..<0
    severity = diagnostic.severity == .error ? .error : .warning
    code = diagnostic.code
    let other = isOwn ? "" : "\(diagnostic.file ?? "")\(diagnostic.place.map { ":\($0)" } ?? ""): "
    message = other + diagnostic.message + (diagnostic.remedy.map { "\n\($0)" } ?? "")
    guard isOwn, let replacement = diagnostic.replacement, let span = diagnostic.span else { return }
    fix = Fix(range: span.bytes, text: replacement, title: "write \(replacement)")
  }
}
