package import CEL
package import JSON
package import JSONSchema
internal import TextFormats

/// What one version of a definition says of objects.
package struct ResourceSchema: Sendable {
  /// What objects consist of.
  let root: StructuralSchema
  /// The values that the schema admits.
  let values: Schema
  /// The rules of each node of the tree, by its number.
  let rules: [Int: [ValidationRule]]
  let limits: SchemaLimits
  /// What expressions on objects can call, with the types of all parts of objects.
  package let environment: Environment

  /// The type of an object in expressions.
  package var type: CELType { root.type ?? .dyn }

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - source: an `openAPIV3Schema`.
  ///   - pointer: where it stands in its document.
  ///   - limits: bounds for it, and for judging by it.
  /// - Throws: ``DefinitionError`` with everything that is wrong.
  package init(_ source: JSON, at pointer: JSONPointer, limits: SchemaLimits) throws(DefinitionError) {
    self.limits = limits
    var reader = StructuralSchemaReader(pointer: pointer)
    root = reader.readResource(source)
    var faults = reader.faults
    var environment = Environment.kubernetes
    for record in reader.records { environment.declare(record) }
    self.environment = environment
    var rules: [Int: [ValidationRule]] = [:]
    for node in reader.ruled {
      let compiler = RuleCompiler(node, in: environment)
      rules[node.schema.id] = compiler.rules(&faults)
    }
    self.rules = rules
    var options = CompileOptions(assertsFormat: true, draft: .draft4, limits: limits)
    options.patternDialect = .re2
    do throws(SchemaCompileError) {
      values = try Schema.compile(OpenAPISchema.plainResource(source), options: options)
    } catch {
      faults += error.problems.map { problem in
        DefinitionFault(
          at: JSONPointer(tokens: pointer.tokens + problem.pointer.tokens),
          code: problem.kind.rawValue,
          problem.text
        )
      }
      throw DefinitionError(faults: faults)
    }
    if !faults.isEmpty { throw DefinitionError(faults: faults) }
  }

  /// An object as expressions read it: without what the schema does not know, and with defaults.
  package func value(of object: JSON) -> Value {
    var dropped: [JSONPointer] = []
    return root.value(of: root.completed(root.pruned(object, at: .root, dropped: &dropped)))
  }
}
