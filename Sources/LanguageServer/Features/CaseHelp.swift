internal import FormCases
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts

/// The commands above lines of forms and tests.
enum LensCommand: String, CaseIterable {
  /// Runs a case of a test file. The server carries it out. Its arguments are the URI of the file, and the position of
  /// the case.
  case runCase = "formd.runCase"
  /// Opens a form, to fill it in. The editor carries it out. Its arguments are the name of the form, and the URI of its
  /// definition.
  case openForm = "formd.openForm"
}

extension CodeLensParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [CodeLens] {
    let key = DocumentURI.key(of: document.uri)
    func lens(_ node: ScannedNode, _ text: SourceText, _ title: String, _ command: LensCommand, _ arguments: JSON)
      -> CodeLens
    {
      CodeLens(
        range: text.range(node.range, in: workspace.encoding),
        command: CodeLens.Command(title: title, command: command.rawValue, arguments: arguments)
      )
    }
    switch workspace.kind(of: key) {
    case .test?:
      guard let scanned = workspace.test(at: key)?.scanned else { return [] }
      return (scanned.root.child("cases").map { Array($0.children) } ?? []).enumerated().compactMap {
        position,
        testCase in
        testCase.child("name").map {
          lens($0, scanned.source, "Run case", .runCase, [.string(document.uri), .integer(Int64(position))])
        }
      }
    case .form? where workspace.capabilities.commands.contains(LensCommand.openForm.rawValue):
      guard let form = workspace.form(at: key) else { return [] }
      let node = form.scanned.root.child("form") ?? form.scanned.root
      return [lens(node, form.scanned.source, "Open form", .openForm, [.string(form.name), .string(document.uri)])]
    case .form?, .data?, .configuration?, nil: return []
    }
  }
}

extension ExecuteCommandParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> JSON {
    guard command == LensCommand.runCase.rawValue else {
      throw .failed("this server has no command \(JSON.string(command))")
    }
    guard let uri = arguments?.arrayValue?.first?.stringValue,
      let position = arguments?.arrayValue?.dropFirst().first?.integerValue
    else { throw .failed("the arguments are the URI of a test file and the position of a case") }
    let key = DocumentURI.key(of: uri)
    guard let test = workspace.test(at: key), case let formKey = workspace.formKey(of: test),
      let form = workspace.form(at: formKey)?.compilation.form,
      let file = try? LoadedTestFile(test.scanned.source.bytes, path: key)
    else { throw .failed("the tests or their form have errors; fix them first") }
    guard let result = CaseRunner(file, of: form).run().dropFirst(Int(clamping: max(position, 0))).first else {
      throw .failed("the file has no such case")
    }
    guard let failure = result.failure else { return ["name": .string(result.name), "passed": true] }
    let lines =
      failure.deviations.map { "\($0.position): " + $0.deviation.lines.joined(separator: "; ") } + failure.faults
    return [
      "name": .string(result.name), "passed": false,
      "message": .string(lines.prefix(3).joined(separator: "\n")),
    ]
  }

  /// The message that tells the user the result of a command.
  static func message(of result: JSON) -> String? {
    guard let name = result["name"]?.stringValue, let passed = result["passed"]?.boolValue else { return nil }
    return passed
      ? "The case \(JSON.string(name)) passes."
      : "The case \(JSON.string(name)) fails:\n\(result["message"]?.stringValue ?? "")"
  }
}

extension InlayHintParams {
  /// The outputs of a form at the end of the first case of its tests.
  func answer(from workspace: inout Workspace) throws(RPCError) -> [InlayHint] {
    let key = DocumentURI.key(of: document.uri)
    guard case .form? = workspace.kind(of: key), let text = workspace.form(at: key), let form = text.compilation.form,
      let outputs = text.scanned.root.child("outputs")
    else { return [] }
    for testKey in workspace.tests(ofFormAt: key) {
      guard let test = workspace.test(at: testKey),
        let file = try? LoadedTestFile(test.scanned.source.bytes, path: testKey), let first = file.content.cases.first,
        form.problem(ofContext: first.context) == nil
      else { continue }
      let state = CaseSession(form, for: first)
      for step in first.steps {
        state.beginStep()
        do throws(StepRefusal) { try state.perform(step) } catch { break }
      }
      let values = state.document["outputs"]
      let wanted = text.scanned.source.offsets(of: range, in: workspace.encoding)
      return outputs.children.compactMap { output in
        guard let name = output.key, let value = values?[name], wanted.contains(output.range.lowerBound) else {
          return nil
        }
        var hint = InlayHint()
        hint.position = text.scanned.source.position(of: output.range.upperBound, in: workspace.encoding)
        let shown = value.description
        hint.label = "= " + (shown.count > Self.lengthMax ? shown.prefix(Self.lengthMax) + "..." : shown)
        hint.tooltip = "at the end of the case \(JSON.string(first.name)) of \(DocumentURI.name(of: testKey))"
        return hint
      }
    }
    return []
  }

  /// A longer value is cut.
  private static let lengthMax = 40
}
