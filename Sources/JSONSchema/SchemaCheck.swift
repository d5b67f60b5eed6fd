internal import Budgets
internal import Formats
public import JSON

/// The problems and warnings of a document as a schema, for every schema in it.
///
/// ``Schema/compile(_:options:)`` looks only at the schemas that an evaluation may need: it does not check a schema
/// without a reference to it. A check looks at every schema in the document. It also applies the meta-schema, which
/// knows more of the shapes of keywords.
public struct SchemaCheck: Sendable {
  /// The errors.
  public let problems: [SchemaCompileError.Problem]
  /// Schemas that work, but probably not as the author meant.
  public let warnings: [SchemaWarning]
}

extension Schema {
  /// Checks a document as a schema, with every document that it refers to.
  ///
  /// - Parameters:
  ///   - document: any value.
  ///   - options: as for ``compile(_:options:)``.
  public static func check(_ document: JSON, options: CompileOptions = .init()) -> SchemaCheck {
    var checker = SchemaChecker(options: options)
    return checker.check(document)
  }
}

private struct SchemaChecker {
  private let options: CompileOptions
  private var compiler: SchemaCompiler

  init(options: CompileOptions) {
    self.options = options
    compiler = SchemaCompiler(options: options, budget: CompileBudget())
  }

  mutating func check(_ document: JSON) -> SchemaCheck {
    let root = compiler.registry.add(document: document, uri: options.baseURI)
    let schema = compiler.schema(at: root)
    compile()
    let usedCount = compiler.locations.count
    let inner = takeUpSchemas(in: root)
    compile()
    var warnings: [SchemaWarning] = []
    if compiler.registry.problems.isEmpty {
      for loop in compiler.referenceLoops(atMost: SchemaCompileError.problemsMax) {
        // A reader that enters a loop at one location passes all its locations.
        let isUsed = loop.origin < usedCount
        if isUsed, compiler.isRefused(loop, from: Int(schema)) {
          compiler.report(loop)
        } else {
          warnings += warning(of: loop, isUsed: isUsed)
        }
      }
    }
    judge(inner)
    if compiler.registry.problems.isEmpty {
      compiler.tables.locations = compiler.registry.locationTable
      let program = Program(compiler.tables, root: schema, limits: options.limits)
      warnings = Schema(program: program).warnings() + warnings
    }
    return SchemaCheck(problems: compiler.registry.problems, warnings: warnings)
  }

  private mutating func compile() {
    compiler.compileQueue()
    compiler.settleDynamicReferences()
  }

  /// Has every schema of a document compiled, whether or not something refers to it.
  ///
  /// - Returns: the locations of all of them, outer ones first.
  private mutating func takeUpSchemas(in root: Int) -> [Int] {
    var locations = [root]
    var next = 0
    while next < locations.count {
      let location = locations[next]
      next += 1
      _ = compiler.schema(at: location)
      let inner = compiler.registry.innerSchemas(of: location)
      locations += isHidden(beside: location) ? inner.filter { isDefinition($0, of: location) } : inner
    }
    return locations
  }

  /// Whether a schema has a reference beside which nothing counts.
  private func isHidden(beside location: Int) -> Bool {
    compiler.registry.dialect(of: location).draft.hidesSiblingsOfReferences
      && compiler.registry.locations[location].value["$ref"] != nil
  }

  private func isDefinition(_ location: Int, of schema: Int) -> Bool {
    let parent = compiler.registry.locations[location].parent
    return parent != schema && compiler.registry.locations[parent].token == "definitions"
  }

  private func warning(of loop: SchemaCompiler.ReferenceLoop, isUsed: Bool) -> [SchemaWarning] {
    let location = compiler.firstLocation(of: loop.origin)
    guard compiler.registry.locations[location].document == 0 else { return [] }
    return [
      SchemaWarning(
        kind: .referenceLoop,
        pointer: compiler.registry.pointer(of: location),
        text: compiler.text(of: loop)
          + (isUsed ? "; an instance that gets there cannot be judged" : "; no other schema uses them yet"),
        remedy: "add a keyword that checks something to one of them, or remove them"
      )
    ]
  }

  // MARK: The meta-schema

  /// Judges the document by its meta-schema. A part that names another meta-schema is judged by that one.
  private mutating func judge(_ schemas: [Int]) {
    let resources = schemas.filter { location in
      guard let value = compiler.registry.locations[location].value["$schema"] else { return location == schemas[0] }
      // Before that, and without an identifier, it says nothing.
      let resource = compiler.registry.resources[compiler.registry.locations[location].resource]
      return location == schemas[0] || value.stringValue != nil && resource.location == location
    }
    // The compiler describes the problems that it found better.
    let found = compiler.registry.problems.filter(\.document.isEmpty).map(\.pointer)
    let pointers = resources.map { compiler.registry.pointer(of: $0) }
    for resource in resources {
      let own = compiler.registry.pointer(of: resource)
      let others = pointers.filter { $0 != own && $0.isWithin(own) }
      guard let metaSchema = metaSchema(of: resource) else { continue }
      let value = compiler.registry.locations[resource].value
      for failure in metaSchema.evaluate(value, telling: .foundValues).failures {
        guard failure.kind == .invalid else {
          compiler.registry.report(
            .tooLarge,
            at: resource,
            nil,
            "the schema is too large to be checked against its meta-schema"
          )
          break
        }
        let pointer = own + failure.instanceLocation
        let isKnown = found.contains { problem in
          problem == pointer || !problem.tokens.isEmpty && pointer.isWithin(problem)
            || !failure.causes.isEmpty && problem.isWithin(pointer)
        }
        if isKnown || others.contains(where: { pointer.isWithin($0) }) { continue }
        for leaf in failure.leaves {
          compiler.registry.report(.metaSchema, at: own + leaf.instanceLocation, leaf.message())
        }
      }
    }
  }

  /// The schema that judges a schema resource; nil if its `$schema` cannot be used, which was reported.
  private mutating func metaSchema(of resource: Int) -> Schema? {
    let draft = compiler.registry.dialect(of: resource).draft
    var uri = draft.metaSchemaURI
    if let named = compiler.registry.locations[resource].value["$schema"]?.stringValue {
      let other = URIReference(named).withoutFragment
      if SchemaDraft(metaSchemaURI: other) == nil, compiler.registry.load(other, from: resource) != nil { uri = other }
    }
    // Regular expressions and identifiers are read by the compiler: as formats they would be judged twice.
    let options = CompileOptions(draft: draft, limits: self.options.limits, resolver: self.options.resolver)
    return try? Schema.compile(["$ref": .string(uri)], options: options)
  }
}

extension JSONPointer {
  fileprivate static func + (outer: JSONPointer, inner: JSONPointer) -> JSONPointer {
    JSONPointer(tokens: outer.tokens + inner.tokens)
  }

  /// Whether it leads to that location, or into it.
  fileprivate func isWithin(_ pointer: JSONPointer) -> Bool { tokens.starts(with: pointer.tokens) }
}
