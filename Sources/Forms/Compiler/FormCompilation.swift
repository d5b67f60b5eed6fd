internal import Budgets
internal import DataLanguages
public import JSON
internal import JSONSchema
public import SourceTexts
internal import Synchronization
internal import Texts

/// How much compiling a definition may take: a stranger may have written it.
public struct CompileLimits: Sendable {
  /// The units of work that may be spent; a definition that takes more is refused.
  ///
  /// Work is counted, not timed, so that a definition is accepted on every machine or on none. A unit is a small piece
  /// of work: a keyword of the schema, a byte of a formula, a value that a formula reads, a text in one locale.
  public var workMax: Int
  /// Asked at the start and each 1,000 units or so, on the thread that compiles: whether to end without a result.
  public var isCancelled: @Sendable () -> Bool

  /// Limits; the defaults are the limits of a daemon's own forms and of its clients' forms.
  public init(workMax: Int = Self.workMaxDefault, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.workMax = workMax
    self.isCancelled = isCancelled
  }

  /// Enough for 10,000 fields with 10,000 outputs and as much again; about a second of a release build.
  public static let workMaxDefault = 1_000_000
}

/// The result of compiling a definition.
public struct FormCompilation: Sendable {
  /// How the compiling ended.
  public enum Outcome: Sendable, Hashable {
    /// There is a form.
    case compiled
    /// The definition has errors.
    case refused
    /// The definition takes more work than ``CompileLimits/workMax``.
    case tooCostly
    /// ``CompileLimits/isCancelled`` asked for it; nothing is known about the definition.
    case cancelled
  }

  /// How the compiling ended.
  public let outcome: Outcome
  /// The form, if the definition has no error.
  public var form: Form? { result?.form }
  private let result: CompiledParts?
  /// The diagnostics, in the order of the stages: reading, schema, formulas, graph. At most 100 errors and 100
  /// warnings; if there were more, a diagnostic of code `more` gives their number.
  public let diagnostics: [Diagnostic]
  /// How many errors were found, reported or not.
  public let errorCount: Int
  /// How many warnings were found, reported or not.
  public let warningCount: Int
  /// The units of work that were spent.
  package let workSpent: Int

  /// The result of a compiler.
  init(_ parts: FormParts?, _ collector: DiagnosticCollector, _ budget: CompileBudget) {
    var collector = collector
    let outcome: Outcome
    switch budget.end {
    case .exhausted:
      outcome = .tooCostly
      collector.report(
        "tooCostly",
        at: .root,
        "compiling this definition takes more than \(budget.workMax) units of work, so it is refused",
        remedy: "split the form, or have fewer fields, formulas, references and locales in it"
      )
    case .cancelled: outcome = .cancelled
    case nil: outcome = collector.hasErrors || parts == nil ? .refused : .compiled
    }
    self.init(outcome == .compiled ? parts : nil, collector, outcome: outcome, budget.spent)
  }

  /// The diagnostics, and the outcome.
  fileprivate init(_ parts: FormParts?, _ collector: DiagnosticCollector, outcome: Outcome, _ workSpent: Int) {
    result = parts.map(CompiledParts.init)
    self.outcome = outcome
    diagnostics = collector.diagnostics
    errorCount = collector.errorCount
    warningCount = collector.warningCount
    self.workSpent = workSpent
  }
}

/// Makes a form from its parts at the first use: an editor asks for the diagnostics of each text, and for the form of
/// few.
private final class CompiledParts: Sendable {
  private enum State {
    case parts(FormParts)
    case form(Form)
  }

  private let state: Mutex<State>

  init(_ parts: FormParts) { state = Mutex(.parts(parts)) }

  var form: Form {
    state.withLock { state in
      switch state {
      case .form(let form): return form
      case .parts(let parts):
        let form = Form(parts)
        state = .form(form)
        return form
      }
    }
  }
}

extension Form {
  /// Compiles a definition. It may be called on any thread that has 8 MiB of stack.
  ///
  /// - Parameters:
  ///   - text: the definition in UTF-8: JSON, or the language that the file's name says (`.jsonc`, `.yaml`, `.yml`).
  ///   - file: its file name, for diagnostics.
  ///   - fallbackName: the form's name if the definition has no `form`; by default from the file, `login` of
  ///     `forms/login.form.json`.
  ///   - capabilities: the names that it may use; a definition that names more is refused.
  ///   - limits: how much work it may take, and whether the caller still wants the result.
  ///   - followsFiles: whether references in the schema may lead to files in the folder of `file` and below, which are
  ///     then read. Do not allow it for a stranger's definition.
  public static func compile(
    _ text: [UInt8],
    file: String? = nil,
    fallbackName: String? = nil,
    capabilities: FormCapabilities = .all,
    limits: CompileLimits = CompileLimits(),
    followsFiles: Bool = false
  ) -> FormCompilation {
    compile(
      ScannedText(SourceText(text), language: AuthoredFile.language(of: file), limits: jsonLimits),
      file: file,
      fallbackName: fallbackName,
      capabilities: capabilities,
      limits: limits,
      followsFiles: followsFiles
    )
  }

  /// Compiles a definition whose text was scanned, as an editor does.
  ///
  /// A text with problems gives no form. The diagnostics report the text's problems first. Then follow the problems of
  /// the part that could be read, unless they follow from the text's problems.
  ///
  /// The parameters are the parameters of `compile(_:file:fallbackName:capabilities:limits:followsFiles:)`; the text is
  /// best scanned with ``jsonLimits``.
  ///
  /// - Parameters:
  ///   - openFiles: by path, texts that replace the files that the schema may refer to: an editor has not saved them
  ///     yet.
  ///   - cache: the results of formulas in nearly the same definition, and afterwards in this one; nil without a
  ///     cache.
  public static func compile(
    _ text: ScannedText,
    file: String? = nil,
    fallbackName: String? = nil,
    capabilities: FormCapabilities = .all,
    limits: CompileLimits = CompileLimits(),
    followsFiles: Bool = false,
    openFiles: [String: SourceText] = [:],
    cache: FormulaCache? = nil
  ) -> FormCompilation {
    let name = fallbackName ?? file.map(Self.name(ofFile:))
    var collector = DiagnosticCollector(file: file, text: text)
    let files = followsFiles ? file.map { schemaFiles(beside: $0, openFiles) } : nil
    guard text.problemCount > 0 else {
      // In YAML, an anchor elsewhere can change the meaning of the same bytes.
      let isCached = cache != nil && text.syntax != .lines
      let schema = isCached ? text.root.child("schema").map { Array(text.source.bytes[$0.range]) } : nil
      return compile(
        text.value,
        files: files,
        collector: collector,
        fallbackName: name,
        capabilities: capabilities,
        limits: limits,
        cache: cache,
        schemaText: schema
      )
    }
    var unread = UnreadParts(of: text, file: file)
    let rest = compile(
      text.value,
      files: files,
      collector: collector,
      fallbackName: name,
      capabilities: capabilities,
      limits: limits,
      cache: cache,
      unreadBlocks: unread.blocks
    )
    unread.note(rest.diagnostics)
    collector.reportProblemsOfText()
    for diagnostic in rest.diagnostics where !unread.explain(diagnostic) { collector.report(diagnostic) }
    return FormCompilation(nil, collector, outcome: rest.outcome == .cancelled ? .cancelled : .refused, rest.workSpent)
  }

  /// How deep and large a definition may be, and each file that its schema refers to.
  public static let jsonLimits = JSONLimits(depthMax: 512, nodesMax: 1_000_000)
  /// The bytes of a definition's file that are read. The daemon and the tools refuse a larger file.
  public static let fileBytesMax = 16 << 20
  /// How many files a schema may refer to, and how large they may be together.
  private static let schemaFilesMax = 100
  private static let schemaFilesBytesMax = fileBytesMax

  /// The files that the schema of a definition may refer to: the files next to it.
  private static func schemaFiles(
    beside path: String,
    _ openFiles: [String: SourceText]
  ) -> (uri: String, library: SchemaLibrary) {
    let name = fileName(of: path)
    let folder = String(path.dropLast(name.count))
    let library = SchemaLibrary(
      folder: folder,
      isClosed: true,
      bounds: SchemaLibrary.Bounds(filesMax: schemaFilesMax, bytesMax: schemaFilesBytesMax, values: jsonLimits)
    )
    for (open, text) in openFiles where open.hasPrefix(folder) {
      let document = ScannedText(json: text, limits: jsonLimits).value
      let file = SchemaLibrary.File(path: open, document: document, text: text.bytes)
      library.add(file, at: library.uri(ofFileNamed: String(open.dropFirst(folder.count))))
    }
    return (library.uri(ofFileNamed: name), library)
  }

  /// A path without its folders.
  private static func fileName(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The name that a file gives to a form without one: its own, without folders and without `.form.json` or the like.
  private static func name(ofFile path: String) -> String {
    var name = fileName(of: path)
    if let stem = AuthoredFile.form.stem(of: name) { return stem }
    for suffix in [".json", ".form"] where name.hasSuffix(suffix) { name.removeLast(suffix.utf8.count) }
    return name
  }

  /// Compiles a definition that is a value already, such as the definition that a client sends. Its diagnostics have no
  /// position in a text.
  ///
  /// The parameters are the parameters of
  /// `compile(_:file:fallbackName:capabilities:limits:followsFiles:openFiles:cache:)`.
  public static func compile(
    _ root: JSON,
    fallbackName: String? = nil,
    capabilities: FormCapabilities = .all,
    limits: CompileLimits = CompileLimits(),
    cache: FormulaCache? = nil
  ) -> FormCompilation {
    compile(
      root,
      files: nil,
      collector: DiagnosticCollector(file: nil, text: nil),
      fallbackName: fallbackName,
      capabilities: capabilities,
      limits: limits,
      cache: cache
    )
  }

  /// - Parameters:
  ///   - files: the schema's location, and the files that it may refer to; nil if it may refer to none.
  ///   - unreadBlocks: the blocks of which a part could not be read, so that names may lead nowhere.
  ///   - schemaText: the text of the schema, if it is known.
  private static func compile(
    _ root: JSON,
    files: (uri: String, library: SchemaLibrary)?,
    collector: DiagnosticCollector,
    fallbackName: String?,
    capabilities: FormCapabilities,
    limits: CompileLimits,
    cache: FormulaCache?,
    unreadBlocks: Set<String> = [],
    schemaText: [UInt8]? = nil
  ) -> FormCompilation {
    let budget = CompileBudget(workMax: limits.workMax, isCancelled: limits.isCancelled)
    if let pointer = root.pointerToUnsafeText {
      var collector = collector
      collector.report(UnsafeText.code, at: pointer, UnsafeText.message, remedy: Remedy(UnsafeText.remedy))
      return FormCompilation(nil, collector, budget)
    }
    var reader = DefinitionReader(collector: collector)
    guard budget.spend(), let definition = FormDefinition(reading: root, with: &reader, fallbackName: fallbackName)
    else { return FormCompilation(nil, reader.collector, budget) }
    var compiler = FormCompiler(
      definition: definition,
      files: files,
      capabilities: capabilities,
      collector: reader.collector,
      cache: cache,
      budget: budget
    )
    compiler.unreadBlocks = unreadBlocks
    compiler.schemaText = schemaText
    let parts = compiler.compile()
    let compilation = FormCompilation(parts, compiler.collector, budget)
    // The thread that compiles does all the work.
    if cache == nil { _ = compilation.form }
    return compilation
  }
}
