internal import ArgumentParser
internal import CEL
internal import Client
internal import FormProtocol
internal import Forms
internal import JSON
internal import Sessions
internal import Texts

/// `formctl validate`: a set of values, once.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Judge a set of values by a form.",
    discussion: """
      FORM is the name of a form of the daemon, or a file with a definition (it has
      a / or ends with .json), which needs no daemon. VALUES is a JSON object in a
      file, or - (the default) for standard input.

        echo '{"email": "kim@"}' | formctl validate login
        formctl validate forms/login.form.json values.json --locale ko
        formctl validate forms/booking.form.json values.json --now 2026-11-22T12:00:00Z

      Prints each error with file, line and column, the field and the code; below
      a value that is none of several alternatives, indented, what it lacks for
      the closest one. Exit status: 0 valid, 1 invalid, 2 it could not be judged.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form: a name, or a file.", completion: .file(extensions: ["json"])) var form: String
  @Argument(help: "The values: a file, or - for standard input.", completion: .file(extensions: ["json"]))
  var values = "-"
  @Option(help: "The language of the messages.") var locale: String?
  @OptionGroup var moment: MomentOptions
  @Flag(help: "Also run the form's checks, which ask services (by a daemon only).") var checks = false
  @Flag(help: "Print the result as JSON: isValid and the whole document.") var json = false

  func run() throws {
    let bytes = try Console.readFile(values)
    let object = try FormValues.object(bytes, from: values)
    let places = JSONPlaces(of: bytes)
    let verdict = FormFile.isPath(form) ? try judgeHere(object) : try askDaemon(object)
    warn(of: object, below: .root, FormDocument(verdict.document).fields, places)
    if json {
      Console.say(verdict.json)
    } else {
      for error in FormDocument(verdict.document).allErrors {
        Console.say("\(values):\(places.place(of: error.path)): \(error.line)")
        for cause in error.causes { Console.say("\(values):\(places.place(of: cause.path)):   \(cause.line)") }
      }
      if verdict.isValid { Console.say("valid") }
    }
    if !verdict.isValid { throw ExitCode(1) }
  }

  private func judgeHere(_ object: JSONObject) throws(CommandFailure) -> Verdict {
    if checks { throw CommandFailure(message: "--checks needs a daemon: name a form of it instead of a file") }
    let form = try FormFile.read(self.form)
    let (now, zone) = moment.moment
    let options = OpenOptions(locale: locale, zone: zone, values: object, show: .always, runsChecks: false)
    let (session, turn) = Engine(wallClock: { now }).open(form, options: options, at: Instant(nanoseconds: 0))
    for fault in turn.faults { Console.report("\(self.form): \(fault.cell) went wrong: \(fault.message)") }
    let document = session.document
    var verdict = Verdict(isValid: FormDocument(document).isValid)
    verdict.document = document
    return verdict
  }

  private func askDaemon(_ object: JSONObject) throws -> Verdict {
    if moment.now != nil {
      throw CommandFailure(message: "--now needs a file with a definition: a daemon goes by its own clock")
    }
    return try connection.connect()
      .validate(object, form: form, locale: locale, zone: moment.zone?.name, runsChecks: checks)
  }

  /// Warns of members that are no fields and are called nearly like one. The schema may admit them all the same.
  private func warn(of object: JSONObject, below: JSONPointer, _ fields: [FormDocument.Field], _ places: JSONPlaces) {
    let names = fields.map(\.name)
    for member in object {
      let pointer = below.appending(member.name)
      if let field = fields.first(where: { $0.name == member.name }) {
        if case .object(let inner) = member.value, !field.fields.isEmpty {
          warn(of: inner, below: pointer, field.fields, places)
        }
      } else if let closest = closestName(to: member.name, among: names) {
        let meant = below.appending(closest).address
        Console.report(
          "\(values):\(places.placeOfName(pointer)): warning: there is no field \(pointer.address); did you mean \(meant)?"
        )
      }
    }
  }
}
