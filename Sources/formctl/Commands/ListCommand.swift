internal import ArgumentParser
internal import Client
internal import JSON

/// `formctl forms`: which forms the daemon serves.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forms",
    abstract: "List the forms that the daemon serves, or describe one.",
    discussion: """
      With a form's name it prints all that a client needs to draw it: labels,
      order, options, initial values.

        formctl forms
        formctl forms login --locale ko
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form to describe.") var form: String?
  @Option(help: "The language of its texts.") var locale: String?
  @Flag(help: "Print the daemon's answer as it is.") var json = false

  func run() throws {
    let daemon = try connection.connect()
    if let form {
      var params: JSONObject = ["form": .string(form)]
      if let locale { params["locale"] = .string(locale) }
      Console.say(try daemon.call("form/describe", params))
      return
    }
    let answer = try daemon.call("form/list")
    if json {
      Console.say(answer)
      return
    }
    for form in answer["forms"]?.arrayValue ?? [] {
      if let name = form.stringValue {
        Console.say(name)
        continue
      }
      // Whatever else the daemon says of a form follows its name.
      let facts = (form.objectValue ?? [:]).filter { $0.name != "form" && $0.name != "name" }
        .map { "\($0.name) \($0.value.stringValue ?? $0.value.description)" }
      let name = form["form"]?.stringValue ?? form["name"]?.stringValue ?? form.description
      Console.say(([name] + facts).joined(separator: "  "))
    }
  }
}
