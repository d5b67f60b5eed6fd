internal import ArgumentParser
internal import Files
internal import FormImport
internal import Forms
internal import JSON

/// `formctl import`: makes a form of a description that exists already.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a form of a JSON Schema, an rjsf pair, a survey or a page.",
    discussion: """
      Reads FILE and writes a form that formctl check accepts. Nothing is lost in
      silence: each part of FILE that the form does not have, or has in another way,
      is reported on standard error, with its place and a remedy:

        user.json:14:9: assumed: what was chosen [/properties/age]

      unsupported means that formd cannot do it, unknown that the importer does not
      know it, and assumed that the importer chose one of several meanings.

        formctl import schema user.schema.json -o user.form.json
        formctl import schema openapi.json --component User -o user.form.json
        formctl import schema openapi.json --component 'POST /users' -o user.form.json
        formctl import rjsf schema.json uischema.json -o user.form.json
        formctl import surveyjs survey.json -o survey.form.json
        formctl import html signup.html -o signup.form.json

      Exit status: 0 nothing was lost, 1 the form was written and something was lost,
      2 no form was written: FILE cannot be read, or the form exists already.
      """
  )

  @Argument(help: "The kind of FILE: schema, rjsf, surveyjs or html.") var kind: ImportKind
  @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String]
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the form to this file. Without it, the form goes to standard output.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var output: String?
  @Option(
    help: ArgumentHelp(
      "What to import of FILE. schema: a schema of components/schemas or $defs; or a request with a body, by its operationId or as 'POST /users'. html: the id or the name of a form.",
      valueName: "name"
    )
  )
  var component: String?
  @Option(help: "How the losses are written: text, json, github, gitlab, sarif or junit.") var report = ReportName.text
  @Flag(help: "Replace the file of --output if it exists.") var force = false

  func validate() throws {
    if component != nil, !kind.hasComponents {
      throw ValidationError(
        "--component is for the kinds schema and html: a file of the kind \(kind.rawValue) is one form"
      )
    }
    if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input is read once: name files") }
  }

  func run() throws {
    if let output, !force, FileIdentity(path: output) != nil {
      throw CommandFailure(message: "\(output): the file exists already; --force replaces it")
    }
    var inputs: [ImportInput] = []
    for file in files {
      inputs.append(ImportInput(try Console.readFile(file, bytesMax: Form.fileBytesMax), file: file))
    }
    let result: Result<ImportedForm, UnreadableInput>
    do throws(UnreadableInput) {
      result = .success(try kind.form(of: inputs, options: ImportOptions(name: formName, component: component)))
    } catch {
      result = .failure(error)
    }
    if case .success(let form) = result {
      let text = form.definition.indentedText + "\n"
      if let output { try Console.writeFile(Array(text.utf8), to: output) } else { Console.show(text) }
    }
    let status = LossReport.tell(result.map(\.losses), files: files, as: report, trouble: "no form was written")
    if status != 0 { throw ExitCode(status) }
  }

  /// The form's name: the name of its file; nil if the form goes to standard output.
  private var formName: String? {
    guard let output, let name = output.split(separator: "/").last?.prefix(while: { $0 != "." }), !name.isEmpty else {
      return nil
    }
    return String(name)
  }
}

extension ImportKind: ExpressibleByArgument {}
