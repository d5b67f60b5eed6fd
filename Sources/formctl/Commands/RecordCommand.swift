internal import ArgumentParser
internal import DataLanguages
internal import Files
internal import FormCases
internal import FormProtocol
internal import Forms
internal import JSON
internal import SourceTexts

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl record`: makes a test case from a session that the user plays by hand.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Play a session by hand and save it as a case of NAME.test.json. No daemon is needed.",
    discussion: """
      FORM is a file with a definition. The command reads the lines of formctl run,
      and some more:

      \(RecordLine.summary)

      After each line, the command prints the changes; the case will expect them.
      The end of input (Ctrl-D) writes the case into NAME.test.json beside the form.
      Ctrl-C writes nothing. The session gets another value of the same shape in place
      of each secret (xxxxxx0 for hunter2), and so does the file; --with-secrets keeps
      the secrets.

        formctl record forms/login.form.json --case "logs in"

      Exit status: 0 written, 2 a line was invalid or refused (only in a pipe; nothing
      is written then), or a file cannot be read or written.
      """
  )

  @Argument(help: "The form: a file.", completion: .file(extensions: FormFile.extensions)) var form: String
  @Option(name: .customLong("case"), help: ArgumentHelp("The name of the case.", valueName: "name")) var name: String
  @Flag(help: "Replace a case with the same name.") var force = false
  @Flag(help: "Write secrets as they are typed.") var withSecrets = false
  @Option(help: ArgumentHelp("Initial values: a JSON object, or a file that holds one.", valueName: "json|file"))
  var given: String?
  @OptionGroup var context: ContextOption
  @Option(
    help: ArgumentHelp("The time at which the session is opened: 2026-11-22T12:00:00Z.", valueName: "time"),
    transform: Self.time
  )
  var now: CaseTime?
  @Option(help: "The time zone of today. Default: UTC.", transform: Self.zone) var zone: CaseZone?
  @Option(help: "The language of the texts.") var locale: String?

  private static func time(_ text: String) throws -> CaseTime {
    if let time = CaseTime(text) { return time }
    throw ValidationError("--now must be \(CaseTime.expectation)")
  }

  private static func zone(_ text: String) throws -> CaseZone {
    if let zone = CaseZone(text) { return zone }
    throw ValidationError("--zone must be \(CaseZone.expectation)")
  }

  func run() throws {
    let path = LoadedTestFile.testPath(besideForm: form) { FileIdentity(path: $0) != nil }
    guard AuthoredFile.language(of: path) != .yaml else {
      throw CommandFailure(message: "\(path) is YAML, and record writes JSON; save its cases as JSON first")
    }
    let compiled = try FormFile.read(form)
    // The user should learn this before an hour of playing, not after it.
    try check(existing(path), path)
    var beginning = TestCase()
    beginning.name = name
    beginning.given = try given.map { try FormValues.read($0) }
    beginning.context = try context.read()
    (beginning.now, beginning.zone, beginning.locale) = (now, zone, locale)
    if let problem = compiled.problem(ofContext: beginning.context) { throw CommandFailure(message: problem) }
    let recorder = CaseRecorder(compiled, beginning, keepsSecrets: withSecrets)
    tell(recorder, recorder.testCase.expect)
    try play(recorder)
    // The file may have changed since the first check.
    try write(recorder.testCase, to: path)
    if recorder.hasMasked { Console.say("secrets were replaced by other values; --with-secrets keeps them") }
    let count = recorder.testCase.steps.count
    Console.say("\(path): \(JSON.string(name)), \(count) \(count == 1 ? "step" : "steps")")
  }

  // MARK: Playing

  private func play(_ recorder: CaseRecorder) throws {
    let isByHand = isatty(STDIN_FILENO) == 1
    if isByHand { Console.say("type help for a list of commands") }
    var input = LineBuffer()
    while let line = try input.readLine() {
      do {
        switch try RecordLine(line) {
        case .step(let step): tell(recorder, try recorder.perform(step))
        case .answer(let response):
          tell(recorder, try recorder.answer(response))
        case .show: Console.say(recorder.document)
        case .help: Console.say(RecordLine.summary)
        case .quit: return
        case .nothing: break
        }
      } catch let error as InputLine.SyntaxError {
        try refuse(error.description, isByHand)
      } catch let refusal as StepRefusal {
        try refuse(refusal.message, isByHand)
      }
    }
  }

  private func refuse(_ message: String, _ isByHand: Bool) throws {
    guard isByHand else { throw CommandFailure(message: message) }
    Console.complain(message)
  }

  private func tell(_ recorder: CaseRecorder, _ changed: Expectations?) {
    if let changed, changed.json != [:] { Console.say(changed.json.indentedText) }
    for request in recorder.waiting { Console.say("a request waits for an answer: \(request.json)") }
  }

  // MARK: The file

  /// The current test file; nil if it does not exist.
  private func existing(_ path: String) throws -> (bytes: [UInt8], file: LoadedTestFile)? {
    if FileVersion(path: path) == nil { return nil }
    let bytes = try Console.readFile(path)
    do throws(TestFileError) {
      return (bytes, try LoadedTestFile(bytes, path: path))
    } catch {
      throw CommandFailure(message: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  /// - Throws: ``CommandFailure`` if the case cannot be added to the file.
  private func check(_ existing: (bytes: [UInt8], file: LoadedTestFile)?, _ path: String) throws {
    guard let existing else { return }
    let formPath = existing.file.formPath
    if (try? FileIdentity.realPath(of: formPath)) != (try? FileIdentity.realPath(of: form)) {
      throw CommandFailure(
        message: "\(path) has cases of another form, \(formPath); record a case of that form, or rename \(form)"
      )
    }
    guard !force, existing.file.content.cases.contains(where: { $0.name == name }) else { return }
    throw CommandFailure(
      message:
        "\(path) already has a case \(JSON.string(name)); use another name, or replace that case with --force"
    )
  }

  private func write(_ testCase: TestCase, to path: String) throws {
    let existing = try existing(path)
    try check(existing, path)
    let isBeside = LoadedTestFile.formPath(besideTest: path) { FileIdentity(path: $0) != nil } == form
    let formName = form.split(separator: "/").last.map(String.init)
    let text =
      existing.flatMap { TestFileText.text(of: $0.bytes, $0.file, with: testCase, replaces: force) }
      ?? Array(TestFileText.new(with: testCase, of: isBeside ? nil : formName).utf8)
    try Console.writeFile(text, to: path)
  }
}
