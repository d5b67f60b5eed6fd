internal import Formats
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

extension FormCompiler {
  /// The schema of the values, with the files that it refers to; nil when it has an error, or the budget is spent.
  mutating func compileSchema() -> Schema? {
    guard bundleFiles() else { return nil }
    do throws(SchemaCompileError) {
      let schema = try Schema.compile(definition.schema, options: CompileOptions(assertsFormat: true), budget: budget)
      for warning in schema?.warnings(budget: budget) ?? [] {
        reportInSchema(
          warning.kind.rawValue,
          at: warning.pointer,
          spot: warning.kind == .unknownKeyword ? .name : .value,
          warning.text,
          remedy: Remedy(warning.remedy, replacement: warning.meant.map { JSON.string($0).description }),
          severity: .warning
        )
      }
      return schema
    } catch {
      for problem in error.problems { report(problem) }
      checkRest(besides: error.problems)
      return nil
    }
  }

  /// Notes the errors of the definition that do not depend on the wrong parts of the schema.
  private mutating func checkRest(besides problems: [SchemaCompileError.Problem]) {
    guard let repair = SchemaRepair(of: definition.schema, without: problems),
      let schema = try? Schema.compile(repair.schema, options: CompileOptions(assertsFormat: true), budget: budget)
    else { return }
    var rest = self
    rest.collector = collector.emptied
    rest.definition.schema = repair.schema
    if repair.hasHoles { rest.unreadBlocks.insert("schema") }
    if let tree = schema.objectTree(budget: budget) { _ = rest.compile(schema, tree) }
    // The cost of a text or a formula depends on the parts that are missing.
    for error in rest.collector.diagnostics where error.severity == .error && !["cost", "fields"].contains(error.code) {
      collector.report(error)
    }
  }

  /// Makes one schema from the definition's schema and the files that it refers to; false when that cannot be compiled.
  private mutating func bundleFiles() -> Bool {
    guard let files, definition.schema.mayReferToFiles else { return true }
    do throws(SchemaCompileError) {
      bundle = try SchemaBundle.bundle(definition.schema, uri: files.uri, library: files.library, budget: budget)
    } catch {
      for problem in error.problems {
        let origin = SchemaBundle.Origin(document: problem.document, pointer: problem.pointer)
        reportInSchema("schema", at: origin, problem.text)
      }
      return false
    }
    guard let bundle else { return false }
    definition.schema = bundle.document
    guard let pointer = bundle.document.pointerToUnsafeText else { return true }
    reportInSchema(UnsafeText.code, at: pointer, UnsafeText.message, remedy: Remedy(UnsafeText.remedy))
    return false
  }

  // MARK: Problems

  /// Notes a problem of a location in the schema, at the position in its file.
  mutating func reportInSchema(
    _ code: String,
    at pointer: JSONPointer,
    spot: DiagnosticCollector.Spot = .value,
    _ message: String,
    remedy: Remedy? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    let origin = bundle?.origin(of: pointer) ?? SchemaBundle.Origin(document: "", pointer: pointer)
    reportInSchema(code, at: origin, spot: spot, message, remedy: remedy, severity: severity)
  }

  private mutating func reportInSchema(
    _ code: String,
    at origin: SchemaBundle.Origin,
    spot: DiagnosticCollector.Spot = .value,
    _ message: String,
    remedy: Remedy? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    guard !origin.document.isEmpty, let file = files?.library.knownFile(at: origin.document) else {
      let pointer = JSONPointer(tokens: ["schema"] + origin.pointer.tokens)
      return collector.report(code, at: pointer, spot: spot, message, remedy: remedy, severity: severity)
    }
    let key = UTF8Key(text: origin.document)
    if collectors[key] == nil {
      let text = ScannedText(json: SourceText(file.text))
      collectors[key] = DiagnosticCollector(file: file.path, text: text)
    }
    collector.report(
      Diagnostic(
        file: file.path,
        pointer: origin.pointer,
        span: collectors[key]?.span(of: origin.pointer, spot),
        code: code,
        message: message,
        remedy: remedy,
        severity: severity
      )
    )
  }

  /// Notes an error of the schema, with a remedy if a reference leads to no file.
  private mutating func report(_ problem: SchemaCompileError.Problem) {
    guard problem.kind == .unresolvedReference,
      let reference = definition.schema.value(at: problem.pointer)?.stringValue
    else { return reportInSchema("schema", at: problem.pointer, problem.text) }
    let text = "\(reference) leads to no schema"
    switch bundle?.absences[problem.pointer] {
    case .notJSON(let path, let error)?:
      // Reported once, no matter how many references lead there.
      let diagnostic = Diagnostic(error, file: path)
      if !collector.diagnostics.contains(diagnostic) { collector.report(diagnostic) }
    case let absence?:
      reportInSchema("schema", at: problem.pointer, "\(text): \(absence.message)", remedy: absence.remedy)
    case nil where files == nil && URIReference(reference).isFile:
      reportInSchema(
        "schema",
        at: problem.pointer,
        "\(text): this definition cannot refer to files",
        remedy: "only the daemon's own forms may refer to files beside them; here, put that schema into \"$defs\""
      )
    case nil: reportInSchema("schema", at: problem.pointer, problem.text)
    }
  }
}

extension SchemaFileError {
  /// The replacement; nil if it is obvious.
  fileprivate var remedy: Remedy? {
    switch self {
    case .notAFile: "put it into a file beside this one, or into \"$defs\""
    case .absolutePath, .outside: "put the file into the folder of the form, or below: \"address.schema.json\""
    case .missing: "write the file's path relative to the file that refers to it"
    case .noFragment, .unreadable, .notJSON, .tooMany, .tooLarge: nil
    }
  }
}

extension URIReference {
  /// Whether a reference names a file next to the file that has the reference.
  fileprivate var isFile: Bool { scheme == nil && authority == nil && !path.isEmpty }
}

extension JSON {
  /// Whether a reference in the schema may lead out of it.
  fileprivate var mayReferToFiles: Bool {
    switch self {
    case .object(let members):
      members.contains { member in
        switch (member.name, member.value) {
        case ("$ref", .string(let text)), ("$dynamicRef", .string(let text)): text.utf8.first != UInt8(ascii: "#")
        default: member.value.mayReferToFiles
        }
      }
    case .array(let elements): elements.contains(where: \.mayReferToFiles)
    case .null, .bool, .integer, .real, .decimal, .string: false
    }
  }
}
