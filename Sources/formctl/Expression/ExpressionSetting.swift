internal import CEL
internal import CustomResources
internal import Findings
internal import Forms
internal import JSON
internal import JSONSchema

/// Where an expression is tried: what it can call, and of which type its input is.
struct ExpressionSetting {
  /// The variable whose value is an input.
  static let input = "self"

  /// What it can call.
  let environment: Environment
  /// Variables that it has by itself.
  private(set) var variables: [TriedExpression.Variable] = []
  /// Whether it knows the time.
  private(set) var hasMoment = false
  /// The type of the variables of those names, and how values of them are made.
  private var inputs: [String] = []
  private var type = CELType.dyn
  private var reading: (@Sendable (JSON) -> Value)?

  /// A form, of which nothing is known.
  static let form = ExpressionSetting(SchemaTypes?.none)

  /// A form whose schema is that.
  private init(_ types: SchemaTypes?) {
    var environment = FormFunctions.environment()
    for record in types?.records ?? [] { environment.declare(record) }
    self.environment = environment
    // The one that text() reads.
    variables = [TriedExpression.Variable(name: "form.locale", value: "")]
    hasMoment = true
    if let types { (inputs, type) = ([Self.input], types.root) }
  }

  /// The rules of a custom resource.
  private init(_ schema: ResourceSchema) {
    environment = schema.environment
    inputs = [Self.input, "oldSelf"]
    type = schema.type
    reading = { schema.value(of: $0) }
  }

  /// The setting that a file says: a JSON Schema, or the definition of a custom resource.
  ///
  /// - Throws: ``CommandFailure`` when the file cannot be read or used.
  init(schemaFile file: String) throws(CommandFailure) {
    let document = try ExprCommand.value(inFile: file)
    guard CustomResourceDefinition.isDefinition(document) else {
      self.init(try Self.types(of: document, file: file))
      return
    }
    do throws(DefinitionError) {
      self.init(try CustomResourceDefinition(document).storedVersion.schema)
    } catch {
      throw CommandFailure(
        message: error.faults.map { "\(file): \($0.pointer): \($0.message)" }.joined(separator: "\n")
      )
    }
  }

  /// Says of which type a variable is, where that is known.
  func complete(_ variable: inout TriedExpression.Variable) {
    guard inputs.contains(variable.name) else { return }
    variable.type = type
    variable.reading = reading
  }

  /// What a JSON Schema says of types.
  private static func types(of document: JSON, file: String) throws(CommandFailure) -> SchemaTypes {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let library = SchemaLibrary(folder: folder, isClosed: false)
    let options = CompileOptions(
      baseURI: library.uri(ofFileNamed: file.split(separator: "/").last.map(String.init) ?? file)
    ) { [library] uri in (try? library.file(at: uri))?.document }
    do throws(SchemaCompileError) {
      return SchemaTypes(try Schema.compile(document, options: options))
    } catch {
      throw CommandFailure(
        message: error.problems.map { "\(file): \($0.pointer): \($0.text)" }.joined(separator: "\n")
      )
    }
  }
}
