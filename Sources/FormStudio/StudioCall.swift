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
  /// `{locale?, zone?, now?}`: the session begins again.
  case begin = "studio/begin"
  /// `{by}`: the clock moves by a duration.
  case advance = "studio/advance"
  /// `{isRunning}`: whether the clock moves to the next timer by itself.
  case runClock = "studio/runClock"
  /// `{response, always?}`: answers the oldest request, and with `always` all later ones of its kind.
  case answer = "studio/answer"
  /// `{position}`: removes a mock.
  case removeMock = "studio/removeMock"
  /// `{address}`, `{action}` or `{output}`: the reasons for its state, and its formulas.
  case explain = "studio/explain"
  /// `{name}`: saves the steps as a case of the test file.
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
      let text = error.problems.map { "\($0.path): expected \($0.expected)" }.joined(separator: "; ")
      throw RPCError(code: RPCErrorCode.invalidParams.rawValue, message: text)
    }
  }

  private func serve(_ call: StudioCall, _ params: JSONObject, _ output: inout Output) throws(RPCError) -> JSON {
    switch call {
    case .state: output.own.append(state)
    case .choose:
      if let file = params["file"]?.stringValue, files.contains(file) { choose(file) }
      output.all.append(state)
    case .begin:
      try begin(params)
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
      return .string(try told { () throws(StepRefusal) in try record(as: params["name"]?.stringValue ?? "") })
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

  private func begin(_ params: JSONObject) throws(RPCError) {
    if let zone = params["zone"]?.stringValue {
      beginning.zone = zone.isEmpty ? nil : try read(CaseZone.self, .string(zone))
    }
    if let now = params["now"]?.stringValue, !now.isEmpty { beginning.now = try read(CaseTime.self, .string(now)) }
    if let locale = params["locale"]?.stringValue { beginning.locale = locale.isEmpty ? nil : locale }
    begin()
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
        "clock": [
          "now": recorder.map { .string($0.state.timeOfDay) } ?? .null, "isRunning": .bool(isClockRunning),
          "waitMs": wait.map { .integer($0) } ?? .null,
        ],
        "settings": [
          "locale": .string(beginning.locale ?? ""), "zone": .string(beginning.zone?.written ?? "UTC"),
          "locales": .array((form?.locales ?? []).filter { !$0.isEmpty }.map { .string($0) }),
        ],
        "values": .object(told.values), "requests": .array((recorder?.waiting ?? []).map(\.json)),
        "mocks": .array(mocks.map { ["request": $0.request, "response": $0.response.json] }),
        "steps": .array(
          (recorder?.testCase.plainSteps ?? []).map { ["text": .string($0.summary), "step": $0.json] }
        ),
      ]
    )
  }

  private func explanation(_ params: JSONObject) -> JSON {
    guard let form, let recorder else { return [:] }
    let says = recorder.state.session.explanation()
    var told = JSONObject()
    var prefixes: [String] = []
    if let text = params["address"]?.stringValue, let pointer = JSONPointer(address: text) {
      let address = pointer.address
      told["state"] = says["fields"]?[address]
      // The graph has one template for all rows.
      let name = JSONPointer(tokens: pointer.tokens.map { $0.utf8.first == UInt8(ascii: "#") ? "*" : $0 }).address
      prefixes = ["values.\(name)", "fields.\(name)"]
    } else if let name = params["action"]?.stringValue {
      told["state"] = says["actions"]?[name]
      prefixes = ["actions.\(name)"]
    } else if let name = params["output"]?.stringValue {
      prefixes = ["outputs.\(name)"]
    }
    let dependencies = FormDependencies(of: form)
    told["cells"] = .array(
      dependencies.cells.filter { cell in prefixes.contains { cell.name == $0 || cell.name.hasPrefix($0 + ".") } }.map {
        [
          "name": .string($0.name), "definitions": .array($0.definitions.map { .string($0) }),
          "reads": .array($0.reads.map { .string($0) }),
          "changes": .array(dependencies.dependents(of: $0.name).map { .string($0) }),
        ]
      }
    )
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
  private func record(as name: String) throws(StepRefusal) -> String {
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
    if let problem = write(try text(of: testPath, with: recorder.testCase, of: file), testPath) {
      throw StepRefusal(problem)
    }
    let masked = recorder.hasMasked ? "; other values of the same shape replace its secrets" : ""
    return "saved in \(testPath)\(masked)"
  }

  /// The text of the test file with one more case.
  private func text(of testPath: String, with testCase: TestCase, of file: String) throws(StepRefusal) -> [UInt8] {
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
    guard let text = TestFileText.text(of: bytes, loaded, with: testCase, replaces: false) else {
      throw StepRefusal("\(testPath) already has a case \(JSON.string(testCase.name)); use another name")
    }
    return text
  }
}
