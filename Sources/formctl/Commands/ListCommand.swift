internal import ArgumentParser
internal import Client
internal import FormProtocol

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
      var params = FormDescribeParams()
      params.form = form
      params.locale = locale
      Console.say(try daemon.answer(to: params))
      return
    }
    if json {
      Console.say(try daemon.answer(to: FormListParams()))
      return
    }
    let forms = try daemon.forms()
    let width = forms.map(\.form.count).max() ?? 0
    for form in forms {
      let facts = [("fields", form.fields), ("actions", form.actions)].compactMap { part, names in
        names.isEmpty ? nil : "\(part): \(names.joined(separator: ", "))"
      }
      Console.say(
        form.form + String(repeating: " ", count: width - form.form.count) + "  " + facts.joined(separator: "; ")
      )
    }
  }
}
