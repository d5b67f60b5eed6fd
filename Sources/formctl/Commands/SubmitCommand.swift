internal import ArgumentParser
internal import Client
internal import FormProtocol
internal import JSON

/// `formctl submit`: fills in and submits a form, in one step.
struct SubmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit",
    abstract: "Fill in a form, tap its action, and print the outcome.",
    discussion: """
      Opens a session, fills in the values as a user does, waits for the form's
      checks, taps the action, and waits for its outcome. Without --tap, the form must
      have exactly one action.

        formctl submit join --values '{"email": "kim@example.com"}'
        formctl submit feedback --tap send --values feedback.json --json
        ./credentials.sh | formctl submit login --values -

      Other users of the machine can read a command's arguments, so give a password
      in a file or by standard input.

      Prints the message and the result of a success; otherwise each error on a line
      of its own:

        /email: That is not an email address. [email.shape]

      With --json, one JSON object: the tap's event (kind, message, result, error,
      blockers), and errors, the list of all errors with their fields.

      Exit status: 0 the action succeeded, 1 the form refused the values or the
      action failed, 2 the command could not be carried out (no daemon, an unknown
      form or field, unreadable values).
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form's name.") var form: String
  @Option(
    help: ArgumentHelp(
      "The values: a JSON object, a file that holds one, or - for standard input.",
      valueName: "json|file|-"
    ),
    completion: .file(extensions: ["json"])
  )
  var values: String
  @OptionGroup var context: ContextOption
  @Option(help: "The action to tap.") var tap: String?
  @Option(help: "The language of the messages.") var locale: String?
  @Option(help: "The time zone of today: Europe/Zurich. Default: the daemon's time zone.") var zone: String?
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let values = try FormValues.read(values)
    let daemon = try connection.connect()
    let session = try daemon.open(form, SessionOptions(locale: locale, zone: zone, context: try context.read()))
    let action = try self.tap ?? onlyAction(of: session)
    try fill(session, with: values)
    guard let event = try session.tapAndWait(action) else {
      throw CommandFailure(message: "\(action): the form dropped the tap as one of several in a row; try again")
    }
    let isDone = event.kind == .succeeded
    if json {
      printJSON(event, session.document)
    } else if isDone {
      printSuccess(event, of: action)
    } else {
      printRefusal(event, of: action, session.document)
    }
    if !isDone { throw ExitCode(1) }
  }

  private func onlyAction(of session: FormSession) throws(CommandFailure) -> String {
    let actions = session.document.actions.map(\.name)
    switch actions.count {
    case 1: return actions[0]
    case 0: throw CommandFailure(message: "the form \(form) has no action to tap")
    default:
      throw CommandFailure(
        message: "the form \(form) has several actions; choose one with --tap: \(actions.joined(separator: ", "))"
      )
    }
  }

  /// Gives the session the values, and waits until no check is in progress.
  ///
  /// Checks run only for fields that were edited. So the values are not passed at the opening. They are all sent as
  /// edits, also the form's own initial values, except those that a user cannot edit.
  private func fill(_ session: FormSession, with values: JSONObject) throws {
    var edits = session.values
    for field in try session.describe().fields where field.isComputed || field.isReadOnly { edits[field.name] = nil }
    for value in values { edits[value.name] = value.value }
    if !edits.isEmpty { try session.changeAll(edits, commit: true) }
    try session.receive(until: { session.document.isSettled })
    if session.isClosed { throw CommandFailure(message: "the daemon closed the session") }
  }

  private func printJSON(_ event: ActionEvent, _ document: FormDocument) {
    var object = event.json.objectValue ?? [:]
    object["errors"] = .array(document.allErrors.map(\.jsonWithField))
    Console.say(.object(object))
  }

  private func printSuccess(_ event: ActionEvent, of action: String) {
    if let message = event.message { Console.say(message) }
    if let result = event.result { Console.say(result) }
    if event.message == nil, event.result == nil { Console.say("\(action): succeeded") }
  }

  private func printRefusal(_ event: ActionEvent, of action: String, _ document: FormDocument) {
    let errors = document.allErrors
    for error in errors { Console.say(error.line) }
    if let error = event.error {
      let message = event.message.map { "\($0) " } ?? ""
      Console.say("\(action): \(message)[\(error.stringValue ?? error.description)]")
    } else if errors.allSatisfy(\.isWarning) {
      let reason = ChangePrinter.text(of: event.blockers).map { " [\($0)]" } ?? ""
      let end = event.kind.map { "was \($0.wireName)" } ?? ChangePrinter.unknownEnd
      let message = event.message.map { ": \($0)" } ?? ""
      Console.say("\(action): the tap \(end)\(reason)\(message)")
    }
  }
}
