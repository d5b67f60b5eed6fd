internal import ArgumentParser
internal import FormProtocol
internal import Forms
internal import JSON

/// `formctl explain`: shows a form's graph.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Print the dependencies between the parts of a form, and what each input can change.",
    discussion: """
      FORM is a file with a definition; no daemon is needed. Without --json, the
      command prints each cell with its formulas, the cells that it reads (<-), and,
      for inputs, the cells that a change of the input can change (->).

        formctl explain protocol/examples/login/login.form.json
        formctl explain login.form.json --cell values.email

      To learn why a button of a live session is disabled, call
      \(Method.sessionGet.wireName) with the params \(explainingParams)
      on the connection that opened the session.
      """
  )

  private static var explainingParams: JSON {
    var params = SessionGetParams()
    params.explain = true
    return params.json
  }

  @Argument(help: "The form: a file.", completion: .file(extensions: FormFile.extensions)) var form: String
  @Option(help: ArgumentHelp("Print only that cell, with everything that it can change.", valueName: "name"))
  var cell: String?
  @Flag(help: "Print one JSON object that maps each cell to its definitions, reads and changes.") var json = false

  func run() throws {
    let compiled = try FormFile.read(form)
    let dependencies = FormDependencies(of: compiled)
    var cells = dependencies.parts
    if let cell {
      cells = cells.filter { $0.name == cell }
      if cells.isEmpty {
        let remedy =
          dependencies.closestName(to: cell).map { "did you mean \($0)?" }
          ?? dependencies.parts.map(\.name).joined(separator: ", ")
        throw CommandFailure(message: "\(form): the form has no cell \(cell); \(remedy)")
      }
    }
    if json {
      var object = JSONObject()
      for cell in cells {
        object[cell.name] = [
          "definitions": .array(cell.definitions.map { .string($0) }), "reads": .array(cell.reads.map { .string($0) }),
          "changes": .array(dependencies.dependents(of: cell.name).map { .string($0) }),
        ]
      }
      Console.say(.object(object))
      return
    }
    for cell in cells {
      Console.say(cell.name)
      for definition in cell.definitions { Console.say("    \(definition)") }
      if !cell.reads.isEmpty { Console.say("    <- \(cell.reads.joined(separator: ", "))") }
      if cell.isInput || self.cell != nil {
        let changes = dependencies.dependents(of: cell.name)
        Console.say("    -> \(changes.isEmpty ? "nothing" : changes.joined(separator: ", "))")
      }
    }
  }
}
