internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl forms`: lists the forms that the daemon serves.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forms",
    abstract: "List the forms that the daemon serves, describe one, or watch them.",
    discussion: """
      With a form's name, the command prints what a client needs to draw the form:
      labels, order, options, bounds, initial values. With --schema, it prints the
      form's JSON Schema with these texts, for tools that need a schema. With --watch,
      it prints the forms and the errors in their files, now and after each reload of
      the daemon (SIGHUP). With --json, it prints one line of JSON each time.

        formctl forms
        formctl forms login --locale ko
        formctl forms feedback --schema --locale en
        formctl forms --watch
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form to describe.") var form: String?
  @Option(help: "The language of its texts.") var locale: String?
  @Flag(help: "Print the form's JSON Schema with its texts.") var schema = false
  @Flag(help: "Go on, and report when the daemon has reloaded the forms.") var watch = false
  @Flag(help: "Print the daemon's answer unchanged.") var json = false

  func validate() throws {
    if schema && form == nil { throw ValidationError("--schema needs the name of a form.") }
    if watch && form != nil { throw ValidationError("--watch reports on all forms; leave the name out.") }
  }

  func run() throws {
    let daemon = try connection.connect()
    if let form {
      if schema {
        Console.say(.object(try daemon.schema(form, locale: locale)))
        return
      }
      var params = FormDescribeParams()
      params.form = form
      params.locale = locale
      Console.say(try daemon.answer(to: params))
      return
    }
    if watch { try watchForms(of: daemon) }
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

  /// Prints the list of forms, and prints it again after each reload. Throws when the daemon ends.
  private func watchForms(of daemon: FormConnection) throws(ClientError) -> Never {
    daemon.onNotice = { notice in
      if case .formsChanged(let forms) = notice { show(forms) }
    }
    show(try daemon.watchForms())
    while true {
      _ = Poll.wait(for: [daemon.descriptor], timeout: nil)
      try daemon.receive()
    }
  }

  private func show(_ loaded: LoadedForms) {
    if json { return Console.say(loaded.json, compact: true) }
    Console.say("forms: \(loaded.forms.joined(separator: ", "))")
    for problem in loaded.problems { Console.say("\(problem)") }
  }
}
