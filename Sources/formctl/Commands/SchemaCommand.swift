internal import ArgumentParser
internal import JSON
internal import JSONSchema
internal import TextFormats

/// `formctl schema`: JSON Schema by itself.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Check a JSON Schema, or validate JSON with it. No daemon is needed.",
    discussion: """
      The drafts 4, 6, 7, 2019-09 and 2020-12 are known. A schema names its draft with
      $schema; one that does not is of the draft of --draft, or of the schema that
      refers to it. The drafts' own schemas need no file.

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
      discussion: """
        Each problem is printed as file:line:column: error: what is wrong. Exit status 1
        if there is one.
        """
    )

    @Argument(help: "Schemas; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]
    @OptionGroup fileprivate var reading: SchemaReading

    func run() throws {
      var isFine = true
      for file in files {
        let bytes = try Console.readFile(file)
        if try reading.compiled(bytes, file: file) == nil { isFine = false }
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
    @OptionGroup fileprivate var reading: SchemaReading

    func run() throws {
      let bytes = try Console.readFile(schema)
      guard let compiled = try reading.compiled(bytes, file: schema, assertsFormat: formats) else { throw ExitCode(2) }
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
      let text = ScannedText(json: SourceText(bytes))
      for failure in failures { report(failure, text, indentation: "") }
      throw ExitCode(1)
    }

    private func report(_ failure: Failure, _ text: ScannedText, indentation: String) {
      let pointer = failure.instanceLocation
      let name = pointer.tokens.isEmpty ? "" : "\(pointer): "
      let place = "\(instance):\(text.place(of: pointer))"
      Console.say("\(indentation)\(place): \(name)\(failure.message(locale: locale)) [\(failure.keywordLocation)]")
      for cause in failure.causes { report(cause, text, indentation: indentation + "  ") }
    }
  }
}

/// How schemas are read: the other ones that a schema refers to, and what they mean.
private struct SchemaReading: ParsableArguments {
  @Option(
    name: .customLong("reference"),
    help: ArgumentHelp("Another schema that is referred to by its $id; repeatable.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var files: [String] = []
  @Option(
    help: ArgumentHelp(
      "The draft of schemas that do not say it: 4, 6, 7, 2019-09 or 2020-12.",
      valueName: "draft"
    )
  )
  var draft = SchemaDraft.draft2020

  /// The files that the schema in a file may refer to: these, by their `$id`, and any other by where it lies.
  ///
  /// - Throws: ``CommandFailure`` when a file cannot be read or has no `$id`.
  private func library(for schema: String) throws(CommandFailure) -> SchemaLibrary {
    let name = schema.split(separator: "/").last ?? ""
    let library = SchemaLibrary(folder: String(schema.dropLast(name.count)), isClosed: false)
    for file in files {
      let text = try Console.readFile(file)
      let document = try Console.parseJSON(text, from: file)
      guard let id = (SchemaDraft(of: document) ?? draft).identifier(of: document) else {
        throw CommandFailure(
          message: "\(file): there is no $id to refer to; a file without one is found by its place, without --reference"
        )
      }
      library.add(
        SchemaLibrary.File(path: file, document: document, text: text),
        at: URIReference(id).withoutFragment
      )
    }
    return library
  }

  /// Compiles a schema; prints its problems and returns nil when it cannot be used.
  ///
  /// - Throws: ``CommandFailure`` when one of the other schemas cannot be had.
  func compiled(_ bytes: [UInt8], file: String, assertsFormat: Bool = false) throws(CommandFailure) -> Schema? {
    let library = try library(for: file)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let uri = file == "-" ? "" : library.uri(ofFileNamed: name)
    let options = CompileOptions(assertsFormat: assertsFormat, draft: draft, baseURI: uri) { uri in
      do throws(SchemaFileError) {
        return try library.file(at: uri).document
      } catch {
        // That there is none is a problem of the schema that asks.
        if error != .notAFile { Console.complain(error.message) }
        return nil
      }
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
      let own = SchemaLibrary.File(path: file, document: document, text: bytes)
      for problem in error.problems {
        let source = problem.document.isEmpty ? own : library.knownFile(at: problem.document)
        let diagnostic = Diagnostic(
          file: source?.path ?? problem.document,
          pointer: problem.pointer,
          span: source.map { ScannedText(json: SourceText($0.text)).span(of: problem.pointer) },
          code: problem.kind.rawValue,
          message: problem.text
        )
        Console.say(diagnostic.description)
      }
      return nil
    }
  }
}

extension SchemaDraft: ExpressibleByArgument {}

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
