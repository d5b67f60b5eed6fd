internal import ArgumentParser
internal import FormProtocol
internal import Forms
internal import JSON

/// `formctl explain`: shows a form's graph.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Print what of a form depends on what, and what each input can change.",
    discussion: """
      FORM is a file with a definition; no daemon is needed. Without --json each
      cell is printed with its formulas, with what it is computed from (<-), and for
      inputs with everything that a change of them can change (->).

        formctl explain protocol/examples/login/login.form.json
        formctl explain login.form.json --cell values.email

      Why a button of a live session is disabled, the session itself says, on the
      connection that opened it, to \(Method.sessionGet.wireName) with params \(explainingParams).
      """
  )

  private static var explainingParams: JSON {
    var params = SessionGetParams()
    params.explain = true
    return params.json
  }

  @Argument(help: "The form: a file.", completion: .file(extensions: ["json"])) var form: String
  @Option(help: ArgumentHelp("Print that cell only, with all that it can change.", valueName: "name")) var cell: String?
  @Flag(help: "Print one JSON object: by cell its definitions, reads and changes.") var json = false

  func run() throws {
    let compiled = try FormFile.read(form)
    let dependencies = FormDependencies(of: compiled)
    var cells = dependencies.cells
    if let cell {
      cells = cells.filter { $0.name == cell }
      if cells.isEmpty {
        let remedy =
          dependencies.closestName(to: cell).map { "did you mean \($0)?" }
          ?? dependencies.cells.map(\.name).joined(separator: ", ")
        throw CommandFailure(message: "\(form): there is no cell \(cell); \(remedy)")
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
