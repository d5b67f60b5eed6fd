internal import ArgumentParser
internal import Files
internal import FormImport
internal import Forms

/// `formctl export`: writes a form in another language.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a form as a schema of zod, a model of pydantic or a page.",
    discussion: """
      Reads the form in FILE, and writes what the language can express. Nothing is
      lost in silence: each part of the form that the text does not have, or has in
      another way, is reported on standard error, as formctl import reports it.

        formctl export pydantic user.form.json -o user.py
        formctl export zod user.form.json -o user.ts
        formctl export html user.form.json -o user.html

      Exit status: 0 nothing was lost, 1 the text was written and something was lost,
      2 no text was written: the form has errors, or the file exists already.
      """
  )

  @Argument(help: "The language: zod, pydantic or html.") var kind: ExportKind
  @Argument(help: "The form; - is standard input.", completion: .file(extensions: FormFile.extensions)) var file: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the text to this file. Without it, the text goes to standard output.", valueName: "file"),
    completion: .file()
  )
  var output: String?
  @Option(help: "How the losses are written: text, json, github, gitlab, sarif or junit.") var report = ReportName.text
  @Flag(help: "Replace the file of --output if it exists.") var force = false

  func run() throws {
    if let output, !force, FileIdentity(path: output) != nil {
      throw CommandFailure(message: "\(output): the file exists already; --force replaces it")
    }
    let input = ImportInput(try Console.readFile(file, bytesMax: Form.fileBytesMax), file: file)
    let result: Result<ExportedText, UnreadableInput>
    do throws(UnreadableInput) { result = .success(try kind.text(of: input)) } catch { result = .failure(error) }
    if case .success(let exported) = result {
      if let output {
        try Console.writeFile(Array(exported.text.utf8), to: output)
      } else {
        Console.show(exported.text)
      }
    }
    let status = LossReport.tell(result.map(\.losses), files: [file], as: report, trouble: "no text was written")
    if status != 0 { throw ExitCode(status) }
  }
}

extension ExportKind: ExpressibleByArgument {}
