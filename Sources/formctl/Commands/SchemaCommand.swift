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

      Numbers of any length are compared as the decimals that they are.

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
        The meta-schema judges each file, and every schema in it is compiled, whether
        or not something refers to it. Each problem is printed as file:line:column:
        error: what is wrong. Exit status 1 if there is one; warnings are none.
        """
    )

    @Argument(help: "Schemas; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]
    @OptionGroup fileprivate var reading: SchemaReading

    func run() throws {
      var isFine = true
      for file in files {
        let bytes = try Console.readFile(file)
        if try !reading.check(bytes, file: file) { isFine = false }
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
        wrong. Of alternatives none of which holds (anyOf, oneOf), the one that
        the value comes closest to is told; with --all every one. With --output,
        prints the standard's output format instead (core, section 12.4).

          formctl schema validate order.schema.json order.json
          echo '{"email": "kim@"}' | formctl schema validate user.schema.json -
          formctl schema validate --reference address.json order.schema.json order.json

        Exit status: 0 valid, 1 invalid, 2 the schema cannot be used, a file cannot
        be read, or there is no verdict: --steps-max or --depth-max was reached
        before it was found out. Then "valid" is null with --output.
        """
    )

    @Argument(help: "The schema.", completion: .file(extensions: ["json"])) var schema: String
    @Argument(help: "The value, or - for standard input.", completion: .file(extensions: ["json"])) var instance: String
    @Option(help: ArgumentHelp("Print the standard's output: flag, basic or detailed.", valueName: "format"))
    fileprivate var output: OutputName?
    @Flag(help: "Tell all failures, and of each alternative why it does not hold.") var all = false
    @Flag(help: "Let the keyword format assert, as it does in forms.") var formats = false
    @Option(help: ArgumentHelp("The language of the messages: en or ko.", valueName: "locale")) var locale = "en"
    @OptionGroup fileprivate var reading: SchemaReading
    @OptionGroup var bounds: EvaluationOptions

    func run() throws {
      let bytes = try Console.readFile(schema)
      guard
        let compiled = try reading.compiled(
          bytes,
          file: schema,
          assertsFormat: formats,
          limits: bounds.limits
        )
      else { throw ExitCode(2) }
      try validate(with: compiled)
    }

    private func validate(with compiled: Schema) throws {
      let bytes = try Console.readFile(instance)
      let value = try Console.parseJSON(bytes, from: instance, numbers: .exact)
      var details: EvaluationDetails = .foundValues
      if output == .basic || output == .detailed { details.insert(.annotations) }
      if all { details.insert(.allAlternatives) }
      let evaluation = try bounds.evaluation(
        of: value,
        by: compiled,
        limit: all ? .max : EvaluationReport.collectedMax,
        telling: details
      )
      let report = EvaluationReport(evaluation, of: instance, locale: locale, tellsAll: all)
      if let output {
        Console.say(report.output(output.format))
      } else {
        try report.say(in: ScannedText(json: SourceText(bytes)))
      }
      switch evaluation.verdict {
      case .valid: break
      case .invalid: throw ExitCode(1)
      case .undecided: throw ExitCode(2)
      }
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
    ),
    transform: { name in
      guard let draft = SchemaDraft(rawValue: name) else {
        throw ValidationError("the drafts are \(SchemaDraft.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return draft
    }
  )
  var draft = SchemaDraft.draft2020
  @Flag(help: "Take patterns with backslashes that ECMA-262 refuses as needless, as in \\- and \\_.")
  var lenientPatterns = false

  /// The files that the schema in a file may refer to: these, by their `$id`, and any other by where it lies.
  ///
  /// - Throws: ``CommandFailure`` when a file cannot be read or has no `$id`.
  private func library(for schema: String) throws(CommandFailure) -> SchemaLibrary {
    let name = schema.split(separator: "/").last ?? ""
    let library = SchemaLibrary(
      folder: String(schema.dropLast(name.count)),
      isClosed: false,
      bounds: SchemaLibrary.Bounds(numbers: .exact)
    )
    for file in files {
      let text = try Console.readFile(file)
      let document = try Console.parseJSON(text, from: file, numbers: .exact)
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
  func compiled(
    _ bytes: [UInt8],
    file: String,
    assertsFormat: Bool,
    limits: SchemaLimits
  ) throws(CommandFailure) -> Schema? {
    guard let source = try source(bytes, file: file) else { return nil }
    let options = source.options(self, assertsFormat: assertsFormat, limits: limits)
    do throws(SchemaCompileError) {
      return try Schema.compile(source.document, options: options)
    } catch {
      source.print(error.problems)
      return nil
    }
  }

  /// Checks a schema, and prints what there is to say of it.
  ///
  /// - Returns: whether it can be used.
  /// - Throws: ``CommandFailure`` when one of the other schemas cannot be had.
  func check(_ bytes: [UInt8], file: String) throws(CommandFailure) -> Bool {
    guard let source = try source(bytes, file: file) else { return false }
    let check = Schema.check(source.document, options: source.options(self))
    source.print(check.problems, check.warnings)
    return check.problems.isEmpty
  }

  /// A schema's text read; nil after printing why it is no JSON.
  private func source(_ bytes: [UInt8], file: String) throws(CommandFailure) -> SchemaSourceFile? {
    let library = try library(for: file)
    do throws(CommandFailure) {
      let document = try Console.parseJSON(bytes, from: file, numbers: .exact)
      return SchemaSourceFile(
        file: SchemaLibrary.File(path: file, document: document, text: bytes),
        library: library
      )
    } catch {
      Console.complain(error.message)
      return nil
    }
  }
}

/// A schema that is read from a file.
private struct SchemaSourceFile {
  let file: SchemaLibrary.File
  let library: SchemaLibrary

  var document: JSON { file.document }

  func options(
    _ reading: SchemaReading,
    assertsFormat: Bool = false,
    limits: SchemaLimits = SchemaLimits()
  ) -> CompileOptions {
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    let uri = file.path == "-" ? "" : library.uri(ofFileNamed: name)
    return CompileOptions(
      assertsFormat: assertsFormat,
      draft: reading.draft,
      patternLeniency: reading.lenientPatterns ? .needlessEscapes : .none,
      baseURI: uri,
      limits: limits
    ) { [library] uri in
      do throws(SchemaFileError) {
        return try library.file(at: uri).document
      } catch {
        // That there is none is a problem of the schema that asks.
        if error != .notAFile { Console.complain(error.message) }
        return nil
      }
    }
  }

  /// Prints what is wrong, then what to look at.
  func print(_ problems: [SchemaCompileError.Problem], _ warnings: [SchemaWarning] = []) {
    var texts: [String: ScannedText] = [:]
    func span(_ pointer: JSONPointer, of document: String, _ file: SchemaLibrary.File?) -> TextSpan? {
      guard let file else { return nil }
      let text = texts[document] ?? ScannedText(json: SourceText(file.text))
      texts[document] = text
      return text.span(of: pointer)
    }
    var diagnostics = problems.map { problem in
      let source = problem.document.isEmpty ? file : library.knownFile(at: problem.document)
      return Diagnostic(
        file: source?.path ?? problem.document,
        pointer: problem.pointer,
        span: span(problem.pointer, of: problem.document, source),
        code: problem.kind.rawValue,
        message: problem.text
      )
    }
    diagnostics += warnings.map { warning in
      Diagnostic(
        file: file.path,
        pointer: warning.pointer,
        span: span(warning.pointer, of: "", file),
        code: warning.kind.rawValue,
        message: warning.text,
        remedy: Remedy(warning.remedy),
        severity: .warning
      )
    }
    for diagnostic in diagnostics { Console.say(diagnostic.description) }
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
