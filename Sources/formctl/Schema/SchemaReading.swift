internal import ArgumentParser
internal import DataLanguages
internal import Files
internal import Findings
internal import Formats
internal import JSON
internal import JSONSchema
internal import SourceTexts

/// The options for reading schemas: the files of the references, and the dialect.
struct SchemaReading: ParsableArguments {
  @Option(
    name: [.customLong("references"), .customLong("reference")],
    help: ArgumentHelp(
      """
      The files of schemas that references name by address: a file with an $id, a folder of such files, \
      ADDRESS=FILE, or PREFIX=FOLDER for all addresses with that prefix; may be repeated.
      """,
      valueName: "place"
    ),
    completion: .file()
  )
  var references: [String] = []
  @Option(
    help: ArgumentHelp(
      "The draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12.",
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
  @Flag(help: "Accept needless backslashes in patterns, as in \\- and \\_, which ECMA-262 refuses.")
  var lenientPatterns = false

  /// The files and folders of the references.
  var paths: [String] { references.map { SchemaReferenceFiles.parts(of: $0).path } }

  /// The schemas that references can name by address.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read or has no `$id`.
  func referenceFiles() throws(CommandFailure) -> SchemaReferenceFiles {
    try SchemaReferenceFiles(references, draft: draft)
  }

  /// The options for compiling a schema.
  ///
  /// - Parameters:
  ///   - library: resolves the schema's references.
  ///   - baseURI: the schema's own address.
  func options(
    _ library: SchemaLibrary,
    baseURI: String,
    assertsFormat: Bool = false,
    limits: SchemaLimits = SchemaLimits()
  ) -> CompileOptions {
    CompileOptions(
      assertsFormat: assertsFormat,
      draft: draft,
      patternLeniency: lenientPatterns ? .needlessEscapes : .none,
      allowsReferenceLoops: true,
      baseURI: baseURI,
      limits: limits
    ) { library.documentOrComplaint(at: $0) }
  }

  /// The problems of a schema that cannot be used.
  struct Problems: Error {
    /// The problems, each with its position.
    var diagnostics: [Diagnostic] = []
    /// The message with which the run ends because of them.
    var trouble: String
  }

  /// Compiles the schema in a file.
  func compiled(
    _ file: String,
    with references: SchemaReferenceFiles,
    assertsFormat: Bool,
    limits: SchemaLimits
  ) throws(CommandFailure) -> Result<Schema, Problems> {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Console.bytes(of: file) } catch {
      return .failure(Problems(trouble: "\(error)"))
    }
    switch SchemaSourceFile.read(bytes, file: file, references) {
    case .failure(let broken):
      return .failure(Problems(diagnostics: broken.diagnostics, trouble: "the schema cannot be read"))
    case .success(let source):
      let options = options(source.library, baseURI: source.uri, assertsFormat: assertsFormat, limits: limits)
      do throws(SchemaCompileError) {
        return .success(try Schema.compile(source.document, options: options))
      } catch {
        let diagnostics = source.diagnostics(error.problems)
        return .failure(Problems(diagnostics: diagnostics, trouble: "the schema cannot be used"))
      }
    }
  }

  /// Checks a schema.
  ///
  /// - Returns: the findings.
  func check(_ bytes: [UInt8], file: String, with references: SchemaReferenceFiles) -> [Diagnostic] {
    switch SchemaSourceFile.read(bytes, file: file, references) {
    case .failure(let broken): return broken.diagnostics
    case .success(let source):
      let check = Schema.check(source.document, options: options(source.library, baseURI: source.uri))
      return source.diagnostics(check.problems, check.warnings)
    }
  }
}

extension SchemaLibrary {
  /// The file of a URI; nil for a file that cannot be used, after a message on standard error.
  func documentOrComplaint(at uri: String) -> JSON? {
    do throws(SchemaFileError) {
      return try file(at: uri).document
    } catch {
      // The schema with the reference reports a missing file.
      if error != .notAFile { Console.complain(error.message) }
      return nil
    }
  }
}

/// The schemas that references can name by address.
struct SchemaReferenceFiles: Sendable {
  /// The schemas that were read, by their addresses.
  private var files: [(address: String, file: SchemaLibrary.File)] = []
  /// Folders of schemas, by the prefix of their addresses.
  private var folders: [(prefix: String, folder: String)] = []

  /// - Throws: ``CommandFailure`` if a file cannot be read or has no `$id`.
  init(_ arguments: [String], draft: SchemaDraft) throws(CommandFailure) {
    for argument in arguments {
      let (address, path) = Self.parts(of: argument)
      switch (address, FolderContents.isFolder(path)) {
      case (let address?, true): folders.append((address, path))
      case (let address?, false): files.append((address, try Self.read(path)))
      case (nil, true):
        for entry in FileSelection([path], suffixes: [".json"]).entries {
          switch entry {
          case .trouble(let path, let trouble): throw CommandFailure(message: "\(path): \(trouble)")
          case .file(let path):
            let file = try Self.read(path)
            // A file without an address is found by its path.
            if let address = Self.address(of: file, draft) { files.append((address, file)) }
          }
        }
      case (nil, false):
        let file = try Self.read(path)
        guard let address = Self.address(of: file, draft) else {
          throw CommandFailure(
            message: "\(path): the schema has no $id; write --references ADDRESS=\(path)"
          )
        }
        files.append((address, file))
      }
    }
  }

  /// The parts of an option's value: an address with the path that it leads to, or a path alone.
  static func parts(of argument: String) -> (address: String?, path: String) {
    guard FileVersion(path: argument) == nil, let sign = argument.firstIndex(of: "=") else { return (nil, argument) }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  private static func read(_ path: String) throws(CommandFailure) -> SchemaLibrary.File {
    let text = try Console.readFile(path)
    let document = try Console.parseJSON(text, from: path, numbers: .exact)
    return SchemaLibrary.File(path: path, document: document, text: text)
  }

  private static func address(of file: SchemaLibrary.File, _ draft: SchemaDraft) -> String? {
    (SchemaDraft(of: file.document) ?? draft).identifier(of: file.document).map { URIReference($0).withoutFragment }
  }

  /// The files that schemas in a folder may refer to: these files by address, and any other file by its path.
  func library(folder: String) -> SchemaLibrary {
    let library = SchemaLibrary(folder: folder, isClosed: false, bounds: SchemaLibrary.Bounds(numbers: .exact))
    for (address, file) in files { library.add(file, at: address) }
    for (prefix, folder) in folders { library.map(prefix: prefix, toFolder: folder) }
    return library
  }
}

/// A schema that is read from a file.
private struct SchemaSourceFile {
  let file: SchemaLibrary.File
  let library: SchemaLibrary

  var document: JSON { file.document }

  /// The problems of a file that is not valid in its language.
  struct Broken: Error {
    let diagnostics: [Diagnostic]
  }

  static func read(
    _ bytes: [UInt8],
    file: String,
    _ references: SchemaReferenceFiles
  ) -> Result<SchemaSourceFile, Broken> {
    let texts = FileText.texts(of: bytes, FileLanguage(fileName: file) ?? .json)
    guard texts.count == 1 else {
      let message = "a schema file has one document, and this file has \(texts.count); put each into its own file"
      return .failure(Broken(diagnostics: [Diagnostic(file: file, code: "documents", message: message)]))
    }
    switch texts[0].read(file: file) {
    case .problems(let problems): return .failure(Broken(diagnostics: problems))
    case .value(let document):
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
      return .success(
        SchemaSourceFile(
          file: SchemaLibrary.File(path: file, document: document, text: bytes),
          library: references.library(folder: folder)
        )
      )
    }
  }

  /// The address of the schema. Standard input has none.
  var uri: String {
    guard file.path != "-" else { return "" }
    return library.uri(ofFileNamed: file.path.split(separator: "/").last.map(String.init) ?? file.path)
  }

  /// The problems, then the warnings.
  func diagnostics(_ problems: [SchemaCompileError.Problem], _ warnings: [SchemaWarning] = []) -> [Diagnostic] {
    var texts: [String: ScannedText] = [:]
    func span(_ pointer: JSONPointer, of document: String, _ file: SchemaLibrary.File?) -> TextSpan? {
      guard let file else { return nil }
      let language = DataLanguage(fileName: file.path) ?? .json
      let text = texts[document] ?? ScannedText(SourceText(file.text), language: language)
      texts[document] = text
      return text.span(of: pointer)
    }
    let errors = problems.map { problem in
      let source = problem.document.isEmpty ? file : library.knownFile(at: problem.document)
      return Diagnostic(
        file: source?.path ?? problem.document,
        pointer: problem.pointer,
        span: span(problem.pointer, of: problem.document, source),
        code: problem.kind.rawValue,
        message: problem.text
      )
    }
    return errors
      + warnings.map { warning in
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
  }
}
