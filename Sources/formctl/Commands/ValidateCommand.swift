internal import ArgumentParser
internal import Client
internal import Forms
internal import JSON
internal import Sessions

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

      Prints each error with file, line and column, the field and the code. Exit
      status: 0 valid, 1 invalid, 2 it could not be judged.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form: a name, or a file.", completion: .file(extensions: ["json"])) var form: String
  @Argument(help: "The values: a file, or - for standard input.", completion: .file(extensions: ["json"]))
  var values = "-"
  @Option(help: "The language of the messages.") var locale: String?
  @Flag(help: "Also run the form's checks, which ask services (by a daemon only).") var checks = false
  @Flag(help: "Print the result as JSON: isValid and the whole document.") var json = false

  func run() throws {
    let bytes = try Console.readFile(values)
    let object = try FormValues.object(bytes, from: values)
    let document = FormFile.isPath(form) ? try judgeHere(object) : try askDaemon(object)
    let isValid = document["isValid"]?.boolValue ?? false
    if json {
      Console.say(["isValid": .bool(isValid), "document": document])
    } else {
      let places = JSONPlaces(of: bytes)
      for error in DocumentError.all(of: document) {
        let place = JSONPointer(error.path).map { places.place(of: $0) } ?? TextPlace(line: 1, column: 1)
        Console.say("\(values):\(place): \(error.line)")
      }
      if isValid { Console.say("valid") }
    }
    if !isValid { throw ExitCode(1) }
  }

  private func judgeHere(_ object: JSONObject) throws(CommandFailure) -> JSON {
    if checks { throw CommandFailure(message: "--checks needs a daemon: name a form of it instead of a file") }
    let form = try FormFile.read(self.form)
    for member in object where form.field(named: member.name) == nil {
      let closest = closestName(to: member.name, among: form.fields.map(\.name))
      let remedy =
        closest.map { "did you mean \($0)?" } ?? "its fields are: \(form.fields.map(\.name).joined(separator: ", "))"
      throw CommandFailure(message: "the form \(form.name) has no field \(member.name); \(remedy)")
    }
    let options = OpenOptions(locale: locale, values: object, show: .always, runsChecks: false)
    return Engine().open(form, options: options, at: Instant(nanoseconds: 0)).document
  }

  private func askDaemon(_ object: JSONObject) throws(ClientError) -> JSON {
    var params: JSONObject = ["form": .string(form), "values": .object(object)]
    if let locale { params["locale"] = .string(locale) }
    if checks { params["checks"] = true }
    return try connection.connect().call("form/validate", params)["document"] ?? .null
  }
}
