internal import ArgumentParser
internal import Client
internal import Files
internal import FormProtocol
internal import JSON
internal import TerminalForms

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl fill`: asks for a form's values on the terminal, and prints them on standard output.
struct FillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fill",
    abstract: "Ask for a form's values on the terminal, and print them as JSON.",
    discussion: """
      FORM is the name of a form of the daemon, or a file with a definition (it has
      a / or ends with .json or .yaml). For a file, and if no daemon runs, formctl
      starts its own formd. That formd reads the user's configuration (the file that
      FORMD_CONFIG names, or ~/.config/formd/formd.json) and ends with formctl. If a
      file NAME.form.json refers to other files or calls services, formd serves its
      whole folder.

        answers="$(formctl fill deploy)" || exit
        formctl fill ./deploy.form.json --values '{"region": "eu"}'
        formctl fill invoice --tap send --locale en
        formctl fill settings --only editing window > settings.json

      When the form is submitted, formctl writes its values to standard output, as
      one JSON object. Everything else goes to the terminal. Without --tap, submitted
      means that the form is valid. With --tap, it means that the action succeeded;
      Enter at the end taps the action.

      On a terminal, formctl asks for one field after the other. It shows the field's
      help, and messages during typing. It skips hidden fields, and asks again if the
      form refuses an answer. Brackets show the default. Before the tap it lists the
      answers: a number, or an arrow and Enter, leads back to one of them. Its own
      words are in the language of --locale, else in the form's, else in English.

        Enter             accept the answer, or the default
        Tab               insert the default, to edit it
        Ctrl-U            erase the answer; twice: no value, not even the default
        Shift-Tab, Esc    go back to the previous question
        Up, Down, number  choose
        Space             mark or unmark one of several choices; Enter: done
        a, N, r N, m N TO add a row, edit row N, remove it, move it; Enter: done
        Ctrl-D            end a text of several lines; elsewhere: skip the rest
        Ctrl-C            end without submitting

      On a terminal that cannot move its cursor (TERM=dumb), formctl asks line by
      line, and < goes back. NO_COLOR turns colors off.

      In a pipe, formctl asks nothing. Standard input is a JSON object of values, or
      lines as in formctl run. Each text is converted to the type of its field:

        printf '%s\\n' email=kim@example.com count=3 'items+={"sku": "A"}' |
          formctl fill order

      Errors are written to standard error, one a line. If the daemon ends during the
      conversation, formctl saves the answers so far, without secrets. The file can
      be passed to --values.

      Exit status: 0 submitted; 1 the form or the action refused the values; 2 the
      command could not be carried out (no daemon, an unknown form or field, an
      invalid line); 130 ended by Ctrl-C.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form: a name, or a file.", completion: .file(extensions: FormFile.extensions)) var form: String
  @Option(
    help: ArgumentHelp(
      "Known values, which are not asked for: a JSON object, or a file that holds one.",
      valueName: "json|file"
    ),
    completion: .file(extensions: ["json"])
  )
  var values: String?
  @OptionGroup var context: ContextOption
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Ask for these fields only: names, or addresses such as /address/city.", valueName: "field")
  )
  var only: [String] = []
  @Option(help: "The action to tap at the end.") var tap: String?
  @Option(help: "The language of the texts. Default: the language in LC_ALL, LC_MESSAGES or LANG.") var locale: String?
  @Option(help: "The time zone of today: Europe/Zurich. Default: the daemon's time zone.") var zone: String?
  @Option(
    help: ArgumentHelp("Start a formd that serves the forms of this folder.", valueName: "folder"),
    completion: .directory
  )
  var forms: String?

  func validate() throws {
    if values == "-" { throw ValidationError("--values cannot be -, because standard input has the answers.") }
    if forms != nil, connection.socket != nil { throw ValidationError("--forms starts a daemon: leave --socket out.") }
  }

  func run() throws {
    let known = try values.map { try FormValues.read($0) } ?? [:]
    let source = try FillSource(form, folder: forms, socket: connection.socket)
    let session = try source.open(
      SessionOptions(locale: locale ?? Self.localeOfEnvironment, zone: zone, context: try context.read())
    )
    do {
      let description = try session.describe()
      try check(description)
      if !known.isEmpty {
        try session.changeAll(known, commit: true)
        try session.get()
      }
      if isatty(STDIN_FILENO) == 1 {
        try ask(session, source, description, known)
      } else {
        try read(session, description, known)
      }
    } catch let error as ClientError {
      throw source.explained(error)
    }
  }

  /// Refuses names that the form does not have.
  private func check(_ description: FormDescription) throws(CommandFailure) {
    if let name = QuestionList.unknown(only, in: description).first {
      let fields = description.fields.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        message: "--only \(name): the form has no such field outside of rows; its fields are \(fields)"
      )
    }
    if let tap, !description.actions.contains(where: { $0.name == tap }) {
      let actions = description.actions.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        message:
          "--tap \(tap): the form has no such action; \(actions.isEmpty ? "it has none" : "its actions are \(actions)")"
      )
    }
  }

  // MARK: On a terminal

  private func ask(
    _ session: FormSession,
    _ source: FillSource,
    _ description: FormDescription,
    _ known: JSONObject
  ) throws {
    let fill = try TerminalFill(
      session,
      on: source.connection,
      description,
      known: known,
      only: only.isEmpty ? nil : only,
      action: tap
    )
    let outcome: Interview.Outcome
    do {
      outcome = try fill.run()
    } catch {
      let reason = (error as? ClientError).map(source.explained) ?? error
      Console.complain((reason as? CommandFailure)?.message ?? "\(reason)")
      try keep(fill.values(withSecrets: false))
      throw ExitCode(2)
    }
    try end(outcome == .submitted, fill.form.document, fill.values(withSecrets: true))
  }

  /// Saves the answers so far in a file that only the user can read, and prints how to continue.
  private func keep(_ values: JSONObject) throws(CommandFailure) {
    guard !values.isEmpty else { return }
    let folder = ProcessEnvironment["XDG_RUNTIME_DIR"] ?? "/tmp"
    var template = Array("\(folder)/formctl-fill-XXXXXX.json".utf8CString)
    let file = mkstemps(&template, 5)
    guard file >= 0 else { throw CommandFailure(message: "\(folder): \(SystemError.last)") }
    defer { close(file) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let text = Array((JSON.object(values).indentedText + "\n").utf8)
    guard write(file, text, text.count) == text.count else {
      throw CommandFailure(message: "\(path): \(SystemError.last)")
    }
    Console.report("  the answers so far, without secrets: \(path)\n  to go on:  \(commandLine(values: path))")
  }

  /// The command that goes on with values from a file: the form, and all options of this command.
  private func commandLine(values path: String) -> String {
    var words = ["formctl", "fill", form]
    let options = [
      ("--socket", connection.socket), ("--forms", forms), ("--tap", tap), ("--locale", locale), ("--zone", zone),
      ("--context", context.argument), ("--values", path),
    ]
    if !only.isEmpty { words += ["--only"] + only }
    for case (let option, let value?) in options { words += [option, value] }
    return words.map(\.quotedForShell).joined(separator: " ")
  }

  // MARK: In a pipe

  private func read(_ session: FormSession, _ description: FormDescription, _ known: JSONObject) throws {
    var secrets = FilledForm.secrets(in: known, description.fields)
    secrets.merge(try PipedFill.fill(session, description)) { _, later in later }
    if session.isClosed { throw CommandFailure(message: "the daemon closed the session") }
    var isDone = session.document.isValid
    if let tap {
      let event = try session.tapAndWait(tap)
      isDone = event?.kind == .succeeded
      if let message = event?.message { Console.report(message) }
      if !isDone, let error = event?.error { Console.complain("\(tap): \(TypedText.text(of: error))") }
    }
    try session.get()
    let form = FilledForm(document: session.document, values: session.values)
    try end(isDone, form.document, form.result(description.fields, secrets: secrets))
  }

  // MARK: The end

  private func end(_ isSubmitted: Bool, _ document: FormDocument, _ values: JSONObject) throws {
    guard isSubmitted else {
      for error in document.allErrors { Console.report(error.line) }
      throw ExitCode(1)
    }
    Console.say(.object(values))
  }

  /// The language of the environment (locale(7)): `ko_KR.UTF-8` is `ko-KR`.
  private static var localeOfEnvironment: String? {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    guard let value = names.lazy.compactMap({ ProcessEnvironment[$0] }).first else { return nil }
    let language = value.prefix { $0 != "." && $0 != "@" }
    return language == "C" || language == "POSIX" ? nil : language.split(separator: "_").joined(separator: "-")
  }
}

extension String {
  /// The text as one word of a shell's command (POSIX.1-2024, XCU 2.2.2): in quotes if it needs them.
  fileprivate var quotedForShell: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789_@%+=:,./-".unicodeScalars.contains($0) }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
