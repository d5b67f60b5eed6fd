internal import ArgumentParser
internal import Client
internal import FormProtocol
internal import Forms
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl run`: runs a form by hand, or from a pipe.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Open a session and play its user: lines in, changes out.",
    discussion: """
      \(InputLine.summary)

      Every change of the document is printed as it arrives, one line for each
      changed value. Lines with the outcome of an action start with *. The end of
      input ends the editing of every field, as blur does. When nothing is in
      progress any more, the program ends. The session ends with it, unless the
      session is kept (--keep, --attach):

        printf '%s\\n' email=kim@example.com password=hunter2 'tap login' |
          formctl run login

      With --json, every line of the output is a JSON object. The first is the opened
      session: \(PrintedSession(session: 1, revision: 0, document: [:], values: [:]).json).
      Notifications follow as the daemon sends them; merge the patch of each
      \(PushMethod.sessionUpdate.wireName) into the document. A later line with a document
      replaces the document: after show, and after updates were lost.

      With --keep, the daemon keeps the session for that time after this program ends.
      The program prints the session's key (in JSON, with the first document).
      --attach returns to the session:

        formctl run login --keep 10m
        formctl run --attach @key.txt

      If several daemons share a store, clients of another daemon may use the session.
      Then --take with --attach takes it over, and those clients lose it.

      Without --json, a kept session survives the loss of the connection: the program
      tries for \(FormConnection.standardPatience.components.seconds) s to connect again. If it is unknown
      whether the daemon carried out a line, the line counts as refused.

      Exit status: 0 the last tap succeeded, or nothing was tapped; 1 the last tap was
      rejected, dropped, superseded or cancelled, or its action failed; 2 a line was
      invalid or refused (only in a pipe; on a terminal, the session goes on), or the
      connection failed.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form's name.") var form: String?
  @Option(help: "The language of the texts.") var locale: String?
  @Option(help: "The time zone of today: Europe/Zurich. Default: the daemon's time zone.") var zone: String?
  @Option(help: ArgumentHelp("Initial values: a JSON object, or a file that holds one.", valueName: "json|file"))
  var values: String?
  @OptionGroup var context: ContextOption
  @Option(help: ArgumentHelp("always: show all messages from the beginning.", valueName: "always"))
  var show: ShowEverything?
  @Option(help: ArgumentHelp("How long to keep the session after the program ends: 10m.", valueName: "duration"))
  var keep: String?
  @Option(
    help: ArgumentHelp(
      """
      Return to the kept session of that key, or of the key in a file. \
      Other users of the machine may see the command line.
      """,
      valueName: "key|@file"
    )
  )
  var attach: String?
  @Flag(help: "With --attach: take the session from another daemon of the same store, even if clients use it.")
  var take = false
  @Flag(help: "Print the document and the notifications as JSON lines.") var json = false

  func validate() throws {
    guard (form == nil) != (attach == nil) else {
      throw ValidationError("name a form, or a kept session with --attach.")
    }
    if attach != nil,
      locale != nil || zone != nil || values != nil || context.argument != nil || show != nil || keep != nil
    {
      throw ValidationError(
        "--attach does not open a session: leave out --locale, --zone, --values, --context, --show and --keep."
      )
    }
    if take, attach == nil {
      throw ValidationError("--take needs --attach with the key of a kept session.")
    }
    if let keep, duration(from: keep) == nil {
      throw ValidationError("--keep must be a number and a unit, as in 30s, 10m or 1h, and at most 24h.")
    }
  }

  func run() throws {
    let daemon = try connection.connect()
    // After a reconnect the session's state comes in an answer, and JSON lines show only the daemon's notifications.
    if !json { daemon.patience = FormConnection.standardPatience }
    let conversation = Conversation(try session(on: daemon), on: daemon, printsJSON: json, showsKey: attach == nil)
    let isByHand = isatty(STDIN_FILENO) == 1
    if isByHand && !json { Console.say("type help for a list of commands") }
    try conversation.run()
    if conversation.hasRefusedLine && !isByHand { throw ExitCode(2) }
    if !conversation.lastTapIsFine { throw ExitCode(1) }
  }
}

extension RunCommand {
  /// Opens a new session, or attaches to a kept session.
  private func session(on daemon: FormConnection) throws -> FormSession {
    guard let attach else {
      let options = SessionOptions(
        locale: locale,
        zone: zone,
        values: try values.map { try FormValues.read($0) } ?? [:],
        context: try context.read(),
        showsEverything: show != nil,
        kept: keep.flatMap { duration(from: $0) }
      )
      return try daemon.open(form ?? "", options)
    }
    let key = try key(attach)
    do throws(ClientError) {
      return try daemon.attach(key, takes: take)
    } catch {
      guard case .refused(_, let refusal) = error, refusal.kind == .attachedElsewhere else { throw error }
      let instance = refusal.data.instance.map { " (instance \($0))" } ?? ""
      throw CommandFailure(
        message: "the session is in use at another daemon\(instance): close it there, or take it with --take"
      )
    }
  }

  /// The key that the argument means: the argument itself, or the first line of a file.
  private func key(_ written: String) throws -> String {
    guard written.hasPrefix("@") else { return written }
    let bytes = try Console.readFile(String(written.dropFirst()))
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}

extension ShowEverything: ExpressibleByArgument {
  init?(argument: String) { self.init(wireName: argument) }
}
