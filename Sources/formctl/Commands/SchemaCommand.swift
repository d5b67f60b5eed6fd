internal import ArgumentParser
internal import JSON
internal import JSONSchema

/// `formctl schema`: JSON Schema by itself.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Check a JSON Schema (draft 2020-12), or validate JSON with it. No daemon is needed.",
    discussion: """
      A reference to another file is followed from where the schema lies. Schemas
      that have an $id of their own are given with --reference. Nothing is fetched
      from a network.
      """,
    subcommands: [Check.self, Validate.self]
  )

  /// `formctl schema check`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that files are schemas that can be used.",
      discussion: "Each problem is printed as file:line:column: error: what is wrong. Exit status 1 if there is one."
    )

    @Argument(help: "Schemas; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]
    @OptionGroup fileprivate var references: References

    func run() throws {
      let library = try SchemaLibrary(files: references.files)
      var isFine = true
      for file in files {
        let bytes = try Console.readFile(file)
        if compiled(bytes, file: file, library) == nil { isFine = false }
      }
      if !isFine { throw ExitCode(1) }
    }
  }

  /// `formctl schema validate`.
  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Validate JSON with a schema.",
      discussion: """
        Prints each failure as file:line:column: where in the value, and what is
        wrong. With --output, prints the standard's output format instead (core,
        section 12.4).

          formctl schema validate order.schema.json order.json
          echo '{"email": "kim@"}' | formctl schema validate user.schema.json -
          formctl schema validate --reference address.json order.schema.json order.json

        Exit status: 0 valid, 1 invalid, 2 the schema cannot be used or a file cannot
        be read.
        """
    )

    @Argument(help: "The schema.", completion: .file(extensions: ["json"])) var schema: String
    @Argument(help: "The value, or - for standard input.", completion: .file(extensions: ["json"])) var instance: String
    @Option(help: ArgumentHelp("Print the standard's output: flag, basic or detailed.", valueName: "format"))
    fileprivate var output: OutputName?
    @Flag(help: "Let the keyword format assert, as it does in forms.") var formats = false
    @Option(help: ArgumentHelp("The language of the messages: en or ko.", valueName: "locale")) var locale = "en"
    @OptionGroup fileprivate var references: References

    func run() throws {
      let library = try SchemaLibrary(files: references.files)
      let bytes = try Console.readFile(schema)
      guard let compiled = compiled(bytes, file: schema, library, assertsFormat: formats) else { throw ExitCode(2) }
      try validate(with: compiled)
    }

    private func validate(with compiled: Schema) throws {
      let bytes = try Console.readFile(instance)
      let value = try Console.parseJSON(bytes, from: instance)
      if let output {
        let evaluation = compiled.evaluate(value)
        Console.say(evaluation.output(output.format, locale: locale))
        if !evaluation.isValid { throw ExitCode(1) }
        return
      }
      let failures = compiled.failures(of: value)
      guard !failures.isEmpty else {
        Console.say("valid")
        return
      }
      let places = JSONPlaces(of: bytes)
      for failure in failures { report(failure, places: places, indentation: "") }
      throw ExitCode(1)
    }

    private func report(_ failure: Failure, places: JSONPlaces, indentation: String) {
      let pointer = failure.instanceLocation
      let name = pointer.tokens.isEmpty ? "" : "\(pointer): "
      let place = "\(instance):\(places.place(of: pointer))"
      Console.say("\(indentation)\(place): \(name)\(failure.message(locale: locale)) [\(failure.keywordLocation)]")
      for cause in failure.causes { report(cause, places: places, indentation: indentation + "  ") }
    }
  }
}

/// Other schemas that a schema refers to.
private struct References: ParsableArguments {
  @Option(
    name: .customLong("reference"),
    help: ArgumentHelp("Another schema that is referred to by its $id; repeatable.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var files: [String] = []
}

/// Compiles a schema; prints its problems and returns nil when it cannot be used.
private func compiled(
  _ bytes: [UInt8],
  file: String,
  _ library: SchemaLibrary,
  assertsFormat: Bool = false
) -> Schema? {
  let options = CompileOptions(assertsFormat: assertsFormat, baseURI: SchemaLibrary.uri(ofFile: file)) { uri in
    library.document(at: uri)
  }
  let document: JSON
  do {
    document = try Console.parseJSON(bytes, from: file)
  } catch {
    Console.complain(error.message)
    return nil
  }
  do {
    return try Schema.compile(document, options: options)
  } catch {
    let places = JSONPlaces(of: bytes)
    for problem in error.problems {
      // A problem in another document has no place in this one.
      let isHere = problem.document.isEmpty
      let diagnostic = Diagnostic(
        file: isHere ? file : problem.document,
        pointer: problem.pointer,
        place: isHere ? places.place(of: problem.pointer) : nil,
        code: problem.kind.rawValue,
        message: problem.text
      )
      Console.say(diagnostic.description)
    }
    return nil
  }
}

/// The standard's output formats as an option's values.
private enum OutputName: String, CaseIterable, ExpressibleByArgument {
  case flag, basic, detailed

  var format: OutputFormat {
    switch self {
    case .flag: .flag
    case .basic: .basic
    case .detailed: .detailed
    }
  }
}
