internal import ArgumentParser
internal import Forms
internal import JSON

/// `formctl check`: form definitions, offline.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check form definitions. No daemon is needed.",
    discussion: """
      Finds what a daemon would refuse: unknown names, wrong types in formulas,
      cycles, schemas that cannot be used. Each finding is printed as compilers do,
      with what to write instead in the line below:

        login.form.json:14:9: error: what is wrong [/rules/0/check]

      With --cells, the cells that formulas can name are printed, with their types:
      those of the form, then what formulas of rows and of outcomes can name
      besides. A question mark says that the cell may be absent: int?.

      With --json, one JSON object per finding: line and column say where to look,
      and range what it is about (a name, a value, a part of a formula), from its
      start to behind its end, lines and characters from 0.

      Exit status: 0 no error (there may be warnings), 1 there are errors, 2 a file
      cannot be read.
      """
  )

  @Argument(help: "Form definitions; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]
  @Flag(help: "Print findings as JSON lines.") var json = false
  @OptionGroup var encoding: EncodingOption
  @Flag(help: "Print what formulas can name, with types.") var cells = false
  @Flag(help: "Let warnings fail too.") var strict = false
  @Flag(name: [.short, .long], help: "Print nothing for files without findings.") var quiet = false

  func validate() throws {
    if files.isEmpty { throw ValidationError("name at least one file: formctl check forms/*.form.json") }
    if cells && json { throw ValidationError("--cells prints a list for people, and --json findings: leave one out") }
  }

  func run() throws {
    var errors = 0
    var warnings = 0
    for file in files {
      let compilation = try FormFile.compile(file)
      errors += compilation.errorCount
      warnings += compilation.warningCount
      for diagnostic in compilation.diagnostics {
        Console.say(json ? diagnostic.json(encoding: encoding.encoding).description : diagnostic.description)
      }
      if cells, let form = compilation.form {
        CellListing.print(form)
      } else if compilation.diagnostics.isEmpty, !quiet, !json, let form = compilation.form {
        Console.say(
          "\(file): \(form.name): \(count(form.fields.count, "field")), \(count(form.actions.count, "action")), "
            + count(form.outputs.count, "output")
        )
      }
    }
    if !json, errors + warnings > 0 { Console.say("\(count(errors, "error")), \(count(warnings, "warning"))") }
    if errors > 0 || (strict && warnings > 0) { throw ExitCode(1) }
  }

  /// `1 field`, `2 fields`.
  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

/// A form definition in a file.
enum FormFile {
  /// Whether an argument that may be a form's name or a file means a file.
  static func isPath(_ argument: String) -> Bool {
    argument.contains("/") || argument.hasSuffix(".json")
  }

  /// What becomes of the definition in a file, with the files beside it that its schema refers to; `-` is standard input.
  static func compile(_ path: String) throws(CommandFailure) -> FormCompilation {
    Form.compile(try Console.readFile(path), file: path, followsFiles: path != "-")
  }

  /// The form of a file.
  ///
  /// - Throws: ``CommandFailure`` with every error of the definition.
  static func read(_ path: String) throws(CommandFailure) -> Form {
    let compilation = try compile(path)
    guard let form = compilation.form else {
      let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.description)
      throw CommandFailure(message: "the form cannot be used\n" + errors.joined(separator: "\n"))
    }
    return form
  }
}
