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
    let forms = answer["forms"]?.arrayValue ?? []
    let width = forms.compactMap { $0["form"]?.stringValue?.count }.max() ?? 0
    for form in forms {
      let name = form["form"]?.stringValue ?? form.description
      let facts = ["fields", "actions"].compactMap { part -> String? in
        let names = (form[part]?.arrayValue ?? []).compactMap(\.stringValue)
        return names.isEmpty ? nil : "\(part): \(names.joined(separator: ", "))"
      }
      Console.say(name + String(repeating: " ", count: width - name.count) + "  " + facts.joined(separator: "; "))
    }
  }
}
