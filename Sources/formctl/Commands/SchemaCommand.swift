internal import ArgumentParser
internal import JSON
internal import JSONSchema

/// `formctl schema`: JSON Schema by itself.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Check a JSON Schema (draft 2020-12), or validate JSON with it. No daemon is needed.",
    subcommands: [Check.self, Validate.self]
  )

  /// `formctl schema check`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that files are schemas that can be used.",
      discussion: "Each problem is printed as file:line:column: error: what is wrong. Exit status 1 if there is one."
    )

    @Argument(help: "Schemas; - is standard input.", completion: .file(extensions: ["json"])) var files: [String]

    func run() throws {
      var isFine = true
      for file in files {
        let bytes = try Console.readFile(file)
        if compiled(bytes, file: file, options: CompileOptions()) == nil { isFine = false }
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

    func run() throws {
      let options = CompileOptions(assertsFormat: formats)
      guard let compiled = compiled(try Console.readFile(schema), file: schema, options: options) else {
        throw ExitCode(2)
      }
      let bytes = try Console.readFile(instance)
      let value = try parsed(bytes, file: instance)
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

/// Compiles a schema; prints its problems and returns nil when it cannot be used.
private func compiled(_ bytes: [UInt8], file: String, options: CompileOptions) -> Schema? {
  let document: JSON
  do {
    document = try parsed(bytes, file: file)
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
      let place = problem.document.isEmpty ? "\(file):\(places.place(of: problem.pointer))" : problem.document
      let pointer = problem.pointer.tokens.isEmpty ? "" : " [\(problem.pointer)]"
      Console.say("\(place): error: \(problem.text)\(pointer)")
    }
    return nil
  }
}

private func parsed(_ bytes: [UInt8], file: String) throws(CommandFailure) -> JSON {
  do {
    return try JSON(parsing: bytes)
  } catch {
    throw CommandFailure(message: "\(file):\(error.line):\(error.column): \(error)")
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
