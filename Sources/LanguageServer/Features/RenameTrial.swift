internal import FormCases
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts
internal import Texts

/// Makes the edits of a rename on copies of the texts, and checks that nothing breaks. The forms must compile and have
/// the same parts, and the tests must read and pass as before.
struct RenameTrial {
  private let plan: RenamePlan
  /// By key: the texts with the edits.
  private let edited: [String: SourceText]
  /// By path: the texts that replace files while the forms compile.
  private let openFiles: [String: SourceText]

  init(_ plan: RenamePlan, in workspace: inout Workspace) {
    self.plan = plan
    var edited: [String: SourceText] = [:]
    for (key, edits) in plan.edits {
      guard var text = workspace.texts.snapshot(of: key)?.text else { continue }
      for edit in edits.reversed() { text.replace(edit.range, with: Array(edit.text.utf8)) }
      edited[key] = text
    }
    self.edited = edited
    openFiles = workspace.texts.openFiles.merging(edited.filter { DocumentURI.isPath($0.key) }) { $1 }
  }

  /// - Throws: which mention would break.
  func run(in workspace: inout Workspace) throws(RPCError) {
    for (key, symbols) in plan.symbols.sorted(by: { $0.key < $1.key }) {
      guard let before = workspace.form(at: key) else { continue }
      guard let form = before.compilation.form else {
        let diagnostic = before.compilation.diagnostics.first { $0.severity == .error }
        throw .failed(
          "\(diagnostic?.location(in: key) ?? key): \(diagnostic?.message ?? ""); "
            + "fix the errors of the form before a rename"
        )
      }
      try checkDoubts(before, key, symbols)
      let text = edited[key] ?? before.scanned.source
      let after = FormText(text, key: key, stamp: 0, generation: 0, openFiles: openFiles)
      try check(before.compilation.diagnostics, after.compilation.diagnostics, key)
      guard let renamed = after.compilation.form else { continue }
      try checkFields(form, renamed, key, symbols)
      for test in workspace.tests(ofFormAt: key) { try checkTest(test, form, renamed, in: &workspace) }
    }
  }

  // MARK: The form

  private func checkDoubts(_ form: FormText, _ key: String, _ symbols: Set<FormSymbol>) throws(RPCError) {
    for case .field(let path) in symbols {
      guard let doubt = form.names.doubts.first(where: { $0.concerns(path) }) else { continue }
      let location = form.scanned.source.location(of: doubt.offset, in: key)
      throw .failed(
        "\(location): it is unclear whether this formula reads \(JSON.string(path.last ?? "")), so it might break: "
          + "write values.\(path.filter { $0 != "*" }.joined(separator: ".")) or the row's field there, "
          + "or rename the field by hand"
      )
    }
  }

  /// A diagnostic is new if it appears more often than before.
  private func check(_ before: [Diagnostic], _ after: [Diagnostic], _ key: String) throws(RPCError) {
    var known = Dictionary(grouping: before, by: \.code).mapValues(\.count)
    for diagnostic in after {
      if let count = known[diagnostic.code], count > 0 {
        known[diagnostic.code] = count - 1
      } else {
        throw broken(at: diagnostic.location(in: key), diagnostic.message)
      }
    }
  }

  private func checkFields(_ before: Form, _ after: Form, _ key: String, _ symbols: Set<FormSymbol>) throws(RPCError) {
    let wanted = Set(before.fields.map { renamed($0.path, symbols) })
    let got = Set(after.fields.map(\.path))
    guard let lacking = wanted.subtracting(got).union(got.subtracting(wanted)).min(by: { $0.count < $1.count }) else {
      return
    }
    let address = JSONPointer(tokens: lacking).address
    throw broken(
      at: DocumentURI.name(of: key),
      "the field \(address) was not found in the schema; rename it there by hand"
    )
  }

  /// The path of a field with the new names.
  private func renamed(_ path: [String], _ symbols: Set<FormSymbol>) -> [String] {
    path.indices.map { symbols.contains(.field(Array(path[...$0]))) ? plan.name : path[$0] }
  }

  // MARK: Its tests

  private func checkTest(_ key: String, _ before: Form, _ after: Form, in workspace: inout Workspace) throws(RPCError) {
    guard let old = workspace.test(at: key) else { return }
    let new = TestText(edited[key] ?? old.scanned.source, key: key, stamp: 0)
    try check(
      old.diagnostics + old.unknownNames(in: before),
      new.diagnostics + new.unknownNames(in: after),
      key
    )
    guard let oldFile = try? LoadedTestFile(old.scanned.source.bytes, path: key),
      let newFile = try? LoadedTestFile(new.scanned.source.bytes, path: key)
    else { return }
    let passed = Set(CaseRunner(oldFile, of: before).run().filter { $0.failure == nil }.map(\.name))
    for result in CaseRunner(newFile, of: after).run() where passed.contains(result.name) {
      guard let failure = result.failure else { continue }
      // The first deviation is enough for the message.
      let location = failure.deviations.first.map { "\(DocumentURI.name(of: key)):\($0.position): " } ?? ""
      let lines = failure.deviations.first?.deviation.lines ?? failure.faults
      let told = lines.prefix(3).map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "; ")
      throw .failed("the case \(JSON.string(result.name)) would fail: \(location)\(told); nothing is renamed")
    }
  }

  private func broken(at location: String, _ message: String) -> RPCError {
    .failed("\(location) would break: \(message); nothing is renamed")
  }
}

extension Diagnostic {
  /// The location for people: the file's name, line and column.
  fileprivate func location(in key: String) -> String {
    DocumentURI.name(of: file ?? key) + (position.map { ":\($0)" } ?? "")
  }
}
