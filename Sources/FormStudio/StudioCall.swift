internal import DataLanguages
internal import Files
internal import FormCases
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions
internal import SourceTexts

/// The calls of a page that are not calls of a session.
enum StudioCall: String {
  /// The page wants `studio/state`.
  case state = "studio/state"
  /// The form, as clients draw it.
  case describe = "studio/describe"
  /// `{file}`: another form of the folder.
  case choose = "studio/choose"
  /// `{locale?, zone?, now?}`: the session has another language, time zone or beginning, and its steps are repeated.
  case set = "studio/set"
  /// `{now?}`: the session begins again, without steps.
  case begin = "studio/begin"
  /// `{by}`: the clock moves by a duration.
  case advance = "studio/advance"
  /// `{isRunning}`: whether the clock moves to the next timer by itself.
  case runClock = "studio/runClock"
  /// `{response, always?}`: answers the oldest request, and with `always` all later ones of its kind.
  case answer = "studio/answer"
  /// `{position}`: removes a mock.
  case removeMock = "studio/removeMock"
  /// `{address}`, `{action}`, `{output}` or `{step}`: the reasons for its state, and its formulas.
  case explain = "studio/explain"
  /// `{name, replaces?}`: saves the steps as a case of the test file.
  case record = "studio/record"
  /// The cases of the test file run.
  case run = "studio/run"
}

extension Studio {
  /// A page has sent a text of JSON-RPC.
  package func received(_ text: [UInt8]) -> Output {
    let request = ScannedText(json: SourceText(text)).value
    let id = request["id"] ?? .null
    var output = Output()
    do throws(RPCError) {
      let result = try serve(request["method"]?.stringValue ?? "", request["params"]?.objectValue ?? [:], &output)
      output.own.append(["jsonrpc": "2.0", "id": id, "result": result])
    } catch {
      output.own.append([
        "jsonrpc": "2.0", "id": id,
        "error": ["code": .integer(Int64(error.code)), "message": .string(error.message)],
      ])
    }
    return output
  }

  private func serve(_ method: String, _ params: JSONObject, _ output: inout Output) throws(RPCError) -> JSON {
    if let call = StudioCall(rawValue: method) { return try serve(call, params, &output) }
    switch Method.allCases.first(where: { $0.wireName.description == method }) {
    case .sessionOpen, .sessionGet: return opened.json
    case .sessionClose, .serverPing: return [:]
    case .formDescribe: return try description
    case let method?:
      let step = try step(of: method, params)
      let rows = step.insert.map { order(of: $0) }
      output.all += try told { () throws(StepRefusal) in try perform(step) }
      if step.tap != nil, let tap = recorder?.state.tap { return tap.json }
      if let list = step.insert, let row = order(of: list).first(where: { !(rows ?? []).contains($0) }) {
        return InsertAnswer(revision: currentRevision, row: Int64(row) ?? 0).json
      }
      return InputAnswer(revision: currentRevision).json
    case nil: throw RPCError(.methodNotFound)
    }
  }

  private var description: JSON {
    get throws(RPCError) {
      guard let form else { throw RPCError(code: RPCErrorCode.invalidParams.rawValue, message: "there is no form") }
      return FormDescription(form, locale: beginning.locale).json
    }
  }

  private func order(of list: String) -> [String] {
    guard let pointer = JSONPointer(address: list) else { return [] }
    var node: JSON? = told.document
    for token in pointer.tokens {
      let isRow = token.utf8.first == UInt8(ascii: "#")
      node = isRow ? node?["rows"]?[String(token.dropFirst())] : node?["fields"]?[token]
    }
    return (node?["order"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  /// The step of a case that an input is.
  private func step(of method: Method, _ params: JSONObject) throws(RPCError) -> TestStep {
    let words: [Method: (verb: TestStep.Verb, subject: String)] = [
      .fieldChange: (.change, "field"), .fieldFocus: (.focus, "field"), .fieldBlur: (.blur, "field"),
      .fieldInsert: (.insert, "field"), .fieldRemove: (.remove, "field"), .fieldMove: (.move, "field"),
      .fieldToggle: (.toggle, "field"), .fieldFail: (.fail, "field"), .stepShow: (.show, "step"),
      .actionTap: (.tap, "action"),
      .actionCancel: (.cancel, "action"),
      .sessionSetLocale: (.setLocale, "locale"), .sessionReset: (.reset, "field"),
      .sessionUndo: (.undo, ""), .sessionRedo: (.redo, ""),
    ]
    guard let (verb, subject) = words[method] else { throw RPCError(.methodNotFound) }
    var members = JSONObject()
    let name = verb.wireName.description
    members[name] = params[subject] ?? ([.reset, .undo, .redo].contains(verb) ? .bool(true) : nil)
    // As authors write it: `email`, and not `/email`.
    if subject == "field", let pointer = params[subject]?.stringValue.flatMap({ JSONPointer(address: $0) }) {
      members[name] = .string(pointer.address)
    }
    for member in params where ![subject, "session", "await"].contains(member.name) {
      members[member.name] = member.value
    }
    if verb == .change, let values = params["values"] {
      members["values"] = nil
      members[name] = values
    }
    return try read(TestStep.self, .object(members))
  }

  private func read<Value: MemberValue>(_ type: Value.Type, _ json: JSON) throws(RPCError) -> Value {
    do throws(InvalidParams) {
      return try MessageReader.value(type, json, .strict)
    } catch {
      let problems = error.problems.map { "\($0.path.isEmpty ? "" : "\($0.path): ")expected \($0.expected)" }
      let text = problems.joined(separator: "; ")
      throw RPCError(code: RPCErrorCode.invalidParams.rawValue, message: text)
    }
  }

  private func serve(_ call: StudioCall, _ params: JSONObject, _ output: inout Output) throws(RPCError) -> JSON {
    switch call {
    case .state: output.own.append(state)
    case .choose:
      if let file = params["file"]?.stringValue, files.contains(file) { choose(file) }
      output.all.append(state)
    case .set:
      try set(params)
      begin(with: recorder?.testCase)
      output.all.append(state)
    case .begin:
      try set(params)
      begin()
      output.all.append(state)
    case .advance:
      var step = TestStep()
      step.advance = try read(CaseDuration.self, params["by"] ?? .null)
      output.all += try told { () throws(StepRefusal) in try perform(step) }
    case .runClock:
      isClockRunning = params["isRunning"]?.boolValue ?? true
      output.all.append(state)
    case .answer:
      let response = try read(PromisedResponse.self, params["response"] ?? .null)
      let request = recorder?.waiting.first?.head.json
      output.all += try told { () throws(StepRefusal) in try answer(response) }
      if params["always"]?.boolValue == true, let request {
        mocks.removeAll { $0.request == request }
        mocks.append((request, response))
        output.all.append(state)
      }
    case .removeMock:
      let position = params["position"]?.integerValue.flatMap { Int(exactly: $0) } ?? -1
      if mocks.indices.contains(position) { mocks.remove(at: position) }
      output.all.append(state)
    case .describe: return try description
    case .explain: return explanation(params)
    case .record:
      let replaces = params["replaces"]?.boolValue ?? false
      return .string(
        try told { () throws(StepRefusal) in try record(as: params["name"]?.stringValue ?? "", replaces: replaces) }
      )
    case .run: return runCases()
    }
    return [:]
  }

  /// Does something that a session can refuse.
  private func told<Result>(_ act: () throws(StepRefusal) -> Result) throws(RPCError) -> Result {
    do throws(StepRefusal) {
      return try act()
    } catch {
      throw RPCError(code: error.code ?? RPCErrorCode.invalidParams.rawValue, message: error.message)
    }
  }

  private func set(_ params: JSONObject) throws(RPCError) {
    var next = beginning
    if let zone = params["zone"]?.stringValue {
      next.zone = zone.isEmpty ? nil : try read(CaseZone.self, .string(zone))
    }
    if let now = params["now"]?.stringValue {
      next.now = try read(CaseTime.self, .string(now.isEmpty ? TestCase.beginning : now))
    }
    if let locale = params["locale"]?.stringValue { next.locale = locale.isEmpty ? nil : locale }
    beginning = next
  }

  // MARK: What pages show

  /// Everything that a page shows beside the form.
  var state: JSON {
    let wait = recorder?.state.wait.map { Int64($0 / .milliseconds(1)) }
    return Self.push(
      StudioCall.state.rawValue,
      [
        "life": .integer(Int64(life)), "file": .string(file ?? path), "files": .array(files.map { .string($0) }),
        "hasForm": .bool(recorder != nil), "title": .string(form?.name ?? ""),
        "problems": .array(
          problems.map { ["severity": .string($0.severity.rawValue), "text": .string($0.description)] }
        ),
        "faults": .array(faults.map(\.text)), "said": .string(said),
        "actions": recorder?.state.session.explanation()["actions"] ?? [:],
        "clock": [
          "now": recorder.map { .string($0.state.timeOfDay) } ?? .null, "isRunning": .bool(isClockRunning),
          "waitMs": wait.map { .integer($0) } ?? .null,
          "beginning": .string(beginning.now?.written ?? TestCase.beginning),
        ],
        "settings": [
          "locale": .string(beginning.locale ?? ""), "zone": .string(beginning.zone?.written ?? "UTC"),
          "locales": .array((form?.locales ?? []).filter { !$0.isEmpty }.map { .string($0) }),
        ],
        "values": .object(told.values), "requests": .array((recorder?.waiting ?? []).map(\.json)),
        "mocks": .array(mocks.map { ["request": $0.request, "response": $0.response.json] }),
        "steps": .array(steps.map { .string($0) }),
      ]
    )
  }

  /// The message of the last tap that ended, as the form shows it; empty if it has none.
  private var said: String {
    let events = recorder?.testCase.steps.last { $0.expect?.events != nil }?.expect?.events
    return events?.last?["message"]?.stringValue ?? ""
  }

  /// The steps with their values, for people, without secrets.
  private var steps: [String] {
    guard let form, let testCase = recorder?.testCase else { return [] }
    return testCase.plainSteps.map { step in
      var words = [step.summary]
      var values = form.masked(step).json.objectValue ?? [:]
      if case .values(let changed)? = form.masked(step).change { values["value"] = .object(changed) }
      for name in ["value", "values", "at", "to", "message"] {
        guard let value = values[name] else { continue }
        words.append(name == "value" ? value.description : "\(name) \(value)")
      }
      if let held = step.answer, let response = testCase.answers.first(where: { $0.held == held })?.response {
        words.append(response.json.description)
      }
      return words.joined(separator: " ")
    }
  }

  /// The formulas that go wrong now, or went wrong in the last step: each with its name, and a text with its place in
  /// the file.
  private var faults: [(name: String, text: JSON)] {
    guard let recorder else { return [] }
    let lasting = recorder.state.session.explanation()["form"]?["faults"]?.arrayValue ?? []
    var found = lasting.map { fault in
      (fault["cell"]?.stringValue ?? "", fault["at"]?.stringValue ?? "", fault["reason"]?.stringValue ?? "")
    }
    for fault in recorder.state.faults where !found.contains(where: { $0.1 == fault.pointer }) {
      found.append((fault.name, fault.pointer, fault.message))
    }
    return found.map { name, at, reason in
      let pointer = JSONPointer(at) ?? .root
      let formula = formText?.value.value(at: pointer)?.stringValue
      let diagnostic = Diagnostic(
        file: file,
        pointer: pointer,
        position: formText?.position(of: pointer),
        code: "fault",
        message: "\(name) failed in this session: \(reason)",
        remedy: formula.map { "the formula: \($0)" }
      )
      return (name, .string(diagnostic.description))
    }
  }

  /// Why a part of the form is as it is: its state, its formulas, and the formulas of it that go wrong.
  private func explanation(_ params: JSONObject) -> JSON {
    guard let form, let recorder else { return [:] }
    let says = recorder.state.session.explanation()
    var told = JSONObject()
    // The names of its cells, and the beginnings of the names of its formulas.
    var cells: [String] = []
    var formulas: [String] = []
    if let text = params["address"]?.stringValue, let pointer = JSONPointer(address: text) {
      told["state"] = says["fields"]?[pointer.address]
      // The graph has one template for all rows.
      let tokens = pointer.tokens.map { $0.utf8.first == UInt8(ascii: "#") ? "*" : $0 }
      if let index = form.field(at: JSONPointer(tokens: tokens).address) {
        let field = form.fields[index]
        let rules = form.rules.filter { $0.errorFields.contains(index) }.map(\.id)
        let checks = form.checks.filter { $0.field == index }.map(\.id)
        cells = [field.valueName, field.statusName] + rules.map { "rule \($0)" } + checks.map { "check \($0)" }
        cells += field.lookups.map { form.lookups[$0].nameInFormulas }
        formulas = [field.statusName] + rules.map { FieldAddress.spelling(of: [$0], among: "rules") }
        formulas += checks.map { FieldAddress.spelling(of: [$0], among: "checks") }
        formulas += field.lookups.map { form.lookups[$0].nameInFormulas }
      }
    } else if let name = params["action"]?.stringValue {
      told["state"] = says["actions"]?[name]
      cells = ["actions.\(name).isEnabled", "actions.\(name).result"]
      formulas = [FieldAddress.spelling(of: [name], among: "actions")]
    } else if let name = params["output"]?.stringValue {
      cells = form.outputs.filter { $0.address == name }.map(\.nameInFormulas)
      formulas = cells
    } else if let name = params["step"]?.stringValue {
      told["state"] = says["steps"]?[name]
      cells = form.steps.filter { $0.id == name }.flatMap { [$0.visibleName, $0.statusName] }
      formulas = [FieldAddress.spelling(of: [name], among: "steps")]
    }
    let dependencies = FormDependencies(of: form)
    told["cells"] = .array(
      dependencies.parts.filter { cells.contains($0.name) }.map {
        [
          "name": .string($0.name), "definitions": .array($0.definitions.map { .string($0) }),
          "reads": .array($0.reads.map { .string($0) }),
          "changes": .array(dependencies.dependents(of: $0.name).map { .string($0) }),
        ]
      }
    )
    let ownFaults = faults.filter { fault in
      formulas.contains { name in [name, "\(name).", "\(name)["].contains(where: fault.name.hasPrefix) }
    }
    told["faults"] = .array(ownFaults.map(\.text))
    return .object(told)
  }

  // MARK: Cases

  private var testPath: String? {
    file.map { LoadedTestFile.testPath(besideForm: $0) { FileIdentity(path: $0) != nil } }
  }

  private func runCases() -> JSON {
    guard let testPath, FileIdentity(path: testPath) != nil else {
      return ["text": "there is no test file yet; save a case", "cases": []]
    }
    let result = TestRun.result(ofFile: testPath)
    return [
      "text": .string(PeopleReport.lines(for: result, isVerbose: true).joined(separator: "\n")),
      "cases": .array(result.cases.map { ["name": .string($0.name), "passed": .bool($0.failure == nil)] }),
    ]
  }

  /// Adds the steps to the test file as a case.
  ///
  /// - Returns: a sentence about it.
  private func record(as name: String, replaces: Bool) throws(StepRefusal) -> String {
    guard let form, let file, let testPath, let played = recorder?.testCase else {
      throw StepRefusal("there is no form")
    }
    guard !name.isEmpty else { throw StepRefusal("give the case a name") }
    guard AuthoredFile.language(of: testPath) != .yaml else {
      throw StepRefusal("\(testPath) is YAML, and studio writes JSON; save its cases as JSON first")
    }
    var beginning = beginning
    beginning.name = name
    let recorder = CaseRecorder(form, beginning)
    recorder.repeatSteps(of: played)
    let text = try text(of: testPath, with: recorder.testCase, of: file, replaces: replaces)
    if let problem = write(text, testPath) {
      throw StepRefusal(problem)
    }
    let masked = recorder.hasMasked ? "; other values of the same shape replace its secrets" : ""
    return "saved in \(testPath)\(masked)"
  }

  /// The text of the test file with one more case, or with the case of that name replaced.
  private func text(
    of testPath: String,
    with testCase: TestCase,
    of file: String,
    replaces: Bool
  ) throws(StepRefusal) -> [UInt8] {
    guard FileIdentity(path: testPath) != nil else {
      let isBeside = LoadedTestFile.formPath(besideTest: testPath) { FileIdentity(path: $0) != nil } == file
      let formName = file.split(separator: "/").last.map(String.init)
      return Array(TestFileText.new(with: testCase, of: isBeside ? nil : formName).utf8)
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileBytes.read(testPath, bytesMax: Form.fileBytesMax)
    } catch {
      throw StepRefusal("\(testPath) cannot be read (\(error))")
    }
    let loaded: LoadedTestFile
    do throws(TestFileError) {
      loaded = try LoadedTestFile(bytes, path: testPath)
    } catch {
      throw StepRefusal(error.diagnostics.map(\.description).joined(separator: "\n"))
    }
    guard let text = TestFileText.text(of: bytes, loaded, with: testCase, replaces: replaces) else {
      let name = JSON.string(testCase.name)
      throw StepRefusal("\(testPath) already has a case \(name): use another name, or check \"Replace\"")
    }
    return text
  }
}
