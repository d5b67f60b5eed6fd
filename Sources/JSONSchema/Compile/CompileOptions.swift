public import Formats
public import JSON

/// How a schema is compiled.
public struct CompileOptions: Sendable {
  /// Whether `format` asserts. By default it only annotates, as the standard says, unless the meta-schema of the schema
  /// uses the format-assertion vocabulary.
  public var assertsFormat: Bool
  /// The draft that defines the keywords if no `$schema` says so.
  public var draft: SchemaDraft
  /// The constructs that patterns may contain although ECMA-262 refuses them.
  public var patternLeniency: Pattern.Leniency
  /// Whether references may lead back to their start without a step into the instance, as long as the schema of the
  /// whole instance does not lead there. An instance that gets to such a loop cannot be judged: the evaluation ends at
  /// ``SchemaLimits/evaluationDepthMax``.
  public var allowsReferenceLoops: Bool
  /// The URI that the document was read from; references inside it are resolved against it until an `$id` says
  /// otherwise.
  public var baseURI: String
  /// Supplies the documents of other URIs (without fragment); nil if there is none. Nothing is ever fetched from a
  /// network by this module. The standard's meta-schemas are known without it.
  public var resolver: @Sendable (_ uri: String) -> JSON?
  /// Bounds on the schemas to compile.
  public var limits: SchemaLimits

  /// Options; the defaults are the standard's.
  public init(
    assertsFormat: Bool = false,
    draft: SchemaDraft = .draft2020,
    patternLeniency: Pattern.Leniency = .none,
    allowsReferenceLoops: Bool = false,
    baseURI: String = "",
    limits: SchemaLimits = .init(),
    resolver: @escaping @Sendable (_ uri: String) -> JSON? = { _ in nil }
  ) {
    self.assertsFormat = assertsFormat
    self.draft = draft
    self.patternLeniency = patternLeniency
    self.allowsReferenceLoops = allowsReferenceLoops
    self.baseURI = baseURI
    self.limits = limits
    self.resolver = resolver
  }
}

/// Bounds on a schema and on the work of one evaluation: a stranger may have written both schema and instance.
public struct SchemaLimits: Hashable, Sendable {
  /// How deep values in the schema document may be nested; a deeper one is refused at compile time.
  public var schemaDepthMax: Int
  /// How many schemas a program may have, including the schemas of referenced documents.
  public var schemasMax: Int
  /// How many schemas may be in evaluation inside each other: the bound on the stack, of which each takes about 1 KiB
  /// (4 KiB in a debug build). An instance that needs more fails.
  public var evaluationDepthMax: Int
  /// The cost limit of one evaluation if the caller has no budget of its own, in units of about one schema that is
  /// applied; beyond that the evaluation fails as too costly. References to references can double the work at each
  /// step.
  public var evaluationStepsMax: Int

  /// Bounds of that size.
  public init(
    schemaDepthMax: Int = 512,
    schemasMax: Int = 200_000,
    evaluationDepthMax: Int = 600,
    evaluationStepsMax: Int = 20_000_000
  ) {
    self.schemaDepthMax = schemaDepthMax
    self.schemasMax = schemasMax
    self.evaluationDepthMax = evaluationDepthMax
    self.evaluationStepsMax = evaluationStepsMax
  }
}
