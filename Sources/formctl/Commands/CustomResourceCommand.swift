internal import ArgumentParser
internal import Findings
internal import JSON

/// `formctl crd`.
struct CustomResourceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crd",
    abstract: "Judge objects of Kubernetes by the definition of their kind. No daemon and no cluster is needed.",
    discussion: """
      DEFINITION is a file with one or more CustomResourceDefinition
      (apiextensions.k8s.io/v1). Each object is judged as the API server does: what
      the schema does not know is dropped, which is a warning, defaults come in, then
      the schema (openAPIV3Schema) and the rules (x-kubernetes-validations) are
      applied. The object's apiVersion says which version of the definition counts.

        formctl crd shops.crd.yaml shop.yaml
        formctl crd shops.crd.yaml shops/ 'more/**/*.yaml'
        kubectl get shops -o yaml | formctl crd shops.crd.yaml -

      Without FILE, the definition itself is checked: every rule is compiled.

      With --old, objects take the place of those of that file that have the same
      kind, namespace and name: rules with oldSelf are evaluated, and what an update
      leaves as it was is a warning where it is wrong, as the server lets it through.
      Without it all objects are new, and rules with oldSelf are left out, but for
      those with optionalOldSelf.

        git show HEAD:shop.yaml | formctl crd shops.crd.yaml shop.yaml --old -

      Rules have the functions that they have in Kubernetes 1.34 (isURL, quantity,
      semver, format.named and so on), and no others.

      FILE is a file, a folder with all *.json, *.jsonc, *.jsonl, *.ndjson, *.yaml
      and *.yml below it, a pattern in quotes, or - for standard input. Each document
      of YAML is an object, or a List of some.

      Prints each fault as file:line:column: where in the object, and what is wrong.

      Exit status: 0 all objects are as they have to be (there may be warnings), 1 an
      object is wrong, broken or of a kind that is not defined, or, without FILE, the
      definition is wrong, 2 the definition cannot be used, a file cannot be read, or
      there is no verdict, because --steps-max or --depth-max was reached.
      """
  )

  @Argument(help: "The definition.", completion: .file()) var definition: String
  @Argument(help: "The objects.", completion: .file()) var files: [String] = []
  @Option(
    name: .customLong("old"),
    help: ArgumentHelp("The objects as they were; a file, a folder, a pattern or -; repeatable.", valueName: "file"),
    completion: .file()
  )
  var old: [String] = []
  @Option(help: "The language of the files: json, jsonc, yaml or jsonl.") var language: FileLanguage?
  @Option(help: ReportName.help) var output = ReportName.text
  @Flag(help: "Tell all that is found, however much it is.") var all = false
  @Option(help: ArgumentHelp("The language of the schema's messages: en or ko.", valueName: "locale")) var locale = "en"
  @OptionGroup var report: ReportOptions
  @OptionGroup var bounds: EvaluationOptions

  func validate() throws {
    let named = [definition] + files + old
    try report.validate(isForPeople: output == .text, files: named)
    if named.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input is read once: only one of the definition, the objects and --old can be -")
    }
    if files.isEmpty, !old.isEmpty {
      throw ValidationError("--old needs the objects that take the place of the old ones")
    }
  }

  func run() throws {
    try report.run(watching: [definition] + files + old, suffixes: FileLanguage.suffixes) {
      let selection = FileSelection(files.isEmpty ? [definition] : files, suffixes: FileLanguage.suffixes)
      let isOfOne = selection.isOneFileByName
      var run = FileRun(selection, reporter: report.reporter(output.format, totals: isOfOne ? .none : .files))
      let praise = isOfOne ? "valid" : nil
      if files.isEmpty {
        return try run.perform { file in
          FileFindings.reading(file) { bytes in
            var found = FileFindings(file: file, definitions(bytes, in: file).diagnostics.map { Finding($0) })
            found.praise = praise
            return found
          }
        }
      }
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try Console.bytes(of: definition) } catch {
        return run.giveUp(because: FileFindings(file: definition, trouble: "\(error)"))
      }
      let defined = definitions(bytes, in: definition)
      guard defined.diagnostics.isEmpty else {
        var broken = FileFindings(file: definition, defined.diagnostics.map { Finding($0) })
        broken.trouble = "the definition cannot be used"
        return run.giveUp(because: broken)
      }
      let judge = ResourceJudge(
        definitions: defined.definitions,
        old: try oldObjects(),
        language: language,
        locale: locale,
        tellsAll: all,
        praise: praise
      )
      return try run.perform(stackBytes: bounds.stackBytes) { judge.findings(in: $0) }
    }
  }

  /// The objects that others take the place of; nil where all are new.
  private func oldObjects() throws(CommandFailure) -> OldObjects? {
    if old.isEmpty { return nil }
    return try OldObjects(FileSelection(old, suffixes: FileLanguage.suffixes), language: language)
  }

  private func definitions(_ bytes: [UInt8], in file: String) -> DefinitionFile {
    DefinitionFile(bytes, file: file, language: nil, limits: bounds.limits)
  }
}
