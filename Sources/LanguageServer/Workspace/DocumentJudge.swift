internal import Forms
internal import JSON
internal import SourceTexts
internal import TextValidation
internal import Texts

/// Finds what is wrong with a document, and records what the findings depend on.
struct DocumentJudge {
  let key: String
  /// The dependencies that are not texts.
  private var surroundings: Judgment.Surroundings?
  /// Whether the recorded dependencies are complete.
  private var isKept = true

  init(key: String) { self.key = key }

  /// Finds all problems, in the order of the text.
  ///
  /// - Returns: the findings, and whether they may be cached while their dependencies hold.
  mutating func judge(in workspace: inout Workspace) -> (judgment: Judgment, isKept: Bool) {
    workspace.texts.beginRecord()
    let found: [Finding] =
      switch workspace.kind(of: key) {
      case .form?: form(in: &workspace)
      case .test?: test(in: &workspace)
      case .configuration?: workspace.texts.snapshot(of: key).map { ConfigurationText($0.text).findings(of: key) } ?? []
      case .data?: data(in: &workspace)
      case nil: []
      }
    let findings = found.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    return (Judgment(findings: findings, texts: workspace.texts.takeRecord(), surroundings: surroundings), isKept)
  }

  private mutating func form(in workspace: inout Workspace) -> [Finding] {
    guard let form = workspace.form(at: key) else { return [] }
    isKept = !form.refersToFiles
    surroundings = Judgment.Surroundings(of: workspace)
    var diagnostics = [workspace.clash(of: key, as: .form)].compactMap(\.self) + form.compilation.diagnostics
    // The form is made only if there is a configuration.
    if let names = workspace.configuredNames(for: key), let compiled = form.compilation.form {
      diagnostics += compiled.warnings(configured: names.capabilities, file: DocumentURI.isPath(key) ? key : nil)
    }
    return diagnostics.map { Finding($0, of: key, in: form.scanned) }
  }

  private mutating func test(in workspace: inout Workspace) -> [Finding] {
    guard let test = workspace.test(at: key) else { return [] }
    var diagnostics = [workspace.clash(of: key, as: .test)].compactMap(\.self) + test.diagnostics
    let formKey = workspace.formKey(of: test)
    if let form = workspace.form(at: formKey) {
      isKept = !form.refersToFiles
      if let usable = form.usableForm {
        diagnostics += test.unknownNames(in: usable) + test.unknownCodes(in: form)
      }
    } else {
      diagnostics.append(
        Diagnostic(
          file: key,
          pointer: JSONPointer(tokens: ["form"]),
          code: "noForm",
          message: "there is no form \(formKey)",
          remedy: "name its file: \"form\": \"NAME.form.json\"",
          severity: .warning
        )
      )
    }
    return diagnostics.map { Finding($0, of: key, in: test.scanned) }
  }

  private mutating func data(in workspace: inout Workspace) -> [Finding] {
    guard let data = workspace.data(at: key) else { return [] }
    surroundings = Judgment.Surroundings(of: workspace)
    guard let formKey = workspace.formKey(ofData: key), let form = workspace.form(at: formKey) else {
      guard case .form(let name, let range)? = data.reference else { return [] }
      return [noForm(name, at: range, of: data, in: &workspace)]
    }
    isKept = !form.refersToFiles
    guard let compiled = form.compilation.form else {
      let message = "the form \(form.name) has errors, so this file is not validated"
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
    var findings = verdict.errors.map { Finding($0, in: data.scanned) }
    if verdict.isTruncated {
      let message = "there are more errors than the \(findings.count) that are shown"
      findings.append(Finding(range: data.referenceRange, severity: .error, code: "more", message: message))
    }
    return findings
  }

  /// The finding that data names an unknown form.
  private func noForm(_ name: String, at range: Range<Int>, of data: DataText, in workspace: inout Workspace) -> Finding
  {
    // A path is compared with paths.
    let folder = DocumentURI.folder(of: key)
    let known =
      Workspace.isPath(name)
      ? workspace.formKeys.map { DocumentURI.relative($0, to: folder) } : workspace.formNames
    let meant = closestName(to: name, among: known)
    var finding = Finding(
      range: range,
      severity: .warning,
      code: "noForm",
      message: "there is no form \(JSON.string(name)) in the open folders"
        + (meant.map { "; did you mean \(JSON.string($0))?" } ?? "")
    )
    finding.fix = meant.map { meant in
      let text = data.written(formName: meant, at: range)
      return Finding.Fix(range: range, text: text)
    }
    return finding
  }
}

extension Finding {
  /// Converts an error that a form reports for a part of data.
  init(_ error: TextError, in scanned: ScannedText) {
    self.init(
      at: error.pointer,
      range: error.range,
      keyRange: error.keyRange,
      severity: error.isWarning ? .warning : .error,
      code: error.code,
      message: error.message,
      in: scanned
    )
    fix = error.fix.map { Fix(range: $0.range, text: $0.text, replacing: scanned.source) }
  }

  /// Converts an error that a form reports for a part of data. The form may be the server's or a daemon's. A value that
  /// contains other values is marked at its name. A missing member is named in the message, because its mark is where
  /// other members may be missing, too.
  ///
  /// - Parameters:
  ///   - range: the bytes of the value, or of the object that lacks it.
  ///   - keyRange: the bytes of its name.
  init(
    at pointer: JSONPointer,
    range: Range<Int>,
    keyRange: Range<Int>?,
    severity: WireDiagnostic.Severity,
    code: String,
    message: String,
    in scanned: ScannedText
  ) {
    let node = scanned.node(at: pointer)
    let isLarge = node.map { $0.kind == .object || $0.kind == .array } ?? false
    self.range = isLarge ? keyRange ?? range : range
    self.severity = severity
    self.code = code
    self.message = node == nil ? "\(pointer.address): \(message)" : message
    fix = nil
  }

  /// Converts a diagnostic of a tool for the document that the editor shows.
  init(_ diagnostic: Diagnostic, of key: String, in scanned: ScannedText) {
    // A problem in another file, to which the schema refers, is marked at the name of `schema`.
    let isOwn = diagnostic.file == nil || diagnostic.file == key
    let node = scanned.nearestNode(to: diagnostic.pointer)
    range =
      isOwn
      ? diagnostic.span?.bytes ?? node.keyRange ?? node.range
        .lowerBound..<min(node.range.lowerBound + 1, node.range.upperBound)
      : scanned.root.child("schema")?.keyRange ?? 0..<0
    severity = diagnostic.severity == .error ? .error : .warning
    code = diagnostic.code
    let other = isOwn ? "" : "\(diagnostic.file ?? "")\(diagnostic.position.map { ":\($0)" } ?? ""): "
    message = other + diagnostic.message + (diagnostic.remedy.map { "\n\($0)" } ?? "")
    if isOwn {
      related = diagnostic.related.compactMap { related in
        scanned.node(at: related.pointer).map { Related(range: $0.range, message: related.message) }
      }
      if code == SyntaxProblem.Code.duplicateKey.rawValue, let first = scanned.firstKey(of: range) {
        related = [Related(range: first, message: "the first one")]
      }
    }
    guard isOwn, let replacement = diagnostic.replacement, let span = diagnostic.span else { return }
    fix = Fix(range: span.bytes, text: replacement, replacing: scanned.source)
  }
}

extension ScannedText {
  /// The bytes of the first name in an object that equals the name at those bytes.
  fileprivate func firstKey(of range: Range<Int>) -> Range<Int>? {
    let node = path(atOffset: range.lowerBound + 1).node
    guard let name = node.key, let first = node.parent?.children.first(where: { $0.key == name })?.keyRange,
      first.upperBound <= range.lowerBound
    else { return nil }
    return first
  }
}
